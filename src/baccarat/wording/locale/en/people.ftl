# The staff page of the pit.

people-tables = Tables
people-every_table = every table
people-tables_words = Choose one or more tables, or none to allow every table. A dealer can take only these tables.
people-assign = Assign
people-signed_in = Last sign-in
people-never = never
