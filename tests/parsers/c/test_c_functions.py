"""Function definitions (C17, 6.9.1; Kernighan & Ritchie 1978, appendix A 10.1): what is one, where it starts and ends, what it is called."""

import pytest
from c_outline import functions, outline, parsed

DEFINITIONS = {
    "plain": ("int f(void)\n{\n}", ["f 1-3"]),
    "on one line": ("int f(void) { return 1; }", ["f 1-1"]),
    "two on one line": ("int f(void) {} int g(void) {}", ["f 1-1", "g 1-1"]),
    "type on a line of its own (GNU style)": ("static int\nf (int x)\n{\n}", ["f 1-4"]),
    "parameters over lines": ("int f(int a,\n      int b)\n{\n}", ["f 1-4"]),
    "attributes before": ("__attribute__((noinline)) int f(int n)\n{\n}", ["f 1-3"]),
    "attributes after": ("int f(int n) __attribute__((pure))\n{\n}", ["f 1-3"]),
    "macro after": ("int f(int n) NONNULL(1)\n{\n}", ["f 1-3"]),
    "C23 attributes": ("[[nodiscard]] int f(int n)\n{\n}", ["f 1-3"]),
    "export macro": ("API_EXPORT int f (const char *s)\n{\n}", ["f 1-3"]),
    "calling convention": ("LRESULT CALLBACK\nf(HWND h)\n{\n}", ["f 1-4"]),
    "returns a pointer to a function": ("int (*f(int which))(int)\n{\n}", ["f 1-3"]),
    "takes and returns one": ("void (*f(int s, void (*g)(int)))(int)\n{\n}", ["f 1-3"]),
    "name in brackets": ("int (f)(int x)\n{\n}", ["f 1-3"]),
    "returns a struct": ("struct point f(int x)\n{\n}", ["f 1-3"]),
    "K&R": ("f(a, b)\nint a, b;\n{\n}", ["f 1-4"]),
    "K&R without declarations": ("main(argc, argv)\n{\n}", ["main 1-3"]),
    "K&R with types apart": ("static char *\nf(p, n)\n    char *p;\n    register int n;\n{\n}", ["f 1-6"]),
    "K&R function parameter": ("f(g, v)\nint (*g)(); char *v[];\n{\n}", ["f 1-4"]),
    "K&R struct parameter": ("f(p)\nunion u { int i; char c; } *p;\n{\n}", ["f 1-4"]),
    "K&R declarations by a macro": ("f(S)\nSDEF;\n{\n}", ["f 1-4"]),
    "K&R returning a pointer to a function": ("int (*f(a))()\nint a;\n{\n}", ["f 1-4"]),
    "brackets in literals and comments": ("int f(void)\n{ /* } */ // }\n  g(\"}\", '}', '\\'');\n}", ["f 1-4"]),
    "trigraphs and digraphs": ("int f(void) ??<\n??>\nint g(void) <%\n%>", ["f 1-2", "g 3-4"]),
    "spliced comment": ("// note \\\nint no(void) {}\nint f(void) {}", ["f 3-3"]),
    "macro call without ; before": ("EXPORT(f)\nint f(int v)\n{\n}", ["f 2-4"]),
    "DECLS macro before": ("__BEGIN_DECLS\nint f(void)\n{\n}", ["f 2-4"]),
    "macro as header, defined here": ("#define HANDLER(n) int handle_##n(int x)\nHANDLER(open)\n{\n}", ["HANDLER(open) 2-4"]),
    "macro as header, defined elsewhere": ('DEFUN ("car", Fcar,\n  1)\n{\n}', ['DEFUN("car", Fcar, 1) 1-4']),
    "macro as name": ("static int PREFIX(scan)(const char *p)\n{\n}", ["PREFIX(scan) 1-3"]),
    "a function that a macro replaces elsewhere": ("#define pick(n) table[n]\n#undef pick\nint pick(unsigned n)\n{\n}", ["pick 3-5"]),
}


@pytest.mark.parametrize(("text", "wanted"), DEFINITIONS.values(), ids=DEFINITIONS)
def test_definitions(text, wanted):
    assert functions(text) == wanted


