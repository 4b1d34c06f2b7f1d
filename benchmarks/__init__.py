"""Benchmarks: figures that are printed and kept, never asserted. `python -m benchmarks` lists them."""
