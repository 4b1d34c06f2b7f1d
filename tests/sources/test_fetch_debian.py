"""Debian origins: apt with a configuration of its own, made from the system's sources."""

import hashlib
import shutil

import pytest
from source_material import tree

from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Origin
from legacylens_assets.sources import fetch
from legacylens_assets.sources.apt_configuration import deb822_sources, one_line_sources
from legacylens_assets.sources.debian import parse_sources
from legacylens_assets.sources.debian_versions import best_version, compare, fits

needs_apt = pytest.mark.skipif(shutil.which("apt-get") is None, reason="apt-get is not installed")


@pytest.fixture
def repository(tar_file, tmp_path, monkeypatch):
    """A flat local repository with oldcode 1.2-1 and 2.0-1, and a system configuration that names it in a .list and a .sources file."""
    folder = tmp_path / "repo"
    folder.mkdir()
    stanzas = []
    for version in ("1.2", "2.0"):
        archive = tar_file(
            (f"oldcode-{version}/src/a.f", version.encode()), (f"oldcode-{version}/doc/x", b"x"), name=f"oldcode_{version}.orig.tar.gz"
        )
        extra = tar_file(("more/b.f", b"b"), name=f"oldcode_{version}.orig-extra.tar.gz")
        files = []
        for file in (archive, extra):
            data = file.read_bytes()
            (folder / file.name).write_bytes(data)
            files.append((hashlib.sha256(data).hexdigest(), hashlib.md5(data).hexdigest(), len(data), file.name))
        dsc = f"Format: 3.0 (quilt)\nSource: oldcode\nVersion: {version}-1\n".encode()
        (folder / f"oldcode_{version}-1.dsc").write_bytes(dsc)
        files.append((hashlib.sha256(dsc).hexdigest(), hashlib.md5(dsc).hexdigest(), len(dsc), f"oldcode_{version}-1.dsc"))
        sums = "".join(f"\n {sha} {size} {name}" for sha, _, size, name in files)
        md5s = "".join(f"\n {md5} {size} {name}" for _, md5, size, name in files)
        stanzas.append(
            f"Package: oldcode\nFormat: 3.0 (quilt)\nBinary: oldcode\nVersion: {version}-1\nDirectory: .\nChecksums-Sha256:{sums}\nFiles:{md5s}\n"
        )
    (folder / "Sources").write_text("\n".join(stanzas))
    parts = tmp_path / "etc" / "sources.list.d"
    parts.mkdir(parents=True)
    (parts / "local.list").write_text(f"deb [trusted=yes] file:{folder} ./\n")
    (tmp_path / "apt.conf").write_text(f'Dir::Etc::sourcelist "/dev/null";\nDir::Etc::sourceparts "{parts}";\n')
    monkeypatch.setenv("APT_CONFIG", str(tmp_path / "apt.conf"))
    return folder


@needs_apt
def test_a_source_package_is_fetched_verified_and_its_version_recorded(repository, settings, entry):
    raw = fetch(entry(Origin("debian", "oldcode", version="1.2", exclude=("doc",))), settings)
    assert (raw.version, tree(raw.path)) == ("1.2-1", {"src/a.f": b"1.2", "extra/b.f": b"b"})
    assert raw.left_out == {"doc/x": "excluded"}
    assert fetch(entry(Origin("debian", "oldcode", version="1.2", exclude=("doc",))), settings).reused
    assert fetch(entry(Origin("debian", "oldcode", version=">=1.3")), settings).version == "2.0-1"


@needs_apt
def test_versions_on_offer_are_listed_when_none_fits(repository, settings, entry):
    with pytest.raises(SourceError, match=r"oldcode is offered as 1.2-1, 2.0-1; version >=3 was asked for"):
        fetch(entry(Origin("debian", "oldcode", version=">=3")), settings)
    with pytest.raises(SourceError, match="offer no source package missing"):
        fetch(entry(Origin("debian", "missing")), settings)


