"""COBOL source -> programs, divisions, sections, paragraphs, data items, files and what they refer to.

The file becomes cards (form.py), the cards tokens (tokens.py), and one pass over the tokens finds the structure. Nothing is expanded: lines are
those of the file. References: ISO/IEC 1989:1985; Enterprise COBOL for z/OS Language Reference; GnuCOBOL Programmer's Guide.

Not parsed on purpose: expressions, the inside of REPORT and SCREEN entries beyond their names, and object-oriented headers beyond CLASS-ID and
METHOD-ID (both are programs with detail type=class or method).
"""

from __future__ import annotations

from bisect import bisect_right

from legacylens_assets.parsers.cobol.copying import copy_statement, replace_statement
from legacylens_assets.parsers.cobol.data_division import close_description, close_items, data_sentence, is_data_start
from legacylens_assets.parsers.cobol.environment import environment_sentence
from legacylens_assets.parsers.cobol.form import ANYWHERE, AREA_A, Deck, deal
from legacylens_assets.parsers.cobol.procedure import procedure_division
from legacylens_assets.parsers.cobol.reading import Mention, Reading
from legacylens_assets.parsers.cobol.tokens import DOT, unquote
from legacylens_assets.parsers.cobol.values import settle_values
from legacylens_assets.parsers.cobol.words import DATA_SECTIONS, DIVISIONS, END_UNITS, ENVIRONMENT_PARAGRAPHS, ID_PARAGRAPHS, UNIT_IDS
from legacylens_assets.types import ParsedFile, SourceFile


def parse(source: SourceFile) -> ParsedFile:
    """Return the structure of a COBOL source file or copybook. Never raises; what is not understood is a problem."""
    return read(deal(source.lines), source.path)


def read(deck: Deck, path: str) -> ParsedFile:
    """Return the structure of a deck of cards."""
    r = Reading(deck, path)
    i = 0
    while i < r.size:
        at = unit_header(r, i)
        if at == i:
            at = _sentence(r, i)
        i = max(at, i + 1)
    close_units(r, r.size, everything=True)
    _add_members(r)
    _report_literals(r)
    settle_values(r)
    return r.finish(deck.form)


def _sentence(r: Reading, i: int) -> int:
    """Read what begins at ``i`` by the division it stands in; return the index after it."""
    if r.kind[i] == DOT:
        return i + 1
    if r.mode == "IDENTIFICATION":
        return _identification(r, i)
    if r.mode == "PROCEDURE":
        return procedure_division(r, i)
    word = r.upper[i]
    if word == "COPY":
        return copy_statement(r, i, unit=True) if r.mode != "DATA" else data_sentence(r, i)
    if word == "REPLACE":
        return replace_statement(r, i)
    if word in DATA_SECTIONS and r.word(i + 1) == "SECTION" and r.mode != "DATA":
        r.mode = "DATA"
    if r.mode == "DATA":
        return data_sentence(r, i)
    if r.mode == "ENVIRONMENT":
        return environment_sentence(r, i)
    return _fragment(r, i)


def _fragment(r: Reading, i: int) -> int:
    """Read a sentence of a copybook, which has no division to go by."""
    word = r.upper[i]
    if is_data_start(r, i):
        return data_sentence(r, i)
    if word == "SELECT" or word in ENVIRONMENT_PARAGRAPHS or (word in ("CONFIGURATION", "INPUT-OUTPUT") and r.word(i + 1) == "SECTION"):
        return environment_sentence(r, i)
    if r.items and (word in ("EXEC", "EXECUTE")):
        return data_sentence(r, i)
    return procedure_division(r, i)


def unit_header(r: Reading, i: int) -> int:
    """Read a division header, PROGRAM-ID or END PROGRAM at ``i``; return the index after it, or ``i`` if there is none."""
    word, after = r.upper[i], r.word(i + 1)
    if after == "DIVISION" and word in DIVISIONS:
        return _division(r, i)
    if word in UNIT_IDS and (after == "." or r.first[i] in (AREA_A, ANYWHERE)):
        return _program(r, i)
    if word == "END" and after in END_UNITS:
        return _end_program(r, i, i + 2)
    return i


