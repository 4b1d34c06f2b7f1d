"""The question sets shipped with LegacyLens, one JSONL file for each codebase."""
