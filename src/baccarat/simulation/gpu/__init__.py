"""Simulation on a GPU. Needs the extra `gpu`."""
