"""The house: permissions, accounts, money, player protection and the house file.

This package contains only values and pure functions. The only files it reads are configuration and
data files.
"""
