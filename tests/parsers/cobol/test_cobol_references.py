"""What statements refer to."""

import pytest
from cobol_text import fixed, mentions, procedure, read


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        pytest.param("PERFORM A-1.", [("perform", "A-1", {})], id="perform"),
        pytest.param("PERFORM A-1 THRU A-9.", [("perform", "A-1", {"thru": "A-9"})], id="thru"),
        pytest.param("PERFORM A-1 THROUGH A-9 VARYING I FROM 1 BY 1 UNTIL I > 9.", [("perform", "A-1", {"thru": "A-9"})], id="varying"),
        pytest.param("PERFORM 100 N TIMES.", [("perform", "100", {})], id="digits, times"),
        pytest.param("PERFORM A-1 OF S-1.", [("perform", "A-1", {"of": "S-1"})], id="qualified"),
        pytest.param("PERFORM N TIMES MOVE A TO B END-PERFORM.", [], id="in line, times"),
        pytest.param("PERFORM UNTIL A = B CONTINUE END-PERFORM.", [], id="in line, until"),
        pytest.param("PERFORM WITH TEST AFTER UNTIL A = B CONTINUE END-PERFORM.", [], id="in line, test"),
        pytest.param("EXIT PERFORM.", [], id="exit perform"),
        pytest.param("GO TO A-1.", [("goto", "A-1", {})], id="go to"),
        pytest.param("GO A-1.", [("goto", "A-1", {})], id="go"),
        pytest.param("GO TO A-1 B-1 DEPENDING ON N.", [("goto", "A-1", {"depending": "N"}), ("goto", "B-1", {"depending": "N"})], id="depending"),
        pytest.param("ALTER A-1 TO PROCEED TO B-1.", [("goto", "B-1", {"alter": "A-1"})], id="alter"),
        pytest.param("CALL 'PGM1' USING A B.", [("call", "PGM1", {"using": "A B"})], id="call"),
        pytest.param('CALL "pgm1".', [("call", "PGM1", {})], id="call folds case"),
        pytest.param("CANCEL 'PGM1'.", [("call", "PGM1", {"verb": "CANCEL"})], id="cancel"),
        pytest.param("CALL WS-P.", [("call_dynamic", "WS-P", {})], id="call by a field with no known value"),
        pytest.param("MOVE 'PA' TO WS-P. CALL WS-P.", [("call_dynamic", "WS-P", {"values": "PA"})], id="call by a field, moved literal"),
        pytest.param("MOVE 'PA' TO X. MOVE X TO WS-P. CALL WS-P.", [("call_dynamic", "WS-P", {"values": "PA"})], id="literal by way of a field"),
        pytest.param("READ F INTO R.", [("file_read", "F", {"verb": "READ"})], id="read"),
        pytest.param("WRITE R FROM A.", [("file_write", "R", {"verb": "WRITE"})], id="write a record of no known file"),
        pytest.param("DELETE F RECORD.", [("file_write", "F", {"verb": "DELETE"})], id="delete"),
        pytest.param("OPEN INPUT F.", [("file_read", "F", {"verb": "OPEN", "mode": "INPUT"})], id="open input"),
        pytest.param(
            "OPEN I-O F.", [("file_read", "F", {"verb": "OPEN", "mode": "I-O"}), ("file_write", "F", {"verb": "OPEN", "mode": "I-O"})], id="open i-o"
        ),
        pytest.param(
            "SORT S ON ASCENDING KEY K USING F GIVING G.",
            [("file_read", "F", {"verb": "SORT"}), ("file_write", "G", {"verb": "SORT"})],
            id="sort files",
        ),
        pytest.param(
            "SORT S DESCENDING KEY K INPUT PROCEDURE IS A-1 THRU A-2 OUTPUT PROCEDURE B-1.",
            [("perform", "A-1", {"verb": "SORT", "thru": "A-2"}), ("perform", "B-1", {"verb": "SORT"})],
            id="sort procedures",
        ),
        pytest.param("XML PARSE A PROCESSING PROCEDURE H-1 THRU H-9.", [("perform", "H-1", {"verb": "XML", "thru": "H-9"})], id="xml parse"),
        pytest.param("NOTE CALL 'X' AND PERFORM Y.", [], id="note"),
    ],
)
def test_control_and_files(card, expected):
    words = card.split()
    half = len(words) // 2
    parsed = procedure(" M.", "     " + " ".join(words[:half]), "         " + " ".join(words[half:]))
    kinds = ("perform", "goto", "call", "call_dynamic", "file_read", "file_write")
    assert [(kind, target, found) for kind, target, _, found in mentions(parsed, *kinds)] == expected


