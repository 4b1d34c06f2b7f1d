"""Ways in which a cited sentence can be wrong for certain. Used by the mutation test and by the benchmark over whole indexes."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from legacylens_assets.answer.checks import Evidence, check
from legacylens_assets.answer.records import Draft, Mark, Source

NUMBER = re.compile(r"(?<![\w.–-])\d+(?![\w.–-])")
KINDS = ("shifted", "widened", "swapped", "number", "invented")


def mutations(draft: Draft, sources: Mapping[str, Source], rng: Random) -> Iterator[tuple[str, Draft]]:
    """Yield (kind, draft) for one true sentence: its lines shifted off what it says, widened beyond what was sent, moved to another file,
    one number of its text changed, its id invented."""
    mark = draft.marks[0]
    source = sources[mark.source]
    whole = replace(draft, marks=(mark,))
    shift = rng.choice([-1, 1]) * (mark.end_line - mark.start_line + rng.randint(1, 12))
    moved = Mark(mark.source, mark.start_line + shift, mark.end_line + shift)
    if not says_it_too(whole, moved, sources):
        yield "shifted", replace(draft, marks=(moved,))
    yield "widened", replace(draft, marks=(Mark(mark.source, mark.start_line, source.end_line + rng.randint(1, 40)),))
    others = [other for other in sources.values() if other.path != source.path]
    if others:
        other = rng.choice(others)
        swapped = Mark(other.id, other.start_line, min(other.end_line, other.start_line + mark.end_line - mark.start_line))
        if not says_it_too(whole, swapped, sources):
            yield "swapped", replace(draft, marks=(swapped,))
    numbers = list(NUMBER.finditer(draft.text))
    if numbers:
        found = rng.choice(numbers)
        changed = str(int(found.group()) + rng.randint(100_000, 900_000))
        yield "number", replace(draft, text=draft.text[: found.start()] + changed + draft.text[found.end() :])
    yield "invented", replace(draft, marks=(Mark(f"S{len(sources) + rng.randint(1, 50)}", mark.start_line, mark.end_line),))


def says_it_too(draft: Draft, mark: Mark, sources: Mapping[str, Source]) -> bool:
    """Return whether every quote and name of the sentence stands in the other lines as well: then citing them is no fault."""
    source = sources[mark.source]
    if not source.start_line <= mark.start_line <= mark.end_line <= source.end_line:
        return False
    evidence = Evidence.of([(source, mark)])
    pieces = [next(group for group in match if group) for match in re.findall(r"“([^”]*)”|`([^`]+)`", draft.text)]
    return all(evidence.has_quote(piece) or evidence.is_name(piece) for piece in pieces)


def caught(draft: Draft, sources: Mapping[str, Source]) -> bool:
    """Return whether a wrong sentence is removed; weak does not count."""
    return check(draft, sources, lambda source: True).status == "removed"
