"""Calls, copies, fields, transactions, maps and tables across files."""

from graph_material import build, cobol, edges, told


def test_a_literal_call_is_exact_and_a_variable_one_inferred_with_its_evidence():
    main = cobol("MAINP", "CALL 'SUBA'.", "MOVE 'SUBB' TO WS-P.", "CALL WS-P.", "GOBACK.", data=("01 WS-P PIC X(8).",))
    sources = {"MAINP.cbl": main, "SUBA.cbl": cobol("SUBA", "GOBACK."), "SUBB.cbl": cobol("SUBB", "GOBACK.")}
    assert told(sources, "call", "call_dynamic") == {("0000-MAIN", "SUBA", "exact"), ("0000-MAIN", "SUBB", "inferred")}
    (dynamic,) = edges(sources, "call_dynamic")
    assert "WS-P" in dynamic.detail["evidence"]


def test_a_call_whose_name_is_made_at_run_time_stays_dynamic():
    main = cobol("MAINP", "CALL WS-P.", "GOBACK.", data=("01 WS-P PIC X(8).",))
    (edge,) = edges({"MAINP.cbl": main}, "call_dynamic")
    assert (edge.certainty, edge.detail["reason"]) == ("unresolved", "dynamic")


def test_a_table_of_constants_gives_its_programs():
    rows = ("01 T.", "   05 FILLER PIC X(5) VALUE '1SUBA'.", "   05 FILLER PIC X(5) VALUE '2SUBB'.", "01 R REDEFINES T.")
    table = (*rows, "   05 E OCCURS 2 TIMES.", "      10 K PIC X.", "      10 P PIC X(4).")
    main = cobol("MAINP", "CALL P(1).", "GOBACK.", data=table)
    sources = {"MAINP.cbl": main, "SUBA.cbl": cobol("SUBA", "GOBACK."), "SUBB.cbl": cobol("SUBB", "GOBACK.")}
    assert told(sources, "call_dynamic") == {("0000-MAIN", "SUBA", "inferred"), ("0000-MAIN", "SUBB", "inferred")}


def test_equal_paragraph_names_belong_to_their_program():
    body = ("PERFORM 1000-DO.", "GOBACK.")
    one, two = (cobol(name, *body) + "\n       1000-DO.\n           CONTINUE." for name in ("ONE", "TWO"))
    found = {(e.path, e.target_path, e.certainty) for e in edges({"ONE.cbl": one, "TWO.cbl": two}, "perform")}
    assert found == {("ONE.cbl", "ONE.cbl", "exact"), ("TWO.cbl", "TWO.cbl", "exact")}


def test_perform_thru_reaches_the_paragraphs_between():
    text = cobol("ONE", "PERFORM A THRU C.", "GOBACK.") + "".join(f"\n       {name}.\n           CONTINUE." for name in "ABCD")
    assert {e.target for e in edges({"ONE.cbl": text}, "perform_thru")} == {"B", "C"}


def test_a_paragraph_of_a_copybook_is_found_through_the_copy():
    main = cobol("ONE", "PERFORM 9000-ABEND.", "GOBACK.") + "\n           COPY ABENDP."
    sources = {"ONE.cbl": main, "ABENDP.cpy": "       9000-ABEND.\n           DISPLAY 'STOP'.\n"}
    assert [(e.certainty, e.target_path) for e in edges(sources, "perform")] == [("exact", "ABENDP.cpy")]


def test_fields_of_a_copybook_are_shared_by_those_who_copy_it():
    copy = "       01  PAY-REC.\n           05  PAY-AMT PIC 9(5).\n"
    one = cobol("ONE", "MOVE 1 TO PAY-AMT.", "GOBACK.", data=("    COPY PAYREC.",))
    two = cobol("TWO", "DISPLAY PAY-AMT OF PAY-REC.", "GOBACK.", data=("    COPY PAYREC.",))
    graph = build({"PAYREC.cpy": copy, "ONE.cbl": one, "TWO.cbl": two})
    held = {
        (edge.kind, graph.nodes[source].owner != target and graph.nodes[target].path, edge.certainty)
        for edge, (source, target) in zip(graph.edges, graph.ends, strict=True)
        if edge.target == "PAY-AMT"
    }
    assert held == {("field_set", "PAYREC.cpy", "exact"), ("field_used", "PAYREC.cpy", "exact")}


def test_a_qualified_name_chooses_among_equal_fields():
    data = ("01 A.", "   05 AMT PIC 9.", "01 B.", "   05 AMT PIC 9.")
    sources = {"ONE.cbl": cobol("ONE", "MOVE 1 TO AMT OF B.", "MOVE 2 TO AMT.", "GOBACK.", data=data)}
    sure, unsure = sorted(edges(sources, "field_set"), key=lambda e: e.line)
    assert (sure.certainty, unsure.certainty, unsure.detail["reason"]) == ("exact", "inferred", "ambiguous")
    assert sure.target_line > unsure.target_line


