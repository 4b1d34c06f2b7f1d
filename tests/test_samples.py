"""The sample codebases are what their README says, and every shipped question about them points at text that is there."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from legacylens_eval.question_sets import SHIPPED, Question, load_questions

SAMPLES = Path(__file__).parent.parent / "data" / "samples"
QUESTIONS = load_questions([SHIPPED / "samples.jsonl"])
ABBREVIATIONS = set("acct cust bal xref stmt tran trans rej amt dt int pgm rec cnt qty prem clm pol ord inv itm eom fee avail".split())
WORDS = re.compile(r"[A-Za-z0-9_'-]+")
MIXED = re.compile(r"_|[A-Za-z]\d|\d[A-Za-z]|[a-z][A-Z]|^[A-Z]{3,}$")
COBOL = "CBPOST01.cbl CBINT02.CBL CBSTM03.cbl CBREJ04.cob CBFEE05.cbl CBDAT01.cbl FEEPLN1.cbl FEEPLN2.cbl".split()
FORTRAN = "f77/linsol.f f77/quad.f f77/spline.F f90/stats_mod.f90 f90/heat_mod.f90 f90/bench.f90".split()
C_FILES = [("spooler/spool.c", "gnu89"), ("spooler/ledger.c", "gnu89"), ("msgparse/msg.c", "c11"), ("msgparse/msgdump.c", "c11")]


def lines_of(path: str) -> list[str]:
    data = (SAMPLES / path).read_bytes()
    if path == "bank/cbl/CBXRF07":
        text = data.decode("cp037")
        return [text[at : at + 80] for at in range(0, len(text), 80)]
    return re.split(r"\r\n|\n", data.decode("latin-1" if path == "spooler/ledger.c" else "utf-8").removesuffix("\n"))


def identifiers(text: str) -> set[str]:
    """Every word of ``text`` that only a program would use."""
    found = re.findall(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*", text)
    return {word.casefold() for word in found if MIXED.search(word) and re.search(r"[-_0-9]|[a-z][A-Z]", word)}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_relevant_places_exist_and_hold_their_symbol(question: Question) -> None:
    for place in question.relevant:
        lines = lines_of(place.path)
        assert 1 <= place.start_line <= place.end_line <= len(lines)
        assert place.symbol and place.symbol in "\n".join(lines[place.start_line - 1 : place.end_line])
        assert place.file_sha == hashlib.sha256((SAMPLES / place.path).read_bytes()).hexdigest()


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_questions_use_no_word_of_the_code_they_ask_about(question: Question) -> None:
    words = WORDS.findall(question.question)
    folded = {word.casefold() for word in words}
    assert [word for word in words if MIXED.search(word)] == []
    assert folded & ABBREVIATIONS == set()
    for place in question.relevant:
        answer = "\n".join(lines_of(place.path)[place.start_line - 1 : place.end_line])
        assert folded & identifiers(answer) == set()
        assert not re.search(rf"\b{re.escape(place.symbol)}\b", question.question, re.IGNORECASE)
        assert Path(place.path).stem.casefold() not in folded


def test_the_question_set_has_the_promised_mix() -> None:
    kinds = Counter(question.kind for question in QUESTIONS)
    unanswerable = [question for question in QUESTIONS if not question.answerable]
    assert len(QUESTIONS) >= 70
    assert set(kinds) == {"locate", "explain", "list", "graph", "unanswerable"}
    assert kinds["unanswerable"] == len(unanswerable) >= 0.1 * len(QUESTIONS)
    assert all(not question.relevant for question in unanswerable)
    assert len({question.question for question in QUESTIONS}) == len(QUESTIONS)


def test_every_application_is_asked_about() -> None:
    files = {path.relative_to(SAMPLES).parts[0] for path in SAMPLES.rglob("*") if path.is_file() and path.parent != SAMPLES}
    assert {place.path.split("/")[0] for question in QUESTIONS for place in question.relevant} == files


def test_oddities_survive_the_checkout() -> None:
    ebcdic = (SAMPLES / "bank/cbl/CBXRF07").read_bytes()
    assert len(ebcdic) % 80 == 0 and b"\n" not in ebcdic and "PROGRAM-ID. CBXRF07" in ebcdic.decode("cp037")
    crlf = (SAMPLES / "orders/QRPGLESRC/INVUPD.rpgle").read_bytes()
    assert crlf.count(b"\r\n") == crlf.count(b"\n") > 50
    assert "Müller".encode("latin-1") in (SAMPLES / "spooler/ledger.c").read_bytes()
    assert b"\f\n" in (SAMPLES / "spooler/spool.c").read_bytes()
    assert b"\n\t" in (SAMPLES / "numerics/f77/spline.F").read_bytes()
    assert (SAMPLES / "bank/docs/EMPTY.TXT").read_bytes() == b""
    assert all(re.match(r"\d{6}", line) for line in lines_of("bank/cbl/CBPOST01.cbl"))
    assert all(re.fullmatch(r"DAT\d{5}", line[72:]) for line in lines_of("bank/cbl/CBDAT01.cbl"))


def test_copybooks_exist_but_for_the_lost_one_and_those_of_the_system() -> None:
    members = {path.stem for folder in ("cpy", "dcl", "bms") for path in (SAMPLES / "bank" / folder).iterdir()}
    asked: set[str] = set()
    for path in sorted((SAMPLES / "bank/cbl").iterdir()):
        source = "\n".join(line[6:72] for line in lines_of(f"bank/cbl/{path.name}") if line[6:7] != "*")
        asked |= set(re.findall(r"(?<![-\w])(?:COPY|SQL INCLUDE)\s+([A-Z0-9]+)", source))
    assert asked - members == {"BANKMSGS", "DFHAID", "SQLCA"}


def test_programs_that_jobs_start_exist() -> None:
    programs = {path.stem for path in (SAMPLES / "bank/cbl").iterdir()}
    text = "\n".join(
        line
        for folder in ("jcl", "proc")
        for path in (SAMPLES / "bank" / folder).iterdir()
        for line in lines_of(f"bank/{folder}/{path.name}")
        if line[:3] != "//*"
    )
    started = set(re.findall(r"PGM=(\w+)|PROGRAM\((\w+)\)", text))
    assert {a or b for a, b in started} - programs == {"IDCAMS", "SORT", "IEBGENER", "IKJEFT01"}


@pytest.mark.skipif(not shutil.which("cobc"), reason="needs cobc (GnuCOBOL)")
@pytest.mark.parametrize("name", COBOL)
def test_batch_cobol_compiles(name: str, tmp_path: Path) -> None:
    bank = SAMPLES / "bank"
    subprocess.run(["cobc", "-fsyntax-only", "-std=ibm", "-I", str(bank / "cpy"), str(bank / "cbl" / name)], cwd=tmp_path, check=True)


@pytest.mark.skipif(not shutil.which("gfortran"), reason="needs gfortran")
def test_fortran_compiles(tmp_path: Path) -> None:
    paths = [str(SAMPLES / "numerics" / name) for name in FORTRAN]
    subprocess.run(["gfortran", "-std=legacy", "-w", "-fsyntax-only", *paths], cwd=tmp_path, check=True)


@pytest.mark.skipif(not shutil.which("gcc"), reason="needs gcc")
@pytest.mark.parametrize(("name", "standard"), C_FILES)
def test_c_compiles(name: str, standard: str, tmp_path: Path) -> None:
    subprocess.run(["gcc", f"-std={standard}", "-w", "-fsyntax-only", str(SAMPLES / name)], cwd=tmp_path, check=True)
