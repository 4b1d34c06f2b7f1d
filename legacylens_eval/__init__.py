"""Question sets, metrics, runner and reports: whether retrieval got better or worse."""
