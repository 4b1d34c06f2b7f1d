"""PyPI origins: found as pip is configured, verified, unpacked, and never run."""

import hashlib
import http.server
import json
import threading

import pytest
from source_material import tree

from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Origin
from legacylens_assets.sources import fetch
from legacylens_assets.sources.pip_configuration import PipConfiguration, from_values, parse_configuration
from legacylens_assets.sources.pypi import _is_of, find_source_distribution


@pytest.fixture
def sdist(tar_file, tmp_path):
    """A source distribution whose setup.py, pyproject backend and conftest would leave a marker."""
    marker = tmp_path / "marker"
    evil = f"open({str(marker)!r}, 'w').write('run')\n".encode()
    backend = b'[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
    members = [
        ("old_code-1.0/setup.py", evil),
        ("old_code-1.0/backend.py", evil),
        ("old_code-1.0/pyproject.toml", backend),
        ("old_code-1.0/src/a.cbl", b"A"),
    ]
    return tar_file(*members, name="old_code-1.0.tar.gz"), marker


@pytest.fixture
def index(sdist, monkeypatch, tmp_path):
    """Serve a simple index on loopback and make pip's environment name it; ``pages`` may be changed by the test."""
    archive = sdist[0].read_bytes()
    good = hashlib.sha256(archive).hexdigest()
    json_page = {"files": [{"filename": "old_code-1.0.tar.gz", "url": "../../files/old_code-1.0.tar.gz", "hashes": {"sha256": good}}]}
    pages = {
        "/simple/old-code/": ("application/vnd.pypi.simple.v1+json", json.dumps(json_page).encode()),
        "/html/old-code/": ("text/html", f'<a href="/files/old_code-1.0.tar.gz#sha256={good}">x</a> <a href="old_code-2.0.tar.gz">y</a>'.encode()),
        "/files/old_code-1.0.tar.gz": ("application/gzip", archive),
    }

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            kind, body = pages.get(self.path, ("text/plain", b""))
            self.send_response(200 if self.path in pages else 404)
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX", "PIP_CERT", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/simple")
    yield f"http://127.0.0.1:{server.server_port}", pages, good
    server.shutdown()
    server.server_close()


ORIGIN = Origin("pypi", "Old.Code", version="1.0")


@pytest.mark.parametrize("path", ["simple", "html"])
def test_a_source_distribution_is_unpacked_and_nothing_in_it_runs(index, sdist, settings, entry, monkeypatch, path):
    monkeypatch.setenv("PIP_INDEX_URL", f"{index[0]}/{path}")
    raw = fetch(entry(Origin("pypi", "Old.Code", version="1.0", exclude=("*.toml",))), settings)
    assert sorted(tree(raw.path)) == ["backend.py", "setup.py", "src/a.cbl"]
    assert (raw.version, raw.left_out) == ("1.0", {"pyproject.toml": "excluded"})
    assert not sdist[1].exists()
    assert fetch(entry(Origin("pypi", "Old.Code", version="1.0", exclude=("*.toml",))), settings).reused


def test_a_file_that_is_not_what_the_index_promised_is_refused(index, settings, entry):
    index[1]["/files/old_code-1.0.tar.gz"] = ("application/gzip", b"something else")
    with pytest.raises(SourceError, match=f"the index promises {index[2]}; the file is not used"):
        fetch(entry(ORIGIN), settings)


def test_a_file_that_is_not_what_the_registry_pins_is_refused(index, settings, entry):
    page = {"files": [{"filename": "old_code-1.0.tar.gz", "url": "/files/old_code-1.0.tar.gz", "hashes": {}}]}
    index[1]["/simple/old-code/"] = ("application/vnd.pypi.simple.v1+json", json.dumps(page).encode())
    with pytest.raises(SourceError, match="the registry pins " + "0" * 64):
        fetch(entry(Origin("pypi", "old-code", version="1.0", sha256="0" * 64)), settings)
    assert fetch(entry(Origin("pypi", "old-code", version="1.0", sha256=index[2])), settings).version == "1.0"


def test_a_wheel_alone_is_said_to_be_there(index, settings, entry):
    page = {"files": [{"filename": "old_code-1.0-py3-none-any.whl", "url": "/w", "hashes": {}}]}
    index[1]["/simple/old-code/"] = ("application/vnd.pypi.simple.v1+json", json.dumps(page).encode())
    with pytest.raises(SourceError, match="no source distribution of Old.Code 1.0 was found; there is old_code-1.0-py3-none-any.whl"):
        fetch(entry(ORIGIN), settings)


def test_what_was_looked_at_is_named_without_passwords(index, settings, entry, monkeypatch):
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", index[0].replace("http://", "http://me:secret@") + "/empty")
    with pytest.raises(SourceError) as raised:
        fetch(entry(Origin("pypi", "nothing", version="1.0")), settings)
    assert "/simple/nothing/: answered 404" in str(raised.value)
    assert "***@127.0.0.1" in str(raised.value)
    assert "secret" not in str(raised.value)


def test_a_folder_of_links_and_a_file_index_will_do(sdist, tmp_path, budget):
    folder = PipConfiguration(indexes=(), links=(str(tmp_path),))
    assert find_source_distribution(ORIGIN, folder, budget).filename == "old_code-1.0.tar.gz"
    project = tmp_path / "simple" / "old-code"
    project.mkdir(parents=True)
    (project / "index.html").write_text('<a href="../../old_code-1.0.tar.gz">x</a>')
    index = PipConfiguration(indexes=((tmp_path / "simple").as_uri(),), links=("/nonexistent-folder",))
    assert find_source_distribution(ORIGIN, index, budget).url == sdist[0].as_uri()


@pytest.mark.parametrize(
    ("filename", "mine"),
    [
        ("old_code-1.0.tar.gz", True),
        ("Old-Code-1.0.zip", True),
        ("old.code-1.0-py3-none-any.whl", True),
        ("old_code-1.0.post1.tar.gz", False),
        ("old_code_extra-1.0.tar.gz", False),
        ("old-1.0.tar.gz", False),
    ],
)
def test_file_names_are_matched_by_project_and_version(filename, mine):
    assert _is_of(filename, "old-code", "1.0") is mine


def test_the_environment_wins_over_command_sections_and_those_over_global():
    text = "global.index-url='https://a/s'\ndownload.index-url='https://b/s'\nglobal.extra-index-url='https://c/s\\nhttps://d/s'\n:env:.timeout='7'\nfreeze.timeout='9'\n"
    found = from_values(parse_configuration(text), parse_configuration(text)["index-url"])
    assert found == PipConfiguration(("https://b/s", "https://c/s", "https://d/s"), (), timeout=7.0)
    assert from_values({"no-index": "true", "find-links": "/a /b"}, "").indexes == ()