NOTHING = {
    "prototype": "int f(int);",
    "prototype over lines": "extern int f(int a,\n  int b);",
    "function pointer": "int (*f)(int) = 0;",
    "array of function pointers": "int (*f[])(int) = { a, b };",
    "struct initialiser": "struct s x = { f(1), { 2 } };",
    "struct": "struct s { int (*f)(int); };",
    "macro call": 'MODULE_LICENSE("GPL");',
    "macro body": "#define F(x) int f(int x) \\\n{ \\\n}",
    "dead text": "#if 0\nint f(void)\n{\n}\n#endif",
    "dead text with a reason": "#if 0 /* not\n yet */\nint f(void) {}\n#endif",
    "text after #if 1": "#if 1\nint x;\n#else\nint f(void) {}\n#endif",
    "comment": "/* int f(void) { } */",
    "statement out of place": "if (x) { y(); }",
    "compound literal": "int *p = (int []) { 1, 2 };",
    "enum": "enum e { A, B };",
    "packed struct": "struct PACKED(1) s { int a; };",
    "initialiser without = (before K&R)": "int primes[] { 2, 3 };",
}


@pytest.mark.parametrize("text", NOTHING.values(), ids=NOTHING)
def test_what_is_no_definition(text):
    assert functions(text) == []


CONDITIONALS = {
    "prototype or K&R header": ("#ifdef P\nint f(int a)\n#else\nint f(a)\nint a;\n#endif\n{\n}\nint g(void) {}", ["f 2-8", "g 9-9"]),
    "K&R or prototype header": ("#ifndef P\nint f(a)\nint a;\n#else\nint f(int a)\n#endif\n{\n}\nint g(void) {}", ["f 2-8", "g 9-9"]),
    "K&R declarations in branches": ("f(a)\n#ifdef P\nint a;\n#else\nlong a;\n#endif\n{\n}\nint g(void) {}", ["f 1-8", "g 9-9"]),
    "two headers, one body": ("#ifdef W\nint f(long n)\n#else\nint f(int n)\n#endif\n{\n}\nint g(void)\n{\n}", ["f 2-7", "g 8-10"]),
    "two parameter lists": ("int f(\n#ifdef W\n  long n)\n#else\n  int n)\n#endif\n{\n}\nint g(void) {}", ["f 1-8", "g 9-9"]),
    "each branch opens a brace": ("int f(int n)\n{\n#ifdef A\n if (n) {\n#else\n if (!n) {\n#endif\n }\n}\nint g(void) {}", ["f 1-9", "g 10-10"]),
    "each branch closes a brace": ("int f(void)\n{\n if (a) {\n#ifdef A\n x(); }\n#else\n y(); }\n#endif\n}\nint g(void) {}", ["f 1-9", "g 10-10"]),
    "three branches": ("int f(void) {\n#if A\n if (a) {\n#elif B\n if (b) {\n#else\n {\n#endif\n }\n}\nint g(void) {}", ["f 1-10", "g 11-11"]),
    "nested": ("int f(void) {\n#if A\n#if B\n if (b) {\n#else\n if (c) {\n#endif\n#else\n {\n#endif\n }\n}\nint g(void) {}", ["f 1-12", "g 13-13"]),
    "whole functions in both branches": ("#if A\nint f(void) {}\n#else\nint f(int a) {}\n#endif", ["f 2-2", "f 4-4"]),
    "open and close in groups apart": (
        "int f(void)\n{\n#ifdef A\n if (a) {\n#endif\n x();\n#ifdef A\n }\n#endif\n}\nint g(void) {}",
        ["f 1-10", "g 11-11"],
    ),
    "extern C": ('#ifdef __cplusplus\nextern "C" {\n#endif\nint f(void)\n{\n}\n#ifdef __cplusplus\n}\n#endif', ["f 4-6"]),
    "dead brace": ("int f(void)\n{\n#if 0\n  {\n#endif\n}\nint g(void) {}", ["f 1-6", "g 7-7"]),
    "else of a dead branch stays": ("#if 0\nint f(void) {\n#else\nint f(int a) {\n#endif\n}", ["f 4-6"]),
    "static in one branch": ("#ifdef S\nstatic\n#endif\nint f(void)\n{\n}", ["f 2-6"]),
}


@pytest.mark.parametrize(("text", "wanted"), CONDITIONALS.values(), ids=CONDITIONALS)
def test_conditional_text(text, wanted):
    assert functions(text) == wanted


def test_a_brace_lost_in_one_function_does_not_hide_the_next():
    found = parsed("int f(void)\n{\n  if (a) {\n}\n\nint g(void)\n{\n}")
    assert [(s.name, s.start_line, s.end_line) for s in found.symbols] == [("f", 1, 4), ("g", 6, 8)]
    assert [(p.line, p.code) for p in found.problems] == [(2, "uneven_braces")]


