"""A codebase in a local folder: copied, so that what is indexed does not change under the reader."""

from __future__ import annotations

from pathlib import Path

from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Origin
from legacylens_assets.settings import Settings
from legacylens_assets.sources.fetch import Fetched
from legacylens_assets.sources.tree import Budget, copy_selected, selected_hash, tree_hash


def folder_of(origin: Origin, settings: Settings) -> Path:
    """Return the absolute folder of a path origin, relative to the project's root; raises SourceError when there is none."""
    folder = (settings.root / Path(origin.location).expanduser()).resolve()
    if not folder.is_dir():
        raise SourceError(f"no such folder: {folder}; give a path from the project's root or an absolute one")
    return folder


def version(origin: Origin, settings: Settings, budget: Budget) -> str:
    """Return the hash over the selected files of the folder as it is now."""
    try:
        return selected_hash(folder_of(origin, settings), origin.include, origin.exclude, budget)[0]
    except OSError as error:
        raise SourceError(f"{error.filename}: cannot be read: {error.strerror}") from error


def fetch_path(origin: Origin, wanted: str, settings: Settings, building: Path, budget: Budget) -> Fetched:
    """Copy the selected files of the folder. ``wanted`` is not used: the copy's own hash is its version."""
    tree = building / "tree"
    left_out = copy_selected(folder_of(origin, settings), tree, origin.include, origin.exclude, budget)
    return Fetched(tree, tree_hash(tree)[0], left_out, {})
