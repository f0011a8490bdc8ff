"""Files → sheets, and what shape a sheet has."""