@pytest.mark.parametrize(
    ("card", "used", "written"),
    [
        pytest.param("MOVE A TO B C", ["A"], ["B", "C"], id="move"),
        pytest.param("MOVE A OF R TO B(I)", ["A", "I"], ["B"], id="qualified and subscripted"),
        pytest.param("MOVE SPACES TO B", [], ["B"], id="figurative"),
        pytest.param("MOVE LENGTH OF A TO B", ["A"], ["B"], id="length of"),
        pytest.param("MOVE FUNCTION UPPER-CASE(A) TO B", ["A"], ["B"], id="function"),
        pytest.param("ADD A TO B", ["A"], ["B"], id="add to"),
        pytest.param("ADD A TO B GIVING C", ["A", "B"], ["C"], id="add giving"),
        pytest.param("SUBTRACT A FROM B", ["A"], ["B"], id="subtract"),
        pytest.param("DIVIDE A BY B GIVING C REMAINDER D", ["A", "B"], ["C", "D"], id="divide"),
        pytest.param("COMPUTE B ROUNDED = A * 1.5 - C", ["A", "C"], ["B"], id="compute"),
        pytest.param("IF A > B AND C = 'X' CONTINUE END-IF", ["A", "B", "C"], [], id="if"),
        pytest.param("EVALUATE A WHEN B CONTINUE END-EVALUATE", ["A", "B"], [], id="evaluate"),
        pytest.param("PERFORM X VARYING I FROM A BY 1 UNTIL I > B", ["A", "I", "B"], ["I"], id="varying"),
        pytest.param("READ F INTO R AT END CONTINUE END-READ", [], ["R"], id="read into"),
        pytest.param("ACCEPT D FROM DATE", [], ["D"], id="accept"),
        pytest.param("SET A TO TRUE", [], ["A"], id="set"),
        pytest.param("SET I UP BY N", ["N"], ["I"], id="set up by"),
        pytest.param("STRING A B DELIMITED BY SIZE INTO C POINTER P", ["A", "B"], ["C", "P"], id="string"),
        pytest.param("UNSTRING A DELIMITED BY ',' INTO B C TALLYING N", ["A"], ["B", "C", "N"], id="unstring"),
        pytest.param("INSPECT A TALLYING N FOR ALL 'X'", ["A"], ["N"], id="inspect tallying"),
        pytest.param("INSPECT A REPLACING ALL 'X' BY B", ["B"], ["A"], id="inspect replacing"),
        pytest.param("INITIALIZE A B", [], ["A", "B"], id="initialize"),
        pytest.param("CALL 'P' USING A RETURNING B", ["A"], ["B"], id="call"),
        pytest.param("XML GENERATE A FROM B COUNT C", ["B"], ["A", "C"], id="xml generate"),
        pytest.param("XML PARSE A PROCESSING PROCEDURE B", ["A"], [], id="xml parse"),
        pytest.param("DISPLAY A UPON CONSOLE", ["A"], [], id="display"),
        pytest.param("MOVE A TO A", ["A"], ["A"], id="both"),
        pytest.param("GO TO A", [], [], id="a procedure is no field"),
        pytest.param("EXEC SQL SELECT X INTO :A, :B:C FROM T WHERE Y = :D END-EXEC", ["D"], ["A", "B", "C"], id="host variables"),
        pytest.param("EXEC CICS READ FILE('F') INTO(A) RIDFLD(B) RESP(C) END-EXEC", ["B"], ["A", "C"], id="options"),
    ],
)
def test_fields(card, used, written):
    parsed = procedure(" M.", f"     {card}.")
    assert [t for _, t, _, _ in mentions(parsed, "field_used")] == used
    assert [t for _, t, _, _ in mentions(parsed, "field_set")] == written


