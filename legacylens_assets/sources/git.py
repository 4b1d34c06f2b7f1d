"""A codebase in a git repository: one pinned commit, fetched shallow and without the contents that are not wanted.

No work tree is ever checked out, so no hook, filter (LFS), attribute or submodule of the repository has an effect: the wanted blobs are fetched in
one go and written from ``git cat-file``. A server that cannot filter is asked for the whole commit. Git itself checks every object by its hash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from legacylens_assets.errors import SourceError
from legacylens_assets.registry import Origin
from legacylens_assets.settings import Settings
from legacylens_assets.sources.addresses import goes_through_proxy, literal_address, public_addresses, refuse_private, without_secrets
from legacylens_assets.sources.fetch import Fetched
from legacylens_assets.sources.globs import selected
from legacylens_assets.sources.processes import Finished, run
from legacylens_assets.sources.tree import Budget, readable_name, safe_parts

REACH_SECONDS = 45.0
MOST_MISSING = 256
BLOB_BYTES = 64_000_000
BATCH_BYTES = 32_000_000
NO_COMMIT = re.compile(r"not our ref|unadvertised object|no such remote ref|couldn't find remote ref", re.IGNORECASE)

UNSET = tuple(
    "GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR GIT_NAMESPACE GIT_PREFIX GIT_ASKPASS "
    "SSH_ASKPASS GIT_SSH GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_TEMPLATE_DIR GIT_EXEC_PATH GIT_TRACE GIT_CEILING_DIRECTORIES "
    "GIT_ALLOW_PROTOCOL GIT_PROTOCOL_FROM_USER GIT_REDIRECT_STDIN GIT_REDIRECT_STDOUT GIT_REDIRECT_STDERR".split()
)
VARIABLES = {
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "never",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_LFS_SKIP_SMUDGE": "1",
    "LC_ALL": "C",
    "LANGUAGE": "C",
}


@dataclass(frozen=True, slots=True)
class Remote:
    """A repository that may be talked to: its URL and the ``-c`` options that hold every command to the rules."""

    url: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Blob:
    """One file of a commit."""

    path: str
    oid: str


def resolve(origin: Origin, settings: Settings, budget: Budget) -> str:
    """Return the commit that the followed branch (or the default branch) points to now; raises SourceError when it cannot be asked."""
    name = f"refs/heads/{origin.follow}" if origin.follow else "HEAD"
    remote = _allowed_remote(origin, settings, budget)
    found = _git(remote, settings.root, budget, "ls-remote", "--exit-code", "--", remote.url, name, seconds=REACH_SECONDS)
    if found.code == 2:
        raise SourceError(f"the repository has no {name}; set follow to a branch that exists")
    if found.code:
        raise SourceError(_unreachable(found))
    return found.stdout.decode("ascii", "replace").split()[0]


def fetch_git(origin: Origin, wanted: str, settings: Settings, building: Path, budget: Budget) -> Fetched:
    """Fetch commit ``wanted`` and write its selected files; contents that the origin does not have are left out, with the reason."""
    remote = _allowed_remote(origin, settings, budget)
    repository = building / "git"
    _fetch_commit(remote, repository, wanted, budget, origin)
    blobs, left_out = _selected_blobs(remote, repository, wanted, origin, budget)
    if len(blobs) > budget.files:
        raise SourceError(f"{len(blobs)} files are selected, the limit is {budget.files}; narrow include, or raise fetch_max_files")
    sizes = _fetch_blobs(remote, repository, blobs, budget)
    present = []
    for blob in blobs:
        if blob.oid not in sizes:
            left_out[blob.path] = "missing: the origin does not have the content of this file"
        elif sizes[blob.oid] > BLOB_BYTES:
            left_out[blob.path] = f"too large: {sizes[blob.oid]} bytes"
        else:
            present.append(blob)
    if blobs and not present:
        raise SourceError("the origin has the commit but none of the contents of its files")
    tree = building / "tree"
    _write_blobs(remote, repository, present, sizes, tree, budget)
    return Fetched(tree, wanted, left_out, {})


def _allowed_remote(origin: Origin, settings: Settings, budget: Budget) -> Remote:
    """Return how ``origin`` may be reached; raises SourceError for a protocol or an address that is not allowed."""
    url = origin.location
    if url.startswith("-") or not re.match(r"(https|http|file)://", url):
        raise SourceError(f"{url!r} is no https URL of a git repository")
    protocols = ["https"] + ["http"] * bool(settings.git_allow_private) + ["file"] * bool(settings.git_allow_file)
    options = ["protocol.allow=never", *(f"protocol.{name}.allow=always" for name in protocols)]
    options += [
        "core.hooksPath=/dev/null",
        "http.followRedirects=false",
        "credential.helper=",
        "core.askPass=true",
        "gc.auto=0",
        "maintenance.auto=false",
    ]
    options += ["submodule.recurse=false", "fetch.negotiationAlgorithm=noop", *["safe.directory=*"] * bool(settings.git_allow_file)]
    plain = Remote(url, tuple(options))
    effective = _effective_url(plain, settings.root, budget)
    scheme = effective.split("://")[0] if "://" in effective else "file"
    if scheme not in protocols:
        allow = {"file": "git_allow_file", "http": "git_allow_private"}.get(scheme)
        hint = f"set {allow} to allow it" if allow else "give an https URL"
        raise SourceError(f"{without_secrets(effective)}: the {scheme} transport is not allowed; {hint}")
    if effective == url and scheme != "file" and not settings.git_allow_private:
        proxied = goes_through_proxy(url) or _git(plain, settings.root, budget, "config", "--get-urlmatch", "http.proxy", url).stdout.strip() != b""
        return Remote(url, (*options, *_pinned_addresses(url, proxied)))
    return plain


def _pinned_addresses(url: str, proxied: bool) -> tuple[str, ...]:
    """Return options that hold git to the addresses that were checked, so that a second look-up cannot give others. A proxy looks up by itself."""
    host = url.split("://", 1)[1].split("/")[0].rsplit("@", 1)[-1]
    literal = literal_address(re.sub(r":\d+$", "", host))
    if literal:
        refuse_private(host, literal)
    if proxied:
        return ()
    name, port, addresses = public_addresses(url)
    return () if literal else (f"http.curloptResolve={name}:{port}:{','.join(addresses)}",)


def _effective_url(remote: Remote, folder: Path, budget: Budget) -> str:
    """Return the URL after the user's ``url.*.insteadOf``."""
    found = _git(remote, folder, budget, "ls-remote", "--get-url", "--", remote.url)
    return found.stdout.decode("utf-8", "replace").strip() or remote.url


