"""Which language a file is in: its extension first, its content where extensions are ambiguous or missing.

The extension table lists what shops really use; ambiguous extensions (``.inc``, ``.mbr``, none at all) are settled by the marks below, which are
weighed over the first lines. Neighbours of the seven languages are dialects of ``text``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

SNIFF_LINES = 600

_LANGUAGE_EXTENSIONS = {
    "cobol": "cbl cob cpy cpb pco sqb cobol ccp eco cblle sqlcblle cblinc cpyle cbx cblsrc cpylib",
    "jcl": "jcl prc proc cntl jclproc procs",
    "fortran": "f for ftn f77 f90 f95 f03 f08 f18 f66 fpp fortran fi fh",
    "c": "c h cc cpp cxx hpp hxx hh sqc cle pgc",
    "pli": "pli pl1 plx plinc plisrc pl1inc cds",
    "rpg": "rpg rpgle sqlrpgle rpg36 rpgleinc rpg38 rpgiii rpgiv rpgsrc sqlrpg rpginc",
}
_DIALECT_EXTENSIONS = {
    "markdown": "md markdown",
    "rst": "rst",
    "info": "info",
    "bms": "bms",
    "cl": "clle clp cl clp38 cl38 sqlclle",
    "rexx": "rexx rex rx",
    "asm": "asm s alm mlc hlasm hla mac psb dbd",
    "sql": "sql ddl",
    "dds": "dspf pf lf prtf icff dds",
    "csd": "csd",
    "control": "ctl parm prm card cards ctc utl",
    "shell": "sh ksh bash csh",
    "autotest": "at",
    "exec_com": "ec absin",
    "command": "cmd",
    "panel": "pnlgrp panel",
    "binder": "bnd",
    "yacc": "y yy",
    "lex": "l ll",
    "lisp": "lisp",
    "html": "html htm",
    "xml": "xml",
    "json": "json",
    "yaml": "yml yaml",
    "config": "conf cfg ini toml properties",
    "table": "csv tsv",
    "make": "mk mak am",
    "m4": "m4 ac",
    "texinfo": "texi texinfo txi",
    "man": "man",
    "basic": "basic bas",
    "pascal": "pascal pas",
    "bcpl": "bcpl",
    "easytrieve": "ezt eztrieve",
    "natural": "nsp nsn nss nsl nsa nsg nsc nsm",
}
_PLAIN_EXTENSIONS = (
    "py java js ts go rs rb pl pm php css scala kt cs vb bat ps1 tex diff patch log svg po pot vcxproj sln lua "
    "awk sed tcl cmake g4 gradle groovy dox el"
)
"""Neither ours nor a neighbour's: text, with the extension as dialect."""

EXTENSIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        **{ext: ("text", dialect) for dialect, exts in _DIALECT_EXTENSIONS.items() for ext in exts.split()},
        **{ext: ("text", ext) for ext in _PLAIN_EXTENSIONS.split()},
        **{ext: (language, "") for language, exts in _LANGUAGE_EXTENSIONS.items() for ext in exts.split()},
        **{ext: ("c", "c++") for ext in ("cc", "cpp", "cxx", "hpp", "hxx", "hh")},
        "txt": ("text", ""),
        "text": ("text", ""),
    }
)
"""Lower-cased extension -> (language, dialect)."""

AMBIGUOUS = frozenset({"", "inc", "incl", "include", "mbr", "src", "source", "mem", "member", "txt", "dcl", "lib", "job", "def", "copy", "copybook"})
"""Extensions whose files are told by content alone."""

CHECKED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "h": ("fortran", "rpg", "pli", "cobol"),
        "prc": ("text:sql", "text:control"),
        "proc": ("text:sql", "text:control"),
        "cntl": ("text:control", "cobol"),
    }
)
"""Extensions that content may overrule, and by what."""

WRAPPERS = frozenset({"txt", "src", "text", "mbr", "bak", "old", "orig", "in"})
"""Last extensions behind which the real one may stand (PAYROLL.CBL.txt)."""

