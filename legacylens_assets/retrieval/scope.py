"""Which codebases and languages a question asks."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Sequence

from legacylens_assets.errors import UsageError
from legacylens_assets.retrieval.catalog import Catalog
from legacylens_assets.store.protocol import Filter
from legacylens_assets.types import LANGUAGES

SAMPLE = "sample"


def resolve_filter(
    catalog: Catalog, codebases: Sequence[str], languages: Sequence[str], not_codebases: Sequence[str] = (), not_languages: Sequence[str] = ()
) -> Filter:
    """Return the filter of a question. Unknown names raise UsageError with close ones.

    When no codebase is named, samples are left out as soon as any other codebase is indexed (unless ``not_codebases`` leaves nothing else).
    """
    indexed = sorted(catalog.codebases())
    for name in (*codebases, *not_codebases):
        _known("codebase", name, indexed)
    for name in (*languages, *not_languages):
        _known("language", name, LANGUAGES)
    hidden = tuple(not_codebases)
    if not codebases:
        samples = [name for name in indexed if catalog.role(name) == SAMPLE]
        others = [name for name in indexed if name not in samples and name not in hidden]
        hidden += tuple(name for name in samples if others and name not in hidden)
    return Filter(tuple(dict.fromkeys(codebases)), tuple(dict.fromkeys(languages)), hidden, tuple(not_languages))


def shards_of(catalog: Catalog, where: Filter) -> list[str]:
    """Return the codebases that ``where`` admits, sorted."""
    wanted = where.codebases or tuple(catalog.codebases())
    return sorted(name for name in wanted if name not in where.not_codebases)


def _known(what: str, name: str, known: Collection[str]) -> None:
    if name in known:
        return
    close = difflib.get_close_matches(name.lower(), known, n=3)
    hint = f"did you mean {' or '.join(close)}?" if close else f"expected one of {', '.join(sorted(known)) or 'none: nothing is indexed yet'}"
    raise UsageError(f"{what} {name!r}: not {'indexed' if what == 'codebase' else 'known'}; {hint}")