def _git(
    remote: Remote, folder: Path, budget: Budget, *arguments: str, data: bytes = b"", watch: Path | None = None, seconds: float | None = None
) -> Finished:
    options = [word for option in remote.options for word in ("-c", option)]
    return run(["git", *options, *arguments], budget, cwd=folder, variables=VARIABLES, without=UNSET, data=data, watch=watch, seconds=seconds)


def _fetch_commit(remote: Remote, repository: Path, commit: str, budget: Budget, origin: Origin) -> None:
    """Fetch one commit without blobs; servers that refuse a commit by its id are asked for their branches and tags instead."""
    repository.mkdir(parents=True)
    _must(_git(remote, repository, budget, "init", "-q", "--bare", "--template=", "."), "git init failed")
    _must(_git(remote, repository, budget, "remote", "add", "--", "origin", remote.url), "git remote failed")
    reached = _git(remote, repository, budget, "ls-remote", "-q", "origin", "HEAD", seconds=REACH_SECONDS)
    if reached.code:
        raise SourceError(_unreachable(reached))
    shallow = ("fetch", "-q", "--no-tags", "--no-recurse-submodules", "--depth=1")
    attempts: list[tuple[str, ...]] = [(*shallow, "--filter=blob:none", "origin", commit), (*shallow, "origin", commit)]
    everything = ("fetch", "-q", "--no-recurse-submodules", "--filter=blob:none", "origin", "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*")
    failures = []
    for attempt in (*attempts, everything):
        found = _git(remote, repository, budget, *attempt, watch=repository)
        if found.code == 0 and _has_commit(remote, repository, commit, budget):
            return
        failures.append(found.reason if found.code else f"commit {commit} is not in any branch or tag")
    gone = f"{origin.commit and 'pinned '}commit {commit} is not there; check the commit" if NO_COMMIT.search(failures[0]) else "fetching failed"
    raise SourceError(f"{gone}: {failures[0]}")


def _has_commit(remote: Remote, repository: Path, commit: str, budget: Budget) -> bool:
    found = _git(remote, repository, budget, "rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{commit}")
    return found.code == 0 and found.stdout.decode("ascii", "replace").strip() == commit