FOLDERS: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"(^|[/.])(q?jcl(src)?|cntl|proclib|procs?)(?=[/.]|$)", re.I), "jcl", ""),
    (re.compile(r"(^|[/.])(q?cblle?src|cobol|cbl|cobcopy|copylib|copybooks?|cpy|qcpysrc|q?lblsrc)(?=[/.]|$)", re.I), "cobol", ""),
    (re.compile(r"(^|[/.])(q?rpg(le)?(src)?|qsqlrpgsrc)(?=[/.]|$)", re.I), "rpg", ""),
    (re.compile(r"(^|[/.])(pli|pl1|plilib)(?=[/.]|$)", re.I), "pli", ""),
    (re.compile(r"(^|[/.])(fortran|ftn)(?=[/.]|$)", re.I), "fortran", ""),
    (re.compile(r"(^|[/.])(q?clsrc|qcllesrc)(?=[/.]|$)", re.I), "text", "cl"),
    (re.compile(r"(^|[/.])qddssrc(?=[/.]|$)", re.I), "text", "dds"),
    (re.compile(r"(^|[/.])(bms|maps?|mapsets?)(?=[/.]|$)", re.I), "text", "bms"),
    (re.compile(r"(^|[/.])(asm|asmpgm|macros?|maclib)(?=[/.]|$)", re.I), "text", "asm"),
    (re.compile(r"(^|[/.])rexx(?=[/.]|$)", re.I), "text", "rexx"),
)
"""Folder names that tell what their members without an extension are, when the content leaves it open."""

STRONG, WEAK = 4, 1
OPENING, OPENING_LINES = 20, 2
"""What it weighs when one of the first two lines of code bears a strong mark; a program begins as its language wants it."""
NO_OPENING = frozenset({"text:dds", "text:asm", "text:sql"})


def _marks(*rows: tuple[str, int, str]) -> tuple[tuple[str, int, re.Pattern[str]], ...]:
    return tuple((language, weight, re.compile(pattern, re.IGNORECASE)) for language, weight, pattern in rows)


