"""The Qdrant index, embedded or on a server, behind one protocol."""