def test_a_missing_copybook_is_the_reason_of_what_it_would_define():
    sources = {"ONE.cbl": cobol("ONE", "MOVE 1 TO X-AMT.", "GOBACK.", data=("    COPY NOTHERE.", "    COPY SQLCA."))}
    found = {(e.kind, e.target): e.detail["reason"] for e in edges(sources, "copy", "field_set")}
    assert found == {("copy", "NOTHERE"): "missing copybook", ("copy", "SQLCA"): "external", ("field_set", "X-AMT"): "missing copybook"}


CSD = "DEFINE TRANSACTION(PAY1) GROUP(G)\n       PROGRAM(ONE)\nDEFINE FILE(PAYF) GROUP(G)\n       DSNAME(PAY.MASTER)\n"


def test_transactions_start_programs_and_cics_files_are_datasets():
    one = cobol("ONE", "EXEC CICS READ FILE('PAYF') INTO(X) END-EXEC", "EXEC CICS RETURN TRANSID('PAY1') END-EXEC.", data=("01 X PIC X.",))
    sources = {"ONE.cbl": one, "G.csd": CSD}
    assert told(sources, "transaction") == {("PAY1", "ONE", "exact")}
    assert told(sources, "cics_return") == {("0000-MAIN", "PAY1", "exact")}
    assert told(sources, "dataset_read") == {("ONE", "PAY.MASTER", "exact")}


def test_a_transaction_that_only_the_program_itself_names_is_inferred():
    sources = {"ONE.cbl": cobol("ONE", "EXEC CICS RETURN TRANSID('PAY9') END-EXEC.")}
    assert told(sources, "transaction") == {("PAY9", "ONE", "inferred")}


def test_transactions_defined_by_a_job_count_too():
    job = "//CSD JOB\n//S EXEC PGM=DFHCSDUP\n//SYSIN DD *\n DEFINE TRANSACTION(PAY2)\n   GROUP(G) PROGRAM(ONE)\n/*"
    assert told({"ONE.cbl": cobol("ONE", "GOBACK."), "c.jcl": job}, "transaction") == {("PAY2", "ONE", "exact")}


def test_fortran_calls_and_commons_join_files():
    sources = {
        "a.f": "      SUBROUTINE ALPHA\n      COMMON /BLK/ X\n      CALL BETA(X)\n      Y = GAMMA(X)\n      END\n",
        "b.f": "      SUBROUTINE BETA(X)\n      COMMON /BLK/ Z\n      END\n      REAL FUNCTION GAMMA(X)\n      GAMMA = X\n      END\n",
    }
    assert told(sources, "call") == {("ALPHA", "BETA", "exact")}
    assert told(sources, "common") == {("ALPHA", "BLK", "exact"), ("BETA", "BLK", "exact")}


def test_c_prefers_its_own_static_function_and_its_own_header():
    sources = {
        "x/a.c": '#include "u.h"\nstatic int help(void) { return 1; }\nint go(void) { return help() + out(); }\n',
        "y/b.c": "static int help(void) { return 2; }\nint out(void) { return help(); }\n",
        "x/u.h": "int out(void);\n",
        "y/u.h": "int other(void);\n",
    }
    found = {(e.source, e.target, e.target_path) for e in edges(sources, "call")}
    assert found == {("go", "help", "x/a.c"), ("go", "out", "y/b.c"), ("out", "help", "y/b.c")}
    assert [(e.target_path, e.certainty) for e in edges(sources, "include")] == [("x/u.h", "exact")]


def test_a_symbolic_map_name_leads_to_the_field_of_the_screen():
    bms = "PAYSET  DFHMSD TYPE=&SYSPARM,LANG=COBOL\nPAYMAP  DFHMDI SIZE=(24,80)\nAMOUNT  DFHMDF POS=(3,4),LENGTH=9\n        DFHMSD TYPE=FINAL\n        END\n"
    one = cobol("ONE", "MOVE '1' TO AMOUNTO.", "EXEC CICS SEND MAP('PAYMAP') MAPSET('PAYSET') END-EXEC.", data=("    COPY PAYSET.",))
    sources = {"ONE.cbl": one, "PAYSET.bms": bms}
    assert told(sources, "cics_map") == {("0000-MAIN", "PAYMAP", "exact")}
    assert [(e.target_path, e.target_line, e.certainty) for e in edges(sources, "field_set")] == [("PAYSET.bms", 3, "inferred")]


def test_names_that_replacing_makes_lead_to_the_copybook():
    copy = "       01  :T:-REC.\n           05  :T:-AMT PIC 9(5).\n"
    data = ("    COPY PAYREC REPLACING ==:T:== BY ==OLD==.", "    COPY PAYREC REPLACING ==:T:== BY ==NEW==.")
    sources = {"PAYREC.cpy": copy, "ONE.cbl": cobol("ONE", "MOVE OLD-AMT TO NEW-AMT OF NEW-REC.", "GOBACK.", data=data)}
    found = {(e.kind, e.target, e.certainty, e.target_path, e.target_line) for e in edges(sources, "field_set", "field_used")}
    assert found == {("field_set", "NEW-AMT", "exact", "PAYREC.cpy", 2), ("field_used", "OLD-AMT", "exact", "PAYREC.cpy", 2)}