def test_an_open_comment_is_a_problem():
    assert [(p.line, p.code) for p in parsed("int a;\n/* never closed\nint f(void) {}").problems] == [(2, "open_comment")]


def test_structs_unions_and_enums():
    assert outline("struct a {\n int x;\n struct { int y; } in;\n};\nunion b { int i; };\nenum c { X };\nstruct d *p;\nstruct e;") == [
        "struct a 1-4",
        "union b 5-5",
        "enum c 6-6",
        "variable p 7-7",
        "section declarations 8-8",
    ]


@pytest.mark.parametrize("after", ["__attribute__((packed))", "__packed"])
def test_an_attribute_after_a_struct_is_no_variable(after):
    assert outline(f"struct a {{ int x; }} {after};") == ["struct a 1-1"]


def test_named_types_inside_others_are_symbols_and_no_units():
    found = parsed("struct a {\n struct b { int x; } in;\n};\nint f(void) {\n enum c { X };\n}")
    assert [(s.name, s.unit, s.parent) for s in found.symbols] == [("a", True, None), ("b", False, 0), ("f", True, None), ("c", False, 2)]


TYPEDEFS = {
    "of an unnamed struct": ("typedef struct {\n int id;\n} rec_t;", ["struct rec_t 1-3"]),
    "of an unnamed enum": ("typedef enum { A } e_t;", ["enum e_t 1-1"]),
    "of a named struct": ("typedef struct tree { int a; } tree_t, *tree_p;", ["struct tree 1-1", "typedef tree_t 1-1", "typedef tree_p 1-1"]),
    "of a type": ("typedef unsigned long size_type;", ["typedef size_type 1-1"]),
    "of a function pointer": ("typedef int (*cb_t)(struct point *, int);", ["typedef cb_t 1-1"]),
    "of a function pointer by a macro": ("typedef int (CALLBACK *cb_t) OF((int));", ["typedef cb_t 1-1"]),
    "of an array": ("typedef char name_t[32];", ["typedef name_t 1-1"]),
    "packed": ("typedef _Packed struct EC_x { int a; } EC_t;", ["struct EC_x 1-1", "typedef EC_t 1-1"]),
}


@pytest.mark.parametrize(("text", "wanted"), TYPEDEFS.values(), ids=TYPEDEFS)
def test_typedefs(text, wanted):
    assert outline(text) == wanted


GLOBALS = {
    "several": ("static int a = 5, *b, c[10];", ["variable a 1-1", "variable b 1-1", "variable c 1-1"]),
    "table": ("const int t[] = {\n 1,\n 2\n};", ["variable t 1-4"]),
    "designated": ("struct ops o = {\n .f = (int (*)(void)) g,\n};", ["variable o 1-3"]),
    "of an unnamed struct": ("static struct { int q; } v;", ["variable v 1-1"]),
    "function pointer": ("int (*hook)(int);", ["variable hook 1-1"]),
    "before K&R, no =": ("char *s 0;\nint x[2] { 1, 2 };", ["variable s 1-1", "variable x 2-2"]),
    "value over branches": ("int x = 1\n#ifdef A\n + 2\n#endif\n;", ["variable x 1-5"]),
}


@pytest.mark.parametrize(("text", "wanted"), GLOBALS.values(), ids=GLOBALS)
def test_globals(text, wanted):
    assert outline(text) == wanted


def test_runs_of_prototypes_are_one_section():
    text = "extern int a;\nint f(int);\n\n/* more */\nint g(int);\n#define X 1\nint h(int);"
    assert outline(text) == ["section declarations 1-5", "macro X 6-6", "section declarations 7-7"]


def test_macros_and_includes():
    found = parsed(
        '#include <stdio.h>\n#  include "own.h"\n#define N 10 /* over\n lines */\n#define MAX(a, b) \\\n  ((a) > (b))\nEXEC SQL INCLUDE SQLCA;'
    )
    assert [(s.kind, s.name, s.start_line, s.end_line) for s in found.symbols] == [
        ("include", "stdio.h", 1, 1),
        ("include", "own.h", 2, 2),
        ("macro", "N", 3, 4),
        ("macro", "MAX", 5, 6),
        ("include", "SQLCA", 7, 7),
    ]
    assert [r.target for r in found.references] == ["stdio.h", "own.h", "SQLCA"]


def test_a_macro_inside_a_function_belongs_to_it_and_is_no_unit():
    found = parsed("int f(void)\n{\n#define N 1\n}")
    assert [(s.name, s.parent, s.unit) for s in found.symbols] == [("f", None, True), ("N", 0, False)]