def test_a_field_is_listed_once_for_each_line_that_names_it():
    parsed = procedure(" M.", "     MOVE 1 TO A. MOVE 1 TO A.", "     MOVE 2 TO A.", " N.", "     MOVE 3 TO A.")
    found = [(r.target, r.line, parsed.symbols[r.source].name) for r in parsed.references if r.source is not None]
    assert found == [("A", 5, "M"), ("A", 6, "M"), ("A", 8, "N")]


def test_equal_fields_of_two_groups_on_one_line_are_two():
    parsed = procedure(" M.", "     MOVE 1 TO A OF G A OF H.")
    assert [(t, d) for _, t, _, d in mentions(parsed, "field_set")] == [("A", {"of": "G"}), ("A", {"of": "H"})]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT A INTO :B FROM T1 X, S.T2 Y WHERE X.K = Y.K", [("sql_read", "T1"), ("sql_read", "S.T2")]),
        ("SELECT A INTO :B FROM T1 LEFT JOIN T2 ON A = B", [("sql_read", "T1"), ("sql_read", "T2")]),
        ("SELECT A INTO :B FROM T1 WHERE C IN (SELECT D FROM T2)", [("sql_read", "T1"), ("sql_read", "T2")]),
        ("SELECT TRIM(LEADING ' ' FROM A) INTO :B FROM T1", [("sql_read", "T1")]),
        ("WITH Q AS (SELECT A FROM T1) SELECT A INTO :B FROM Q", [("sql_read", "T1")]),
        ("INSERT INTO T1 (A, B) VALUES (:A, :B)", [("sql_write", "T1")]),
        ("INSERT INTO T1 SELECT A, B FROM T2", [("sql_write", "T1"), ("sql_read", "T2")]),
        ("UPDATE T1 SET A = :B WHERE CURRENT OF C1", [("sql_write", "T1")]),
        ("DELETE FROM T1 WHERE A = :B", [("sql_write", "T1")]),
        ("MERGE INTO T1 USING T2 ON A = B", [("sql_write", "T1"), ("sql_read", "T2")]),
        ("DECLARE C1 CURSOR FOR SELECT A FROM T1 FOR UPDATE OF A", [("sql_cursor", "C1"), ("sql_read", "T1")]),
        ("OPEN C1", [("sql_cursor", "C1")]),
        ("FETCH NEXT FROM C1 INTO :A", [("sql_cursor", "C1")]),
        ("CALL PROC1 (:A)", [("call", "PROC1")]),
        ("COMMIT", []),
        ("WHENEVER SQLERROR GO TO ERR-1", [("goto", "ERR-1")]),
        ("INCLUDE DCLCUST", [("copy", "DCLCUST")]),
    ],
)
def test_sql(sql, expected):
    parsed = procedure(" M.", "     EXEC SQL", *_wrapped(sql), "     END-EXEC.")
    assert [(r.kind, r.target) for r in parsed.references if not r.kind.startswith("field")] == expected


