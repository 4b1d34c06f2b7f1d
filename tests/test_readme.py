"""README stays true: its commands parse, its links lead somewhere, its settings exist."""

import re
import shlex

import pytest

from legacylens_assets.cli import build_parser
from legacylens_assets.parsers import PARSERS
from legacylens_assets.settings import SETTINGS
from tests.conftest import REPOSITORY

README = (REPOSITORY / "README.md").read_text(encoding="utf-8")
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
COMMANDS = [part.strip() for line in re.findall(r"^legacylens .*$", README, re.MULTILINE) for part in line.split("   #")[0].split(";")]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme_parses(command):
    assert build_parser().parse_args(shlex.split(command)[1:]).run


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_of_the_repository(page):
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def test_every_parser_has_a_row_in_the_table_of_languages():
    rows = {line.split("|")[1].strip().casefold() for line in README.split("\n") if line.startswith("| ")}
    names = {"pli": "pl/i", "text": "plain text"}
    assert {names.get(key, key) for key in PARSERS} <= rows


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_settings_named_in_the_pages_exist(page):
    known = {s.variable for s in SETTINGS} | {s.variable + "_FILE" for s in SETTINGS if s.secret} | {"LEGACYLENS_HOME"}
    named = set(re.findall(r"\bLEGACYLENS_[A-Z_]+\b", page.read_text(encoding="utf-8")))
    assert named <= known


def test_the_readme_shows_a_real_question_with_its_cited_answer():
    example = README.split("<!-- example -->")[1].split("<!-- /example -->")[0]
    assert "Q: " in example and re.search(r"\[1\] samples/\S+:\d+", example)
