"""Whole files and what must come out of them. ``python tests/parsers/jcl/test_jcl_fixtures.py`` writes the expected files anew, for review."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from legacylens_assets.parsers.jcl import parse
from legacylens_assets.types import SourceFile

HERE = Path(__file__).parent
CASES = sorted(path.parent for path in HERE.glob("*/input.*"))


def outcome(case):
    path = next(case.glob("input.*"))
    parsed = parse(SourceFile(path.name, "jcl", "utf-8", tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))))
    names = [symbol.name for symbol in parsed.symbols]
    return {
        "form": parsed.form,
        "symbols": [
            [s.kind, s.name, s.start_line, s.end_line, names[s.parent] if s.parent is not None else None, s.unit, dict(s.detail)]
            for s in parsed.symbols
        ],
        "references": [[r.kind, r.target, r.line, names[r.source] if r.source is not None else None, dict(r.detail)] for r in parsed.references],
        "problems": [[p.line, p.code] for p in parsed.problems],
        "roles": parsed.roles,
    }


def rendered(result):
    rows = [
        f'  "{key}": ' + (json.dumps(value) if isinstance(value, str) else "[\n    " + ",\n    ".join(map(json.dumps, value)) + "\n  ]")
        for key, value in result.items()
    ]
    return "{\n" + ",\n".join(rows).replace("[\n    \n  ]", "[]") + "\n}\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_fixture_gives_what_its_expected_file_says(case):
    assert outcome(case) == json.loads((case / "expected.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    for folder in CASES:
        (folder / "expected.json").write_text(rendered(outcome(folder)), encoding="utf-8")
