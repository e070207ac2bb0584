"""The house: permissions, accounts, money, player protection and the house file.

This package contains only values and pure functions, apart from the code that reads configuration
and data files.
"""
