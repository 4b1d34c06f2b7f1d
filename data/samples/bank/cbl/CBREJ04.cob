       IDENTIFICATION DIVISION.
       PROGRAM-ID. CBREJ04.
      * REJECT LISTING FOR THE BRANCHES, WITH COUNTS BY REASON
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT REJ-FILE ASSIGN TO REJIN.
           SELECT LIST-FILE ASSIGN TO REJLIST.
       DATA DIVISION.
       FILE SECTION.
       FD  REJ-FILE.
           COPY REJREC.
       FD  LIST-FILE.
       01  LIST-REC                     PIC X(132).
       WORKING-STORAGE SECTION.
       01  WS-TRAN-COPY.
           05  WC-ID                    PIC X(12).
           05  WC-ACCT                  PIC 9(10).
           05  WC-CODE                  PIC X(02).
           05  WC-AMT                   PIC S9(09)V99.
           05  FILLER                   PIC X(65).
       01  WS-LINE.
           05  WL-ID                    PIC X(14).
           05  WL-ACCT                  PIC Z(9)9.
           05  FILLER                   PIC X(03) VALUE SPACES.
           05  WL-AMT                   PIC ---,---,--9.99.
           05  FILLER                   PIC X(03) VALUE SPACES.
           05  WL-REASON                PIC X(30).
       01  WS-REASON-COUNTS.
           05  WS-RC                    PIC 9(05) OCCURS 9 TIMES.
       77  WS-SUB                       PIC 9(02).
       77  WS-END                       PIC X VALUE 'N'.
       77  WS-BIG-CNT                   PIC 9(05) VALUE 0.
       PROCEDURE DIVISION.
       100-START.
           OPEN INPUT REJ-FILE OUTPUT LIST-FILE
           INITIALIZE WS-REASON-COUNTS.
       110-LOOP.
           READ REJ-FILE AT END GO TO 200-SUMMARY.
           MOVE REJ-TRAN TO WS-TRAN-COPY
           MOVE WC-ID TO WL-ID
           MOVE WC-ACCT TO WL-ACCT
           MOVE WC-AMT TO WL-AMT
           MOVE REJ-REASON-TX TO WL-REASON
           WRITE LIST-REC FROM WS-LINE
           COMPUTE WS-SUB = REJ-REASON-CD - 100
           IF WS-SUB > 0 AND WS-SUB < 10
               ADD 1 TO WS-RC(WS-SUB)
           END-IF
      *    ITEMS OF 10,000 AND MORE GO TO THE BRANCH MANAGER
           IF WC-AMT NOT < 10000
               ADD 1 TO WS-BIG-CNT
               MOVE 'CALL BRANCH MANAGER' TO LIST-REC
               WRITE LIST-REC
           END-IF
           GO TO 110-LOOP.
       200-SUMMARY.
           PERFORM VARYING WS-SUB FROM 1 BY 1 UNTIL WS-SUB > 9
               IF WS-RC(WS-SUB) > 0
                   DISPLAY 'REASON 10' WS-SUB ' COUNT ' WS-RC(WS-SUB)
               END-IF
           END-PERFORM
           CLOSE REJ-FILE LIST-FILE
           STOP RUN.
