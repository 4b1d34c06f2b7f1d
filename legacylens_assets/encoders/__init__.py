"""Dense, sparse and rerank models behind small protocols."""
