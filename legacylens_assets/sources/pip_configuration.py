"""Where pip looks for packages: asked of pip itself, so that mirrors, extra indexes and certificates are those that already work."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from legacylens_assets.errors import SourceError
from legacylens_assets.sources.processes import run
from legacylens_assets.sources.tree import Budget

TRUE = frozenset({"1", "true", "yes", "y", "on", "t"})
SECTIONS = ("global", "install", "download", ":env:")
"""From the weakest to the strongest, as pip reads them for `pip download`."""
DEFAULT_INDEX = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"


@dataclass(frozen=True, slots=True)
class PipConfiguration:
    """Indexes (main first, then extra), pages or folders of links, a CA bundle, a proxy, and the timeout in seconds."""

    indexes: tuple[str, ...]
    links: tuple[str, ...]
    cert: str = ""
    proxy: str = ""
    timeout: float = 60.0


def pip_configuration(folder: Path, budget: Budget) -> PipConfiguration:
    """Return the configuration of the pip that belongs to this Python; raises SourceError when there is none."""
    listed = run([sys.executable, "-m", "pip", "config", "list"], budget, cwd=folder, variables={})
    if listed.code:
        raise SourceError(f"pip cannot be asked for its index: {listed.reason}; install it with `python -m ensurepip`")
    values = parse_configuration(listed.stdout.decode("utf-8", "replace"))
    index = values.get("index-url", "")
    if not index and not _is_true(values, "no-index"):
        default = run([sys.executable, "-c", DEFAULT_INDEX], budget, cwd=folder, variables={})
        index = default.stdout.decode("utf-8", "replace").strip()
    return from_values(values, index)


def parse_configuration(text: str) -> dict[str, str]:
    r"""Return name -> value of what ``pip config list`` prints; the environment wins over commands' sections, those over global.

    >>> parse_configuration("global.index-url='https://a/simple'\n:env:.index-url='https://b/simple'")
    {'index-url': 'https://b/simple'}
    """
    found: dict[str, str] = {}
    rows = []
    for line in text.splitlines():
        matched = re.match(r"(:env:|[\w-]+)\.([\w-]+)=(.*)$", line.strip())
        if matched and matched.group(1) in SECTIONS:
            rows.append((SECTIONS.index(matched.group(1)), matched.group(2).replace("_", "-"), matched.group(3)))
    for _, name, value in sorted(rows, key=lambda row: row[0]):
        try:
            found[name] = str(ast.literal_eval(value))
        except (ValueError, SyntaxError):
            found[name] = value
    return found


def from_values(values: dict[str, str], index: str) -> PipConfiguration:
    """Return the configuration that ``values`` spell, with ``index`` as the main one ("" for none)."""
    offline = _is_true(values, "no-index")
    indexes = () if offline else (*index.split(), *values.get("extra-index-url", "").split())
    try:
        timeout = float(values.get("timeout") or values.get("default-timeout") or 60)
    except ValueError:
        timeout = 60.0
    return PipConfiguration(indexes, tuple(values.get("find-links", "").split()), values.get("cert", ""), values.get("proxy", ""), timeout)


def _is_true(values: dict[str, str], name: str) -> bool:
    return values.get(name, "").lower() in TRUE
