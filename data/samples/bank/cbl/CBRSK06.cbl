       IDENTIFICATION DIVISION.
       PROGRAM-ID. CBRSK06.
       AUTHOR. P NAIR.
      * WEEKLY RISK REVIEW. READS OVERDRAWN ACCOUNTS (EXTRACT FROM SORT)
      * AND RAISES THE SCORE OF THEIR OWNERS IN CUST_RISK.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT OVD-FILE ASSIGN TO OVDIN FILE STATUS IS WS-OVD-STAT.
           SELECT RPT-FILE ASSIGN TO RSKRPT.
       DATA DIVISION.
       FILE SECTION.
       FD  OVD-FILE.
           COPY ACCTREC REPLACING ==:TAG:== BY ==OVD==.
       FD  RPT-FILE.
       01  RPT-REC                      PIC X(80).
       WORKING-STORAGE SECTION.
       01  WS-OVD-STAT                  PIC X(02).
       01  WS-EOF                       PIC X VALUE 'N'.
       01  WS-COMMIT-CNT                PIC S9(04) COMP VALUE 0.
       01  WS-OLD-CLASS                 PIC X(01).
       01  WS-REVIEW-IND                PIC S9(04) COMP.
       01  WS-RPT.
           05  WR-CUST                  PIC 9(08).
           05  FILLER                   PIC X(02).
           05  WR-FROM                  PIC X(01).
           05  FILLER                   PIC X(04) VALUE ' -> '.
           05  WR-TO                    PIC X(01).
           EXEC SQL INCLUDE SQLCA    END-EXEC.
           EXEC SQL INCLUDE DCLCUSTR END-EXEC.
           EXEC SQL
               DECLARE STALE CURSOR WITH HOLD FOR
               SELECT CUST_NO, RISK_CLASS
                 FROM BANKDB.CUST_RISK
                WHERE LAST_REVIEW < CURRENT DATE - 12 MONTHS
                  FOR UPDATE OF RISK_CLASS
           END-EXEC.
       PROCEDURE DIVISION.
       0000-MAIN.
           OPEN INPUT OVD-FILE OUTPUT RPT-FILE
           READ OVD-FILE AT END MOVE 'Y' TO WS-EOF END-READ
           PERFORM 1000-ONE-OVERDRAWN UNTIL WS-EOF = 'Y'
           PERFORM 2000-STALE-REVIEWS
           EXEC SQL COMMIT END-EXEC
           CLOSE OVD-FILE RPT-FILE
           GOBACK.
       1000-ONE-OVERDRAWN.
           MOVE OVD-CUST-NO TO CR-CUST-NO
           EXEC SQL
               SELECT RISK_CLASS, RISK_SCORE, OVERDUE_CNT
                 INTO :CR-RISK-CLASS, :CR-RISK-SCORE, :CR-OVERDUE-CNT
                 FROM BANKDB.CUST_RISK
                WHERE CUST_NO = :CR-CUST-NO
           END-EXEC
           EVALUATE SQLCODE
               WHEN 0    PERFORM 1100-RAISE
               WHEN +100 DISPLAY 'NO RISK ROW FOR ' OVD-CUST-NO
               WHEN OTHER
                   DISPLAY 'SQLCODE ' SQLCODE
                   EXEC SQL ROLLBACK END-EXEC
                   MOVE 12 TO RETURN-CODE
                   STOP RUN
           END-EVALUATE
           READ OVD-FILE AT END MOVE 'Y' TO WS-EOF END-READ.
       1100-RAISE.
           MOVE CR-RISK-CLASS TO WS-OLD-CLASS
           ADD 1 TO CR-OVERDUE-CNT
           ADD 15 TO CR-RISK-SCORE
           EVALUATE TRUE
               WHEN CR-RISK-SCORE > 90  MOVE 'H' TO CR-RISK-CLASS
               WHEN CR-RISK-SCORE > 45  MOVE 'M' TO CR-RISK-CLASS
               WHEN OTHER               MOVE 'N' TO CR-RISK-CLASS
           END-EVALUATE
           EXEC SQL
               UPDATE BANKDB.CUST_RISK
                  SET RISK_CLASS  = :CR-RISK-CLASS,
                      RISK_SCORE  = :CR-RISK-SCORE,
                      OVERDUE_CNT = :CR-OVERDUE-CNT
                WHERE CUST_NO = :CR-CUST-NO
           END-EXEC
           IF CR-RISK-CLASS NOT = WS-OLD-CLASS
               MOVE OVD-CUST-NO  TO WR-CUST
               MOVE WS-OLD-CLASS TO WR-FROM
               MOVE CR-RISK-CLASS TO WR-TO
               WRITE RPT-REC FROM WS-RPT
           END-IF
           ADD 1 TO WS-COMMIT-CNT
           IF WS-COMMIT-CNT > 500
               EXEC SQL COMMIT END-EXEC
               MOVE 0 TO WS-COMMIT-CNT
           END-IF.
       2000-STALE-REVIEWS.
           EXEC SQL OPEN STALE END-EXEC
           PERFORM UNTIL SQLCODE NOT = 0
               EXEC SQL
                   FETCH STALE INTO :CR-CUST-NO, :CR-RISK-CLASS
               END-EXEC
               IF SQLCODE = 0 AND CR-RISK-CLASS = 'N'
                   EXEC SQL
                       UPDATE BANKDB.CUST_RISK SET RISK_CLASS = 'R'
                        WHERE CURRENT OF STALE
                   END-EXEC
               END-IF
           END-PERFORM
           EXEC SQL CLOSE STALE END-EXEC.
