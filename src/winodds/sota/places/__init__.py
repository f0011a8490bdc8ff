"""Places on a contest's board: which of them luck could have swapped, and whose prizes they are."""
