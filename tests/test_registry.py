"""The registry: good entries become records, bad ones are refused with file, line and what was expected."""

from pathlib import Path

import pytest

from legacylens_assets.errors import RegistryError, UsageError
from legacylens_assets.registry import Origin, load_registry

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "codebases.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_one_line_is_a_whole_entry(tmp_path):
    found = load_registry(written(tmp_path, '[codebases.mine]\nsource = "../mine"\n')).get("mine")
    assert (found.key, found.title, found.role, found.enabled) == ("mine", "mine", "codebase", True)
    assert found.origins == (Origin("path", "../mine"),)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("https://git.example.org/team/pay.git", Origin("git", "https://git.example.org/team/pay.git")),
        ("pypi:cobol-py==0.2.1", Origin("pypi", "cobol-py", version="0.2.1")),
        ("debian:lapack", Origin("debian", "lapack")),
        ("path:/srv/code", Origin("path", "/srv/code")),
        ("./here", Origin("path", "./here")),
        ("data/samples", Origin("path", "data/samples")),
        ("~/code", Origin("path", "~/code")),
    ],
)
def test_source_forms_are_understood(tmp_path, source, expected):
    assert load_registry(written(tmp_path, f'[codebases.x]\nsource = "{source}"\n')).get("x").origins == (expected,)


def test_fallback_takes_the_globs_of_the_primary_unless_it_has_its_own(tmp_path):
    text = f"""
[codebases.lin]
source = "https://git.example.org/lin.git"
commit = "{COMMIT}"
include = ["SRC", "*.f"]
exclude = ["SRC/data/"]

[[codebases.lin.fallback]]
source = "debian:lin"
version = ">=3.10,<4"

[[codebases.lin.fallback]]
source = "pypi:lin==1.0"
include = ["lin/src"]
"""
    primary, debian, pypi = load_registry(written(tmp_path, text)).get("lin").origins
    assert (primary.commit, primary.include, primary.exclude) == (COMMIT, ("SRC", "*.f"), ("SRC/data",))
    assert (debian.version, debian.include, debian.exclude) == (">=3.10,<4", ("SRC", "*.f"), ("SRC/data",))
    assert (pypi.version, pypi.include, pypi.exclude) == ("1.0", ("lin/src",), ("SRC/data",))


def test_disabled_entries_and_samples_are_told_apart(tmp_path):
    text = '[codebases.s]\nsource = "s"\nrole = "sample"\n[codebases.a]\nsource = "a"\n[codebases.off]\nsource = "o"\nenabled = false\n'
    registry = load_registry(written(tmp_path, text))
    assert registry.partitions() == ("s", "a")
    assert registry.nightly() == ("a",)
    assert registry.get("off").enabled is False


def test_unknown_codebase_names_close_keys(tmp_path):
    registry = load_registry(written(tmp_path, '[codebases.carddemo]\nsource = "c"\n[codebases.lapack]\nsource = "l"\n'))
    with pytest.raises(UsageError, match="unknown codebase 'cardemo': did you mean carddemo?"):
        registry.get("cardemo")
    with pytest.raises(UsageError, match="known: carddemo, lapack"):
        registry.get("zzz")


