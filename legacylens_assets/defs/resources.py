"""The one resource: the project, from which settings and registry come."""

import os
from pathlib import Path

import dagster as dg

from legacylens_assets.registry import Codebase, Registry, load_registry
from legacylens_assets.settings import Settings, load_settings


class Project(dg.ConfigurableResource):  # type: ignore[type-arg]
    """Where the project is. Settings are read when a step runs, from the project's file and the environment."""

    root: str

    def settings(self) -> Settings:
        """Return the settings as they are now."""
        return load_settings(Path(self.root), os.environ)

    def registry(self) -> Registry:
        """Return the registry as it is now."""
        return load_registry(self.settings().registry_path)

    def codebase(self, key: str) -> Codebase:
        """Return one codebase; raises UsageError when the registry has none of that key."""
        return self.registry().get(key)
