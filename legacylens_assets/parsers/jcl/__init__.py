"""JCL: jobs, procedures, steps, DDs, and what they run, read, write and delete."""

from __future__ import annotations

from legacylens_assets.parsers.jcl.outline import parse

__all__ = ["parse"]
