"""Evaluation as assets: scores for each codebase, and the roll-up whose plots are the trends."""

import dagster as dg

from legacylens_assets.defs.resources import Project
from legacylens_eval import trends


def build_eval_assets(partitions: dg.StaticPartitionsDefinition) -> list[dg.AssetsDefinition]:
    """Return eval_scores (partitioned) and eval_summary (the roll-up)."""

    @dg.asset(partitions_def=partitions, group_name="evaluation", kinds={"python"}, owners=["team:legacylens"], deps=["vector_index"])
    def eval_scores(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """hit_rate@10, MRR and precision@5 of one codebase over its questions, each question asked within the codebase."""
        scores = trends.score_codebase(project.settings(), context.partition_key)
        return dg.MaterializeResult(metadata=dict(scores.metadata), data_version=dg.DataVersion(scores.data_version))

    @dg.asset(
        group_name="evaluation",
        kinds={"python"},
        owners=["team:legacylens"],
        deps=[eval_scores],
        automation_condition=(
            dg.AutomationCondition.any_deps_updated().since_last_handled()
            & ~dg.AutomationCondition.any_deps_in_progress()
            & ~dg.AutomationCondition.in_progress()
        ),
    )
    def eval_summary(context: dg.AssetExecutionContext, project: Project) -> dg.MaterializeResult:  # type: ignore[type-arg]
        """The roll-up over one snapshot of the index: one number for each metric and codebase, filtered and unfiltered. Plot these."""
        summary = trends.roll_up(project.settings(), project.registry())
        return dg.MaterializeResult(metadata=dict(summary.metadata), data_version=dg.DataVersion(summary.data_version))

    return [eval_scores, eval_summary]


def build_eval_checks() -> list[dg.AssetChecksDefinition]:
    """Return the regression check on the roll-up."""

    @dg.asset_check(asset="eval_summary", name="no_regression", description="No significant fall of hits or MRR against the baseline.")
    def no_regression(project: Project) -> dg.AssetCheckResult:
        verdict = trends.regression(project.settings())
        return dg.AssetCheckResult(passed=verdict.passed, description=verdict.to_text(), severity=dg.AssetCheckSeverity.ERROR)

    return [no_regression]
