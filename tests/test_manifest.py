"""The manifest: every file of a codebase, what it is, and why it is skipped if it is."""

from dataclasses import replace
from pathlib import Path

import pytest

from legacylens_assets.errors import SourceError
from legacylens_assets.manifest import build_manifest, manifest_hash, read_source
from legacylens_assets.registry import Codebase, Origin
from legacylens_assets.settings import load_settings
from legacylens_assets.sources import fetch

FILES = {
    "src/PAY.CbL": b"       IDENTIFICATION DIVISION.\r\n       PROGRAM-ID. PAY.\r\n",
    "src/NIGHTLY": b"//NIGHTLY  JOB (A),'X'\n//S1 EXEC PGM=PAY\n",
    "src/note.txt": b"caf\xe9\n",
    "src/logo.png": b"\x89PNG\r\n\x1a\n\x00\x00",
    "src/empty.cpy": b"",
    "data/table.c": b"{ 0x12, 0x34, 1.5e-3, 99 },\n" * 2000,
    "other/x.c": b"int x;\n",
}


@pytest.fixture
def code(tmp_path):
    for name, data in FILES.items():
        file = tmp_path / "code" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    (tmp_path / "code" / "src" / "link.cbl").symlink_to("PAY.CbL")
    return tmp_path / "code"


@pytest.fixture
def settings(tmp_path):
    return load_settings(tmp_path, {})


def codebase(**changes) -> Codebase:
    origin = Origin("path", "code", exclude=("other",))
    return replace(Codebase("mine", "Mine", "codebase", True, (origin,)), **changes)


def test_manifest_lists_every_file_with_language_encoding_and_reason(code, settings):
    raw = fetch(codebase(), settings)
    rows = [(e.path, e.language, e.encoding, e.skip_reason) for e in build_manifest(raw.path, codebase(), settings)]
    assert rows == [
        ("data/table.c", "c", "utf-8", "data table: 2000 of 2000 lines are numbers"),
        ("other/x.c", "c", "", "excluded"),
        ("src/NIGHTLY", "jcl", "utf-8", ""),
        ("src/PAY.CbL", "cobol", "utf-8", ""),
        ("src/empty.cpy", "cobol", "utf-8", "empty"),
        ("src/link.cbl", "cobol", "", "symbolic link"),
        ("src/logo.png", "text", "", "binary"),
        ("src/note.txt", "text", "latin-1", ""),
    ]


def test_manifest_of_a_tree_that_was_not_fetched_marks_excluded_files(code, settings):
    entries = {e.path: e for e in build_manifest(code, codebase(), settings)}
    assert entries["other/x.c"].skip_reason == "excluded"
    assert entries["other/x.c"].bytes == 7


def test_too_large_names_the_limit(code, settings):
    entries = {e.path: e.skip_reason for e in build_manifest(code, codebase(), settings.replace(max_file_bytes=50))}
    assert entries["src/PAY.CbL"] == "too large: 58 bytes, the limit is 50 (max_file_bytes)"


def test_registry_can_name_language_and_encoding(code, settings):
    named = codebase(languages={"src/*.txt": "pli"}, encoding="cp1252")
    entry = next(e for e in build_manifest(code, named, settings) if e.path == "src/note.txt")
    assert (entry.language, entry.encoding) == ("pli", "cp1252")


def test_hash_changes_with_content_language_and_skips_but_not_with_order(code, settings):
    entries = build_manifest(code, codebase(), settings)
    assert manifest_hash(entries) == manifest_hash(reversed(entries))
    for change in ({"sha256": "0"}, {"language": "jcl"}, {"encoding": "cp037"}, {"skip_reason": "binary"}, {"path": "z"}):
        assert manifest_hash([replace(entries[0], **change), *entries[1:]]) != manifest_hash(entries)


def test_source_is_read_as_listed_and_a_changed_file_is_refused(code, settings):
    entry = next(e for e in build_manifest(code, codebase(), settings) if e.path == "src/PAY.CbL")
    source = read_source(code, entry)
    assert (source.path, source.language, source.lines[1], len(source.lines)) == ("src/PAY.CbL", "cobol", "       PROGRAM-ID. PAY.", 2)
    (code / "src/PAY.CbL").write_bytes(b"other")
    with pytest.raises(SourceError, match="changed since the manifest was built"):
        read_source(code, entry)
    (code / "src/PAY.CbL").unlink()
    with pytest.raises(SourceError, match="fetch the codebase again"):
        read_source(code, entry)


def test_manifest_of_nothing_is_an_error(settings):
    with pytest.raises(SourceError, match="fetch the codebase first"):
        build_manifest(Path("/nonexistent-folder"), codebase(), settings)