def close_units(r: Reading, i: int, *, everything: bool = False) -> None:
    """End paragraph, section, data items, file and division before token ``i``; with ``everything`` the open programs too."""
    end = r.end_before(i)
    close_items(r, end)
    close_description(r, end)
    r.close(r.paragraph, end)
    r.close(r.section, end)
    r.close(r.division, end)
    r.paragraph = r.section = r.division = None
    r.fields.clear()
    if everything:
        while r.programs:
            r.close(r.programs.pop(), end)


def _division(r: Reading, i: int) -> int:
    """Open a division; an IDENTIFICATION DIVISION waits for its PROGRAM-ID."""
    word = r.upper[i]
    close_units(r, i)
    r.mark(i)
    if word in ("ID", "IDENTIFICATION"):
        r.mode = "IDENTIFICATION"
        r.identification = r.line[i]
        _close_finished(r, i, _name_ahead(r, i))
        at = i + 2
        return at + 1 if r.kind_at(at) == DOT else at
    r.mode = word
    r.data_section = ""
    r.division = r.open(f"{word} DIVISION", "division", r.line[i], r.program)
    at = i + 2
    if word != "PROCEDURE":
        return at + 1 if r.kind_at(at) == DOT else at
    if r.word(at) in ("USING", "CHAINING", "RETURNING", "GIVING"):
        end = r.next_dot(at)
        names = [r.text[k] for k in range(at + 1, end) if r.is_name(k)]
        if names:
            r.symbols[r.division].detail["using"] = " ".join(names)[:400]
        return end + 1
    return at + 1 if r.kind_at(at) == DOT else at


def _name_ahead(r: Reading, i: int) -> int:
    """Return the index of the PROGRAM-ID that belongs to the IDENTIFICATION DIVISION at ``i``, or ``i``."""
    for k in range(i + 2, min(i + 60, r.size)):
        if r.upper[k] in UNIT_IDS:
            return k
    return i


def _close_finished(r: Reading, i: int, at: int) -> None:
    """Before a new program: end every open program that no END PROGRAM further on closes (a sibling follows); the others contain the new one."""
    while r.programs and r.ends[r.symbols[r.programs[-1]].name.upper()] <= 0:
        r.close(r.programs.pop(), r.end_before(i))


def _program(r: Reading, i: int) -> int:
    """Open a program, function, class or method."""
    if not r.identification:
        close_units(r, i)
        _close_finished(r, i, i)
    start = r.identification or r.line[i]
    at = i + 1
    while r.kind_at(at) == DOT:
        at += 1
    if at >= r.size:
        r.problem(r.line[i], "program_without_name", f"{r.text[i]} names nothing")
        return r.size
    name = unquote(r.text[at])
    end = r.next_dot(at)
    unit_type = UNIT_IDS[r.upper[i]]
    detail = {} if unit_type == "program" else {"type": unit_type}
    for k in range(at + 1, min(end, at + 12)):
        if r.upper[k] in ("INITIAL", "COMMON", "RECURSIVE"):
            detail[r.upper[k].lower()] = "1"
        elif r.upper[k] == "AS" and k + 1 < end:
            detail["as"] = unquote(r.text[k + 1])
    heading = next((k for k in range(at + 1, min(end, at + 40)) if r.first[k] and _is_heading(r, k)), end)
    if heading < end or end - at > 12:
        r.problem(r.line[i], "missing_period", f"{r.text[i]} {name} is not followed by a period")
        end = heading - 1 if heading < end else at
    program = r.open(name, "program", start, r.program, detail=detail)
    r.programs.append(program)
    if r.identification:
        r.division = r.open("IDENTIFICATION DIVISION", "division", start, program)
    r.identification = 0
    r.mode = "IDENTIFICATION"
    r.mark(i)
    return end + 1


