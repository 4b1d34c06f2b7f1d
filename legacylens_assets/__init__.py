"""LegacyLens: the pipeline from a raw legacy codebase to an index that answers with citations.

The sub-packages are named after the stages. This module imports nothing, so that the query API never pays for the pipeline.
"""