def _selected_blobs(remote: Remote, repository: Path, commit: str, origin: Origin, budget: Budget) -> tuple[list[Blob], dict[str, str]]:
    """Return the wanted files of the commit, and path -> reason for the others."""
    listed = _must(_git(remote, repository, budget, "ls-tree", "-r", "-z", "--full-tree", commit), "the commit's tree cannot be listed")
    blobs, left_out = [], {}
    for row in listed.stdout.split(b"\x00"):
        if not row:
            continue
        head, name = row.split(b"\t", 1)
        mode, kind, oid = head.decode("ascii").split()
        path = readable_name(name.decode("utf-8", "surrogateescape"))
        reason = "" if selected(path, origin.include, origin.exclude) else "excluded"
        if kind == "commit":
            reason = reason or "submodule"
        elif mode == "120000":
            reason = reason or "symbolic link"
        if reason:
            left_out[path] = reason
        else:
            blobs.append(Blob(path, oid))
    return blobs, left_out


def _fetch_blobs(remote: Remote, repository: Path, blobs: Sequence[Blob], budget: Budget) -> dict[str, int]:
    """Fetch the contents that are not there yet, in one request; returns oid -> bytes of all that are here then.

    A request for many contents fails as a whole when one of them is missing on the other side: it is then split until the missing ones are alone.
    """
    lacking = sorted({blob.oid for blob in blobs} - set(_sizes(remote, repository, budget)))
    pending = [lacking] if lacking else []
    gone = 0
    while pending:
        batch = pending.pop()
        found = _git(remote, repository, budget, *BLOB_FETCH, data="".join(oid + "\n" for oid in batch).encode(), watch=repository)
        if found.code and len(batch) > 1:
            pending += [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
        elif found.code:
            gone += 1
        if gone > MOST_MISSING:
            raise SourceError(f"more than {MOST_MISSING} wanted files have no content on the other side: {found.reason}")
    return _sizes(remote, repository, budget)


BLOB_FETCH = ("fetch", "-q", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--filter=blob:none", "origin", "--stdin")


def _sizes(remote: Remote, repository: Path, budget: Budget) -> dict[str, int]:
    """Return oid -> bytes of the contents that are here. Listing all objects never fetches one; asking for one by id would."""
    found = _must(
        _git(remote, repository, budget, "cat-file", "--batch-all-objects", "--unordered", "--batch-check"), "the repository cannot be read"
    )
    rows = (line.split() for line in found.stdout.decode("ascii", "replace").splitlines())
    return {row[0]: int(row[2]) for row in rows if len(row) == 3 and row[1] == "blob"}


def _write_blobs(remote: Remote, repository: Path, blobs: Sequence[Blob], sizes: Mapping[str, int], tree: Path, budget: Budget) -> None:
    """Write the contents to their paths, a batch at a time so that memory stays bounded."""
    tree.mkdir()
    for batch in _batches(blobs, sizes):
        budget.spend(len(batch), sum(sizes[blob.oid] for blob in batch))
        asked = "".join(blob.oid + "\n" for blob in batch).encode()
        output = _must(_git(remote, repository, budget, "cat-file", "--batch", data=asked), "the repository cannot be read").stdout
        at = 0
        for blob in batch:
            start = output.index(b"\n", at) + 1
            end = start + sizes[blob.oid]
            file = tree.joinpath(*safe_parts(blob.path, "the commit"))
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(output[start:end])
            at = end + 1


def _batches(blobs: Sequence[Blob], sizes: Mapping[str, int]) -> Iterator[list[Blob]]:
    batch: list[Blob] = []
    held = 0
    for blob in blobs:
        if batch and held + sizes[blob.oid] > BATCH_BYTES:
            yield batch
            batch, held = [], 0
        batch.append(blob)
        held += sizes[blob.oid]
    if batch:
        yield batch


def _unreachable(found: Finished) -> str:
    moved = re.search(r"error: 30[1278]|redirect", found.reason, re.IGNORECASE)
    hint = "; the repository has moved: give the address it redirects to (some hosts want .git at its end)" if moved else ""
    return f"cannot be reached: {found.reason}{hint}"


def _must(found: Finished, message: str) -> Finished:
    if found.code:
        raise SourceError(f"{message}: {found.reason}")
    return found
