"""What calls, copies, runs, reads and writes what."""
