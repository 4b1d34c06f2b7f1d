"""What becomes of the words of code and questions."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from legacylens_assets import identifiers
from legacylens_assets.identifiers import abbreviations, count_ids, expand, name_words, stem, token_id, tokenize, word_tokens


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("CUST-ID", "cust_id"),
        ("CUST-ID", "custId"),
        ("WS-TRAN-AMT", "ws_tran_amt"),
        ("2000-PROCESS-FILE", "2000-process-file"),
        ("RÉSUMÉ", "resume"),
    ],
)
def test_spellings_of_one_name_share_their_whole_token(first: str, second: str) -> None:
    assert word_tokens(first)[0] == word_tokens(second)[0]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("ACCT-BAL", ("acctbal", "acct", "account", "bal", "balanc")),
        ("ACCT-NO", ("acctno", "acct", "account", "number")),
        ("posting", ("post",)),
        ("dgetrf", ("dgetrf",)),
        ("CBACT01C", ("cbact01c", "cbact")),
        ("readHTTPFile", ("readhttpfile", "read", "http", "file")),
        ("__init__", ("init", "initi")),
        ("the", ()),
        ("x", ()),
        ("A" * 65, ()),
        ("0100", ("0100",)),
        ("@#$", ()),
    ],
)
def test_raw_word_becomes_whole_parts_and_expansions(raw: str, expected: tuple[str, ...]) -> None:
    assert word_tokens(raw) == expected


@pytest.mark.parametrize("term", ["acct", "ACCT", "cust", "tran", "bal"])
def test_abbreviation_in_code_meets_the_word_of_the_question(term: str) -> None:
    assert {stem(word) for word in expand(term)} & set(tokenize(" ".join(expand(term))))
    assert set(tokenize(f"WS-{term}-X")) >= {stem(word) for word in expand(term)}


def test_words_of_questions_say_nothing() -> None:
    assert tokenize("How does the system explain what happens when we do this?") == []


def test_counting_equals_tokenizing() -> None:
    text = "MOVE CUST-ID TO WS-CUST-ID. move cust_id, custId; PERFORM 1000-READ-CUSTFILE 3 TIMES."
    counted = count_ids(text)
    tokens = tokenize(text)
    assert counted == {token_id(token): tokens.count(token) for token in set(tokens)}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CALC-INT-AMT", "calculate calculation interest integer amount"),
        ("1000-READ-CUSTFILE", "read cust customer file"),
        ("X", ""),
        ("", ""),
    ],
)
def test_name_in_plain_words(name: str, words: str) -> None:
    assert name_words(name) == words


def test_halves_need_both_to_be_known_words() -> None:
    assert expand("CUSTFILE") == ("cust", "customer", "file")
    assert expand("account") == ()
    assert expand("FILEXYZQ") == ()


def test_table_of_abbreviations_is_clean() -> None:
    table = abbreviations()
    assert len(table) > 100
    assert all(term == term.lower() and term.isalpha() and words for term, words in table.items())
    assert all(term not in words for term, words in table.items())


def test_no_abbreviation_is_listed_twice() -> None:
    from importlib import resources

    text = resources.files("legacylens_assets").joinpath("vocabulary/abbreviations.tsv").read_text(encoding="utf-8")
    terms = [line.split("\t")[0] for line in text.splitlines() if line and not line.startswith("#")]
    assert sorted(terms) == sorted(set(terms))


def test_token_ids_are_the_same_in_another_process() -> None:
    code = "from legacylens_assets.identifiers import count_ids; print(sorted(count_ids('ACCT-BAL closing balance')))"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert other.strip() == str(sorted(count_ids("ACCT-BAL closing balance")))


def test_stemming_from_many_threads_gives_what_one_gives() -> None:
    words = [f"{start}{end}" for start in ("balanc", "post", "transact", "comput", "process") for end in ("ing", "ed", "es", "ation", "ions")]
    expected = [stem.__wrapped__(word) for word in words]
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append([stem.__wrapped__(word) for word in words * 20])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected * 20] * 4


def test_long_runs_end_quickly_and_quietly() -> None:
    assert identifiers.tokenize("a" * 1_000_000) == []
    assert identifiers.tokenize("-" * 1_000_000) == []
    assert len(identifiers.tokenize("x1-" * 300_000)) == 0
