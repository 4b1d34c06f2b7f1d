"""`/evaluation`: what an engineer sees of three nights, without a script and with every text escaped."""

import asyncio
import re
from html.parser import HTMLParser

import httpx
import pytest
from eval_rows import result, row

from legacylens_assets.settings import load_settings
from legacylens_assets.tables import write_json
from legacylens_eval import trends
from query_api.app import create_app

HOSTILE = "<img src=x onerror=alert(1)>"
NIGHTS = ("20261201T020000000000Z", "20261202T020000000000Z", "20261203T020000000000Z")


def night(stamp, hits):
    rows = [row(f"q{n}", "bank" if n % 2 else "maths", found, question=HOSTILE if n == 1 else f"question {n}?") for n, found in enumerate(hits)]
    stale = [{"id": "old", "codebase": "bank", "reason": "src/gone.cbl is not in the index"}]
    return {"at": stamp, "filtered": result(rows, stale), "unfiltered": result(rows)}


@pytest.fixture
def settings(tmp_path):
    return load_settings(tmp_path, {"LEGACYLENS_DENSE": "hash"})


@pytest.fixture
def scored(settings):
    for stamp, lost in zip(NIGHTS, (0, 1, 30), strict=True):
        value = night(stamp, [n >= lost for n in range(60)])
        write_json(value, trends.eval_folder(settings) / "runs" / f"{stamp}.json")
        trends._remember(settings, value)
    return settings


@pytest.fixture
def get(settings):
    app = create_app(settings)

    def send(path, **query):
        async def run():
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8000") as client:
                return await client.get(path, params=query)

        return asyncio.run(run())

    return send


class Outline(HTMLParser):
    """Counts tags and fails on one that is not closed."""

    VOID = {"meta", "link", "img", "input", "circle", "line", "rect", "polyline", "polygon"}

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.attributes = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.attributes.extend(name for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag


def outline(text):
    parser = Outline()
    parser.feed(text)
    assert parser.open == []
    return parser


def test_before_anything_is_scored_the_page_says_how_to_score(get):
    found = get("/evaluation")
    assert found.status_code == 200
    assert "eval_summary" in found.text


def test_the_page_draws_one_trend_for_each_codebase_and_one_for_all(scored, get):
    found = outline(get("/evaluation").text)
    assert found.seen.count("figure") == 3


def test_the_page_needs_no_script_and_no_inline_style(scored, get):
    found = get("/evaluation")
    parsed = outline(found.text)
    assert "script" not in parsed.seen and "style" not in parsed.seen
    assert not [name for name in parsed.attributes if name == "style" or name.startswith("on")]
    assert "'unsafe-inline'" not in found.headers["content-security-policy"]
    assert not re.search(r'(src|href|action)="(https?:)?//', found.text)


def test_questions_are_text_never_markup(scored, get):
    text = get("/evaluation").text
    assert HOSTILE not in text
    assert "&lt;img src=x onerror=alert(1)&gt;" in text


def test_a_question_shows_what_was_expected_and_at_which_rank_it_was_found(scored, get):
    text = get("/evaluation", codebase="bank").text
    assert "rank 1" in text and "missed" in text
    assert '<li class="right"><code>bank/src/right.cbl:10-20</code></li>' in text
    assert '<li class="other"><code>bank/src/other.cbl:1-9</code></li>' in text


def test_missed_questions_come_first(scored, get):
    ranks = [item["rank_file"] for item in get("/evaluation.json").json()["questions"]]
    assert ranks == [None] * 30 + [1] * 30


def test_the_newest_two_runs_are_compared_and_a_fall_is_said(scored, get):
    view = get("/evaluation.json").json()
    assert (view["chosen"]["a"], view["chosen"]["b"]) == NIGHTS[1:]
    assert view["verdict"]["passed"] is False
    assert len(view["comparison"]["lost"]) == 29
    assert "fell from" in get("/evaluation").text


def test_any_two_runs_can_be_compared(scored, get):
    view = get("/evaluation.json", a=NIGHTS[0], b=NIGHTS[1]).json()
    assert view["comparison"]["lost"] == ["q0"]
    assert view["verdict"]["passed"] is True


@pytest.mark.parametrize("query", [{"metric": "bleu"}, {"setting": "both"}, {"a": "../../secret"}, {"codebase": "nowhere"}])
def test_an_unknown_choice_is_refused_with_what_there_is(scored, get, query):
    found = get("/evaluation.json", **query)
    assert found.status_code == 400
    assert "expected one of" in found.json()["error"]["message"]


def test_stale_questions_are_listed_with_their_reason(scored, get):
    assert "src/gone.cbl is not in the index" in get("/evaluation").text


def test_an_ablation_that_was_measured_here_is_shown(scored, get):
    summary = result([row("q0", "bank", True)])["summary"]["all"]
    change = {"before": 0.5, "after": 0.4, "difference": -0.1, "low": -0.15, "high": -0.05}
    rows = [{"name": "dense alone", "summary": summary, "difference": {"mrr@10": change}}]
    write_json({"split": "dev", "unfiltered": False, "rows": rows}, trends.eval_folder(scored) / "ablation.json")
    text = get("/evaluation").text
    assert "dense alone" in text
    assert '<span class="change down">-0.100 [-0.150, -0.050]</span>' in text


def test_the_json_of_three_nights_fits_its_schema(scored, get):
    import json

    from tests.conftest import REPOSITORY
    from tests.query_api.schema_check import problems

    schema = json.loads((REPOSITORY / "docs" / "schema" / "evaluation.json").read_text(encoding="utf-8"))
    assert problems(get("/evaluation.json").json(), schema) == []
