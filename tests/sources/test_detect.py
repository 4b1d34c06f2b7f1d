"""Languages by name and content, and the reasons for skipping."""

import pytest

from legacylens_assets.sources.detect import detect
from legacylens_assets.sources.languages import EXTENSIONS

COBOL = "000100 IDENTIFICATION DIVISION.\n000200 PROGRAM-ID. PAY.\n"
COPYBOOK = "       01  CUSTOMER-RECORD.\n           05  CUST-ID     PIC 9(9).\n           05  CUST-NAME   PIC X(30).\n"
FREE_COBOL = "identification division.\nprogram-id. pay.\nprocedure division.\n    display 'x'.\n"
JOB = "//NIGHTLY  JOB (ACCT),'POST',CLASS=A\n//STEP1    EXEC PGM=PAY\n//IN       DD DSN=A.B,DISP=SHR\n"
COMMENTED_JOB = "//*\n//* nightly posting\n//*\n" + JOB
PROCEDURE = "//PAYPROC  PROC ENV=TEST\n//S1       EXEC PGM=PAY\n"
NAMELESS = "// EXEC PGM=IEFBR14\n//A DD DSN=X,DISP=(NEW,CATLG)\n"
FIXED = "C     SOLVES A SYSTEM\n      SUBROUTINE SOLVE(A, N)\n      INTEGER N\n      REAL A(N)\n      RETURN\n      END\n"
COMMON = "      INTEGER NMAX\n      PARAMETER (NMAX=10)\n      COMMON /WORK/ A(NMAX)\n"
FREE_FORTRAN = "module solver\n  implicit none\ncontains\n  subroutine go(x)\n    real, intent(in) :: x\n  end subroutine\nend module\n"
C = "#include <stdio.h>\nint main(void)\n{\n    return 0;\n}\n"
PLI = "/* rates */\n dcl 1 rate_table based (p),\n     2 rate fixed bin (31),\n     2 name char (32);\n dcl total fixed dec (9,2);\n"
PLI_PROC = "interest: procedure (balance) returns (fixed dec (9,2));\n   dcl balance fixed dec (9,2);\n   return (balance * 0.02);\nend interest;\n"
RPG_FREE = "**FREE\ndcl-s total packed(9:2);\ndcl-proc post;\nend-proc;\n"
RPG_FIXED = "     FCUSTMAST  IF   E           K DISK\n     D total           S              9P 2\n     C     custKey       CHAIN     CUSTMAST\n     C                   EVAL      total = 0\n"
RPG_PROTOTYPES = (
    "      /if defined(X)\n     D post            PR\n     D  amount                        9P 2 const\n     D reverse         PR             9P 2\n"
)
RPG_DUMP = "".join(f"{number:06d}210304{line}\n" for number, line in enumerate(RPG_FIXED.splitlines(), 1))
BMS = "PAYSET   DFHMSD TYPE=MAP,LANG=COBOL\nPAYMAP   DFHMDI SIZE=(24,80)\n"
ASM = "PAYASM   CSECT\n         STM   14,12,12(13)\n         USING PAYASM,12\nX        DS    CL8\n"
REXX = "/* REXX */\nsay 'hello'\n"
CL = "             PGM\n             DCL        VAR(&LIB) TYPE(*CHAR) LEN(10)\n             ENDPGM\n"
DDS = "     A          R CUSTREC\n     A            CUSTID         9S 0\n     A          K CUSTID\n"
CSD = "DEFINE PROGRAM(PAY) GROUP(BANK)\nDEFINE TRANSACTION(PAY1) PROGRAM(PAY) GROUP(BANK)\n"
IDCAMS = " DEFINE CLUSTER (NAME(BANK.CUST) -\n   KEYS(9 0))\n"
SQL = "CREATE TABLE CUST (ID INTEGER NOT NULL);\nCREATE INDEX X ON CUST (ID);\n"
PROSE = "The nightly job posts payments.\nIt must end before the branch opens; call the desk otherwise.\n"
MAKE = "CC = cc\n# if you use another compiler, change this\n# define nothing here\nall: prog\n\t$(CC) -o prog prog.c\n"


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("A.CBL", "x", "cobol"),
        ("a.Cpy", "x", "cobol"),
        ("a.sqb", "x", "cobol"),
        ("A.CBL.txt", "x", "cobol"),
        ("x.JCL", JOB, "jcl"),
        ("x.prc", PROCEDURE, "jcl"),
        ("x.f", "x", "fortran"),
        ("x.F90", "x", "fortran"),
        ("x.For", "x", "fortran"),
        ("x.C", "x", "c"),
        ("x.h", "#define X 1\n", "c"),
        ("x.h", RPG_PROTOTYPES, "rpg"),
        ("x.h", COMMON, "fortran"),
        ("x.incl.pl1", "x", "pli"),
        ("x.PLI", "x", "pli"),
        ("x.SQLRPGLE", "x", "rpg"),
        ("x.rpg36", "x", "rpg"),
        ("x.cpp", "x", "c:c++"),
        ("x.md", "x", "text:markdown"),
        ("x.info", "x", "text:info"),
        ("x.bms", "x", "text:bms"),
        ("x.clle", "x", "text:cl"),
        ("x.rexx", "x", "text:rexx"),
        ("x.asm", "x", "text:asm"),
        ("x.ddl", "x", "text:sql"),
        ("x.dspf", "x", "text:dds"),
        ("x.csd", "x", "text:csd"),
        ("x.at", "AT_SETUP([x])\n", "text:autotest"),
        ("x.sh", "x", "text:shell"),
        ("x.py", C, "text:py"),
        ("PROGRAM", COBOL, "cobol"),
        ("PROGRAM", FREE_COBOL, "cobol"),
        ("CUSTREC", COPYBOOK, "cobol"),
        ("CUSTREC.inc", COPYBOOK, "cobol"),
        ("TABLE.dcl", COPYBOOK, "cobol"),
        ("NIGHTLY", JOB, "jcl"),
        ("NIGHTLY", COMMENTED_JOB, "jcl"),
        ("PAYPROC", PROCEDURE, "jcl"),
        ("CLEANUP", NAMELESS, "jcl"),
        ("job.txt", JOB, "jcl"),
        ("PROD.CNTL(NIGHTLY)", JOB, "jcl"),
        ("solve", FIXED, "fortran"),
        ("common.inc", COMMON, "fortran"),
        ("solver.inc", FREE_FORTRAN, "fortran"),
        ("main", C, "c"),
        ("defs.inc", C, "c"),
        ("rates.inc", PLI, "pli"),
        ("interest", PLI_PROC, "pli"),
        ("post.mbr", RPG_FREE, "rpg"),
        ("POST", RPG_FIXED, "rpg"),
        ("PAYSET", BMS, "text:bms"),
        ("PAYASM", ASM, "text:asm"),
        ("RUN", REXX, "text:rexx"),
        ("START.mbr", CL, "text:cl"),
        ("CUST.mbr", DDS, "text:dds"),
        ("DEFS", CSD, "text:csd"),
        ("CLUSTER", IDCAMS, "text:control"),
        ("SCHEMA", SQL, "text:sql"),
        ("README", PROSE, "text"),
        ("guide.txt", PROSE + JOB, "text"),
        ("Makefile", MAKE, "text"),
        ("POST", RPG_DUMP, "rpg"),
        ("run", "#!/bin/sh\n# include nothing\nexec prog <<X\n" + JOB, "text:shell"),
        ("rates.dat", "  1  0.25\n  2  0.50\n  3  1.75\n", "text"),
        ("QRPGLESRC/POST", "     *  nothing else to go by\n", "rpg"),
        ("BANK.COBOL/PART", "      * nothing else to go by\n", "cobol"),
        ("cobol/README", PROSE, "text"),
        ("BANK.COBOL(PART)", "      * nothing else to go by\n", "cobol"),
    ],
)
def test_language_is_told_by_name_and_content(path, text, expected):
    found = detect(path, text.encode())
    assert (found.language, found.dialect, found.skip_reason) == (*(expected + ":").split(":")[:2], "")


