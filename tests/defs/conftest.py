"""A tiny project with a Dagster instance of its own and the hash encoder; and one that has run, shared by the tests that only look at it."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from legacylens_assets.definitions import reindex_headless
from legacylens_assets.settings import Settings, load_settings
from tests.conftest import COBOL, JCL, REGISTRY, REPOSITORY


def configure(root: Path) -> Path:
    for name in ("dagster.yaml", "workspace.yaml"):
        (root / name).write_text((REPOSITORY / name).read_text())
    (root / "legacylens.toml").write_text('dense = "hash"\n')
    return root


@pytest.fixture
def home(project, monkeypatch):
    for variable in ("LEGACYLENS_HOME", "DAGSTER_HOME"):
        monkeypatch.delenv(variable, raising=False)
    return configure(project)


@pytest.fixture
def settings(home):
    return load_settings(home, {})


@dataclass
class Ran:
    """A project after two good runs of `tiny` and a failed one of `other`, whose folder is gone."""

    root: Path
    settings: Settings
    runs: list = field(default_factory=list)
    told: list = field(default_factory=list)


@pytest.fixture(scope="session")
def ran(tmp_path_factory):
    root = tmp_path_factory.mktemp("ran")
    (root / "data").mkdir()
    (root / "data" / "codebases.toml").write_text(REGISTRY)
    (root / "code").mkdir()
    (root / "code" / "PAYPOST.cbl").write_text(COBOL)
    (root / "code" / "PAYJOB.jcl").write_text(JCL)
    (root / "code" / "README.md").write_text("# Payments\n\nPAYPOST posts payments each night and is run by PAYJOB.\n")
    found = Ran(configure(root), load_settings(root, {}))
    for keys in (["tiny"], ["tiny", "other"]):
        found.runs += reindex_headless(found.settings, keys, lambda stage, done, total: found.told.append(stage))
    return found
