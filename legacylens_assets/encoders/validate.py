"""Checks of what a model returns: an index takes NaN vectors and duplicate sparse indices without a word, and then gives wrong answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from legacylens_assets.encoders.protocol import SparseVector, Vector
from legacylens_assets.errors import EncoderError

UNIT_TOLERANCE = 1e-3


def unit_rows(vectors: npt.NDArray[Any], rows: int, dimension: int, name: str) -> Vector:
    """Return ``vectors`` as float32 (rows, dimension); raises EncoderError unless every row is finite and of unit length."""
    found = np.asarray(vectors, dtype=np.float32)
    if found.shape != (rows, dimension):
        raise EncoderError(f"{name}: returned an array of shape {found.shape}, expected {(rows, dimension)}; is the dimension set for this model?")
    if not np.isfinite(found).all():
        bad = int(np.flatnonzero(~np.isfinite(found).all(axis=1))[0])
        raise EncoderError(f"{name}: vector {bad} of {rows} holds NaN or infinite values, expected finite ones; the model file may be damaged")
    lengths = np.linalg.norm(found, axis=1)
    if rows and float(np.abs(lengths - 1.0).max()) > UNIT_TOLERANCE:
        bad = int(np.abs(lengths - 1.0).argmax())
        raise EncoderError(f"{name}: vector {bad} of {rows} has length {lengths[bad]:.4f}, expected 1")
    return found


def normalise(vectors: npt.NDArray[Any], name: str) -> Vector:
    """Return the rows of ``vectors`` scaled to unit length, as float32; raises EncoderError for a zero or non-finite row."""
    found = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise EncoderError(f"{name}: returned a zero, NaN or infinite vector; the model file may be damaged")
    return np.asarray(found / lengths, dtype=np.float32)


def sparse_vector(indices: npt.NDArray[Any], values: npt.NDArray[Any], name: str) -> SparseVector:
    """Return a SparseVector with ascending indices; zeros are dropped; raises EncoderError for duplicates and for values that are not finite."""
    found = np.asarray(indices)
    weights = np.asarray(values, dtype=np.float32)
    if found.ndim != 1 or found.shape != weights.shape:
        raise EncoderError(f"{name}: sparse vector with indices {found.shape} and values {weights.shape}, expected two lists of one length")
    if found.size and (found.min() < 0 or found.max() > 0xFFFFFFFF):
        raise EncoderError(f"{name}: sparse index outside 0..4294967295")
    if not np.isfinite(weights).all():
        raise EncoderError(f"{name}: sparse vector holds NaN or infinite values, expected finite ones")
    order = np.argsort(found, kind="stable")
    order = order[weights[order] != 0]
    ascending = found[order].astype(np.uint32)
    if ascending.size and (ascending[1:] == ascending[:-1]).any():
        raise EncoderError(f"{name}: sparse vector has duplicate indices, expected each once")
    return SparseVector(ascending, weights[order])


def check_sparse(vector: SparseVector, name: str) -> SparseVector:
    """Return ``vector`` as it is; raises EncoderError unless its indices ascend strictly and its values are finite and not zero."""
    indices = vector.indices
    if indices.shape != vector.values.shape or indices.ndim != 1:
        raise EncoderError(f"{name}: sparse vector with indices {indices.shape} and values {vector.values.shape}, expected two lists of one length")
    if indices.size > 1 and not (indices[1:] > indices[:-1]).all():
        raise EncoderError(f"{name}: sparse indices do not ascend strictly; duplicates must be merged before")
    if not np.isfinite(vector.values).all() or (vector.values == 0).any():
        raise EncoderError(f"{name}: sparse vector holds zero, NaN or infinite values")
    return vector