@needs_apt
def test_an_archive_that_was_changed_is_refused(repository, settings, entry):
    file = repository / "oldcode_2.0.orig.tar.gz"
    file.write_bytes(file.read_bytes()[:-1] + b"X")
    with pytest.raises(SourceError, match=r"apt-get cannot download oldcode 2.0-1|sha256 is"):
        fetch(entry(Origin("debian", "oldcode")), settings)


def test_one_line_sources_become_source_code_sources():
    text = (
        "# comment\n"
        "deb http://deb.example.org/debian stable main contrib # all\n"
        "deb-src http://deb.example.org/debian stable main contrib\n"
        "deb [ arch=amd64 signed-by=/k.gpg ] https://x.example.org/ sid main\n"
        "#deb http://off.example.org/debian stable main\n"
        "deb cdrom:[Debian]/ stable main\n"
    )
    assert one_line_sources(text) == (
        "deb-src http://deb.example.org/debian stable main contrib\ndeb-src [ arch=amd64 signed-by=/k.gpg ] https://x.example.org/ sid main\n"
    )


def test_deb822_sources_become_source_code_sources():
    text = (
        "Types: deb\n# a comment\nURIs: http://deb.example.org/debian\nSuites: stable\nComponents: main\nSigned-By:\n -----BEGIN\n .\n -----END\n"
        "\nEnabled: no\nTypes: deb\nURIs: http://off.example.org\nSuites: x\n"
        "\nTypes: deb deb-src\nURIs: http://two.example.org\nSuites: x/\n"
    )
    assert deb822_sources(text) == (
        "Types: deb-src\nURIs: http://deb.example.org/debian\nSuites: stable\nComponents: main\nSigned-By:\n -----BEGIN\n .\n -----END\n"
        "\nTypes: deb-src\nURIs: http://two.example.org\nSuites: x/\n"
    )


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("1.0", "1.0-1"),
        ("1.9", "1.10"),
        ("1.0~rc1", "1.0"),
        ("1.0~", "1.0~a"),
        ("1.0a", "1.0+b"),
        ("9", "1:0"),
        ("1.0-1", "1.0-1+b1"),
        ("1.0-9", "1.0-10"),
    ],
)
def test_debian_versions_are_ordered_by_policy(older, newer):
    assert (compare(older, newer), compare(newer, older), compare(older, older)) == (-1, 1, 0)


@pytest.mark.parametrize(
    ("version", "wanted", "expected"),
    [
        ("3.11.0-2", "", True),
        ("3.11.0-2", "3.11", True),
        ("3.11-2", "3.11", True),
        ("3.110-1", "3.11", False),
        ("3.11.0-2", "3.12", False),
        ("3.11.0-2", ">=3.10,<4", True),
        ("4.0-1", ">=3.10,<4", False),
        ("1:3.11-2", ">3.10, <=3.11", True),
        ("3.11.0-2", "==3.11.0", True),
        ("3.11.0-2", "==3.11.0-2", True),
        ("3.11.0-2", "==3.11", False),
    ],
)
def test_ranges_are_over_the_upstream_version(version, wanted, expected):
    assert fits(version, wanted) is expected


def test_the_newest_fitting_version_is_taken():
    assert best_version(["3.9-1", "3.10-1", "3.2-1", "4.0~rc1-1"], "<4.0~~") == "3.10-1"
    assert best_version(["1-1"], ">2") == ""


def test_sources_stanzas_are_read():
    text = "Package: x\nVersion: 1-1\nChecksums-Sha256:\n aa 1 x_1.orig.tar.xz\n bb 2 x_1-1.debian.tar.xz\n cc 3 x_1-1.dsc\n dd 4 x_1.orig.tar.xz.asc\n\nPackage: y\n"
    assert [(item.name, item.version, item.tars) for item in parse_sources(text)] == [("x", "1-1", {"x_1.orig.tar.xz": "aa"})]
