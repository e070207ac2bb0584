"""Fast simulation: pay table to arrays to kernel to run. Needs the extra `lab`."""
