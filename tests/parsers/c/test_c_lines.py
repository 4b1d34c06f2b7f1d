"""Calls by line, and the roles of lines: where a chunk may begin."""

import pytest
from c_outline import calls, parsed

CALLS = {
    "plain": ("int f(void) {\n  g(1);\n}", ["call g 2"]),
    "nested": ("int f(void) { g(h(1)); }", ["call g 1", "call h 1"]),
    "after return and else": ("int f(void) { if (a) b(); else c(); return d(); }", ["call b 1", "call c 1", "call d 1"]),
    "name and bracket on two lines": ("int f(void) {\n  g\n  (1);\n}", ["call g 2"]),
    "through a member": ("int f(void) { p->g(1); q.h(2); }", ["call_dynamic g 1", "call_dynamic h 1"]),
    "multiplied": ("int f(void) { return a * g(1); }", ["call g 1"]),
    "in a branch taken out": ("int f(void) {\n#ifdef A\n if (g()) {\n#else\n if (h()) {\n#endif\n }\n}", ["call g 3", "call h 5"]),
}


@pytest.mark.parametrize(("text", "wanted"), CALLS.values(), ids=CALLS)
def test_calls(text, wanted):
    assert calls(text) == wanted


NO_CALLS = {
    "keywords": "int f(void) { if (a) while (b) for (;;) switch (c) return (sizeof(d)); }",
    "local prototype": "int f(void) { int g(int); extern char *h(); }",
    "literal and comment": 'int f(void) { x = "g(1)"; /* h(2) */ }',
    "dead text": "int f(void) {\n#if 0\n g();\n#endif\n}",
    "macro body": "int f(void) {\n#define G() g()\n}",
}


@pytest.mark.parametrize("text", NO_CALLS.values(), ids=NO_CALLS)
def test_what_is_no_call(text):
    assert calls(text) == []


ROLES = {
    "statements": ("int f(void)\n{\n  int a;\n\n  a = 1;\n  g(a,\n    2);\n}", "s+s.ss++"),
    "comments": ("/* one\n two */\nint a; // three\n// four", "**s*"),
    "blank inside an expression": ("int f(void) {\n  a = b +\n\n    c;\n}", "ss+++"),
    "for keeps its semicolons": ("int f(void) {\n  for (i = 0;\n       i < 3;\n       i++)\n    g();\n  h();\n}", "ss+++s+"),
    "labels": ("int f(void) {\n  switch (a) {\n  case 1:\n    g();\n  default:\n    h();\n  }\n}", "ssssss++"),
    "else stays with its if": ("int f(void) {\n  if (a)\n    b();\n  else\n    c();\n}", "ss++++"),
    "table elements": ("int t[] = {\n  1,\n  2,\n  3\n};", "ssss+"),
    "table inside a function": ("int f(void) {\n  static int t[] = {\n    1,\n    2\n  };\n  g();\n}", "ssss+s+"),
    "arguments are no elements": ("int f(void) {\n  g(1,\n    2,\n    3);\n}", "ss+++"),
    "macro": ("#define A \\\n  b; \\\n  c\nint x;", "s++s"),
    "conditionals at file level": ("#ifdef A\nint x;\n#endif", "*s*"),
    "conditionals in a function": ("int f(void) {\n#ifdef A\n  g();\n#endif\n}", "ssss+"),
    "literal over lines": ('int f(void) {\n  s = "a \\\n  b";\n  g();\n}', "ss+s+"),
    "K&R header": ("f(a)\nint a;\n{\n}", "s+++"),
    "dead text": ("#if 0\nint x;\n\n#endif", "**.*"),
}


@pytest.mark.parametrize(("text", "roles"), ROLES.values(), ids=ROLES)
def test_roles(text, roles):
    assert parsed(text).roles == roles
