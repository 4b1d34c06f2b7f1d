"""Names typed the way people type them: does the first hit define the name?

Eighty questions and more are made from the symbol tables of what is indexed, the same ones each time (picked by hash): names in the wrong case, with
underscores for hyphens, with a file's extension, with a slip of the finger, and names that several codebases define, asked within each.
Bars: 0.95 at rank 1, 0.85 for slips.

usage: python -m benchmarks.identifiers [--save]
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from benchmarks.common import project_settings, save
from legacylens_assets.retrieval.names import PRIMARY_KINDS, key_of
from legacylens_assets.service import open_service
from legacylens_assets.tables import read_table

EACH = 20
KINDS = PRIMARY_KINDS - {"heading", "label", "file", "table", "type"}


@dataclass(frozen=True)
class Name:
    """One definition."""

    codebase: str
    name: str
    kind: str
    path: str
    line: int


def main() -> None:
    service = open_service(project_settings())
    generations = sorted(service.reader.snapshot().generations)
    names = [name for codebase in generations for name in names_of(service.reader.generation_dir(codebase), codebase)]
    defined: dict[tuple[str, str], list[Name]] = {}
    for name in names:
        defined.setdefault((name.codebase, key_of(name.name)), []).append(name)
    figures: dict[str, Any] = {"codebases": generations}
    for title, asked in questions(names, defined).items():
        missed = [f"{typed} ({name.codebase})" for name, typed in asked if not first_hit_defines(service, name, typed, defined)]
        figures[title] = {"questions": len(asked), "hit@1": round(1 - len(missed) / len(asked), 3) if asked else None, "missed": missed[:10]}
    exact = [figures[title] for title in ("case", "separators", "suffix", "two codebases")]
    total = sum(row["questions"] for row in exact)
    figures["exact"] = {"questions": total, "hit@1": round(sum(row["questions"] * (row["hit@1"] or 0) for row in exact) / max(total, 1), 3)}
    save("identifiers", figures)


def names_of(folder: Any, codebase: str) -> list[Name]:
    """Return the units that people ask for by name, of four letters or more."""
    rows = read_table(folder / "symbols.parquet").to_pylist()
    return [
        Name(codebase, row["name"], row["kind"], row["path"], row["start_line"])
        for row in rows
        if row["kind"] in KINDS and len(key_of(row["name"])) >= 5 and row["name"].isascii() and " " not in row["name"]
    ]


def questions(names: list[Name], defined: dict[tuple[str, str], list[Name]]) -> dict[str, list[tuple[Name, str]]]:
    """Return kind of question -> (name, what is typed)."""
    shared: dict[str, set[str]] = {}
    for name in names:
        shared.setdefault(key_of(name.name), set()).add(name.codebase)
    containers = [name for name in names if name.kind in ("program", "subroutine", "job", "proc")]
    return {
        "case": [(name, name.name.swapcase()) for name in picked(names, "case")],
        "separators": [(name, swapped(name.name)) for name in picked([n for n in names if "-" in n.name or "_" in n.name.strip("_")], "separators")],
        "suffix": [(name, f"{name.name.lower()}.{extension(name.path)}") for name in picked([n for n in containers if "." in n.path], "suffix")],
        "slip": [(name, slip(name.name)) for name in picked([n for n in names if len(key_of(n.name)) >= 7], "slip")],
        "two codebases": [(name, name.name) for name in picked([n for n in names if len(shared[key_of(n.name)]) > 1], "two")],
    }


def picked(names: list[Name], salt: str) -> list[Name]:
    """Return up to EACH names, spread over the codebases, the same ones each time."""
    order = sorted(set(names), key=lambda n: hashlib.sha256(f"{salt}:{n.codebase}:{n.path}:{n.name}:{n.line}".encode()).hexdigest())
    rounds: dict[str, int] = {}
    placed = []
    for name in order:
        rounds[name.codebase] = rounds.get(name.codebase, 0) + 1
        placed.append((rounds[name.codebase], name))
    return [name for _, name in sorted(placed, key=lambda entry: entry[0])][:EACH]


def swapped(name: str) -> str:
    return name.replace("-", "_") if "-" in name else name.replace("_", "-")


def slip(name: str) -> str:
    """Return ``name`` with two neighbouring letters exchanged, one left out or one doubled, by its hash."""
    places = [i for i in range(1, len(name) - 1) if name[i].isalpha() and name[i + 1].isalpha() and name[i] != name[i + 1]]
    if not places:
        return name
    seed = hashlib.sha256(name.encode()).digest()
    at = places[seed[0] % len(places)]
    changes = (name[:at] + name[at + 1] + name[at] + name[at + 2 :], name[:at] + name[at + 1 :], name[: at + 1] + name[at:])
    return changes[seed[1] % 3]


def extension(path: str) -> str:
    return path.rsplit(".", 1)[-1]


def first_hit_defines(service: Any, name: Name, typed: str, defined: dict[tuple[str, str], list[Name]]) -> bool:
    """Return whether the first hit, asked within the codebase, holds a line that defines the name."""
    hits = service.retriever.search(typed, codebases=(name.codebase,), k=1).hits
    places = defined[name.codebase, key_of(name.name)]
    return bool(hits) and any(hits[0].path == place.path and hits[0].start_line <= place.line <= hits[0].end_line for place in places)


if __name__ == "__main__":
    main()