def test_a_hint_wins_over_name_and_content():
    found = detect("x.txt", JOB.encode(), hint_language="cobol")
    assert (found.language, found.dialect) == ("cobol", "")
    assert detect("x.bms", b"x\n", hint_language="text").dialect == "bms"


def test_languages_of_ebcdic_members_are_told_too():
    cards = "".join(line.ljust(80) for line in JOB.splitlines())
    found = detect("NIGHTLY", cards.encode("cp037"))
    assert (found.language, found.encoding, found.skip_reason) == ("jcl", "cp037", "")


NUMBERS = b"     $  1.25D+00, -3.5E-02, 17, 0X1F /\n"
WORDS = b'  { "alpha beta", 12, "gamma" },\n'


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("a.cbl", b"", "empty"),
        ("a.cbl", b"\n \n", "empty: blank lines only"),
        ("a.png", b"\x89PNG\r\n\x1a\n" + bytes(40), "binary"),
        ("a", b"PK\x03\x04abc", "binary"),
        ("a.cbl", b"MOVE" + bytes(range(32)) * 9, "binary"),
        ("a.dat", bytes(range(256)) * 40, "binary"),
        ("rows.dat", ("C1234567890 ACTIVE".encode("cp037") * 5)[:83] * 7, "binary: EBCDIC data that is neither 80-byte records nor lines"),
        ("t.f", NUMBERS * 600, "data table: 600 of 600 lines are numbers"),
        ("t.c", b"static int x[] = {\n" + b"{0x12, 0xfe, 10UL},\n" * 900 + b"};\n", "data table: 900 of 902 lines are numbers"),
        ("t.c", WORDS * 4000, "data table: 4000 of 4000 lines are literals"),
        ("t.csv", b"a,b,c\n" * 20000, "data table: tabular file"),
        ("x.js", b"var a=1;" * 9000 + b"\n", "minified: 72001 bytes a line on average"),
        ("parser.c", b"/* A Bison parser, made by GNU Bison 3.8.  */\nint yyparse;\n", "generated"),
        ("x.bin", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "pointer: the content is in git LFS"),
    ],
)
def test_files_that_are_no_source_are_skipped_with_a_reason(path, data, reason):
    assert detect(path, data).skip_reason == reason


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("t.f", NUMBERS * 20),
        ("t.csv", b"a,b,c\n" * 20),
        ("a.cbl", b"       MOVE 1 TO X.\n\x1a"),
        ("a.cbl", b"       DISPLAY 'A\x00B'.\n" * 3),
        ("a.f", b"      X = 1\n\x0c      Y = 2\n"),
        ("seq.cbl", b"000100     MOVE A TO B.                                                 00010000\n" * 400),
    ],
)
def test_source_is_not_skipped(path, data):
    assert detect(path, data).skip_reason == ""


@pytest.mark.parametrize("size", [0, 1, 15, 16, 79, 80, 81, 500])
@pytest.mark.parametrize("fill", [b"\x00", b"\x40", b"\xff", b"A", b"\xc1", b"\xf0", b"\r", b"\x1a", b"\xc3"])
def test_any_bytes_are_taken(size, fill):
    found = detect("MEMBER", fill * size)
    assert found.language == "text"
    assert found.skip_reason or found.encoding


def test_every_extension_is_lower_case_and_has_a_language():
    assert all(extension == extension.lower() and language for extension, (language, _) in EXTENSIONS.items())
