       IDENTIFICATION DIVISION.
       PROGRAM-ID. CBSTM03.
       AUTHOR. M DE SOUZA.
      * MONTHLY STATEMENTS. ONE PASS OVER THE POSTED ITEMS OF THE MONTH
      * (SORTED BY ACCOUNT, DATE). CUSTOMERS WITH ELECTRONIC MAIL
      * PREFERENCE GO TO THE PORTAL FILE INSTEAD OF PAPER.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT POST-FILE ASSIGN TO POSTIN
                  FILE STATUS IS WS-POST-STAT.
           SELECT ACCT-FILE ASSIGN TO ACCTMST
                  ORGANIZATION IS INDEXED
                  ACCESS MODE IS RANDOM
                  RECORD KEY IS STMA-NO
                  FILE STATUS IS WS-ACCT-STAT.
           SELECT CUST-FILE ASSIGN TO CUSTMST
                  ORGANIZATION IS INDEXED
                  ACCESS MODE IS RANDOM
                  RECORD KEY IS CUST-NO
                  FILE STATUS IS WS-CUST-STAT.
           SELECT PRINT-FILE ASSIGN TO STMTPRT.
           SELECT PORTAL-FILE ASSIGN TO PORTAL.
       DATA DIVISION.
       FILE SECTION.
       FD  POST-FILE.
           COPY TRANREC.
       FD  ACCT-FILE.
           COPY ACCTREC REPLACING ==:TAG:== BY ==STMA==.
       FD  CUST-FILE.
           COPY CUSTREC.
       FD  PRINT-FILE.
       01  PRINT-REC                    PIC X(133).
       FD  PORTAL-FILE.
       01  PORTAL-REC                   PIC X(133).
       WORKING-STORAGE SECTION.
       01  WS-POST-STAT                 PIC X(02).
       01  WS-ACCT-STAT                 PIC X(02).
       01  WS-CUST-STAT                 PIC X(02).
       01  WS-PRV-ACCT                  PIC 9(10) VALUE ZERO.
       01  WS-LINE-CNT                  PIC 9(03) COMP-3 VALUE 99.
       01  WS-PAGE-CNT                  PIC 9(03) COMP-3 VALUE 0.
       01  WS-RUN-BAL                   PIC S9(11)V99 COMP-3.
       01  WS-END-SW                    PIC X VALUE 'N'.
       01  WS-OUT-SW                    PIC X VALUE 'P'.
       01  WS-STMT-CNT                  PIC 9(07) VALUE 0.
       01  WS-OUT-LINE                  PIC X(133).
       01  WS-PERIOD                    PIC X(10).
           COPY STMTLIN.
       PROCEDURE DIVISION.
       MAIN-LINE.
           ACCEPT WS-PERIOD FROM DATE YYYYMMDD
           OPEN INPUT POST-FILE ACCT-FILE CUST-FILE
                OUTPUT PRINT-FILE PORTAL-FILE
           PERFORM READ-POSTED
           PERFORM UNTIL WS-END-SW = 'Y'
               IF TRAN-ACCT-NO NOT = WS-PRV-ACCT
                   PERFORM ACCOUNT-BREAK
               END-IF
               PERFORM PRINT-DETAIL
               PERFORM READ-POSTED
           END-PERFORM
           IF WS-PRV-ACCT NOT = ZERO
               PERFORM PRINT-CLOSING
           END-IF
           CLOSE POST-FILE ACCT-FILE CUST-FILE PRINT-FILE PORTAL-FILE
           DISPLAY 'CBSTM03 STATEMENTS ' WS-STMT-CNT
           STOP RUN.
       READ-POSTED.
           READ POST-FILE AT END MOVE 'Y' TO WS-END-SW.
       ACCOUNT-BREAK.
           IF WS-PRV-ACCT NOT = ZERO
               PERFORM PRINT-CLOSING
           END-IF
           MOVE TRAN-ACCT-NO TO STMA-NO WS-PRV-ACCT
           READ ACCT-FILE INVALID KEY
               MOVE ZERO TO STMA-BAL STMA-CUST-NO
           END-READ
           MOVE STMA-CUST-NO TO CUST-NO
           READ CUST-FILE INVALID KEY
               MOVE 'NAME NOT ON FILE' TO CUST-NAME
           END-READ
           MOVE 'P' TO WS-OUT-SW
           IF CUST-NO-PAPER
               MOVE 'E' TO WS-OUT-SW
           END-IF
           MOVE 0  TO WS-PAGE-CNT
           MOVE 99 TO WS-LINE-CNT
           MOVE ZERO TO WS-RUN-BAL
           ADD 1 TO WS-STMT-CNT.
      * 54 LINES IS ONE PAGE OF THE OLD PREPRINTED FORM
       PRINT-DETAIL.
           IF WS-LINE-CNT > 54
               PERFORM PRINT-HEADING
           END-IF
           IF TRAN-WITHDRAWAL OR TRAN-CHEQUE OR TRAN-FEE
                              OR TRAN-XFER-OUT
               COMPUTE SD-AMT = TRAN-AMT * -1
               SUBTRACT TRAN-AMT FROM WS-RUN-BAL
           ELSE
               MOVE TRAN-AMT TO SD-AMT
               ADD TRAN-AMT TO WS-RUN-BAL
           END-IF
           MOVE TRAN-DT    TO SD-DATE
           MOVE TRAN-TEXT  TO SD-TEXT
           MOVE WS-RUN-BAL TO SD-BAL
           MOVE STMT-DETAIL TO WS-OUT-LINE
           PERFORM PUT-LINE.
       PRINT-HEADING.
           ADD 1 TO WS-PAGE-CNT
           MOVE WS-PAGE-CNT TO SH1-PAGE
           MOVE WS-PERIOD   TO SH1-PERIOD
           MOVE STMT-HEAD-1 TO WS-OUT-LINE
           PERFORM PUT-LINE
           STRING ' ' CUST-FIRST-NM DELIMITED BY '  '
                  ' ' CUST-LAST-NM  DELIMITED BY '  '
               INTO WS-OUT-LINE
           PERFORM PUT-LINE
           MOVE 2 TO WS-LINE-CNT.
       PRINT-CLOSING.
           MOVE STMA-BAL         TO ST-BAL
           MOVE STMA-INT-ACCRUED TO ST-INT
           MOVE STMT-TOTAL       TO WS-OUT-LINE
           PERFORM PUT-LINE.
       PUT-LINE.
           IF WS-OUT-SW = 'E'
               WRITE PORTAL-REC FROM WS-OUT-LINE
           ELSE
               WRITE PRINT-REC FROM WS-OUT-LINE
           END-IF
           ADD 1 TO WS-LINE-CNT
           MOVE SPACES TO WS-OUT-LINE.
