"""How a codebase arrives: fetched, pinned, verified and listed."""
