       IDENTIFICATION DIVISION.
       PROGRAM-ID. CBFEE05.
       AUTHOR. UNKNOWN.
       DATE-WRITTEN. 1979.
      * MONTHLY SERVICE CHARGES. CONVERTED FROM AUTOCODER.
      * STAFF ACCOUNTS ARE EXEMPT.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT ACCT-FILE ASSIGN TO ACCTMST
                  ORGANIZATION IS INDEXED
                  ACCESS MODE IS SEQUENTIAL
                  RECORD KEY IS ACCT-NO
                  FILE STATUS IS FS1.
           SELECT FEE-FILE ASSIGN TO FEEOUT
                  FILE STATUS IS FS2.
       DATA DIVISION.
       FILE SECTION.
       FD  ACCT-FILE.
           COPY ACCTREC REPLACING ==:TAG:== BY ==ACCT==.
       FD  FEE-FILE.
           COPY TRANREC.
       WORKING-STORAGE SECTION.
       77  FS1                          PIC XX.
       77  FS2                          PIC XX.
       77  FEE                          PIC 9(05)V99.
       77  SEQ-NO                       PIC 9(10) VALUE 0.
       77  ITEMS                        PIC 9(06).
       77  PRICER                       PIC X(08).
       77  TODAY                        PIC 9(08).
       01  PRICER-PARM.
           05  PP-SEGMENT               PIC X(01).
           05  PP-ITEMS                 PIC 9(06).
           05  PP-FEE                   PIC 9(05)V99.
       PROCEDURE DIVISION.
       0010.
           OPEN I-O ACCT-FILE.
           OPEN OUTPUT FEE-FILE.
           IF FS1 NOT = '00' GO TO 0990.
           ACCEPT TODAY FROM DATE YYYYMMDD.
       0020.
           READ ACCT-FILE NEXT RECORD AT END GO TO 0900.
           IF ACCT-CLOSED GO TO 0020.
           IF ACCT-IS-LOAN GO TO 0020.
           IF ACCT-IS-SAVINGS GO TO 0060.
           GO TO 0030.
       0030.
           COMPUTE ITEMS = ACCT-MTD-DR-CNT + ACCT-MTD-CR-CNT.
           IF ITEMS > 25 GO TO 0040.
           IF ACCT-BAL > 1500 GO TO 0080.
           MOVE 4.50 TO FEE.
           GO TO 0070.
       0040.
      *    OVER 25 ITEMS: 35 CENTS FOR EACH ONE MORE
           COMPUTE FEE = 4.50 + (ITEMS - 25) * .35.
           IF ACCT-BAL > 5000 COMPUTE FEE = FEE / 2.
           GO TO 0070.
       0050.
      *    OLD CORPORATE PRICING. NOTHING GOES HERE SINCE PRICER CAME
           MOVE 12.00 TO FEE.
           GO TO 0070.
       0060.
           IF ACCT-BAL > 250 GO TO 0080.
           MOVE 2.00 TO FEE.
           IF ACCT-DORMANT ADD 3.00 TO FEE.
           GO TO 0070.
       0070.
           IF ACCT-FEE-WAIVE-CD = 'W' GO TO 0080.
           IF ACCT-FEE-WAIVE-CD = SPACE GO TO 0075.
      *    SPECIAL PRICE PLANS LIVE IN THEIR OWN MODULES FEEPLN1-9
           STRING 'FEEPLN' ACCT-FEE-WAIVE-CD DELIMITED BY SIZE
               INTO PRICER.
           MOVE ITEMS TO PP-ITEMS.
           MOVE FEE   TO PP-FEE.
           CALL PRICER USING PRICER-PARM
               ON EXCEPTION GO TO 0075.
           MOVE PP-FEE TO FEE.
       0075.
           ADD 1 TO SEQ-NO.
           MOVE SPACES TO TRAN-REC.
           STRING 'FE' SEQ-NO DELIMITED BY SIZE INTO TRAN-ID.
           MOVE ACCT-NO TO TRAN-ACCT-NO.
           MOVE '05' TO TRAN-CODE.
           MOVE FEE TO TRAN-AMT.
           MOVE TODAY TO TRAN-DT.
           MOVE ACCT-BRANCH TO TRAN-BRANCH.
           MOVE 'MONTHLY SERVICE CHARGE' TO TRAN-TEXT.
           WRITE TRAN-REC.
       0080.
           MOVE 0 TO ACCT-MTD-DR-CNT ACCT-MTD-CR-CNT.
           REWRITE ACCT-REC.
           GO TO 0020.
       0900.
           CLOSE ACCT-FILE FEE-FILE.
           DISPLAY 'CBFEE05 CHARGES WRITTEN ' SEQ-NO.
           GOBACK.
       0990.
           DISPLAY 'CBFEE05 CANNOT OPEN MASTER ' FS1.
           MOVE 16 TO RETURN-CODE.
           GOBACK.
