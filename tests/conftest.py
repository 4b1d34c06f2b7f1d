"""Shared fixtures: a small project of its own in a temporary folder, indexed with the tiny hash encoder."""

import shutil
from pathlib import Path

import pytest

from legacylens_assets.settings import Settings, load_settings

REPOSITORY = Path(__file__).resolve().parent.parent

COBOL = """       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAYPOST.
      * Posts the day's payments to customer accounts.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 WS-TOTAL PIC 9(9)V99.
       PROCEDURE DIVISION.
       1000-POST-PAYMENT.
      * Add the payment to the balance.
           ADD PAY-AMT TO CUST-BAL
           PERFORM 2000-WRITE-AUDIT.
       2000-WRITE-AUDIT.
           DISPLAY 'PAYMENT POSTED TO ACCOUNT'.
           GOBACK.
"""
JCL = """//PAYJOB   JOB (ACCT),'NIGHTLY POSTING',CLASS=A
//STEP010  EXEC PGM=PAYPOST
//PAYIN    DD DSN=BANK.PAYMENTS.DAILY,DISP=SHR
"""
REGISTRY = """
[codebases.tiny]
title = "Tiny payments"
source = "code"

[codebases.other]
title = "Another"
source = "other"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project root with two small codebases."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "codebases.toml").write_text(REGISTRY)
    code = tmp_path / "code"
    code.mkdir()
    (code / "PAYPOST.cbl").write_text(COBOL)
    (code / "PAYJOB.jcl").write_text(JCL)
    (code / "README.md").write_text("# Payments\n\nPAYPOST posts payments each night and is run by PAYJOB.\n")
    other = tmp_path / "other"
    other.mkdir()
    (other / "solve.f").write_text("      SUBROUTINE SOLVE(A, N)\nC     Solves a linear system by elimination.\n      RETURN\n      END\n")
    return tmp_path


@pytest.fixture
def settings(project: Path) -> Settings:
    """Settings of that project with the hash encoder."""
    return load_settings(project, {"LEGACYLENS_DENSE": "hash"})


@pytest.fixture
def samples_project(tmp_path: Path) -> Path:
    """A project root that holds a copy of the samples."""
    (tmp_path / "data").mkdir()
    shutil.copytree(REPOSITORY / "data" / "samples", tmp_path / "data" / "samples")
    shutil.copy(REPOSITORY / "data" / "codebases.toml", tmp_path / "data" / "codebases.toml")
    return tmp_path
