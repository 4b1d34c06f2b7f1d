"""Git origins: pinned, shallow, only what is wanted, nothing of the repository runs."""

import http.server
import subprocess
import threading

import pytest
from source_material import Repository, tree

from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Origin
from legacylens_assets.sources import fetch


@pytest.fixture
def settings(settings):
    return settings.replace(git_allow_file=True)


def test_the_pinned_commit_is_delivered_exactly(repository, settings, entry):
    pinned = repository.commit(**{"a.cbl": b"A\nB\xe9\n", "deep/b.f": "C $Id$", ".gitattributes": "*.cbl text eol=crlf\n*.f ident\n"})
    repository.commit(**{"a.cbl": "later"})
    raw = fetch(entry(Origin("git", repository.url, commit=pinned)), settings)
    assert (raw.version, raw.reused) == (pinned, False)
    assert tree(raw.path) == {"a.cbl": b"A\nB\xe9\n", "deep/b.f": b"C $Id$", ".gitattributes": b"*.cbl text eol=crlf\n*.f ident\n"}
    assert fetch(entry(Origin("git", repository.url, commit=pinned)), settings).reused


def test_a_pin_that_is_here_needs_no_network(repository, settings, entry, tmp_path):
    pinned = repository.commit(a="1")
    fetch(entry(Origin("git", repository.url, commit=pinned)), settings)
    repository.folder.rename(tmp_path / "unplugged")
    assert fetch(entry(Origin("git", repository.url, commit=pinned)), settings).reused


def test_a_content_missing_outside_the_globs_does_not_matter(repository, settings, entry):
    pinned = repository.commit(**{"src/a": "1", "data/huge": "2"})
    repository.lose("data/huge")
    raw = fetch(entry(Origin("git", repository.url, commit=pinned, include=("src", "data"), exclude=("data/huge",))), settings)
    assert (tree(raw.path), raw.left_out) == ({"src/a": b"1"}, {"data/huge": "excluded"})


def test_a_content_missing_inside_the_globs_is_listed(repository, settings, entry):
    pinned = repository.commit(**{f"src/f{number}": str(number) for number in range(9)})
    repository.lose("src/f3")
    repository.lose("src/f7")
    raw = fetch(entry(Origin("git", repository.url, commit=pinned)), settings)
    assert sorted(tree(raw.path)) == [f"src/f{number}" for number in (0, 1, 2, 4, 5, 6, 8)]
    assert raw.left_out == {f"src/f{number}": "missing: the origin does not have the content of this file" for number in (3, 7)}


def test_a_server_without_filters_gives_the_whole_commit(repository, settings, entry):
    pinned = repository.commit(**{"src/a": "1", "other": "2"})
    repository.git("config", "uploadpack.allowFilter", "false")
    repository.git("config", "uploadpack.allowAnySHA1InWant", "false")
    raw = fetch(entry(Origin("git", repository.url, commit=pinned, include=("src",))), settings)
    assert tree(raw.path) == {"src/a": b"1"}


def test_an_old_commit_is_found_on_a_server_that_gives_only_branches(repository, settings, entry):
    pinned = repository.commit(a="1")
    repository.commit(a="2")
    repository.git("config", "uploadpack.allowAnySHA1InWant", "false")
    assert tree(fetch(entry(Origin("git", repository.url, commit=pinned)), settings).path) == {"a": b"1"}


def test_without_a_pin_the_default_branch_is_followed(repository, settings, entry):
    first = repository.commit(a="1")
    assert fetch(entry(Origin("git", repository.url)), settings).version == first
    assert fetch(entry(Origin("git", repository.url)), settings).reused
    second = repository.commit(a="2")
    raw = fetch(entry(Origin("git", repository.url)), settings)
    assert (raw.version, raw.reused) == (second, False)


def test_a_branch_can_be_followed(repository, settings, entry):
    main = repository.commit(a="1")
    repository.git("checkout", "-q", "-b", "next/one")
    later = repository.commit(a="2")
    assert fetch(entry(Origin("git", repository.url, follow="next/one")), settings).version == later
    assert fetch(entry(Origin("git", repository.url, follow="main")), settings).version == main
    with pytest.raises(SourceError, match="the repository has no refs/heads/gone"):
        fetch(entry(Origin("git", repository.url, follow="gone")), settings)


