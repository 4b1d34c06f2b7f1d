       IDENTIFICATION DIVISION.
       PROGRAM-ID. COXFR02C.
      * TRANSFER BETWEEN TWO ACCOUNTS, TRANSACTION BKXF
      * CHECKS THE DAILY LIMIT OF 5000.00 PER PAYER IN THE LOG TABLE.
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-RESP                      PIC S9(08) COMP.
       01  WS-AMT                       PIC S9(09)V99 COMP-3.
       01  WS-TODAY-SUM                 PIC S9(11)V99 COMP-3.
       01  WS-NULL-IND                  PIC S9(04) COMP.
       01  WS-TOK-FROM                  PIC S9(08) COMP.
       01  WS-TOK-INTO                  PIC S9(08) COMP.
       01  WS-DAY-LIMIT                 PIC S9(09)V99 COMP-3
                                        VALUE 10000.00.
           COPY COMMAREA.
           COPY ACCTREC REPLACING ==:TAG:== BY ==FROM==.
           COPY ACCTREC REPLACING ==:TAG:== BY ==INTO==.
           COPY XFRMAP.
           EXEC SQL INCLUDE SQLCA    END-EXEC.
           EXEC SQL INCLUDE DCLXFRLG END-EXEC.
       LINKAGE SECTION.
       01  DFHCOMMAREA                  PIC X(84).
       PROCEDURE DIVISION.
       0000-MAIN.
           MOVE DFHCOMMAREA TO BK-COMMAREA
           IF CA-FIRST-TIME
               MOVE 1 TO CA-PGM-STATE
           ELSE
               PERFORM 1000-GET-INPUT
               PERFORM 2000-CHECK-LIMIT
               IF CA-MSG = SPACES
                   PERFORM 3000-MOVE-MONEY
               END-IF
           END-IF
           MOVE CA-MSG TO XMSGO
           EXEC CICS SEND MAP('XFRMAP1') MAPSET('XFRMAP') ERASE
           END-EXEC
           EXEC CICS RETURN TRANSID('BKXF') COMMAREA(BK-COMMAREA)
           END-EXEC.
       1000-GET-INPUT.
           MOVE SPACES TO CA-MSG
           EXEC CICS RECEIVE MAP('XFRMAP1') MAPSET('XFRMAP') END-EXEC
           MOVE XFROMI TO FROM-NO
           MOVE XTOI   TO INTO-NO
           MOVE XAMTI  TO WS-AMT
           IF WS-AMT NOT > 0 OR FROM-NO = INTO-NO
               MOVE 'AMOUNT OR ACCOUNTS WRONG' TO CA-MSG
           END-IF.
       2000-CHECK-LIMIT.
           MOVE FROM-NO TO XL-FROM-ACCT
           EXEC SQL
               SELECT SUM(AMOUNT)
                 INTO :WS-TODAY-SUM :WS-NULL-IND
                 FROM BANKDB.XFER_LOG
                WHERE FROM_ACCT = :XL-FROM-ACCT
                  AND DATE(CREATED_TS) = CURRENT DATE
           END-EXEC
           IF WS-NULL-IND < 0
               MOVE 0 TO WS-TODAY-SUM
           END-IF
           IF WS-TODAY-SUM + WS-AMT > WS-DAY-LIMIT
              AND NOT CA-SUPERVISOR
               MOVE 'OVER THE DAILY LIMIT' TO CA-MSG
           END-IF.
       3000-MOVE-MONEY.
      *    LOWER NUMBER FIRST, OR TWO TELLERS DEADLOCK
           IF FROM-NO < INTO-NO
               PERFORM 3100-LOCK-FROM
               PERFORM 3200-LOCK-INTO
           ELSE
               PERFORM 3200-LOCK-INTO
               PERFORM 3100-LOCK-FROM
           END-IF
           IF FROM-BAL - FROM-HOLD-AMT < WS-AMT OR NOT FROM-OPEN
               MOVE 'PAYER CANNOT PAY' TO CA-MSG
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
           ELSE
               SUBTRACT WS-AMT FROM FROM-BAL
               ADD WS-AMT TO INTO-BAL
               EXEC CICS REWRITE FILE('ACCTMST') FROM(FROM-REC)
                         TOKEN(WS-TOK-FROM)
               END-EXEC
               EXEC CICS REWRITE FILE('ACCTMST') FROM(INTO-REC)
                         TOKEN(WS-TOK-INTO)
               END-EXEC
               PERFORM 4000-LOG
           END-IF.
       3100-LOCK-FROM.
           EXEC CICS READ FILE('ACCTMST') INTO(FROM-REC)
                     RIDFLD(FROM-NO) UPDATE TOKEN(WS-TOK-FROM)
                     RESP(WS-RESP)
           END-EXEC.
       3200-LOCK-INTO.
           EXEC CICS READ FILE('ACCTMST') INTO(INTO-REC)
                     RIDFLD(INTO-NO) UPDATE TOKEN(WS-TOK-INTO)
                     RESP(WS-RESP)
           END-EXEC.
       4000-LOG.
           MOVE INTO-NO    TO XL-TO-ACCT
           MOVE WS-AMT     TO XL-AMOUNT
           MOVE CA-USER-ID TO XL-USER-ID
           EXEC SQL
               INSERT INTO BANKDB.XFER_LOG
                 (FROM_ACCT, TO_ACCT, AMOUNT, USER_ID)
               VALUES (:XL-FROM-ACCT, :XL-TO-ACCT,
                       :XL-AMOUNT, :XL-USER-ID)
           END-EXEC
           IF SQLCODE NOT = 0
               EXEC CICS SYNCPOINT ROLLBACK END-EXEC
               MOVE 'TRANSFER NOT DONE, LOG FAILED' TO CA-MSG
           ELSE
               EXEC CICS SYNCPOINT END-EXEC
               MOVE 'DONE' TO CA-MSG
           END-IF.
