"""Any table → checked, numbered scores or battles."""
