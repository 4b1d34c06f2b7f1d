"""Whole files and what must come out of them. ``python tests/parsers/fortran/test_fortran_fixtures.py`` writes the expected files anew, for review."""

import json
from pathlib import Path

import pytest

from legacylens_assets.parsers.fortran import parse
from legacylens_assets.types import SourceFile

FIXTURES = sorted(Path(__file__).parent.glob("*/input.*"))


def result(path: Path) -> dict[str, object]:
    lines = path.read_text(encoding="utf-8").split("\n")
    found = parse(SourceFile(path.name, "fortran", "utf-8", tuple(lines)))
    return {
        "form": found.form,
        "symbols": [
            [s.kind, s.name, s.start_line, s.end_line, None if s.parent is None else found.symbols[s.parent].name, s.unit] for s in found.symbols
        ],
        "references": [[r.kind, r.target, r.line, None if r.source is None else found.symbols[r.source].name] for r in found.references],
        "problems": [[p.line, p.code] for p in found.problems],
        "roles": found.roles,
    }


@pytest.mark.parametrize("path", FIXTURES, ids=lambda p: p.parent.name)
def test_fixture(path):
    assert result(path) == json.loads((path.parent / "expected.json").read_text(encoding="utf-8"))


def written(value: dict[str, object]) -> str:
    """JSON with one symbol or reference on each line."""
    parts = []
    for key, item in value.items():
        if isinstance(item, list):
            rows = ",\n".join("    " + json.dumps(row) for row in item)
            parts.append(f'  "{key}": [\n{rows}\n  ]' if rows else f'  "{key}": []')
        else:
            parts.append(f'  "{key}": {json.dumps(item)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    for fixture in FIXTURES:
        (fixture.parent / "expected.json").write_text(written(result(fixture)), encoding="utf-8")
