"""A small index built without parsers: sources with their units written out, the hash encoder, the real embedded store."""

import hashlib
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from legacylens_assets.encoders import load_encoders
from legacylens_assets.graph.nodes import Node
from legacylens_assets.retrieval import Retriever
from legacylens_assets.settings import Settings, load_settings
from legacylens_assets.store import open_reader, open_writer
from legacylens_assets.store.protocol import Point
from legacylens_assets.tables import to_table, write_table
from legacylens_assets.types import Edge

NAMESPACE = uuid.UUID("00000000-0000-5000-8000-000000000001")


@dataclass(frozen=True)
class Unit:
    """A chunk and the symbol it defines."""

    name: str
    kind: str
    start: int
    end: int
    program: str = ""
    comments: str = ""


@dataclass(frozen=True)
class Tiny:
    """One file of a tiny codebase."""

    path: str
    language: str
    text: str
    units: tuple[Unit, ...]
    extra_symbols: tuple[Unit, ...] = ()

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")


@dataclass(frozen=True)
class TinyCodebase:
    key: str
    files: tuple[Tiny, ...]
    role: str = ""
    edges: tuple[Edge, ...] = field(default=())


def file_id(codebase: str, path: str) -> str:
    return str(uuid.uuid5(NAMESPACE, f"{codebase}/{path}"))


def publish(codebase: TinyCodebase, settings: Settings) -> None:
    """Publish a codebase as one generation with its sidecar files."""
    encoders = load_encoders(settings)
    folder = settings.data / "stages" / codebase.key
    payloads = [payload for item in codebase.files for payload in payloads_of(codebase.key, item)]
    texts = [f"{p['path']} {p['name']}\n{p['comments']}\n{p['text']}" for p in payloads]
    dense = encoders.dense.encode_documents(texts)
    sparse = {leg.name: leg.encode_documents(texts) for leg in encoders.sparse}
    points = [
        Point(p["chunk_id"], dense[n], {name: vectors[n] for name, vectors in sparse.items() if len(vectors[n].indices)}, p)
        for n, p in enumerate(payloads)
    ]
    files = write_sidecars(codebase, payloads, sparse, folder)
    meta = {"fingerprints": encoders.fingerprints, "role": codebase.role, "title": codebase.key}
    open_writer(settings).publish(codebase.key, points, (), meta, files=files)


def payloads_of(codebase: str, item: Tiny) -> list[dict]:
    found = []
    for unit in item.units:
        chunk_id = str(uuid.uuid5(NAMESPACE, f"{codebase}/{item.path}/{unit.kind}/{unit.name}/{unit.start}"))
        text = "\n".join(item.lines[unit.start - 1 : unit.end])
        found.append(
            {
                "chunk_id": chunk_id, "codebase": codebase, "path": item.path, "language": item.language, "kind": unit.kind, "name": unit.name,
                "qualified_name": unit.name, "program": unit.program, "start_line": unit.start, "end_line": unit.end, "text": text,
                "comments": unit.comments, "file_id": file_id(codebase, item.path), "header": "", "descriptor": "",
            }
        )  # fmt: skip
    return found


def write_sidecars(codebase: TinyCodebase, payloads: list[dict], sparse: dict, folder: Path) -> dict[str, Path]:
    rows = [
        {
            "file_id": file_id(codebase.key, item.path), "path": item.path, "language": item.language, "encoding": "utf-8",
            "sha256": hashlib.sha256(item.text.encode()).hexdigest(), "lines": len(item.lines), "text": item.text,
        }
        for item in codebase.files
    ]  # fmt: skip
    symbols = [
        {"path": item.path, "name": u.name, "kind": u.kind, "start_line": u.start, "end_line": u.end, "unit": u in item.units}
        for item in codebase.files
        for u in (*item.units, *item.extra_symbols)
    ]
    chunks = [{name: p[name] for name in ("chunk_id", "path", "start_line", "end_line", "kind", "name")} for p in payloads]
    tables = {
        "files": pa.Table.from_pylist(rows), "symbols": pa.Table.from_pylist(symbols), "chunks": pa.Table.from_pylist(chunks),
        **graph_tables(codebase), "df": frequencies(sparse),
    }  # fmt: skip
    for name, table in tables.items():
        write_table(table, folder / f"{name}.parquet")
    return {f"{name}.parquet": folder / f"{name}.parquet" for name in tables}


def graph_tables(codebase: TinyCodebase) -> dict[str, pa.Table]:
    """Return the nodes of the units and files, and the edges between them by name."""
    nodes: list[Node] = []
    numbers: dict[tuple[str, str], int] = {}
    for item in codebase.files:
        holder = len(nodes)
        nodes.append(Node(Path(item.path).stem, Path(item.path).stem, "member", item.path, 1, len(item.lines), holder, item.language))
        for unit in (*item.units, *item.extra_symbols):
            own = unit.kind in ("program", "job", "subroutine", "function")
            owner = len(nodes) if own else numbers.get((item.path, unit.program), holder)
            numbers[item.path, unit.name] = len(nodes)
            nodes.append(Node(unit.name, unit.name, unit.kind, item.path, unit.start, unit.end, owner, item.language))
    ends = [(numbers[edge.path, edge.source], numbers[edge.target_path, edge.target]) for edge in codebase.edges]
    more = {
        "source_id": pa.array([start for start, _ in ends], pa.int64()), "target_id": pa.array([end for _, end in ends], pa.int64()),
        "reason": pa.array([edge.detail.get("reason", "") for edge in codebase.edges], pa.string()),
    }  # fmt: skip
    table = to_table(codebase.edges, Edge)
    for name, column in more.items():
        table = table.append_column(name, column)
    return {"graph": table, "nodes": to_table(nodes, Node)}


