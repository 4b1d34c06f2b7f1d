"""From a question to a ranked list of hits."""
