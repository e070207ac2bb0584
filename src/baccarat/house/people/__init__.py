"""People: roles, passwords, names, staff accounts and partners."""