MARKS = _marks(
    (
        "jcl",
        STRONG,
        r"//[A-Z@#$][A-Z0-9@#$]{0,7}\s+(JOB(\s|$)|EXEC\s+(PGM=|PROC=)?[A-Z@#$&]|PROC(\s|$)|DD\s+\S|SET\s+\w+=|OUTPUT\s|JCLLIB\s|IF\s+\(?)",
    ),
    (
        "jcl",
        STRONG,
        r"//\s+(EXEC\s+(PGM=|PROC=)?[A-Z@#$&][A-Z0-9@#$&]*(,|\s|$)|JCLLIB\s+ORDER=|INCLUDE\s+MEMBER=|SET\s+\w+=|DD\s+(DSN|DISP|SYSOUT|\*|DATA|DUMMY)\S*)",
    ),
    ("jcl", WEAK, r"//\*|/\*(JOBPARM|ROUTE|XEQ)"),
    ("cobol", STRONG, r"(.{6}[ -]|\s*)\s*(IDENTIFICATION|ID|ENVIRONMENT|DATA|PROCEDURE)\s+DIVISION\b"),
    (
        "cobol",
        STRONG,
        r"(.{6} |\s*)\s*(0?[1-9]|[1-4]\d|66|77|88)\s+[0-9:()-]*[A-Z][A-Z0-9:()-]*\s*"
        r"(\.|\s.*\b(PIC|PICTURE|VALUES?|REDEFINES|OCCURS|COMP(-\d)?|USAGE)\b).*",
    ),
    ("cobol", STRONG, r"(.{6} |\s*)\s*(WORKING-STORAGE|LINKAGE|FILE)\s+SECTION\s*\."),
    ("cobol", WEAK, r"(.{6} |\s*)\s*(MOVE\s+\S+\s+TO|PERFORM\s+[A-Z0-9-]+|COPY\s+[A-Z0-9\"'-]+\s*(\.|REPLACING)|END-(IF|PERFORM|EXEC|EVALUATE))\b"),
    ("cobol", WEAK, r".{6}\*|\s*\*>"),
    ("pli", STRONG, r".?\s*[\w$#@]+\s*:\s*(\([^)]*\)\s*:?\s*)?(proc|procedure)\b.*"),
    (
        "pli",
        STRONG,
        r".?\s*(dcl|declare)\s+(\(?\s*[a-z_$#@][\w$#@]*|\d+\s+[a-z_$#@])(?!.*&).*(\b(fixed|char|bit|ptr|pointer|based|static|auto|entry|ext|external|init|bin|dec|float|file|union|options|aligned|area)\b|,\s*$|;)",
    ),
    ("pli", WEAK, r".?\s*%\s*(include|replace|page|skip|dcl|if|do|end)\b.*;"),
    ("pli", WEAK, r".*(;\s*(/\*.*)?$)"),
    ("pli", WEAK, r".?\s*(/\*|\*)"),
    (
        "fortran",
        STRONG,
        r"(\s{6,}|\s*)((recursive|pure|elemental|integer|real|double\s*precision|logical|complex|character)\S*\s+)*(subroutine|function|program|block\s*data|module|submodule)\s+\w+\s*(\(|$)",
    ),
    (
        "fortran",
        STRONG,
        r"(\s{6,}|\s*)(implicit\s+(none|real|integer|double|logical|complex|character)|double\s+precision\s+\w|common\s*/|dimension\s+\w+\s*\(|equivalence\s*\(|parameter\s*\(|(integer|real|logical|complex|character)(\*\d+|\s*\([^)]*\))?(\s*,[^:]*)?(\s*::|\s+\w+\s*([,(]|$)))",
    ),
    ("fortran", WEAK, r"[cC*!]\s|\s{5}[^\s0]\s"),
    ("fortran", WEAK, r"\s{6,}(call\s+\w+\s*(\(|$)|continue\s*$|return\s*$|end\s*$|end\s*(if|do)\b|go\s*to\s+\d+)"),
    ("c", STRONG, r"\s*(?-i:#\s*(include\s*[<\"]|define\s+\w|ifn?def\s+\w+\s*(/|$)|if\s+(defined|[A-Z_0-9!(])|endif|pragma\s+\w|undef\s+\w))"),
    ("c", STRONG, r"\s*(typedef|extern|static|struct|union|enum|unsigned|void|int|char|long|double|const)\b[^.]*[;{,()]\s*(/\*.*)?$"),
    ("c", WEAK, r"\s*[{}]\s*;?\s*$|\s*(/\*|\*/|\*\s)"),
    (
        "rpg",
        STRONG,
        r"\s*\*\*(free|ctdata)\b|\s*dcl-(s|ds|proc|pr|pi|f|c|subf|parm)\b"
        r"|\s*(ctl-opt|end-proc|end-ds|end-pr|end-pi|begsr|endsr)\b|\s{0,12}/(free|end-free|copy\s+\S|include\s+\S)",
    ),
    (
        "rpg",
        STRONG,
        r".{5}(H\s*(\S+\(|$)|F[A-Z0-9@#$]{1,10}\s*[IOUC][PSRTF ]|D[ A-Z@#$][\w@#$.]*\s+(DS|PR|PI|S|C)?\s*\d"
        r"|D\s?[\w@#$.]+\s+(E?\s?DS|PR|PI|S|C)\b|P\s?[\w@#$.]+\s+[BE]\b|[DP]\s*[\w@#$]+\.\.\.\s*$"
        r"|C[ 0-9NLSAOR]{2}.{8,}\b(EVAL|MOVEL?|Z-ADD|BEGSR|EXSR|CHAIN|SETLL|READE?|IF(EQ|NE|GT|LT|GE|LE)?|DO[UW]?|ENDSR"
        r"|CALLP?|PARM|PLIST|SETO[NF]F?|WRITE|UPDAT|GOTO|TAG)\b)",
    ),
    ("rpg", WEAK, r".{5}[HFDICOP][ *]|.{6}\*"),
    ("text:bms", STRONG, r".*\b(DFHMSD|DFHMDI|DFHMDF)\b"),
    (
        "text:asm",
        STRONG,
        r"[\w@#$&]*\s+(CSECT|DSECT|START|RSECT|AMODE|USING\s+\S+,|DFHEIENT|MACRO|STM?\s+R?\d+,|LTORG|DS\s+\d*[0-9XCFHDAPL]|DC\s+\d*[XCFHDAP]L?)\b",
    ),
    ("text:rexx", STRONG, r"\s*/\*.*\bREXX\b"),
    ("text:rexx", WEAK, r"\s*(say\s|parse\s+(arg|pull|var|value|upper)|address\s+\w+|signal\s+on|arg\s+\w)"),
    ("text:cl", STRONG, r"\s*(PGM(\s|$)|DCL\s+VAR\(|MONMSG\s|CHGVAR\s|ENDPGM|DCLF\s+FILE)|.*\bPROMPT\(.*CMD\("),
    ("text:dds", STRONG, r".{5}A[ *].*|.{5}A$"),
    ("text:csd", STRONG, r"\s*(DEFINE|DEF|ADD)\s+(PROGRAM|PROG|TRANSACTION|TRANS?|FILE|MAPSET|DB2CONN|DB2ENTRY|TSQUEUE|TDQUEUE|GROUP)\s*\("),
    (
        "text:sql",
        STRONG,
        r"\s*(CREATE\s+(UNIQUE\s+)?(TABLE|INDEX|VIEW|TABLESPACE|DATABASE|PROCEDURE|TRIGGER|STOGROUP|OR\s+REPLACE)\b|INSERT\s+INTO\s|ALTER\s+TABLE\s|DROP\s+TABLE\s|GRANT\s+\w+.*\bON\b|SELECT\s.*\bFROM\b)",
    ),
    (
        "text:control",
        STRONG,
        r"\s*(DEFINE\s+(CLUSTER|GDG|GENERATIONDATAGROUP|AIX|ALTERNATEINDEX|PATH)\b|DELETE\s+[A-Z0-9.]+\.[A-Z0-9.]+|REPRO\s+IN|LISTCAT\b|SORT\s+FIELDS=|(INCLUDE|OMIT)\s+COND=|OUTREC\s|OUTFIL\s|INREC\s|SUM\s+FIELDS=|COPY\s+OUTDD=)",
    ),
    ("text:shell", STRONG, r"#!.*\b(sh|bash|ksh|csh|zsh)\b"),
    ("text:exec_com", STRONG, r"&(version\s|-|command_line|trace\s|attach\b)"),
)

