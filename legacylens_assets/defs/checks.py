"""Checks on the stages, partitioned like them; an ERROR that blocks stops the run before anything is published or scored."""

import warnings
from collections.abc import Callable

import dagster as dg
from dagster._utils.warnings import PreviewWarning

from legacylens_assets import quality
from legacylens_assets.defs.resources import Project
from legacylens_assets.quality import Finding
from legacylens_assets.settings import Settings

Examine = Callable[[str, Settings], Finding]


def build_checks(partitions: dg.StaticPartitionsDefinition) -> list[dg.AssetChecksDefinition]:
    """Return the checks over these partitions."""
    return [
        _check("raw_repo", "has_files", quality.has_files, "The manifest lists files that will be indexed.", partitions),
        _check("parsed_chunks", "lines_conserved", quality.lines_conserved, "Every line is in exactly one chunk or in one listed skip.", partitions),
        _check("parsed_chunks", "few_fall_backs", quality.few_fall_backs, "Few files fell back to plain lines.", partitions, blocking=False),
        _check("dense_vectors", "vectors_valid", quality.dense_valid, "Vectors are finite, of unit length, and one for each text.", partitions),
        _check("sparse_vectors", "vectors_valid", quality.sparse_valid, "Indices are unique and ascending, weights finite.", partitions),
        _check("vector_index", "serves", quality.index_serves, "The published generation holds every chunk and answers a query.", partitions),
    ]


def _check(
    asset: str, name: str, examine: Examine, description: str, partitions: dg.StaticPartitionsDefinition, blocking: bool = True
) -> dg.AssetChecksDefinition:
    decorate = dg.asset_check(asset=asset, name=name, blocking=blocking, description=description, partitions_def=partitions)

    def check(context: dg.AssetCheckExecutionContext, project: Project) -> dg.AssetCheckResult:
        finding = examine(context.partition_key, project.settings())
        severity = dg.AssetCheckSeverity.ERROR if blocking else dg.AssetCheckSeverity.WARN
        return dg.AssetCheckResult(passed=finding.passed, severity=severity, description=finding.message, metadata=dict(finding.numbers))

    with warnings.catch_warnings():
        # Partitioned checks are in preview; without partitions one codebase's failure would show green because another ran later.
        warnings.simplefilter("ignore", PreviewWarning)
        return decorate(check)