def frequencies(sparse: dict) -> pa.Table:
    from legacylens_assets.encoders.idf import IdfTable, df_table

    return df_table({leg: IdfTable.of(vectors) for leg, vectors in sparse.items()})


def tiny_settings(root: Path, **environ: str) -> Settings:
    return load_settings(root, {"LEGACYLENS_DENSE": "hash", **environ})


def make_retriever(settings: Settings, codebases: tuple[TinyCodebase, ...]) -> Retriever:
    for codebase in codebases:
        publish(codebase, settings)
    return Retriever(open_reader(settings), load_encoders(settings), settings)


REFUND = Tiny(
    "cbl/CBREF01.cbl",
    "cobol",
    """       IDENTIFICATION DIVISION.
       PROGRAM-ID. CBREF01.
      * Posts refunds of card purchases to customer accounts.
       PROCEDURE DIVISION.
       1000-POST-REFUND.
      * A refund lowers the balance that the customer owes.
           SUBTRACT REFUND-AMT FROM ACCT-CURR-BAL
           IF ACCT-CURR-BAL < -500.00
               PERFORM 9000-FLAG-REVIEW
           END-IF.
       9000-FLAG-REVIEW.
      * Large negative balances go to a clerk.
           MOVE 'R' TO ACCT-REVIEW-FLAG.
       2000-WRITE-REPORT.
           WRITE REPORT-LINE FROM WS-TOTALS.""",
    (
        Unit("CBREF01", "program", 1, 4, "CBREF01", "Posts refunds of card purchases to customer accounts."),
        Unit("1000-POST-REFUND", "paragraph", 5, 10, "CBREF01", "A refund lowers the balance that the customer owes."),
        Unit("9000-FLAG-REVIEW", "paragraph", 11, 13, "CBREF01", "Large negative balances go to a clerk."),
        Unit("2000-WRITE-REPORT", "paragraph", 14, 15, "CBREF01"),
    ),
    (Unit("WS-TOTALS", "data_item", 3, 3),),
)
INTEREST = Tiny(
    "cbl/CBINT02.cbl",
    "cobol",
    """       IDENTIFICATION DIVISION.
       PROGRAM-ID. CBINT02.
      * Computes monthly interest on every account.
       PROCEDURE DIVISION.
       1000-CALC-INTEREST.
           COMPUTE WS-INT = ACCT-CURR-BAL * WS-RATE / 1200.
       1100-POST-INTEREST.
           ADD WS-INT TO ACCT-CURR-BAL.""",
    (
        Unit("CBINT02", "program", 1, 4, "CBINT02", "Computes monthly interest on every account."),
        Unit("1000-CALC-INTEREST", "paragraph", 5, 6, "CBINT02"),
        Unit("1100-POST-INTEREST", "paragraph", 7, 8, "CBINT02"),
    ),
)
JOB = Tiny(
    "jcl/REFJOB.jcl",
    "jcl",
    "//REFJOB   JOB (ACCT),'REFUNDS'\n//* Nightly refund posting\n//STEP010  EXEC PGM=CBREF01\n//REFIN    DD DSN=BANK.REFUND.DAILY,DISP=SHR",
    (Unit("REFJOB", "job", 1, 2), Unit("STEP010", "step", 3, 4, "REFJOB")),
)
NOTES = Tiny(
    "docs/refunds.md",
    "text",
    "# Refunds\n\nRefunds are posted each night by CBREF01 before interest is charged.",
    (Unit("Refunds", "heading", 1, 3),),
)
BANK = TinyCodebase(
    "bank",
    (REFUND, INTEREST, JOB, NOTES),
    edges=(
        Edge("perform", "1000-POST-REFUND", "9000-FLAG-REVIEW", "exact", "cbl/CBREF01.cbl", 9, "cbl/CBREF01.cbl", 11),
        Edge("exec_pgm", "STEP010", "CBREF01", "exact", "jcl/REFJOB.jcl", 3, "cbl/CBREF01.cbl", 1),
    ),
)
SOLVE = Tiny(
    "src/dsolve.f",
    "fortran",
    """      SUBROUTINE DSOLVE(A, N)
C     Solves a system of linear equations by elimination.
      CALL DFACT(A, N)
      RETURN
      END
      SUBROUTINE DFACT(A, N)
C     Factors a matrix.
      END""",
    (
        Unit("DSOLVE", "subroutine", 1, 5, "", "Solves a system of linear equations by elimination."),
        Unit("DFACT", "subroutine", 6, 8, "", "Factors a matrix."),
    ),
)
MATHS = TinyCodebase(
    "maths",
    (
        SOLVE,
        Tiny("src/report.c", "c", "int cbint02(void)\n{\n  return 0; /* shares a name with a program */\n}", (Unit("cbint02", "function", 1, 4),)),
    ),
)
DEMO = TinyCodebase(
    "demo",
    (Tiny("HELLO.cbl", "cobol", "       PROGRAM-ID. HELLO.\n      * Greets a customer with a refund.", (Unit("HELLO", "program", 1, 2, "HELLO"),)),),
    role="sample",
)
