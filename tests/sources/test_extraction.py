"""Archives that nobody vouches for: nothing leaves the folder, no link or device is made, bombs end at the limit."""

import bz2
import io
import lzma
import tarfile
import time
import zipfile

import pyarrow as pa
import pytest
from source_material import link, tree

from legacylens_assets.errors import SourceError
from legacylens_assets.sources.extraction import single_folder, unpack
from legacylens_assets.sources.tree import Budget


def small(**limits) -> Budget:
    return Budget("test", **{"files": 10, "bytes": 10_000_000, "deadline": time.monotonic() + 60, **limits})


@pytest.mark.parametrize("mode", ["w:gz", "w:bz2", "w:xz", "w"])
def test_every_compression_is_told_by_content_not_by_name(tar_file, tmp_path, budget, mode):
    archive = tar_file(("p-1/a/b.cbl", b"B"), ("p-1/c.f", b"C"), name="download", mode=mode)
    assert unpack(archive, tmp_path / "out", budget) == {}
    assert tree(single_folder(tmp_path / "out")) == {"a/b.cbl": b"B", "c.f": b"C"}


def test_zstandard_is_read(tar_file, tmp_path, budget):
    plain = tar_file(("a.f", b"A" * 100_000), name="plain", mode="w").read_bytes()
    archive = tmp_path / "x.tar.zst"
    with pa.CompressedOutputStream(str(archive), "zstd") as out:
        out.write(plain)
    unpack(archive, tmp_path / "out", budget)
    assert tree(tmp_path / "out") == {"a.f": b"A" * 100_000}


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/etc/evil", "./../evil"])
def test_a_path_that_leaves_the_folder_refuses_the_archive(tar_file, tmp_path, budget, name):
    archive = tar_file(("ok", b"1"), (name, b"2"))
    with pytest.raises(SourceError, match="leaves the folder"):
        unpack(archive, tmp_path / "deep" / "out", budget)
    assert not list(tmp_path.rglob("evil"))


def test_links_and_devices_are_never_made(tar_file, tmp_path, budget):
    (tmp_path / "secret").write_text("secret")
    members = [
        ("real", b"R"),
        ("out", link("../secret")),
        ("absolute", link("/etc/passwd")),
        ("inside", link("real")),
        ("hard-out", link("../secret", tarfile.LNKTYPE)),
        ("hard-absolute", link("/etc/passwd", tarfile.LNKTYPE)),
        ("hard-inside", link("real", tarfile.LNKTYPE)),
        ("device", link("", tarfile.CHRTYPE)),
        ("pipe", link("", tarfile.FIFOTYPE)),
    ]
    left_out = unpack(tar_file(*members), tmp_path / "out", budget)
    assert tree(tmp_path / "out") == {"real": b"R", "hard-inside": b"R"}
    assert not any(file.is_symlink() for file in (tmp_path / "out").iterdir())
    assert left_out == {
        "out": "symbolic link to ../secret",
        "absolute": "symbolic link to /etc/passwd",
        "inside": "symbolic link to real",
        "hard-out": "hard link to something that is not in the archive",
        "hard-absolute": "hard link to something that is not in the archive",
        "device": "device or other special file",
        "pipe": "device or other special file",
    }


def test_a_file_written_through_a_link_stays_inside(tar_file, tmp_path, budget):
    archive = tar_file(("dir", link("..")), ("dir/evil", b"X"))
    unpack(archive, tmp_path / "out", budget)
    assert tree(tmp_path / "out") == {"dir/evil": b"X"}
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize(
    ("limits", "message"),
    [({"bytes": 1_000_000}, "more than 1000000 bytes"), ({"bytes": 10**9}, "decompression bomb"), ({"deadline": 0.0}, "longer than allowed")],
)
def test_a_bomb_ends_at_the_limit(tar_file, tmp_path, limits, message):
    archive = tar_file(("zeros", bytes(60_000_000)))
    with pytest.raises(SourceError, match=message):
        unpack(archive, tmp_path / "out", small(**limits))


def test_too_many_files_are_refused(tar_file, tmp_path):
    archive = tar_file(*[(f"f{number}", b"x") for number in range(11)])
    with pytest.raises(SourceError, match="more than 10 files"):
        unpack(archive, tmp_path / "out", small())


@pytest.mark.parametrize(
    "data", [b"", b"no archive at all", b"\x1f\x8b\x08rest", b"PK\x03\x04rest", b"\xfd7zXZ\x00rest", b"BZhrest", b"\x28\xb5\x2f\xfdrest"]
)
def test_a_damaged_archive_is_named(tmp_path, budget, data):
    archive = tmp_path / "broken"
    archive.write_bytes(data)
    with pytest.raises(SourceError, match="broken: damaged"):
        unpack(archive, tmp_path / "out", budget)


@pytest.mark.parametrize("pack", [lzma.compress, bz2.compress])
def test_a_cut_archive_is_named(tar_file, tmp_path, budget, pack):
    archive = tmp_path / "cut"
    archive.write_bytes(pack(tar_file(("a", bytes(range(256)) * 400), name="plain", mode="w").read_bytes())[:-30])
    with pytest.raises(SourceError, match="cut: damaged"):
        unpack(archive, tmp_path / "out", budget)


def zip_file(tmp_path, *members):
    file = tmp_path / "x.zip"
    with zipfile.ZipFile(io.FileIO(file, "w"), "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            packed.writestr(info, data, zipfile.ZIP_DEFLATED)
    return file


def test_zip_archives_follow_the_same_rules(tmp_path, budget):
    archive = zip_file(tmp_path, ("p/a.cbl", b"A", 0o100644), ("p/l", b"/etc/passwd", 0o120777))
    assert unpack(archive, tmp_path / "out", budget) == {"p/l": "symbolic link"}
    assert tree(tmp_path / "out") == {"p/a.cbl": b"A"}
    with pytest.raises(SourceError, match="leaves the folder"):
        unpack(zip_file(tmp_path, ("..\\evil", b"A", 0)), tmp_path / "out2", budget)
    with pytest.raises(SourceError, match="more than 1000 bytes"):
        unpack(zip_file(tmp_path, ("big", bytes(5000), 0)), tmp_path / "out3", small(bytes=1000))
