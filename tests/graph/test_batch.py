"""Jobs, steps, procedures and the datasets of the programs in them."""

from graph_material import cobol, edges, told

READER = cobol("RDPAY", "OPEN INPUT PAY-FILE.", "READ PAY-FILE.", "CLOSE PAY-FILE.", "GOBACK.", files=(("PAY-FILE", "PAYIN"),))
WRITER = cobol("WRPAY", "OPEN OUTPUT PAY-FILE.", "WRITE PAY-FILE-REC.", "GOBACK.", files=(("PAY-FILE", "PAYOUT"),))
UPDATER = cobol("UPPAY", "OPEN I-O PAY-FILE.", "READ PAY-FILE.", "REWRITE PAY-FILE-REC.", "GOBACK.", files=(("PAY-FILE", "PAYMST"),))


def job(name: str, *lines: str) -> str:
    return "\n".join([f"//{name} JOB (A),CLASS=A", *lines])


def test_equal_step_names_in_two_jobs_stay_apart():
    sources = {
        "a.jcl": job("NIGHT", "//STEP1 EXEC PGM=RDPAY", "//PAYIN DD DSN=PAY.NIGHT,DISP=SHR"),
        "b.jcl": job("MORNING", "//STEP1 EXEC PGM=WRPAY", "//PAYOUT DD DSN=PAY.MORNING,DISP=(NEW,CATLG)"),
        "RDPAY.cbl": READER,
        "WRPAY.cbl": WRITER,
    }
    assert told(sources, "exec_pgm") == {("NIGHT.STEP1", "RDPAY", "exact"), ("MORNING.STEP1", "WRPAY", "exact")}
    assert told(sources, "dataset_read", "dataset_write") == {("RDPAY", "PAY.NIGHT", "exact"), ("WRPAY", "PAY.MORNING", "exact")}


def test_equal_step_names_in_one_job_stay_apart():
    sources = {
        "a.jcl": job("NIGHT", "//S EXEC PGM=RDPAY", "//PAYIN DD DSN=PAY.ONE,DISP=SHR", "//S EXEC PGM=WRPAY", "//PAYOUT DD DSN=PAY.TWO,DISP=SHR"),
        "RDPAY.cbl": READER,
        "WRPAY.cbl": WRITER,
    }
    found = told(sources, "dataset_read", "dataset_write")
    assert found == {("RDPAY", "PAY.ONE", "exact"), ("WRPAY", "PAY.TWO", "exact")}


def test_what_the_program_does_counts_not_the_disposition():
    sources = {"a.jcl": job("NIGHT", "//S EXEC PGM=UPPAY", "//PAYMST DD DSN=PAY.MASTER,DISP=SHR"), "UPPAY.cbl": UPDATER}
    (dd,) = edges(sources, "dd")
    assert (dd.detail["access"], dd.detail["access_from"]) == ("update", "program")
    assert {edge.kind for edge in edges(sources, "dataset_read", "dataset_write")} == {"dataset_read", "dataset_write"}


PROC = (
    "//PAYPROC PROC HLQ=TEST,RUN=X\n//POST EXEC PGM=WRPAY\n//PAYOUT DD DSN=&HLQ..PAY.&RUN,DISP=(NEW,CATLG)\n//LOG DD DSN=&HLQ..LOG,DISP=SHR\n// PEND"
)


def test_a_catalogued_procedure_takes_the_symbols_of_its_call_and_its_defaults():
    sources = {"PAYPROC.prc": PROC, "a.jcl": job("NIGHT", "//GO EXEC PAYPROC,HLQ=PROD"), "WRPAY.cbl": WRITER}
    ran = [edge for edge in edges(sources, "exec_pgm") if edge.detail.get("job")]
    assert [(e.source, e.target, e.path, e.line, e.detail["step"], e.detail["proc"]) for e in ran] == [
        ("NIGHT.GO", "WRPAY", "a.jcl", 2, "NIGHT.GO.POST", "PAYPROC")
    ]
    assert {(e.target, e.certainty) for e in edges(sources, "dd") if e.detail.get("job")} == {("PROD.PAY.X", "exact"), ("PROD.LOG", "exact")}


def test_the_same_procedure_called_by_two_jobs_touches_each_jobs_data():
    sources = {
        "PAYPROC.prc": PROC,
        "a.jcl": job("NIGHT", "//GO EXEC PAYPROC,HLQ=PROD"),
        "b.jcl": job("TRIAL", "// SET Q=QA", "//GO EXEC PAYPROC,HLQ=&Q,RUN=Y"),
        "WRPAY.cbl": WRITER,
    }
    written = {(e.detail["job"], e.target) for e in edges(sources, "dataset_write") if e.detail.get("job")}
    assert written == {("NIGHT", "PROD.PAY.X"), ("TRIAL", "QA.PAY.Y")}


def test_a_dd_of_the_call_replaces_that_of_the_procedures_step():
    sources = {
        "PAYPROC.prc": PROC,
        "a.jcl": job("NIGHT", "//GO EXEC PAYPROC,HLQ=PROD", "//POST.PAYOUT DD DSN=OTHER.PAY,DISP=(NEW,CATLG)"),
        "WRPAY.cbl": WRITER,
    }
    assert {e.target for e in edges(sources, "dd") if e.detail.get("job")} == {"OTHER.PAY", "PROD.LOG"}
    assert {e.target for e in edges(sources, "dataset_write") if e.detail.get("job")} == {"OTHER.PAY"}


