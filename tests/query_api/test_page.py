"""The page in a headless browser: ask, read the status of each sentence, open a citation at its lines. Source and answers are text, never markup."""

import shutil
import socket
import threading
import time

import pytest
from tiny_index import BANK, Tiny, TinyCodebase, Unit, make_retriever, tiny_settings

from query_api.app import create_app

pytestmark = pytest.mark.browser

HOSTILE = TinyCodebase(
    "hostile",
    (
        Tiny(
            "src/wicked.c",
            "c",
            "/* <img src=x onerror=document.title='owned'> renders the wicked banner */\nint wicked_banner(void)\n{\n  return 1;\n}",
            (Unit("wicked_banner", "function", 1, 5, "", "<img src=x onerror=document.title='owned'> renders the wicked banner"),),
        ),
    ),
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    import uvicorn

    settings = tiny_settings(tmp_path_factory.mktemp("page"))
    make_retriever(settings, (BANK, HOSTILE))
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(create_app(settings), host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join(5)


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as running:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        try:
            found = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"no Chromium: {error.message.splitlines()[0]}")
        yield found
        found.close()


@pytest.fixture
def page(browser, address):
    opened = browser.new_page()
    opened.said = []
    opened.on("console", lambda message: opened.said.append(message.text))
    opened.on("pageerror", lambda error: opened.said.append(str(error)))
    opened.on("request", lambda request: opened.said.append(f"foreign request {request.url}") if not request.url.startswith(address) else None)
    opened.goto(address)
    yield opened
    opened.close()


def ask(page, question):
    page.fill("#question", question)
    page.click("#send")
    page.wait_for_selector("#meta:not(:empty)", timeout=10_000)


def test_a_citation_opens_the_indexed_lines(page):
    ask(page, "how does a refund change the balance?")
    assert page.locator(".sentence.verified").count() >= 3
    page.locator(".cite").first.click()
    page.wait_for_selector("#viewer-code tr.hit")
    path = page.locator("#viewer-path").inner_text()
    numbers = page.locator("#viewer-code tr.hit td.number").all_inner_texts()
    start, end = path.rsplit(":", 1)[1].split("–")
    assert path.startswith("bank/cbl/CBREF01.cbl:")
    assert [numbers[0], numbers[-1]] == [start, end]
    assert page.said == []


def test_a_refusal_names_near_names(page):
    ask(page, "what does CBREF09 do?")
    assert "CBREF01" in page.locator(".refused").inner_text()
    assert page.said == []


def test_markup_in_source_stays_text(page):
    ask(page, "wicked_banner")
    page.locator(".cite").first.click()
    page.wait_for_selector("#viewer-code tr.hit")
    assert page.title() == "LegacyLens"
    assert page.locator("#answer img, #viewer-code img").count() == 0
    assert "<img src=x" in page.locator("#viewer-code").inner_text()
    assert page.said == []


def test_the_codebase_choice_filters(page):
    page.select_option("#codebase", "hostile")
    ask(page, "how does a refund change the balance?")
    assert "CBREF01" not in page.locator("#answer").inner_text()
