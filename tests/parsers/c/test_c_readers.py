"""Who reads a file: tree-sitter where it understands the text, the scanner elsewhere; both must say the same of the same text."""

from pathlib import Path

import pytest
from c_outline import calls, functions, outline, parsed
from test_c_functions import CONDITIONALS, DEFINITIONS, GLOBALS, NOTHING, TYPEDEFS
from test_c_lines import CALLS, NO_CALLS

from legacylens_assets.parsers.c import level, tree

PLAIN = "int f(int a)\n{\n  return g(a);\n}\n"
OLD = "f(a, b)\nint a, b;\n{\n  return g(a);\n}\n"

FORMS = {
    "empty": ("", "tree-sitter"),
    "plain": (PLAIN, "tree-sitter"),
    "only directives": ("#include <a.h>\n#define N 1\n", "tree-sitter"),
    "types, globals, prototypes": ("struct s { int a; };\ntypedef struct s t;\nint x[] = { 1, 2 };\nint g(int);\n", "tree-sitter"),
    "settled branches": ("#ifdef A\nint f(long n)\n#else\nint f(int n)\n#endif\n{\n}\n", "tree-sitter"),
    "dead text": (PLAIN + "#if 0\n) nonsense (\n#endif\n", "tree-sitter"),
    "extern C": ('extern "C" {\n' + PLAIN + "}\n", "tree-sitter"),
    "one K&R function among many": (PLAIN * 20 + OLD, "mixed"),
    "a header by a macro": ("#define HANDLER(n) int h_##n(int x)\nHANDLER(a)\n{\n}\n" + PLAIN, "mixed"),
    "K&R alone": ("main(argc, argv)\n{\n}\n", "scanner"),
    "uneven braces": (PLAIN + "int g(void)\n{\n  if (a) {\n}\n", "scanner"),
    "no C at all": ("This is prose, and it goes on. " * 20, "scanner"),
}


@pytest.mark.parametrize(("text", "form"), FORMS.values(), ids=FORMS)
def test_the_form_says_who_read_the_file(text, form):
    assert parsed(text).form == form


AMBIGUOUS = {
    "loop macro": "int f(void)\n{\n  EACH(i) {\n    g(i);\n  }\n}",
    "loop macro before a call": "int f(void)\n{\n  EACH(i) g(i);\n}",
    "prototype without a type": "static drain(void);\nint x;",
    "storage class by a macro": "LOCAL struct list { char c; } ;",
    "K&R parameter without a type": "int x;\nf(p, c, x)\nstruct s *p;\nchar c;\nregister x;\n{\n  g(p);\n}",
}

TEXTS = {
    **{f"ambiguous: {name}": text for name, text in AMBIGUOUS.items()},
    **{f"{kind}: {name}": text for kind, cases in {
        "definitions": DEFINITIONS, "conditionals": CONDITIONALS, "typedefs": TYPEDEFS, "globals": GLOBALS, "calls": CALLS,
    }.items() for name, (text, _) in cases.items()},
    **{f"nothing: {name}": text for cases in (NOTHING, NO_CALLS) for name, text in cases.items()},
    **{f"form: {name}": text for name, (text, _) in FORMS.items()},
    **{f"fixture: {path.parent.name}": path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*/input.c"))},
}  # fmt: skip


@pytest.mark.parametrize("padding", ["", PLAIN.replace("f(", "pad(") * 12], ids=["alone", "in a file"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_both_readers_say_the_same(text, padding, monkeypatch):
    whole = f"{padding}{text}\n{padding}"
    first = parsed(whole)
    monkeypatch.setattr(tree, "outline", lambda code, macros: None)
    second = parsed(whole)
    assert second.form == level.SCANNER
    assert (first.symbols, first.references, first.problems, first.roles) == (second.symbols, second.references, second.problems, second.roles)


def test_an_error_in_one_function_leaves_the_others_to_tree_sitter():
    text = PLAIN * 10 + "API_EXPORT int h(const char *s)\n{\n  va_arg(ap, char *);\n}\n" + PLAIN
    assert parsed(text).form == "mixed"
    assert [name for name in functions(text) if not name.startswith("f ")] == ["h 41-44"]


def test_letters_beyond_ascii_keep_their_places():
    text = 'char *s = "größe";\nint größe(void)\n{\n  straße(1);\n}\n'
    assert parsed(text).form == "tree-sitter"
    assert outline(text) == ["variable s 1-1", "function größe 2-5"]
    assert calls(text) == ["call straße 4"]


@pytest.mark.parametrize(("limit", "value"), [("LONGEST", 10), ("_STEP", 10**9)])
def test_a_file_beyond_the_limits_is_left_to_the_scanner(limit, value, monkeypatch):
    text = PLAIN * 4000
    monkeypatch.setattr(tree, limit, value)
    found = parsed(text)
    assert found.form == "scanner"
    assert len(found.symbols) == 4000


def test_deep_brackets_end():
    assert parsed("int x = " + "(" * 50_000 + ")" * 50_000 + ";").roles == "s"
    assert [s.name for s in parsed("int f(void)" + "{" * 50_000 + "}" * 50_000).symbols] == ["f"]
