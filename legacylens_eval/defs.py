"""Evaluation as assets: scores for each codebase, and the roll-up whose plots are the trends."""

from typing import Any

import dagster as dg

from legacylens_assets.defs.assets import OWNERS, freshness
from legacylens_assets.defs.checks import make_check
from legacylens_assets.defs.reporting import table_value
from legacylens_assets.defs.resources import Project
from legacylens_assets.settings import Settings
from legacylens_eval import trends


def build_eval_assets(partitions: dg.StaticPartitionsDefinition, settings: Settings) -> list[dg.AssetsDefinition]:
    """Return eval_scores (partitioned) and eval_summary (the roll-up)."""
    version = trends.questions_version()

    @dg.asset(
        partitions_def=partitions,
        group_name="evaluation",
        kinds={"python"},
        owners=OWNERS,
        tags={"stage": "evaluation"},
        deps=["vector_index"],
        code_version=version,
    )
    def eval_scores(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """hit_rate@10, MRR and precision@5 of one codebase over its questions, each question asked within the codebase."""
        return _result(trends.score_codebase(project.settings(), context.partition_key), project.settings())

    @dg.asset(
        group_name="evaluation",
        kinds={"python"},
        owners=OWNERS,
        tags={"stage": "evaluation"},
        deps=[eval_scores],
        code_version=version,
        freshness_policy=freshness(settings),
        automation_condition=(
            dg.AutomationCondition.any_deps_updated().since_last_handled()
            & ~dg.AutomationCondition.any_deps_in_progress()
            & ~dg.AutomationCondition.in_progress()
        ),
    )
    def eval_summary(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """The roll-up over one snapshot of the index: one number for each metric and codebase, filtered and unfiltered. Plot these."""
        return _result(trends.roll_up(project.settings(), project.registry()), project.settings())

    return [eval_scores, eval_summary]


def build_eval_checks(partitions: dg.StaticPartitionsDefinition) -> list[dg.AssetChecksDefinition]:
    """Return the check that stops scoring when too many questions are stale, and the regression check on the roll-up."""

    @dg.asset_check(asset="eval_summary", name="no_regression", description="No significant fall of hits or MRR against the baseline.")
    def no_regression(project: Project) -> dg.AssetCheckResult:
        verdict = trends.regression(project.settings())
        metadata: dict[str, Any] = {"reasons": len(verdict.reasons)}
        rows = [_difference(name, row) for name, row in verdict.comparison.get("differences", {}).items()]
        if rows:
            metadata["against the baseline"] = table_value(rows)
        return dg.AssetCheckResult(passed=verdict.passed, description=verdict.to_text(), severity=dg.AssetCheckSeverity.ERROR, metadata=metadata)

    told = "At most one question in twenty is stale: its file or symbol is not in the index that would be scored."
    return [make_check("vector_index", "questions_current", trends.questions_current, told, partitions, blocking=True), no_regression]


def _result(scores: trends.Scores, settings: Settings) -> dg.MaterializeResult:  # type: ignore[type-arg]
    metadata: dict[str, Any] = dict(scores.metadata)
    metadata["page"] = dg.MetadataValue.url(f"http://{settings.host}:{settings.api_port}/evaluation")
    if scores.rows:
        metadata["summary"] = table_value(scores.rows)
    if scores.worst:
        metadata["not found in the first ten"] = table_value(scores.worst)
    return dg.MaterializeResult(metadata=metadata, data_version=dg.DataVersion(scores.data_version))


def _difference(name: str, row: dict[str, Any]) -> dict[str, Any]:
    hit, mrr, test = row["hit_rate@10"], row["mrr@10"], row["mcnemar"]
    return {
        "codebase": name,
        "questions": int(row["questions"]),
        "hit_rate@10": f"{hit['before']:.3f} → {hit['after']:.3f}",
        "lost": int(test["lost"]),
        "won": int(test["won"]),
        "McNemar p": float(round(test["p"], 4)),
        "mrr@10": f"{mrr['before']:.3f} → {mrr['after']:.3f}",
        "MRR p": float(mrr["p_worse"]),
    }
