"""A codebase inside a source distribution on a Python package index.

``pip download`` would run the build backend of what it downloads, so pip is only asked where its index is; the file list is read through the
simple API (PEP 503 and 691), the archive is checked by sha256 and unpacked, and nothing in it runs.
"""

from __future__ import annotations

import hashlib
import html.parser
import json
import re
import ssl
import urllib.error
import urllib.parse
import urllib.request
import urllib.response
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Origin
from legacylens_assets.settings import Settings
from legacylens_assets.sources.addresses import without_secrets
from legacylens_assets.sources.extraction import READ_BYTES, single_folder, unpack
from legacylens_assets.sources.fetch import Fetched
from legacylens_assets.sources.pip_configuration import PipConfiguration, pip_configuration
from legacylens_assets.sources.tree import Budget, copy_selected

SUFFIXES = (".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tar", ".zip")
ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
PAGE_BYTES = 64_000_000


@dataclass(frozen=True, slots=True)
class Candidate:
    """One file that an index offers. ``sha256`` is "" when the index does not say."""

    filename: str
    url: str
    sha256: str


def fetch_pypi(origin: Origin, wanted: str, settings: Settings, building: Path, budget: Budget) -> Fetched:
    """Download, verify and unpack the source distribution of ``origin.location`` at version ``wanted``."""
    pip = pip_configuration(settings.root, budget)
    candidate = find_source_distribution(origin, pip, budget)
    archive = building / "archive" / Path(candidate.filename).name
    archive.parent.mkdir()
    found = _download(candidate, pip, archive, budget)
    for expected, whose in ((origin.sha256, "the registry pins"), (candidate.sha256, "the index promises")):
        if expected and found != expected:
            raise SourceError(f"{candidate.filename}: sha256 is {found}, {whose} {expected}; the file is not used")
    unpacked = building / "unpacked"
    left_out = unpack(archive, unpacked, Budget(budget.name, budget.files, budget.bytes, budget.deadline))
    root = single_folder(unpacked)
    prefix = "" if root == unpacked else root.name + "/"
    left_out = {path.removeprefix(prefix): reason for path, reason in left_out.items()}
    left_out.update(copy_selected(root, building / "tree", origin.include, origin.exclude, budget, move=True))
    return Fetched(building / "tree", wanted, left_out, {"sha256": found, "archive": candidate.filename})


def find_source_distribution(origin: Origin, pip: PipConfiguration, budget: Budget) -> Candidate:
    """Return the source distribution that the first index or link page offers; raises SourceError that says what was looked at."""
    looked: list[str] = []
    others: set[str] = set()
    for place in (*pip.links, *(f"{index.rstrip('/')}/{normalised(origin.location)}/" for index in pip.indexes)):
        shown = without_secrets(place)
        try:
            offered = list(_offered(place, pip, budget))
        except SourceError as error:
            looked.append(f"{shown}: {error}")
            continue
        mine = [item for item in offered if _is_of(item.filename, origin.location, origin.version)]
        sources = [item for item in mine if item.filename.lower().endswith(SUFFIXES)]
        fitting = [item for item in sources if not origin.sha256 or item.sha256 in ("", origin.sha256)]
        if fitting:
            return min(fitting, key=lambda item: (SUFFIXES.index(_suffix(item.filename)), item.filename))
        others.update(item.filename for item in mine)
        looked.append(f"{shown}: {len(mine)} files of this version, no source distribution" + (" with that sha256" if sources else ""))
    hint = f"; there is {', '.join(sorted(others)[:3])}" if others else ""
    raise SourceError(f"no source distribution of {origin.location} {origin.version} was found{hint}. Looked at {'; '.join(looked) or 'no index'}")


