"""A cheap password hasher: thousands of people sign in during the tests."""

from argon2 import PasswordHasher

from baccarat.house.people import passwords

USUAL = passwords._HASHER
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
