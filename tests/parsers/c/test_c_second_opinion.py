"""On plain C an independent parser (tree-sitter-c) and ours must name the same functions; on K&R and split text it loses most of them."""

from pathlib import Path

import pytest
from c_outline import parsed

tree_sitter = pytest.importorskip("tree_sitter")
tree_sitter_c = pytest.importorskip("tree_sitter_c")

PLAIN = {
    "fixture": (Path(__file__).parent / "simple" / "input.c").read_text(encoding="utf-8"),
    "pointers": "char *f(int a) { return 0; }\nint (*g(int a))(int) { return 0; }\nstatic struct s *h(void) { return 0; }\n",
    "conditionals": "#ifdef A\nint f(void) { return 1; }\n#else\nint g(void) { return 2; }\n#endif\nint h(void) { return 3; }\n",
    "literals": "int f(void) { return g(\"}{\", '}', /* } */ 1); }\nint h(void) { return 0; }\n",
}


def named_by_tree_sitter(text: str) -> set[str]:
    language = tree_sitter.Language(tree_sitter_c.language())
    root = tree_sitter.Parser(language).parse(text.encode()).root_node
    query = tree_sitter.Query(language, "(function_definition declarator: (_) @header)")
    return {_name(node) for node in tree_sitter.QueryCursor(query).captures(root).get("header", [])}


def _name(node) -> str:
    while node.type != "identifier":
        node = node.child_by_field_name("declarator") or node.named_children[0]
    return node.text.decode()


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_functions_are_those_that_tree_sitter_names(text):
    assert {s.name for s in parsed(text).symbols if s.kind == "function"} == named_by_tree_sitter(text)