def _is_heading(r: Reading, k: int) -> bool:
    """Return whether token ``k`` begins a division or a paragraph of the IDENTIFICATION DIVISION."""
    return r.upper[k] in ID_PARAGRAPHS or (r.word(k + 1) in ("DIVISION", "SECTION") and r.kind[k] != DOT)


def _end_program(r: Reading, i: int, at: int) -> int:
    """Close the program that END PROGRAM names, and those inside it; an unknown name closes the innermost."""
    close_units(r, i)
    r.mark(i)
    named = at < r.size and r.kind[at] != DOT
    name = unquote(r.upper[at]) if named else ""
    last = at if named else at - 1
    end = last + 1 if r.kind_at(last + 1) == DOT else last
    r.ends[name] -= 1
    line = r.line_of(end)
    names = [r.symbols[program].name.upper() for program in r.programs]
    if name in names:
        while r.programs and r.symbols[r.programs[-1]].name.upper() != name:
            r.close(r.programs.pop(), r.end_before(i))
    elif r.programs:
        r.problem(r.line[i], "end_program_mismatch", f"END PROGRAM {name} does not match {names[-1]}")
    if r.programs:
        r.close(r.programs.pop(), line)
    r.mode = "" if not r.programs else "ENDED"
    return end + 1


def _identification(r: Reading, i: int) -> int:
    """Pass over the paragraphs of the IDENTIFICATION DIVISION: free text up to the next header in area A."""
    comment_entry = False
    for k in range(i, r.size):
        area = r.first[k]
        if not area:
            continue
        word, after = r.upper[k], r.word(k + 1)
        heads = area in (AREA_A, ANYWHERE) or not comment_entry
        if word in ID_PARAGRAPHS and heads and (after == "." or word in UNIT_IDS):
            r.mark(k)
            if word in UNIT_IDS:
                return k
            comment_entry = True
        elif word in DIVISIONS and after == "DIVISION" and heads and _closes_header(r, k + 2):
            return k
        elif word == "END" and after in END_UNITS and heads:
            return k
        elif heads and after == "SECTION" and r.word(k + 2) == "." and (word in DATA_SECTIONS or word in ("CONFIGURATION", "INPUT-OUTPUT")):
            r.mode = "DATA" if word in DATA_SECTIONS else "ENVIRONMENT"
            return _sentence(r, k)
        elif word == "COPY" and not comment_entry and r.kind_at(k + 1) not in (-1, DOT):
            return copy_statement(r, k, unit=True)
    return r.size


def _closes_header(r: Reading, i: int) -> bool:
    """Return whether a division header may end before token ``i``."""
    return i >= r.size or r.kind[i] == DOT or r.first[i] != 0 or r.upper[i] in ("USING", "CHAINING", "RETURNING")


def _add_members(r: Reading) -> None:
    """Add what library directives bring in: they are no code, so the pass over the tokens has not seen them."""
    if not r.deck.members:
        return
    holders = sorted((s.start, index) for index, s in enumerate(r.symbols) if s.kind not in ("division", "copy"))
    for line, member, manner in r.deck.members:
        at = bisect_right(holders, (line, len(r.symbols)))
        holder = holders[at - 1][1] if at else None
        while holder is not None and r.symbols[holder].end < line:
            holder = r.symbols[holder].parent
        program = holder
        while program is not None and r.symbols[program].kind != "program":
            program = r.symbols[program].parent
        symbol = r.open(member, "copy", line, program, unit=holder == program, detail={"via": manner})
        r.close(symbol, line)
        r.mentions.append(Mention("copy", member, line, holder, {"via": manner}))


def _report_literals(r: Reading) -> None:
    """Report literals without an end, except in the free text of the IDENTIFICATION DIVISION."""
    spans = [(s.start, s.end) for s in r.symbols if s.kind == "division" and s.name.startswith("IDENT")]
    for index in r.tokens.unclosed:
        line = r.line[index]
        if not any(start <= line <= end for start, end in spans[:50]):
            r.problem(line, "literal_open", "a literal has no closing quote on this line and is not continued")
