"""Endpoints for the people who work in a house."""
