"""The HTTP face of LegacyLens: search, streamed answers, indexed source. Never imports dagster."""
