"""The house: permissions, accounts and money, and the house file that configures it.

Pure values and functions; the only file read is the house file.
"""