def test_the_member_names_the_procedure_not_the_proc_statement_of_another_member():
    other = PROC.replace("PGM=WRPAY", "PGM=RDPAY")
    sources = {"PAYPROC.prc": PROC, "OLDPROC.prc": other, "a.jcl": job("NIGHT", "//GO EXEC PAYPROC"), "WRPAY.cbl": WRITER, "RDPAY.cbl": READER}
    assert [e.target for e in edges(sources, "exec_pgm") if e.detail.get("job")] == ["WRPAY"]


def test_an_in_stream_procedure_comes_before_a_member():
    own = "//PAYPROC PROC\n//POST EXEC PGM=RDPAY\n// PEND"
    sources = {"PAYPROC.prc": PROC, "a.jcl": job("NIGHT", own, "//GO EXEC PAYPROC"), "WRPAY.cbl": WRITER, "RDPAY.cbl": READER}
    assert [e.target for e in edges(sources, "exec_pgm") if e.detail.get("step") == "NIGHT.GO.POST"] == ["RDPAY"]


def test_procedures_that_call_each_other_end():
    sources = {"A.prc": "//A PROC\n//S EXEC B\n// PEND", "B.prc": "//B PROC\n//S EXEC A\n// PEND", "a.jcl": job("NIGHT", "//GO EXEC A")}
    assert ("NIGHT.GO", "A", "exact") in told(sources, "exec_proc")


def test_files_of_a_called_program_are_those_of_the_step():
    main = cobol("MAINPAY", "CALL 'RDPAY'.", "GOBACK.")
    sources = {"a.jcl": job("NIGHT", "//S EXEC PGM=MAINPAY", "//PAYIN DD DSN=PAY.NIGHT,DISP=SHR"), "MAINPAY.cbl": main, "RDPAY.cbl": READER}
    assert told(sources, "dataset_read") == {("RDPAY", "PAY.NIGHT", "exact")}


def test_a_program_run_under_tso_owns_the_steps_data():
    lines = ("//S EXEC PGM=IKJEFT01", "//PAYIN DD DSN=PAY.NIGHT,DISP=SHR", "//SYSTSIN DD *", " DSN SYSTEM(D)", " RUN PROGRAM(RDPAY) PLAN(P)", "/*")
    sources = {"a.jcl": job("NIGHT", *lines), "RDPAY.cbl": READER}
    assert ("NIGHT.S", "RDPAY", "exact") in told(sources, "exec_pgm")
    assert told(sources, "dataset_read") == {("RDPAY", "PAY.NIGHT", "exact")}


def test_repro_says_which_dd_is_read_and_which_is_written():
    lines = ("//S EXEC PGM=IDCAMS", "//A DD DSN=X.A,DISP=SHR", "//B DD DSN=X.B,DISP=SHR", "//SYSIN DD *", " REPRO INFILE(A) OUTFILE(B)", "/*")
    found = {e.target: (e.detail["access"], e.detail["access_from"]) for e in edges({"a.jcl": job("NIGHT", *lines)}, "dd")}
    assert found == {"X.A": ("read", "control statement"), "X.B": ("write", "control statement")}


def test_a_job_with_its_programs_name_is_not_its_program():
    sources = {"RDPAY.jcl": job("RDPAY", "//S EXEC PGM=RDPAY", "//PAYIN DD DSN=PAY.NIGHT,DISP=SHR"), "RDPAY.cbl": READER}
    (ran,) = edges(sources, "exec_pgm")
    assert (ran.certainty, ran.target_path) == ("exact", "RDPAY.cbl")


def test_an_unknown_symbol_and_a_missing_program_stay_with_their_reason():
    sources = {"a.jcl": job("NIGHT", "//S EXEC PGM=NOWHERE", "//IN DD DSN=&WHO..DATA,DISP=SHR")}
    found = {(e.kind, e.certainty, e.detail["reason"]) for e in edges(sources, "exec_pgm", "dd")}
    assert found == {("exec_pgm", "unresolved", "external"), ("dd", "unresolved", "unknown symbol")}


def test_a_dd_that_no_job_gives_is_countable():
    (edge,) = edges({"RDPAY.cbl": READER}, "file_assign")
    assert (edge.certainty, edge.detail["reason"]) == ("unresolved", "no job step gives the DD")


def test_a_control_member_is_joined_with_its_step():
    lines = ("//S EXEC PGM=IKJEFT01", "//SYSTSIN DD DSN=MY.CNTL(RUNPAY),DISP=SHR", "//PAYIN DD DSN=P.X,DISP=SHR")
    sources = {"a.jcl": job("NIGHT", *lines), "RUNPAY.ctl": " DSN SYSTEM(D)\n RUN PROGRAM(RDPAY) -\n  PLAN(P)\n", "RDPAY.cbl": READER}
    assert told(sources, "control_member") == {("NIGHT.S", "RUNPAY", "exact")}
    assert told(sources, "exec_pgm") >= {("NIGHT.S", "RDPAY", "exact")}
