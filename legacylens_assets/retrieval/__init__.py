"""From a question to a ranked list of hits."""

from legacylens_assets.retrieval.catalog import Catalog
from legacylens_assets.retrieval.retriever import Retriever, SearchResult, hit_json

__all__ = ["Catalog", "Retriever", "SearchResult", "hit_json"]
