"""The chain over a tiny codebase with the hash encoder: what is done, what is reused, and why."""

from dataclasses import asdict

import pytest

from legacylens_assets.pipeline import reindex
from legacylens_assets.registry import load_registry
from legacylens_assets.service import open_service
from legacylens_assets.store import open_reader
from legacylens_assets.tables import read_table
from legacylens_assets.workspace import Workspace


def run(settings, *keys):
    registry = load_registry(settings.registry_path)
    runs = reindex([registry.get(key) for key in keys or ("tiny",)], settings)
    assert all(r.error is None for r in runs), [str(r.error) for r in runs]
    return {report.stage: report for report in runs[0].reports}


def test_every_stage_of_the_design_reports(settings):
    reports = run(settings)
    assert list(reports) == ["raw_repo", "parsed_chunks", "code_graph", "chunk_texts", "dense_vectors", "sparse_vectors", "vector_index"]
    assert reports["raw_repo"].counts["indexed_files"] == 3
    assert reports["vector_index"].counts["points"] == reports["parsed_chunks"].counts["chunks"] > 0


def test_a_second_run_parses_embeds_and_publishes_nothing(settings):
    first = run(settings)
    second = run(settings)
    assert second["parsed_chunks"].counts["parsed_files"] == 0
    assert second["dense_vectors"].counts["embedded"] == 0
    assert second["sparse_vectors"].counts["encoded"] == 0
    assert second["vector_index"].counts["upserted"] == 0
    assert second["vector_index"].notes["generation"] == first["vector_index"].notes["generation"]
    assert all(report.reused for report in second.values())


def test_one_comment_line_at_the_top_encodes_at_most_two_texts(settings, project):
    run(settings)
    program = project / "code" / "PAYPOST.cbl"
    program.write_text("      * A remark of no weight.\n" + program.read_text())
    again = run(settings)
    assert again["parsed_chunks"].counts["parsed_files"] == 1
    assert again["dense_vectors"].counts["embedded"] <= 2
    assert again["vector_index"].counts["upserted"] <= 2
    assert again["parsed_chunks"].invalidated_by == ("file content",)


def test_a_drifted_chunk_is_served_with_its_new_lines(settings, project):
    run(settings)
    job = project / "code" / "PAYJOB.jcl"
    before = {h.chunk_id: h.end_line for h in open_service(settings).retriever.search("nightly posting", codebases=("tiny",)).hits}
    job.write_text("//* A remark.\n//* Another.\n" + job.read_text())
    run(settings)
    hits = open_service(settings).retriever.search("nightly posting", codebases=("tiny",)).hits
    drifted = [h for h in hits if h.path == "PAYJOB.jcl" and h.chunk_id in before]
    assert drifted
    assert all(h.end_line == before[h.chunk_id] + 2 for h in drifted)


def test_a_document_that_describes_a_program_invalidates_its_texts(settings, project):
    run(settings)
    readme = project / "code" / "README.md"
    readme.write_text(readme.read_text().replace("posts payments each night", "applies incoming wire transfers every evening"))
    again = run(settings)
    texts = read_table(Workspace(settings.data, "tiny").table("texts")).to_pylist()
    assert any("wire transfers" in row["descriptor"] for row in texts)
    assert again["chunk_texts"].invalidated_by == ("chunks",)
    assert again["dense_vectors"].counts["embedded"] > 0


def test_a_removed_file_leaves_the_index(settings, project):
    run(settings)
    (project / "code" / "PAYJOB.jcl").unlink()
    again = run(settings)
    assert again["parsed_chunks"].counts["removed_files"] == 1
    paths = {h.path for h in open_service(settings).retriever.search("nightly posting job", codebases=("tiny",), k=50).hits}
    assert "PAYJOB.jcl" not in paths and paths


def test_a_failing_codebase_does_not_stop_the_next(settings, project):
    registry = load_registry(settings.registry_path)
    for path in (project / "code").iterdir():
        path.unlink()
    (project / "code").rmdir()
    bad, good = reindex([registry.get("tiny"), registry.get("other")], settings)
    assert bad.error is not None and bad.failed_stage == "raw"
    assert good.error is None


def test_what_was_indexed_serves_on_when_the_origin_is_gone(settings, project):
    run(settings)
    (project / "code").rename(project / "elsewhere")
    registry = load_registry(settings.registry_path)
    (failed,) = reindex([registry.get("tiny")], settings)
    assert failed.error is not None
    assert open_reader(settings).info("tiny").points > 0


def test_a_killed_encoding_resumes_where_it_was(settings, monkeypatch):
    from legacylens_assets.pipeline import encode

    run(settings, "other")
    changed = settings.replace(encode_flush=1)
    original = encode.PartFiles.add
    calls = []

    def add_then_die(self, table):
        original(self, table)
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(encode.PartFiles, "add", add_then_die)
    registry = load_registry(settings.registry_path)
    with pytest.raises(KeyboardInterrupt):
        reindex([registry.get("tiny")], changed)
    monkeypatch.undo()
    again = run(changed)
    assert again["dense_vectors"].counts["resumed"] == 2
    assert again["dense_vectors"].counts["embedded"] == again["dense_vectors"].counts["texts"] - 2


def test_turning_a_lever_off_is_named_as_the_cause(settings):
    run(settings)
    again = run(settings.replace(levers="comments"))
    assert again["chunk_texts"].invalidated_by == ("levers",)


def test_chunk_records_survive_the_tables(settings):
    from legacylens_assets.tables import from_table
    from legacylens_assets.types import Chunk

    run(settings)
    chunks = from_table(read_table(Workspace(settings.data, "tiny").table("chunks")), Chunk)
    lines = (settings.data / "raw" / "tiny" / "PAYPOST.cbl").read_text().split("\n")
    for chunk in chunks:
        if chunk.path == "PAYPOST.cbl":
            assert chunk.text == "\n".join(lines[chunk.start_line - 1 : chunk.end_line])
    assert all(asdict(chunk)["chunk_id"] for chunk in chunks)
