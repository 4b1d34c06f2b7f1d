"""What a reader knows of the index from its files: the snapshot, generations, document frequencies. The same for both back ends."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from legacylens_assets.encoders.idf import DF_FILE, IdfTable, read_df
from legacylens_assets.errors import FingerprintMismatch, GenerationGone, NoIndex
from legacylens_assets.store.layout import Layout
from legacylens_assets.store.protocol import EVERYTHING, IDENTIFIERS, Filter, GenerationInfo, Snapshot

CACHED_TABLES = 64


class Sidecars:
    """Follows SNAPSHOT.json (one ``stat`` a question) unless pinned to a snapshot. Safe to share between threads."""

    def __init__(self, layout: Layout, pinned: Snapshot | None = None) -> None:
        self.layout = layout
        self.pinned = pinned
        self._seen: tuple[tuple[int, int, int], Snapshot] | None = None
        self._infos: dict[tuple[str, str], GenerationInfo] = {}
        self._tables: dict[tuple[str, ...], IdfTable] = {}

    def snapshot(self) -> Snapshot:
        """Return the snapshot being served; raises NoIndex when nothing was published."""
        if self.pinned is not None:
            return self.pinned
        try:
            found = os.stat(self.layout.snapshot_file)
        except FileNotFoundError:
            raise NoIndex(f"{self.layout.root}: nothing is indexed yet; run `legacylens reindex` or `make run`") from None
        mark = (found.st_ino, found.st_mtime_ns, found.st_size)
        seen = self._seen
        if seen is None or seen[0] != mark:
            seen = self._seen = (mark, self.layout.snapshot())
        return seen[1]

    def info(self, codebase: str) -> GenerationInfo:
        """Return what is known of the generation being served; raises NoIndex for a codebase that is not indexed."""
        return self.generation(codebase, self._served(codebase))

    def generation_dir(self, codebase: str) -> Path:
        """Return the folder of the generation's sidecar files."""
        return self.layout.generation(codebase, self._served(codebase))

    def admitted(self, where: Filter, snapshot: Snapshot) -> list[str]:
        """Return the codebases of the snapshot that ``where`` admits, sorted; raises NoIndex for one that is not indexed."""
        for key in where.codebases:
            if key not in snapshot.generations:
                raise NoIndex(f"codebase {key!r}: not indexed; there are {', '.join(sorted(snapshot.generations))}")
        wanted = where.codebases or tuple(snapshot.generations)
        return sorted(set(wanted) - set(where.not_codebases))

    def idf(self, where: Filter = EVERYTHING, leg: str = IDENTIFIERS) -> IdfTable:
        """Return the document frequencies of a leg over the codebases that ``where`` admits; kept until the snapshot changes."""
        snapshot = self.snapshot()
        codebases = self.admitted(where, snapshot)
        key = (leg, *(f"{name}={snapshot.generations[name]}" for name in codebases))
        table = self._tables.get(key)
        if table is None:
            table = IdfTable.merge(self._frequencies(name, snapshot.generations[name], leg) for name in codebases)
            if len(self._tables) >= CACHED_TABLES:
                self._tables = {}
            self._tables[key] = table
        return table

    def check_fingerprints(self, fingerprints: Mapping[str, str]) -> None:
        """Raise FingerprintMismatch, naming both, when a codebase was built by other encoders than those that ask.

        An index may hold legs that the question leaves out; it must hold each leg that is asked, made by the same encoder.
        """
        for codebase in self.snapshot().generations:
            built = self.info(codebase).fingerprints
            for leg, asked in sorted(fingerprints.items()):
                if built.get(leg) != asked:
                    raise FingerprintMismatch(
                        f"codebase {codebase}, leg {leg}: indexed with {built.get(leg, 'nothing')}, asked with {asked}; "
                        f"run `legacylens reindex {codebase}` or choose the profile it was indexed with"
                    )

    def _served(self, codebase: str) -> str:
        snapshot = self.snapshot()
        self.admitted(Filter(codebases=(codebase,)), snapshot)
        return snapshot.generations[codebase]

    def generation(self, codebase: str, generation: str) -> GenerationInfo:
        """Return what is known of a generation; raises GenerationGone when it is not there."""
        held = self._infos.get((codebase, generation))
        if held is None:
            held = self.layout.info(codebase, generation)
            if held is None:
                raise GenerationGone(f"generation {generation} of {codebase} was collected")
            self._infos[codebase, generation] = held
        return held

    def _frequencies(self, codebase: str, generation: str, leg: str) -> IdfTable:
        path = self.layout.generation(codebase, generation) / DF_FILE
        if not path.exists():
            return IdfTable.merge([])
        return replace(read_df(path, leg), documents=self.generation(codebase, generation).points)
