"""A private configuration for apt: the system's package sources as source-code sources, with lists and cache of our own."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from legacylens_assets.errors import SourceError
from legacylens_assets.sources.processes import run
from legacylens_assets.sources.tree import Budget

CLEARED = ("APT::Update::Pre-Invoke", "APT::Update::Post-Invoke", "APT::Update::Post-Invoke-Success", "DPkg::Pre-Invoke", "DPkg::Post-Invoke")
"""Hooks of the system that would run commands."""

LINE = re.compile(r"\s*deb(?:-src)?\s+(\[[^\]]*\]\s+)?(?!cdrom:)(\S+\s+.*)$")


def apt_environment(folder: Path, budget: Budget) -> Path:
    """Write sources and configuration below ``folder``; returns the file to pass to apt with ``-c``.

    Raises SourceError when apt is missing or the system has no package sources.
    """
    found = run(["apt-config", "shell", "LIST", "Dir::Etc::sourcelist/f", "PARTS", "Dir::Etc::sourceparts/d"], budget, cwd=folder, variables={})
    if found.code:
        raise SourceError(f"apt-config failed: {found.reason}; Debian sources need apt")
    paths = dict(word.split("=", 1) for word in shlex.split(found.stdout.decode()) if "=" in word)
    parts = Path(paths.get("PARTS", ""))
    files = [Path(paths.get("LIST", "")), *(sorted(parts.glob("*")) if paths.get("PARTS") and parts.is_dir() else [])]
    written = write_sources([file for file in files if file.is_file()], folder / "sources.list.d")
    if not written:
        raise SourceError(f"the system has no package sources that can be read ({', '.join(paths.values())})")
    for name in ("lists/partial", "cache/archives/partial"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    configuration = folder / "apt.conf"
    configuration.write_text(apt_options(folder), encoding="utf-8")
    return configuration


def apt_options(folder: Path) -> str:
    """Return the text of the configuration file."""
    options = {
        "Dir::Etc::sourcelist": "/dev/null",
        "Dir::Etc::sourceparts": folder / "sources.list.d",
        "Dir::State::lists": folder / "lists",
        "Dir::Cache": folder / "cache",
        "Dir::Log": folder / "cache",
        "APT::Sandbox::User": "",
        "APT::Get::AllowUnauthenticated": "false",
        "APT::Get::List-Cleanup": "true",
        "Acquire::Languages": "none",
        "Acquire::Retries": "1",
        "Acquire::http::Timeout": "30",
        "Acquire::https::Timeout": "30",
    }
    lines = [f"#clear {name};" for name in CLEARED] + [f'{name} "{value}";' for name, value in options.items()]
    return "\n".join(lines) + "\n"


def write_sources(files: list[Path], target: Path) -> int:
    """Write each of apt's source files, turned to source-code sources, into ``target``; returns how many have any."""
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        old.unlink()
    written = 0
    for file in files:
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        turned = {".list": one_line_sources, ".sources": deb822_sources}.get(file.suffix, lambda _: "")(text)
        if turned:
            (target / file.name).write_text(turned, encoding="utf-8")
            written += 1
    return written


def one_line_sources(text: str) -> str:
    r"""Return the lines of a ``.list`` file as deb-src lines.

    >>> one_line_sources("# main\ndeb [arch=amd64] http://deb.example.org/debian stable main")
    'deb-src [arch=amd64] http://deb.example.org/debian stable main\n'
    """
    matched = (LINE.match(line.split("#", 1)[0]) for line in text.splitlines())
    lines = dict.fromkeys(f"deb-src {found.group(1) or ''}{found.group(2).strip()}" for found in matched if found)
    return "".join(line + "\n" for line in lines)


def deb822_sources(text: str) -> str:
    """Return the stanzas of a ``.sources`` file that are enabled, each with ``Types: deb-src``."""
    kept = []
    for stanza in re.split(r"\n[ \t]*\n", text):
        lines = [line for line in stanza.splitlines() if line.strip() and not line.startswith("#")]
        if not any(line.lower().startswith("uris:") for line in lines) or any(
            re.match(r"enabled:\s*(no|false|off|0)\b", line, re.I) for line in lines
        ):
            continue
        kept.append("\n".join("Types: deb-src" if line.lower().startswith("types:") else line for line in lines) + "\n")
    return "\n".join(kept)