SHARES: Mapping[str, tuple[int, float]] = MappingProxyType(
    {
        "jcl": (1, 0.04),
        "cobol": (1, 0.03),
        "pli": (2, 0.02),
        "fortran": (2, 0.04),
        "c": (2, 0.03),
        "rpg": (2, 0.06),
        "text:dds": (3, 0.5),
        "text:asm": (2, 0.04),
        "text:shell": (1, 0.0),
        "text:rexx": (1, 0.0),
    }
)
"""Language -> (fewest strong marks, smallest share of filled lines that bear one): marks occur by chance in prose and in other languages."""
SHARE = (1, 0.02)

COMMENTS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "fortran": re.compile(r"[cCdD*!]|\s*!"),
        "cobol": re.compile(r".{6}[*/]|\s*\*>"),
        "jcl": re.compile(r"//\*"),
        "rpg": re.compile(r".{6}\*|\s*//"),
        "text:asm": re.compile(r"\*"),
        "text:sql": re.compile(r"\s*--"),
    }
)
"""What a comment line looks like; C and PL/I have block comments instead."""

DUMP_PREFIX = re.compile(r"\d{12}")
SCRIPT = re.compile(r"#!.*\b(sh|bash|ksh|csh|zsh|dash)\b")
NO_MEMBER = re.compile(
    r"(gnu)?makefile|readme|licen[cs]e.*|copying.*|notice|authors|changelog|changes|news|todo|install|setup|configure|version|thanks|hacking", re.I
)
"""Names without an extension that are the same in every project, whatever folder they are in."""


def by_extension(path: str) -> tuple[str, str] | None:
    """Return (language, dialect) that the file's name tells, None when it leaves it open.

    >>> by_extension("app/CBL/PAYROLL.CbL.txt"), by_extension("PROCLIB/NIGHTLY")
    (('cobol', ''), None)
    """
    extensions = [part.lower() for part in _member_path(path).rsplit("/", 1)[-1].split(".")[1:]]
    while len(extensions) > 1 and extensions[-1] in WRAPPERS and extensions[-2] in EXTENSIONS and extensions[-2] not in AMBIGUOUS:
        extensions.pop()
    last = extensions[-1] if extensions else ""
    if len(extensions) > 1 and last == "inc" and extensions[-2] in EXTENSIONS:
        last = extensions[-2]
    return None if last in AMBIGUOUS else EXTENSIONS.get(last)


