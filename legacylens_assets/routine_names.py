"""Names of BLAS and LAPACK routines in words, by the naming scheme that both follow (LAPACK Users' Guide, section 2.2.3).

A name is precision, matrix type, operation: DGETRF is double precision, general matrix, triangular factorization. Many other numerical
libraries follow the scheme as well.
"""

from __future__ import annotations

import re

PRECISIONS = {"S": "single precision real", "D": "double precision real", "C": "single precision complex", "Z": "double precision complex"}
MATRICES = {
    "GE": "general dense matrix", "GB": "general band matrix", "GT": "general tridiagonal matrix",
    "GG": "pair of general matrices, generalized problem", "SY": "symmetric matrix", "HE": "hermitian matrix",
    "SP": "symmetric matrix packed storage",
    "HP": "hermitian matrix packed storage", "SB": "symmetric band matrix", "HB": "hermitian band matrix", "PO": "symmetric positive definite matrix",
    "PP": "positive definite matrix packed storage", "PB": "positive definite band matrix", "PT": "positive definite tridiagonal matrix",
    "PF": "positive definite matrix rectangular full packed", "TR": "triangular matrix", "TP": "triangular matrix packed storage",
    "TB": "triangular band matrix", "TG": "pair of triangular matrices, generalized", "TZ": "trapezoidal matrix",
    "ST": "symmetric tridiagonal matrix",
    "HS": "upper hessenberg matrix", "HG": "hessenberg triangular pair generalized", "BD": "bidiagonal matrix", "OR": "orthogonal matrix",
    "UN": "unitary matrix", "OP": "orthogonal packed", "UP": "unitary packed", "DI": "diagonal matrix", "TF": "triangular rectangular full packed",
    "SF": "symmetric rectangular full packed", "HF": "hermitian rectangular full packed", "LA": "auxiliary routine",
}  # fmt: skip
OPERATIONS = {
    "SV": "solve system of linear equations, simple driver",
    "SVX": "solve system of linear equations, expert driver with error bounds and condition estimate",
    "SVXX": "solve system of linear equations, extra precise refinement", "TRF": "factorization (blocked)", "TF2": "factorization (unblocked)",
    "TRS": "solve using the factorization already computed", "TRI": "inverse from the factorization", "CON": "estimate reciprocal condition number",
    "RFS": "iterative refinement of the solution and error bounds", "EQU": "scale factors to equilibrate rows and columns", "LS": "least squares",
    "LSY": "least squares by complete orthogonal factorization, rank deficient", "LSS": "least squares by singular value decomposition",
    "LSD": "least squares by singular value decomposition, divide and conquer", "LSE": "least squares with linear equality constraints",
    "GLM": "general gauss markov linear model", "EV": "eigenvalues and eigenvectors, simple driver",
    "EVD": "eigenvalues and eigenvectors, divide and conquer",
    "EVX": "selected eigenvalues and eigenvectors, expert driver", "EVR": "selected eigenvalues and eigenvectors, relatively robust representations",
    "ES": "schur form and eigenvalues", "ESX": "schur form, eigenvalues, condition numbers", "SVD": "singular value decomposition",
    "SDD": "singular value decomposition, divide and conquer", "SVJ": "singular value decomposition, jacobi", "GV": "generalized eigenvalue problem",
    "GVD": "generalized eigenvalue problem, divide and conquer", "GVX": "generalized eigenvalue problem, selected", "QRF": "QR factorization",
    "QR2": "QR factorization (unblocked)", "LQF": "LQ factorization", "QLF": "QL factorization", "RQF": "RQ factorization",
    "QP3": "QR factorization with column pivoting", "QRT": "QR factorization, compact representation", "BRD": "reduce to bidiagonal form",
    "HRD": "reduce to hessenberg form", "TRD": "reduce to tridiagonal form", "GST": "reduce generalized eigenproblem to standard form",
    "MQR": "multiply by Q from QR factorization", "MLQ": "multiply by Q from LQ factorization", "GQR": "generate Q from QR factorization",
    "GLQ": "generate Q from LQ factorization", "BAL": "balance a matrix: permute and scale", "BAK": "transform eigenvectors back after balancing",
    "EQR": "all eigenvalues by QR iteration", "EIN": "eigenvectors by inverse iteration", "EBZ": "eigenvalues by bisection",
    "EDC": "eigenvalues by divide and conquer", "REVC": "eigenvectors of a triangular matrix", "EXC": "reorder the schur factorization",
    "SEN": "reorder the schur factorization, condition numbers", "SYL": "solve sylvester equation", "SNA": "condition numbers of eigenvalues",
    "MM": "matrix matrix product, multiply", "MV": "matrix vector product, multiply", "SM": "solve triangular system, many right hand sides",
    "RK": "rank k update", "R2K": "rank 2k update", "R": "rank one update", "R2": "rank two update", "RU": "rank one update",
    "RC": "rank one update conjugated",
}  # fmt: skip
VECTORS = {
    "AXPY": "add a multiple of one vector to another", "DOT": "dot product, inner product of two vectors", "DOTU": "dot product",
    "DOTC": "dot product conjugated",
    "SCAL": "scale a vector by a constant", "COPY": "copy a vector", "SWAP": "swap, interchange two vectors",
    "NRM2": "euclidean norm, length of a vector",
    "ASUM": "sum of absolute values of a vector", "ROT": "apply plane rotation", "ROTG": "generate givens plane rotation",
    "ROTM": "modified givens rotation", "ROTMG": "generate modified givens rotation",
}  # fmt: skip
_NAME = re.compile(r"^([SDCZ])([A-Z]{2})([A-Z0-9]{1,4})(?:_\w+)?$")


def routine_words(name: str) -> str:
    """Return a numerical routine's name in words; "" when it does not follow the scheme.

    >>> routine_words("dgetrf"), routine_words("CREATE")
    ('double precision real: general dense matrix, factorization (blocked)', '')
    """
    upper = name.upper()
    if upper[:1] in PRECISIONS and upper[1:] in VECTORS:
        return f"{PRECISIONS[upper[0]]}: {VECTORS[upper[1:]]}"
    found = _NAME.match(upper)
    if not found or found.group(2) not in MATRICES or found.group(3) not in OPERATIONS:
        return ""
    return f"{PRECISIONS[found.group(1)]}: {MATRICES[found.group(2)]}, {OPERATIONS[found.group(3)]}"
