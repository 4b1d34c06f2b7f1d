"""The walk over a file's statements: blocks, entries, declarations, references.

Statements end at semicolons of the masked text. A stack holds the open blocks; `END label` closes every block up to the one of that label.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from legacylens_assets.parsers.pli import embedded
from legacylens_assets.parsers.pli.blocks import Blocks, Draft
from legacylens_assets.parsers.pli.declare import declared
from legacylens_assets.parsers.pli.masking import Masked
from legacylens_assets.parsers.pli.preprocessor import Event
from legacylens_assets.parsers.pli.syntax import NAME, after_conditions, close_of, has_equals, is_variable, skip_space, take_labels, then_of, word_at
from legacylens_assets.types import EMPTY, Problem, Reference

_CALLED = re.compile(rf"\s*((?:(?:{NAME})(?:\([^()]*\))?\s*(?:->|\.)\s*)*)({NAME})")
_FILE = re.compile(rf"\bfile\s*\(\s*({NAME})")
_TITLE = re.compile(r"\btitle\s*\(\s*(['\"])")
_END_NAME = re.compile(rf"\s*({NAME})?\s*(?:\([-+\w$\s,]*\))?\s*")
_FUNCTION = re.compile(rf"(?<![\w$#@§£])((?>{NAME}))\s*+\(")
_LOST_PROC = re.compile(rf"(?:^|\n)[ \t]*((?:{NAME})[ \t]*:\s*(?:proc|procedure)\b\s*(?:[(;]|$))")
_LOST_END = re.compile(rf"\n[ \t]*(end(?:[ \t]+(?:{NAME}))?)\s*(?![^\s])")
_CONTINUING = frozenset("=<>+-*/|&^~¬!(.,:")
_FILE_ACCESS = {
    "read": "file_read",
    "get": "file_read",
    "write": "file_write",
    "rewrite": "file_write",
    "put": "file_write",
    "locate": "file_write",
    "delete": "file_write",
}
ATTRIBUTES = 80
"""Characters of a declaration's attributes that are kept."""


