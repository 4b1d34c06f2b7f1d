"""What the tests of sources are made of: links in archives, git repositories, and a folder as a dictionary."""

import subprocess
import tarfile
from pathlib import Path


def link(target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo()
    info.type, info.linkname = kind, target
    return info


class Repository:
    """A git repository in a folder, with commits made by ``commit``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "-q", "-b", "main")
        self.git("config", "uploadpack.allowFilter", "true")
        self.git("config", "uploadpack.allowAnySHA1InWant", "true")

    @property
    def url(self) -> str:
        return self.folder.as_uri()

    def git(self, *arguments: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]
        return subprocess.run(["git", *identity, *arguments], cwd=self.folder, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, **files: str | bytes) -> str:
        for name, content in files.items():
            self.write(name, content)
        return self.commit_all()

    def write(self, name: str, content: str | bytes) -> None:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit_all(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "change")
        return self.git("rev-parse", "HEAD")

    def lose(self, name: str) -> None:
        """Delete the content of one file from the repository, as a pruned mirror would."""
        oid = self.git("rev-parse", f"HEAD:{name}")
        (self.folder / ".git" / "objects" / oid[:2] / oid[2:]).unlink()


def tree(root: Path) -> dict[str, bytes]:
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(root.rglob("*")) if file.is_file()}