BAD = [
    ('[codebases.Pay]\nsource = "x"\n', 1, "a key of lower-case letters"),
    ('[codebases.pay]\ntitle = "x"\n', 1, 'source: expected "https://'),
    ('[codebases.pay]\n# here\nsource = "ftp://example.org/x"\n', 3, 'source = "ftp://example.org/x": expected "https://'),
    ('[codebases.pay]\nsource = "git@example.org:a/b.git"\n', 2, "git over ssh is not supported"),
    ('[codebases.pay]\nsource = "example.org/a/b"\n', 2, 'did you mean "https://example.org/a/b"'),
    ('[codebases.pay]\nsource = "--upload-pack=touch x"\n', 2, 'expected "https://'),
    ('[codebases.pay]\nsource = "https://-oProxyCommand=x/a"\n', 2, 'expected "https://'),
    ('[codebases.pay]\nsource = "pypi:name"\n', 2, "pypi:NAME==VERSION"),
    ('[codebases.pay]\nsource = "debian:No Such"\n', 2, "debian:NAME"),
    ('[codebases.pay]\nsource = ""\n', 2, 'expected "https://'),
    ("[codebases.pay]\nsource = 7\n", 2, "source = 7: expected a string"),
    ('[codebases.pay]\nsource = "https://e.org/x"\ncommit = "abc123"\n', 3, "a full commit: 40"),
    (f'[codebases.pay]\nsource = "https://e.org/x"\ncommit = "{COMMIT}"\nfollow = "main"\n', 4, "either commit or follow"),
    ('[codebases.pay]\nsource = "https://e.org/x"\nfollow = "--exec=x"\n', 3, "the name of a branch"),
    (f'[codebases.pay]\nsource = "../x"\ncommit = "{COMMIT}"\n', 3, "no commit: it belongs to git origins, this one is path"),
    ('[codebases.pay]\nsource = "debian:xy"\nversion = "new"\n', 3, "an upstream version or range"),
    ('[codebases.pay]\nsource = "pypi:x==1"\nsha256 = "12"\n', 3, "64 lower-case hexadecimal digits"),
    ('[codebases.pay]\nsource = "x"\nincludes = ["a"]\n', 3, "did you mean include?"),
    ('[codebases.pay]\nsource = "x"\nlicense = "MIT"\n', 3, "did you mean licence?"),
    ('[codebases.pay]\nsource = "x"\ninclude = "src"\n', 3, 'include = "src": expected a list of strings'),
    ('[codebases.pay]\nsource = "x"\ninclude = ["../up"]\n', 3, "globs over paths from the codebase's root"),
    ('[codebases.pay]\nsource = "x"\nexclude = ["[z-a]"]\n', 3, "globs over paths"),
    ('[codebases.pay]\nsource = "x"\nenabled = "yes"\n', 3, 'enabled = "yes": expected true or false'),
    ('[codebases.pay]\nsource = "x"\nrole = "demo"\n', 3, "one of codebase, sample"),
    ('[codebases.pay]\nsource = "x"\nencoding = "ebcdic"\n', 3, "an encoding that Python knows"),
    ('[codebases.pay]\nsource = "x"\n[codebases.pay.languages]\n"*.x" = "algol"\n', 4, "one of cobol, c, fortran"),
    (
        '[codebases.pay]\nsource = "x"\n\n[[codebases.pay.fallback]]\nsource = "debian:ok"\n\n[[codebases.pay.fallback]]\nsource = "pypi:bad"\n',
        8,
        "pypi:NAME==VERSION",
    ),
    ('[codebase.pay]\nsource = "x"\n', 1, "only tables named [codebases.KEY]"),
    ("codebases = 3\n", 1, "tables named [codebases.KEY]"),
    ('[codebases]\npay = "x"\n', 2, "a table with at least source"),
    ('[codebases.pay]\nsource = "x\n', 2, "not valid TOML"),
    ('[codebases.pay]\nsource = "x"\n[codebases.pay]\nsource = "y"\n', 3, "not valid TOML"),
    ('[codebases.pay]\ndescription = """\nsource = "no"\n"""\nsource = "ftp://x/y"\n', 5, 'expected "https://'),
]


@pytest.mark.parametrize(("text", "line", "expected"), BAD, ids=[str(number) for number in range(len(BAD))])
def test_bad_entry_is_refused_with_its_line_and_what_was_expected(tmp_path, text, line, expected):
    file = written(tmp_path, text)
    with pytest.raises(RegistryError) as raised:
        load_registry(file)
    assert str(raised.value).startswith(f"{file}:{line}: ")
    assert expected in str(raised.value)


def test_all_faults_are_listed_at_once(tmp_path):
    with pytest.raises(RegistryError) as raised:
        load_registry(written(tmp_path, '[codebases.a]\nsource = "ftp://x/y"\n[codebases.b]\nsource = "x"\nrole = "boss"\n'))
    assert [line.split(": ")[0].rpartition(":")[2] for line in str(raised.value).splitlines()] == ["2", "5"]


def test_missing_registry_says_what_was_expected(tmp_path):
    with pytest.raises(RegistryError, match="no such file; expected a registry"):
        load_registry(tmp_path / "none.toml")


def test_the_project_registry_pins_the_six_and_turns_the_rest_off():
    registry = load_registry(Path(__file__).parent.parent / "data" / "codebases.toml")
    assert registry.nightly() == ("carddemo", "genapp", "lapack", "gnucobol", "multics", "ossile")
    assert registry.partitions() == ("samples", *registry.nightly())
    assert all(len(registry.get(key).origins[0].commit) == 40 and registry.get(key).licence for key in registry.nightly())
    assert [registry.get(key).origins[1].location for key in ("lapack", "gnucobol")] == ["lapack", "gnucobol4"]
    assert {"nist-cobol", "fcvs", "hercules", "calculix-ccx"} <= set(registry.codebases) - set(registry.partitions())
