"""Fixtures for fetching: settings of an empty project, and archives and repositories made on the spot."""

import io
import tarfile
import time
from pathlib import Path

import pytest
from source_material import Repository

from legacylens_assets.registry import Codebase, Origin
from legacylens_assets.settings import load_settings
from legacylens_assets.sources.tree import Budget


@pytest.fixture
def settings(tmp_path):
    return load_settings(tmp_path, {})


@pytest.fixture
def budget():
    return Budget("test", files=1000, bytes=200_000_000, deadline=time.monotonic() + 120)


@pytest.fixture
def entry():
    """Make a codebase of the origins given."""

    def make(*origins: Origin) -> Codebase:
        return Codebase("mine", "Mine", "codebase", True, origins)

    return make


@pytest.fixture
def tar_file(tmp_path):
    """Write a tar of (name, content or TarInfo) members."""

    def make(*members: tuple[str, bytes | tarfile.TarInfo], name: str = "x.tar.gz", mode: str = "w:gz") -> Path:
        file = tmp_path / name
        with tarfile.open(file, mode) as tar:
            for path, content in members:
                info = content if isinstance(content, tarfile.TarInfo) else tarfile.TarInfo(path)
                info.name = path
                data = b"" if isinstance(content, tarfile.TarInfo) else content
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))
        return file

    return make


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path / "origin")