def language_of(path: str, lines: Sequence[str]) -> tuple[str, str]:
    """Return (language, dialect) of a file from its name and first lines."""
    path = _member_path(path)
    extension = _extension(path)
    named = by_extension(path)
    if named and extension not in CHECKED:
        return named
    if not named and extension not in AMBIGUOUS - {""} and NO_MEMBER.fullmatch(path.rsplit("/", 1)[-1].partition(".")[0]):
        return ("text", "shell" if lines and SCRIPT.match(lines[0]) else "")
    if not named and lines and SCRIPT.match(lines[0]):
        return ("text", "shell")
    scores = scored(lines)
    if not named and "jcl" in scores and _opens(lines, "jcl"):
        return ("jcl", "")
    if named:
        rivals = {key: score for key, score in scores.items() if key in CHECKED[extension]}
        best = max(rivals, key=lambda key: rivals[key], default="")
        return _split(best) if best and rivals[best] > 2 * scores.get(named[0], 0) else named
    best = max(scores, key=lambda key: scores[key], default="")
    if extension == "txt":
        return _split(best) if best and _opens(lines, best) else ("text", "")
    if best:
        return _split(best)
    return _by_folder(path) if extension in AMBIGUOUS else ("text", "")


def _member_path(path: str) -> str:
    """Return the path with a data set's member as a file in a folder.

    >>> _member_path("dump/PROD.COBOL(PAYROLL)")
    'dump/PROD.COBOL/PAYROLL'
    """
    return re.sub(r"\(([A-Za-z0-9@#$]{1,10})\)$", r"/\1", path)


def _extension(path: str) -> str:
    name = path.rsplit("/", 1)[-1]
    return name.rpartition(".")[2].lower() if "." in name else ""


def scored(lines: Sequence[str]) -> dict[str, int]:
    """Return the weight of evidence for each language that has enough, from at most SNIFF_LINES lines.

    The share of marked lines is that of the lines which are no comment in the language in question: old code opens with pages of comment.
    """
    scores: Counter[str] = Counter()
    strong: Counter[str] = Counter()
    filled = _without_dump_prefix([line[:200] for line in lines[:SNIFF_LINES] if line.strip()])
    for line in filled:
        for language, weight, pattern in MARKS:
            if pattern.match(line):
                scores[language] += weight
                strong[language] += weight == STRONG
    kept = {}
    for language, count in strong.items():
        fewest, share = SHARES.get(language, SHARE)
        code = code_lines(filled, language)
        if count and code and language not in NO_OPENING and any(_is_strong(line, language) for line in code[:OPENING_LINES]):
            kept[language] = scores[language] + OPENING
        elif count >= min(fewest, max(len(code), 1)) and count >= share * len(code):
            kept[language] = scores[language]
    if "c" in kept and not any(line.rstrip().endswith((";", "{", "}", "\\", ")", ",")) for line in filled):
        del kept["c"]
    return kept


def _without_dump_prefix(lines: list[str]) -> list[str]:
    """Return the lines without the 12 digits (sequence number and date) that a dump of an IBM i source file puts before each."""
    return [line[12:] for line in lines] if lines and all(DUMP_PREFIX.match(line) for line in lines) else lines


def code_lines(lines: Sequence[str], language: str) -> list[str]:
    """Return the lines that are no comment in ``language``."""
    if language not in ("c", "pli"):
        pattern = COMMENTS.get(language)
        return [line for line in lines if not (pattern and pattern.match(line))]
    found, inside = [], False
    for line in lines:
        opened, closed = line.rfind("/*"), line.rfind("*/")
        if not inside and not line.lstrip().startswith("/*"):
            found.append(line)
        inside = closed < opened if opened >= 0 else inside and closed < 0
    return found


def _is_strong(line: str, language: str) -> bool:
    return any(name == language and weight == STRONG and pattern.match(line) for name, weight, pattern in MARKS)


def _opens(lines: Sequence[str], language: str) -> bool:
    """Return whether the first line that is no comment bears a strong mark: a .txt file is prose unless it starts as code."""
    code = code_lines([line[:200] for line in lines[:SNIFF_LINES] if line.strip()], language)
    return bool(code) and _is_strong(code[0], language)


def _by_folder(path: str) -> tuple[str, str]:
    folder = path.rpartition("/")[0]
    for pattern, language, dialect in FOLDERS:
        if pattern.search(folder):
            return language, dialect
    return ("text", "")


def _split(key: str) -> tuple[str, str]:
    language, _, dialect = key.partition(":")
    return language, dialect
