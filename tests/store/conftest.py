"""Back ends that tests are tried on."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from store_points import BANK, META, SHOP, Store, open_store

BACK_ENDS = ["edge", "memory", pytest.param("server", marks=pytest.mark.server)]


@pytest.fixture(params=BACK_ENDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    yield from open_store(request.param, tmp_path / "index")


@pytest.fixture(scope="module", params=BACK_ENDS)
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Two codebases, for tests that only read."""
    for opened in open_store(request.param, tmp_path_factory.mktemp("filled") / "index"):
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Payload indexes have no effect")
            opened.writer().publish("bank", BANK, (), META)
            opened.writer().publish("shop", SHOP, (), META)
        yield opened


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)