class Walk:
    """Collects the structure of one file.

    ``run`` once, then read ``blocks`` (symbols, problems), ``references``, ``statements``, ``uses`` and ``functions``.
    """

    def __init__(self, source: Masked, events: Sequence[Event], folds: bool) -> None:
        self.source, self.low = source, source.low
        self.folds = folds
        self.events, self.next_event = events, 0
        self.blocks = Blocks(source.problems)
        self.references: list[Reference] = []
        self.statements: list[int] = []
        self.uses: list[tuple[str, int, int | None]] = []
        self.functions: set[str] = set()
        self.variables: set[str] = set()
        self.last_code = 0
        self.handlers: Mapping[str, Callable[[int, int, int, list[str]], int]] = {
            "proc": self._procedure, "procedure": self._procedure, "entry": self._entry, "package": self._package, "begin": self._begin,
            "do": self._group, "select": self._group, "end": self._end, "dcl": self._declare, "declare": self._declare, "define": self._define,
            "call": self._call, "go": self._goto, "goto": self._goto, "exec": self._exec, "open": self._open,
            **dict.fromkeys(_FILE_ACCESS, self._transfer),
        }  # fmt: skip

    def run(self) -> None:
        """Walk all statements."""
        low, at, count = self.low, 0, len(self.low)
        resets = iter(self.source.directives)
        reset = next(resets, None)
        while at < count:
            at = skip_space(low, at, count)
            if at >= count:
                break
            stop = low.find(";", at)
            stop = count if stop < 0 else stop
            self._meet_events(at)
            while reset is not None and reset <= self.source.line(at):
                self.blocks.finish(at_line=reset - 1)
                reset = next(resets, None)
            self.statements.append(at)
            at = self._statement(at, stop)
            self.last_code = max(self.last_code, min(stop, count - 1))
        self._meet_events(count)
        self.blocks.finish(at_line=self.source.line(self.last_code))

    # Blocks

    def _statement(self, start: int, end: int) -> int:
        """Take in the statement that ``end`` closes; return where the next one begins."""
        lost = self._lost_start(start, end)
        if lost < 0:
            self._units(start, end)
            return end + 1
        self.blocks.problems.append(
            Problem(self.source.line(start), "missing_semicolon", "a block begins or ends inside a statement; a semicolon is missing")
        )
        self._units(start, lost)
        return lost

    def _lost_start(self, start: int, end: int) -> int:
        """Return where a procedure or an END begins inside the statement, because a semicolon was forgotten before it; -1 when none does."""
        low = self.low
        lost = _LOST_PROC.search(low, start, end) if low.find("proc", start, end) >= 0 else None
        if lost is None:
            last = low.rfind("\n", start, end)
            lost = _LOST_END.match(low, last, end) if last >= 0 and low.find("end", last, end) >= 0 else None
            if lost and low[start:last].rstrip()[-1:] in _CONTINUING:
                return -1
        if lost is None or not low[start : lost.start(1)].strip() or self._is_label_run(start, lost.start(1)):
            return -1
        return lost.start(1)

    def _is_label_run(self, start: int, end: int) -> bool:
        return skip_space(self.low, take_labels(self.low, start, end)[1], end) >= end

    def _units(self, at: int, end: int) -> None:
        """Follow IF, ELSE, ON, WHEN down to the statement they hold, and take that in."""
        low = self.low
        labels: list[str] = []
        begun = at
        while at < end:
            spans, after = take_labels(low, at, end)
            if spans or after != at:
                begun = skip_space(low, at, end) if not labels else begun
                labels += [self.source.raw[first:last] for first, last in spans]
                at = after
            word, start, stop = word_at(low, at, end)
            if not word:
                return
            if not labels:
                begun = start
            if is_variable(low, stop, end):
                self._assign(start, end)
                return
            handler = self.handlers.get(word)
            if handler and self._is_element(stop, end):
                self._assign(start, end)
                return
            if handler:
                at = handler(begun, stop, end, labels) if word not in _FILE_ACCESS else self._transfer(begun, start, end, labels)
            else:
                at = self._into_unit(word, stop, end)
                if at < 0:
                    self._assign(start, end)
            if at < 0:
                return
            labels = []

    def _is_element(self, at: int, end: int) -> bool:
        """Return whether subscripts and an assignment follow: `end(i) = j` sets an element of an array named end."""
        at = skip_space(self.low, at, end)
        return at < end and self.low[at] == "(" and is_variable(self.low, close_of(self.low, at, end), end)

    def _into_unit(self, word: str, stop: int, end: int) -> int:
        """Return where the unit inside a compound statement begins, -1 when the statement is none."""
        low = self.low
        if word == "if":
            then = then_of(low, stop, end)
            if then >= 0:
                self._use(stop, then)
            return then
        if word == "on":
            return after_conditions(low, stop, end)
        if word == "when":
            opening = skip_space(low, stop, end)
            if opening >= end or low[opening] != "(":
                return -1
            close = close_of(low, opening, end)
            return -1 if is_variable(low, close, end) else close
        return stop if word in ("else", "otherwise", "other", "otherw") else -1

    def _procedure(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        if has_equals(self.low, stop, end):
            self._use(begun, end)
            return -1
        line = self.source.line(begun)
        if not labels:
            self.blocks.problems.append(Problem(line, "procedure_without_label", "a procedure has no name"))
            self.blocks.open("procedure", [], None, line)
            return -1
        detail = {"options": "main"} if re.search(r"\boptions\s*\([^)]*\bmain\b", self.low[stop:end]) else {}
        if len(labels) > 1:
            detail["aliases"] = ",".join(labels[1:])
        if "returns" in self.low[stop:end]:
            self.functions.update(label.lower() for label in labels)
        symbol = self.blocks.add(labels[0], "procedure", line, line, True, detail or EMPTY)
        self.blocks.open("procedure", labels, symbol, line)
        return -1

    def _entry(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        if not labels or has_equals(self.low, stop, end):
            return -1
        if "returns" in self.low[stop:end]:
            self.functions.update(label.lower() for label in labels)
        detail = {"aliases": ",".join(labels[1:])} if len(labels) > 1 else EMPTY
        self.blocks.add(labels[0], "entry", self.source.line(begun), self.source.line(self._last(begun, end)), True, detail)
        return -1

    def _package(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        if labels and not has_equals(self.low, stop, end):
            line = self.source.line(begun)
            self.blocks.open("package", labels, self.blocks.add(labels[0], "package", line, line), line)
        return -1

    def _begin(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        at = skip_space(self.low, stop, end)
        if at < end and not word_at(self.low, at, end)[0]:
            return -1
        line = self.source.line(begun)
        self.blocks.open("begin", labels, self.blocks.add(labels[0], "begin", line, line) if labels else None, line)
        return -1

    def _group(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        at = skip_space(self.low, stop, end)
        is_select = self.low[stop - 6 : stop] == "select"
        if is_select:
            opens = at >= end or (self.low[at] == "(" and skip_space(self.low, close_of(self.low, at, end), end) >= end)
        else:
            opens = at >= end or self.low[at] != "("
        if not opens:
            self._use(begun, end)
            return -1
        self.blocks.open("select" if is_select else "do", labels, None, self.source.line(begun))
        self._use(at, end)
        return -1

    def _end(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        match = _END_NAME.match(self.low, stop, end)
        label = match.group(1) if match else None
        after = match.end() if match else stop
        if skip_space(self.low, after, end) < end and label and self.low[skip_space(self.low, after, end)] == ":":
            label, after = None, stop
        self.blocks.close(label, self.source.line(self._last(begun, end if after >= end else after)))
        if skip_space(self.low, after, end) >= end:
            return -1
        self.blocks.problems.append(Problem(self.source.line(begun), "missing_semicolon", "END is followed by more text; a semicolon is missing"))
        return after

    # Preprocessor

    def _meet_events(self, offset: int) -> None:
        while self.next_event < len(self.events) and self.events[self.next_event].offset <= offset:
            event = self.events[self.next_event]
            self.next_event += 1
            line = self.source.line(event.offset)
            if event.kind == "include":
                self.blocks.add(event.name, "include", line, line, unit=False)
                self.references.append(Reference("include", event.name.upper() if self.folds else event.name, line, self.blocks.parent()))
            elif event.kind == "macro":
                end = self.source.line(max(event.offset, event.end - 1))
                self.blocks.add(event.name, "declaration", line, end, True, {"type": "macro"})
            else:
                self.blocks.branch(event.kind)

    # Declarations and references

    def _declare(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        parents: list[tuple[int, int]] = []
        scope = self.blocks.parent()
        unit = scope is None
        for item in declared(self.low, stop, end):
            while parents and (item.level <= 1 or parents[-1][0] >= item.level):
                parents.pop()
            first, last = self.source.line(item.start), self.source.line(item.end)
            name = self.source.raw[item.name[0] : item.name[1]]
            kept = " ".join(item.attributes.split())
            detail = {"level": str(item.level), "attributes": kept[:ATTRIBUTES]} if item.level else {"attributes": kept[:ATTRIBUTES]}
            self.blocks.symbols.append(Draft(name, "declaration", first, last, parents[-1][1] if parents else scope, unit and not parents, detail))
            for _, index in parents:
                self.blocks.symbols[index].end = max(self.blocks.symbols[index].end, last)
            if item.level:
                parents.append((item.level, len(self.blocks.symbols) - 1))
            self._note_attributes(name, kept, first)
        return -1

    def _note_attributes(self, name: str, attributes: str, line: int) -> None:
        words = set(re.split(r"\W+", re.sub(r"\([^()]*\)", " ", attributes)))
        if words & {"entry", "returns"}:
            if "variable" in words:
                self.variables.add(name.lower())
            if "returns" in words:
                self.functions.add(name.lower())
        elif "file" in words and "variable" not in words:
            self.references.append(Reference("file_assign", name.upper(), line, self.blocks.parent(), {"file": name.upper()}))

    def _define(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        """Take in IBM's DEFINE ALIAS, ORDINAL and STRUCTURE."""
        kind, _, after = word_at(self.low, stop, end)
        if kind in ("alias", "ordinal", "structure"):
            level, _, _ = word_at(self.low, after, end)
            match = re.compile(rf"\s*(?:\d+\s*)?({NAME})").match(self.low, after, end)
            if match and (level or match):
                first, last = self.source.line(begun), self.source.line(self._last(begun, end))
                name = self.source.raw[match.start(1) : match.end(1)]
                self.blocks.add(name, "declaration", first, last, self.blocks.parent() is None, {"type": kind})
        return -1

    def _call(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        match = _CALLED.match(self.low, stop, end)
        if match:
            kind = "call_dynamic" if match.group(1) or match.group(2) in self.variables else "call"
            self._refer(kind, match.start(2), match.end(2))
            self._use(match.end(2), end)
        return -1

    def _goto(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        word, start, after = word_at(self.low, stop, end)
        if self.low[stop - 2 : stop] == "go" and word == "to":
            word, start, after = word_at(self.low, after, end)
        if word:
            self._refer("goto", start, after)
        return -1

    def _open(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        found = list(_FILE.finditer(self.low, stop, end))
        for match, following in zip(found, [*found[1:], None], strict=False):
            border = following.start() if following else end
            title = _TITLE.search(self.low, match.end(), border)
            if title:
                close = self.low.find(title.group(1), title.end(), end)
                dd = self.source.raw[title.end() : close].lstrip("/").split(",")[0].strip() if close > 0 else ""
                if dd:
                    line = self.source.line(match.start())
                    self.references.append(Reference("file_assign", dd.upper(), line, self.blocks.parent(), {"file": match.group(1).upper()}))
        return -1

    def _transfer(self, begun: int, start: int, end: int, labels: list[str]) -> int:
        verb = word_at(self.low, start, end)[0]
        match = _FILE.search(self.low, start, end)
        if match and verb in _FILE_ACCESS:
            self._refer(_FILE_ACCESS[verb], match.start(1), match.end(1), fold=True)
        self._use(start, end)
        return -1

    def _exec(self, begun: int, stop: int, end: int, labels: list[str]) -> int:
        word, start, after = word_at(self.low, stop, end)
        extract = {"sql": embedded.sql, "cics": embedded.cics}.get(word)
        if extract:
            text = self._code(after, end)
            lead = len(text) - len(text.lstrip())
            line = self.source.line(min(after + lead, len(self.low) - 1))
            parent = self.blocks.parent()
            for found in extract(text[lead:], line):
                self.references.append(Reference(found.kind, found.target, found.line, parent, found.detail))
                if found.kind == "include":
                    self.blocks.add(found.target, "include", found.line, found.line, unit=False)
        return -1

    def _code(self, start: int, end: int) -> str:
        """Return the source between two offsets, case and literals kept, comments left out."""
        return "".join(raw if code != " " else " " for raw, code in zip(self.source.raw[start:end], self.low[start:end], strict=True))

    def _named(self, start: int, end: int) -> str:
        """Return a name as references spell it: in capitals where the dialect folds case."""
        name = self.source.raw[start:end]
        return name.upper() if self.folds else name

    def _refer(self, kind: str, start: int, end: int, fold: bool = False, detail: Mapping[str, str] = EMPTY) -> None:
        name = self._named(start, end)
        self.references.append(Reference(kind, name.upper() if fold else name, self.source.line(start), self.blocks.parent(), detail))

    def _assign(self, start: int, end: int) -> None:
        """Note the fields that a statement sets, if it is an assignment, and what it uses."""
        self._use(start, end)
        low, at = self.low, start
        targets: list[tuple[int, int, str]] = []
        outer = ""
        while True:
            word, first, last = word_at(low, at, end)
            if not word:
                return
            at = skip_space(low, last, end)
            if at < end and low[at] == "(":
                at = skip_space(low, close_of(low, at, end), end)
            mark = low[at : at + 2] if at < end else ""
            if mark[:1] == "." or mark == "->":
                outer = self._named(first, last) if mark[:1] == "." else ""
                at += 1 if mark[:1] == "." else 2
                continue
            targets.append((first, last, outer))
            outer = ""
            if mark[:1] != ",":
                break
            at += 1
        if is_variable(low, at, end):
            for first, last, owner in targets:
                self._refer("field_set", first, last, detail={"of": owner} if owner else EMPTY)

    def _use(self, start: int, end: int) -> None:
        """Note names that may turn out to be functions."""
        if self.low.find("(", start, end) >= 0:
            parent = self.blocks.parent()
            self.uses.extend((match.group(1), match.start(1), parent) for match in _FUNCTION.finditer(self.low, start, end))

    def _last(self, start: int, end: int) -> int:
        """Return the offset of the last character of a statement: its semicolon, or its last code."""
        return end if self.low[end : end + 1] == ";" else max(start, start + len(self.low[start:end].rstrip()) - 1)