def _wrapped(text):
    words = text.split(" ")
    return ["       " + " ".join(words[k : k + 6]) for k in range(0, len(words), 6)]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("LINK PROGRAM('PGM1') COMMAREA(C)", [("cics_link", "PGM1", {"verb": "LINK"})]),
        ("XCTL PROGRAM (NEXT-P)", [("cics_xctl", "NEXT-P", {"verb": "XCTL", "dynamic": "1", "values": "PGM2"})]),
        ("START TRANSID('TX01') INTERVAL(0)", [("cics_start", "TX01", {"verb": "START"})]),
        ("RETURN TRANSID('TX01') COMMAREA(C)", [("cics_return", "TX01", {"verb": "RETURN"})]),
        ("RETURN", []),
        ("SEND MAP('M1') MAPSET('S1') ERASE", [("cics_map", "M1", {"verb": "SEND", "mapset": "S1"})]),
        ("RECEIVE MAP('M1') INTO(A)", [("cics_map", "M1", {"verb": "RECEIVE"})]),
        ("READ DATASET('F1') INTO(A) RIDFLD(K) UPDATE", [("cics_file", "F1", {"verb": "READ", "access": "read", "update": "1"})]),
        ("REWRITE FILE('F1') FROM(A)", [("cics_file", "F1", {"verb": "REWRITE", "access": "write"})]),
        ("WRITEQ TD QUEUE('CSMT') FROM(A)", [("cics_queue", "CSMT", {"verb": "WRITEQ", "access": "write", "storage": "td"})]),
        ("READQ TS QNAME('Q1') INTO(A)", [("cics_queue", "Q1", {"verb": "READQ", "access": "read", "storage": "ts"})]),
        ("HANDLE CONDITION NOTFND(A-1)", [("goto", "A-1", {"via": "handle", "condition": "NOTFND"})]),
        ("HANDLE ABEND PROGRAM('PGM9')", [("cics_link", "PGM9", {"verb": "HANDLE ABEND"})]),
        ("ASKTIME ABSTIME(T)", []),
    ],
)
def test_cics(command, expected):
    parsed = procedure(" M.", "     MOVE 'PGM2' TO NEXT-P.", f"     EXEC CICS {command} END-EXEC.")
    found = [(r.kind, r.target, dict(r.detail)) for r in parsed.references if not r.kind.startswith("field")]
    assert found == expected


def test_dli_segments_are_read_and_written():
    parsed = procedure(
        " M.",
        "     EXEC DLI GU USING PCB(1) SEGMENT(ROOT) INTO(A) END-EXEC",
        "     EXEC DLI ISRT USING PCB(1) SEGMENT(ROOT)",
        "       SEGMENT(CHILD) FROM(A) END-EXEC.",
    )
    assert [(k, t) for k, t, _, _ in mentions(parsed, "file_read", "file_write")] == [
        ("file_read", "ROOT"),
        ("file_read", "ROOT"),
        ("file_write", "CHILD"),
    ]


def test_values_come_from_value_clauses_conditions_and_moves():
    text = fixed(
        " ID DIVISION.", " PROGRAM-ID. P.", " DATA DIVISION.", " WORKING-STORAGE SECTION.", " 01  P1 PIC X(8) VALUE 'PGMA'.", " 01  P2 PIC X(8).",
        "     88  IS-B VALUE 'PGMB'.", " PROCEDURE DIVISION.", " M.", "     SET IS-B TO TRUE", "     MOVE P1 TO P2", "     CALL P2.",
    )  # fmt: skip
    assert mentions(read(text), "call_dynamic") == [("call_dynamic", "P2", 12, {"values": "PGMB,PGMA"})]


def test_writing_a_record_writes_its_file():
    text = fixed(
        " ID DIVISION.", " PROGRAM-ID. P.", " ENVIRONMENT DIVISION.", " INPUT-OUTPUT SECTION.", " FILE-CONTROL.", "     SELECT F ASSIGN TO UT-S-OUTDD.",
        " DATA DIVISION.", " FILE SECTION.", " FD  F.", " 01  F-REC PIC X.", " PROCEDURE DIVISION.", " M.", "     WRITE F-REC.",
    )  # fmt: skip
    assert mentions(read(text), "file_write") == [("file_write", "F", 13, {"verb": "WRITE", "record": "F-REC", "ddname": "OUTDD"})]
