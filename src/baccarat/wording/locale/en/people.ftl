# The staff page of the pit.

people-tables = Tables
people-every_table = every table
people-tables_words = Choose one or more tables, or none to allow every table. A dealer who is assigned to some tables can't take others.
people-assign = Assign
people-signed_in = Last sign-in
people-never = never
people-second_factor = Second factor
people-has_factor = with second factor
people-remove_factor = Remove second factor
people-factor_lead = With a second factor, you sign in with your password and a code from your phone.
people-factor_on = You sign in with your password and a code from your authenticator app.
people-factor_off = You sign in with your password only.
people-scan = Scan this code
people-scan_words = Scan it with an authenticator app, then enter the code that the app shows.
people-type_words = Can't scan it? Type this into the app:
people-code = Code from the app
people-code_in = Code from your authenticator app, or a recovery code
people-set_up = Set up
people-replace = Replace

# The same page's script.

script-account-need-code = Enter the code.
script-account-recovery = Note these recovery codes and keep them in a safe place. Each lets you sign in once without your phone. They are not shown again.
script-account-noted = I've noted them
