"""The stages as Dagster assets, checks, jobs, schedules and sensors."""
