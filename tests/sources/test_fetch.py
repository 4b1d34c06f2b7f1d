"""Fetching as a whole: atomic, reused when nothing changed, fallbacks in order, one clear error."""

import json
import os

import pytest
from source_material import tree

from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Origin
from legacylens_assets.sources import fetch
from legacylens_assets.sources.tree import recover, selected_hash, tree_hash


@pytest.fixture
def code(tmp_path):
    folder = tmp_path / "code"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.cbl").write_text("A")
    (folder / "sub" / "b.cbl").write_text("B")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("x")
    return folder


def test_a_folder_is_copied_without_links_and_repository_data(code, settings, entry):
    (code / "link").symlink_to("/etc/passwd")
    (code / "out").symlink_to("/etc", target_is_directory=True)
    os.mkfifo(code / "pipe")
    raw = fetch(entry(Origin("path", "code", exclude=("sub",))), settings)
    assert raw.path == settings.data / "raw" / "mine"
    assert tree(raw.path) == {"a.cbl": b"A"}
    assert raw.left_out == {"link": "symbolic link", "out": "symbolic link", "pipe": "special file", "sub/b.cbl": "excluded"}


def test_nothing_is_copied_again_until_something_changes(code, settings, entry):
    first = fetch(entry(Origin("path", "code")), settings)
    again = fetch(entry(Origin("path", "code")), settings)
    assert (first.reused, again.reused) == (False, True)
    assert again.version == first.version == first.tree
    (code / "a.cbl").write_text("changed")
    third = fetch(entry(Origin("path", "code")), settings)
    assert not third.reused
    assert third.version != first.version
    assert tree(third.path)["a.cbl"] == b"changed"


def test_a_tree_that_was_tampered_with_is_fetched_again(code, settings, entry):
    raw = fetch(entry(Origin("path", "code")), settings)
    (raw.path / "a.cbl").write_text("tampered")
    again = fetch(entry(Origin("path", "code")), settings)
    assert not again.reused
    assert tree(again.path)["a.cbl"] == b"A"


def test_other_globs_fetch_again(code, settings, entry):
    fetch(entry(Origin("path", "code")), settings)
    again = fetch(entry(Origin("path", "code", include=("sub",))), settings)
    assert (again.reused, tree(again.path)) == (False, {"sub/b.cbl": b"B"})


def test_fallbacks_are_tried_in_order_and_named(code, settings, entry):
    raw = fetch(entry(Origin("path", "gone"), Origin("path", "also-gone"), Origin("path", "code")), settings)
    assert raw.origin == "path:code"
    assert [line.split(":")[1] for line in raw.tried] == ["gone", "also-gone"]


def test_when_all_fail_one_error_names_them_and_the_old_tree_stays(code, settings, entry):
    raw = fetch(entry(Origin("path", "code")), settings)
    with pytest.raises(SourceError) as raised:
        fetch(entry(Origin("path", "gone"), Origin("git", "https://127.0.0.1/x.git")), settings)
    message = str(raised.value)
    assert message.startswith("mine: no origin could be used (2 tried):")
    assert "path:gone: no such folder" in message
    assert "private or loopback address 127.0.0.1" in message
    assert "[[codebases.mine.fallback]]" in message
    assert "stays in" in message
    assert tree(raw.path) == {"a.cbl": b"A", "sub/b.cbl": b"B"}
    assert fetch(entry(Origin("path", "code")), settings).reused


def test_limits_of_files_and_bytes_hold(code, settings, entry):
    with pytest.raises(SourceError, match="more than 1 files"):
        fetch(entry(Origin("path", "code")), settings.replace(fetch_max_files=1))
    with pytest.raises(SourceError, match="more than 1 bytes"):
        fetch(entry(Origin("path", "code")), settings.replace(fetch_max_bytes=1))
    assert not (settings.data / "raw" / "mine").exists()


def test_globs_that_leave_nothing_are_an_error(code, settings, entry):
    with pytest.raises(SourceError, match="no file is left after include and exclude"):
        fetch(entry(Origin("path", "code", include=("nowhere",))), settings)


def test_nothing_is_left_beside_the_tree(code, settings, entry):
    fetch(entry(Origin("path", "code")), settings)
    with pytest.raises(SourceError):
        fetch(entry(Origin("path", "code", include=("nowhere",))), settings)
    assert sorted(file.name for file in (settings.data / "raw").iterdir()) == [".mine.lock", "mine", "mine.json"]


@pytest.mark.parametrize("killed", ["before the tree", "between the renames", "before the provenance"])
def test_a_killed_fetch_is_repaired(code, settings, entry, killed):
    raw = fetch(entry(Origin("path", "code")), settings)
    beside = raw.path.with_name(".mine.old-1") if killed == "between the renames" else raw.path.with_name(".mine.new-1")
    if killed == "between the renames":
        raw.path.rename(beside)
    else:
        beside.mkdir()
    if killed == "before the provenance":
        raw.path.with_name("mine.json").write_text(json.dumps({"version": "other", "tree": "other"}))
    again = fetch(entry(Origin("path", "code")), settings)
    assert again.reused is (killed != "before the provenance")
    assert tree(again.path) == {"a.cbl": b"A", "sub/b.cbl": b"B"}
    assert not beside.exists()


def test_recover_prefers_the_new_tree(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / ".x.old-1").mkdir()
    recover(tmp_path / "x")
    assert [file.name for file in tmp_path.iterdir()] == ["x"]


def test_a_codebase_that_holds_the_project_does_not_hold_its_own_copy(settings, entry, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "codebases.toml").write_text("")
    (tmp_path / "x.f").write_text("X")
    fetch(entry(Origin("path", ".")), settings)
    again = fetch(entry(Origin("path", ".")), settings)
    assert again.reused
    assert tree(again.path) == {"x.f": b"X", "data/codebases.toml": b""}


def test_names_that_are_not_utf8_become_text(settings, entry, tmp_path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / os.fsdecode(b"caf\xe9.cbl")).write_text("x")
    assert list(tree(fetch(entry(Origin("path", "code")), settings).path)) == ["café.cbl"]


def test_hash_of_a_selection_is_that_of_its_copy(code, settings, entry, budget):
    for name in ("a/z", "a.b", "a-c/d", "sub.x/y", "sub/c/d"):
        (code / name).parent.mkdir(parents=True, exist_ok=True)
        (code / name).write_text(name)
    raw = fetch(entry(Origin("path", "code")), settings)
    assert selected_hash(code, (), (), budget)[0] == tree_hash(raw.path)[0] == raw.tree


def test_progress_names_each_origin(code, settings, entry):
    seen = []
    fetch(entry(Origin("path", "gone"), Origin("path", "code")), settings, lambda what, done, total: seen.append((what, done, total)))
    assert seen == [("fetch mine from path:gone", 0, 2), ("fetch mine from path:code", 1, 2)]