def test_links_submodules_hooks_and_filters_have_no_effect(repository, settings, entry, tmp_path, monkeypatch):
    marker = tmp_path / "marker"
    inner = Repository(tmp_path / "inner")
    inner.commit(x="1")
    repository.write("real", "R")
    (repository.folder / "link").symlink_to("/etc/passwd")
    repository.write(".gitattributes", "* filter=evil\n")
    repository.git("submodule", "add", "-q", inner.url, "sub")
    pinned = repository.commit_all()
    hooks = tmp_path / "template" / "hooks"
    hooks.mkdir(parents=True)
    for name in ("post-checkout", "reference-transaction", "post-index-change"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {marker}\n")
        (hooks / name).chmod(0o755)
    run = f"touch {marker}; cat"
    (tmp_path / "gitconfig").write_text(
        f'[init]\n\ttemplateDir = {hooks.parent}\n[core]\n\thooksPath = {hooks}\n[filter "evil"]\n\tsmudge = "{run}"\n\tclean = "{run}"\n\trequired = true\n'
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    raw = fetch(entry(Origin("git", repository.url, commit=pinned)), settings)
    assert sorted(tree(raw.path)) == [".gitattributes", ".gitmodules", "real"]
    assert raw.left_out == {"link": "symbolic link", "sub": "submodule"}
    assert not marker.exists()


def test_an_inherited_configuration_is_kept(repository, settings, entry, tmp_path, monkeypatch):
    pinned = repository.commit(a="1")
    (tmp_path / "gitconfig").write_text(f'[url "{repository.url}"]\n\tinsteadOf = https://code.example.org/team/x\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    origin = Origin("git", "https://code.example.org/team/x", commit=pinned)
    assert tree(fetch(entry(origin), settings).path) == {"a": b"1"}
    with pytest.raises(SourceError, match="the file transport is not allowed; set git_allow_file"):
        fetch(entry(Origin("git", "https://code.example.org/team/x")), settings.replace(git_allow_file=False))


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://127.0.0.1/x.git", "private or loopback address 127.0.0.1"),
        ("https://localhost/x.git", "private or loopback"),
        ("https://10.1.2.3:8443/x.git", "private or loopback address 10.1.2.3"),
        ("https://[::1]/x.git", "private or loopback"),
        ("https://[::ffff:192.168.0.1]/x.git", "private or loopback"),
        ("https://169.254.169.254/x.git", "private or loopback"),
        ("https://2130706433/x.git", "private or loopback address 127.0.0.1"),
        ("https://0x7f.1/x.git", "private or loopback address 127.0.0.1"),
        ("https://user:secret@127.0.0.1/x.git", "private or loopback"),
        ("http://example.org/x.git", "the http transport is not allowed"),
        ("--upload-pack=touch evil", "no https URL"),
        ("ext::sh -c touch% evil", "no https URL"),
    ],
)
def test_addresses_and_transports_that_are_not_allowed_are_refused(settings, entry, url, message):
    with pytest.raises(SourceError, match=message) as raised:
        fetch(entry(Origin("git", url, commit="0" * 40)), settings.replace(git_allow_file=False))
    assert "secret" not in str(raised.value)


def test_file_transport_is_refused_unless_allowed(repository, settings, entry):
    pinned = repository.commit(a="1")
    with pytest.raises(SourceError, match="set git_allow_file"):
        fetch(entry(Origin("git", repository.url, commit=pinned)), settings.replace(git_allow_file=False))


def test_a_commit_that_does_not_exist_is_named(repository, settings, entry):
    repository.commit(a="1")
    with pytest.raises(SourceError, match="commit 1111111111111111111111111111111111111111 is not there"):
        fetch(entry(Origin("git", repository.url, commit="1" * 40)), settings)


def test_a_repository_that_is_not_there_is_named(settings, entry, tmp_path):
    with pytest.raises(SourceError, match="cannot be reached"):
        fetch(entry(Origin("git", (tmp_path / "none").as_uri(), commit="1" * 40)), settings)


def test_limits_hold_for_repositories_too(repository, settings, entry):
    pinned = repository.commit(**{"a": "1" * 100, "b": "2"})
    origin = Origin("git", repository.url, commit=pinned)
    with pytest.raises(SourceError, match="2 files are selected, the limit is 1"):
        fetch(entry(origin), settings.replace(fetch_max_files=1))
    with pytest.raises(SourceError, match="more than 50 bytes"):
        fetch(entry(origin), settings.replace(fetch_max_bytes=50))


def test_names_of_any_kind_are_written(repository, settings, entry):
    names = ["with space.cbl", "ümlaut.f", "tab\there", 'quote"d', "-dash", "#hash.txt", "new\nline"]
    pinned = repository.commit(**{name: name for name in names})
    assert sorted(tree(fetch(entry(Origin("git", repository.url, commit=pinned)), settings).path)) == sorted(names)


@pytest.fixture
def web(tmp_path):
    """Serve ``tmp_path/web`` on loopback; paths below /moved/ answer with a redirect, those below /stall/ never answer."""
    stop = threading.Event()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *arguments):
            super().__init__(*arguments, directory=str(tmp_path / "web"))

        def do_GET(self):
            if self.path.startswith("/stall/"):
                stop.wait(30)
            elif self.path.startswith("/moved/"):
                self.send_response(301)
                self.send_header("Location", self.path.replace("/moved/", "/origin/"))
                self.end_headers()
            else:
                super().do_GET()

        def log_message(self, *_):
            return

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    stop.set()
    server.shutdown()
    server.server_close()


def test_a_host_that_never_answers_ends_at_the_time_limit(web, settings, entry):
    with pytest.raises(SourceError, match="no end after 1 s; the host does not answer"):
        fetch(entry(Origin("git", f"{web}/stall/x.git", commit="1" * 40)), settings.replace(git_allow_private=True, fetch_timeout=1))


def test_a_redirect_is_not_followed_but_explained(web, settings, entry):
    with pytest.raises(SourceError, match="the repository has moved: give the address it redirects to"):
        fetch(entry(Origin("git", f"{web}/moved/x.git", commit="1" * 40)), settings.replace(git_allow_private=True))


def test_a_plain_file_server_will_do(web, repository, settings, entry, tmp_path):
    pinned = repository.commit(**{"a.cbl": "A", "sub/b": "B"})
    repository.git("clone", "-q", "--bare", ".", str(tmp_path / "web" / "origin.git"))
    subprocess.run(["git", "update-server-info"], cwd=tmp_path / "web" / "origin.git", check=True)
    raw = fetch(entry(Origin("git", f"{web}/origin.git", commit=pinned, include=("*.cbl",))), settings.replace(git_allow_private=True))
    assert tree(raw.path) == {"a.cbl": b"A"}
