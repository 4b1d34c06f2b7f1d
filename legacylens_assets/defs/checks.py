"""Checks on the stages, partitioned like them; an ERROR that blocks stops the run before anything is published or scored."""

import warnings
from collections.abc import Callable
from typing import Any

import dagster as dg
from dagster._utils.warnings import PreviewWarning

from legacylens_assets import quality
from legacylens_assets.defs.reporting import table_value
from legacylens_assets.defs.resources import Project
from legacylens_assets.quality import Finding
from legacylens_assets.settings import Settings

Examine = Callable[[str, Settings], Finding]


def build_checks(partitions: dg.StaticPartitionsDefinition) -> list[dg.AssetChecksDefinition]:
    """Return the checks over these partitions."""
    rows: list[tuple[str, str, Examine, str, bool]] = [
        ("raw_repo", "has_files", quality.has_files, "The manifest lists files that will be indexed.", True),
        ("raw_repo", "from_first_origin", quality.from_first_origin, "The codebase came from its first origin, not from a fallback.", False),
        ("parsed_chunks", "lines_conserved", quality.lines_conserved, "Every line is in exactly one chunk or in one listed skip.", True),
        ("parsed_chunks", "few_fall_backs", quality.few_fall_backs, "Few files fell back to plain lines.", False),
        ("parsed_chunks", "few_skipped_lines", quality.few_skipped_lines, "Few lines are skipped, each with a reason.", False),
        ("chunk_texts", "one_text_each", quality.texts_complete, "Each chunk has one text.", True),
        ("dense_vectors", "vectors_valid", quality.dense_valid, "Vectors are finite, of unit length, and one for each text.", True),
        ("sparse_vectors", "vectors_valid", quality.sparse_valid, "Indices are unique and ascending, weights finite.", True),
        ("vector_index", "serves", quality.index_serves, "The published generation holds every chunk and answers a query.", True),
    ]
    return [make_check(asset, name, examine, told, partitions, blocking) for asset, name, examine, told, blocking in rows]


def make_check(
    asset: str, name: str, examine: Examine, description: str, partitions: dg.StaticPartitionsDefinition, blocking: bool
) -> dg.AssetChecksDefinition:
    """Return one check; it blocks the steps below the asset, or only warns."""
    decorate = dg.asset_check(asset=asset, name=name, blocking=blocking, description=description, partitions_def=partitions)

    def check(context: dg.AssetCheckExecutionContext, project: Project) -> dg.AssetCheckResult:
        finding = examine(context.partition_key, project.settings())
        severity = dg.AssetCheckSeverity.ERROR if blocking else dg.AssetCheckSeverity.WARN
        metadata: dict[str, Any] = dict(finding.numbers)
        if finding.examples:
            metadata["examples"] = table_value([{"where": where} for where in finding.examples])
        return dg.AssetCheckResult(passed=finding.passed, severity=severity, description=finding.message, metadata=metadata)

    with warnings.catch_warnings():
        # Partitioned checks are in preview; without partitions one codebase's failure would show green because another ran later.
        warnings.simplefilter("ignore", PreviewWarning)
        return decorate(check)
