"""The borders of the packages, by reading the source and by importing in a fresh process."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
DAGSTER_LAYER = ("legacylens_assets/defs/", "legacylens_assets/definitions.py", "legacylens_eval/defs.py")


def imports_of(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module.split(".")[0])
    return names


def modules_importing(package: str) -> set[str]:
    found = set()
    for top in ("legacylens_assets", "legacylens_eval", "query_api"):
        for path in (REPOSITORY / top).rglob("*.py"):
            if package in imports_of(path):
                found.add(path.relative_to(REPOSITORY).as_posix())
    return found


def test_dagster_is_imported_only_in_the_dagster_layer():
    outside = {name for name in modules_importing("dagster") if not name.startswith(DAGSTER_LAYER)}
    assert outside == set()


def test_fastapi_is_imported_only_in_the_query_api():
    assert {name for name in modules_importing("fastapi") if not name.startswith("query_api/")} == set()


def test_no_parser_imports_another_language():
    languages = {"c", "cobol", "fortran", "jcl", "pli", "rpg", "text"}
    parsers = REPOSITORY / "legacylens_assets" / "parsers"
    for path in parsers.rglob("*.py"):
        own = path.relative_to(parsers).parts[0].removesuffix(".py")
        if own not in languages:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("legacylens_assets.parsers."):
                assert node.module.split(".")[2] not in languages - {own}, f"{path.name} imports {node.module}"


@pytest.mark.parametrize("statement", ["import query_api.app", "import legacylens_assets.service", "import legacylens_assets.cli"])
def test_the_query_side_starts_without_dagster(statement):
    code = f"{statement}; import sys; print(sorted(m for m in sys.modules if m.split('.')[0] == 'dagster'))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=REPOSITORY, check=True)
    assert run.stdout.strip() == "[]"


def test_library_functions_never_read_the_environment():
    edges = {"cli/__init__.py", "supervisor.py", "definitions.py", "defs/resources.py"}
    package = REPOSITORY / "legacylens_assets"
    for path in package.rglob("*.py"):
        name = path.relative_to(package).as_posix()
        if name in edges or name.startswith("sources/"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            assert not (isinstance(node, ast.Attribute) and node.attr == "environ" and getattr(node.value, "id", "") == "os"), name