def normalised(name: str) -> str:
    """Return a project's name as the simple API spells it.

    >>> normalised("Cobol_Py")
    'cobol-py'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def _suffix(filename: str) -> str:
    return next(suffix for suffix in SUFFIXES if filename.lower().endswith(suffix))


def _is_of(filename: str, name: str, version: str) -> bool:
    """Return whether a file belongs to that version: sdist names are NAME-VERSION.suffix, wheel names NAME-VERSION-….whl."""
    stem = filename
    for suffix in (*SUFFIXES, ".whl"):
        if stem.lower().endswith(suffix):
            stem = stem[: -len(suffix)]
            break
    parts = stem.split("-")
    for cut in range(1, len(parts)):
        if normalised("-".join(parts[:cut])) == normalised(name):
            rest = parts[cut] if filename.endswith(".whl") else "-".join(parts[cut:])
            return rest.lower() == version.lower()
    return False


def _offered(place: str, pip: PipConfiguration, budget: Budget) -> Iterator[Candidate]:
    """Yield the files that a folder, a page of links or a project page of an index lists."""
    folder = _local_folder(place)
    if folder is not None and not (folder / "index.html").is_file():
        if not folder.is_dir():
            raise SourceError("no such folder")
        for file in sorted(folder.iterdir()):
            yield Candidate(file.name, file.as_uri(), "")
        return
    url = (folder / "index.html").as_uri() if folder is not None else place
    with _open(url, pip, budget) as response:
        body = response.read(PAGE_BYTES)
        base, kind = response.geturl(), response.headers.get_content_type()
    yield from _from_json(body, base) if "json" in kind else _from_html(body.decode("utf-8", "replace"), base)


def _local_folder(place: str) -> Path | None:
    parts = urllib.parse.urlsplit(place)
    if parts.scheme == "file":
        return Path(urllib.request.url2pathname(parts.path))
    return Path(place).expanduser() if "://" not in place else None


def _from_json(body: bytes, base: str) -> Iterator[Candidate]:
    try:
        files = json.loads(body)["files"]
        for item in files:
            yield Candidate(str(item["filename"]), urllib.parse.urljoin(base, str(item["url"])), str(item.get("hashes", {}).get("sha256", "")))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceError(f"the index answered with JSON that is no project page: {error}") from error


class _Links(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.links += [value for name, value in attrs if name == "href" and value]


def _from_html(text: str, base: str) -> Iterator[Candidate]:
    parser = _Links()
    parser.feed(text)
    for link in parser.links:
        url, fragment = urllib.parse.urldefrag(urllib.parse.urljoin(base, link))
        filename = urllib.parse.unquote(urllib.parse.urlsplit(url).path.rsplit("/", 1)[-1])
        found = re.match(r"sha256=([0-9a-f]{64})", fragment)
        yield Candidate(filename, url, found.group(1) if found else "")


def _download(candidate: Candidate, pip: PipConfiguration, archive: Path, budget: Budget) -> str:
    """Write the file to ``archive`` and return its sha256."""
    digest = hashlib.sha256()
    size = 0
    with _open(candidate.url, pip, budget) as response, archive.open("wb") as out:
        while data := response.read(READ_BYTES):
            size += len(data)
            budget.check_time()
            if size > budget.bytes:
                raise SourceError(f"{candidate.filename}: more than {budget.bytes} bytes; raise fetch_max_bytes")
            digest.update(data)
            out.write(data)
    return digest.hexdigest()


def _open(url: str, pip: PipConfiguration, budget: Budget) -> urllib.response.addinfourl:
    """Open an http(s) or file URL as pip would: its certificates, proxy and credentials in the URL."""
    bare, headers = _without_credentials(url)
    if not re.match(r"(https?|file)://", bare):
        raise SourceError(f"{without_secrets(url)}: expected an http, https or file URL")
    handlers: list[urllib.request.BaseHandler] = [urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=pip.cert or None))]
    if pip.proxy:
        handlers.append(urllib.request.ProxyHandler({"http": pip.proxy, "https": pip.proxy}))
    request = urllib.request.Request(bare, headers={"Accept": ACCEPT, "User-Agent": "legacylens", **headers})
    try:
        opened: urllib.response.addinfourl = urllib.request.build_opener(*handlers).open(request, timeout=min(pip.timeout, budget.seconds))
    except urllib.error.HTTPError as error:
        raise SourceError(f"answered {error.code} {error.reason}") from error
    except OSError as error:
        raise SourceError(f"cannot be reached: {getattr(error, 'reason', error)}") from error
    return opened


def _without_credentials(url: str) -> tuple[str, dict[str, str]]:
    import base64

    parts = urllib.parse.urlsplit(url)
    if "@" not in parts.netloc or parts.scheme == "file":
        return url, {}
    given, host = parts.netloc.rsplit("@", 1)
    packed = base64.b64encode(urllib.parse.unquote(given).encode()).decode()
    return urllib.parse.urlunsplit(parts._replace(netloc=host)), {"Authorization": f"Basic {packed}"}
