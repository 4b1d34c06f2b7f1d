       IDENTIFICATION DIVISION.
       PROGRAM-ID. COACT01C.
      * ACCOUNT ENQUIRY AND FREEZE, TRANSACTION BKAV
      * PF5 FREEZES, PF6 RELEASES. BOTH WRITE AN AUDIT RECORD TO
      * TRANSIENT DATA QUEUE BKAU.
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-RESP                      PIC S9(08) COMP.
       01  WS-ACCT-KEY                  PIC 9(10).
       01  WS-NEW-STATUS                PIC X(01).
       01  WS-AVAIL                     PIC S9(11)V99 COMP-3.
       01  WS-AUDIT.
           05  AU-USER                  PIC X(08).
           05  AU-ACTION                PIC X(08).
           05  AU-ACCT                  PIC 9(10).
           05  AU-TERM                  PIC X(04).
           05  AU-TIME                  PIC 9(07).
           COPY COMMAREA.
           COPY ACCTREC REPLACING ==:TAG:== BY ==VIEW==.
           COPY CUSTREC.
           COPY ACTMAP.
           COPY DFHAID.
           COPY BANKMSGS.
       LINKAGE SECTION.
       01  DFHCOMMAREA                  PIC X(84).
       PROCEDURE DIVISION.
       0000-MAIN.
           EXEC CICS HANDLE CONDITION ERROR(9999-SOMETHING-WRONG)
           END-EXEC
           MOVE DFHCOMMAREA TO BK-COMMAREA
           IF CA-FIRST-TIME
               MOVE 1 TO CA-PGM-STATE
               MOVE LOW-VALUES TO ACTMAP1O
               PERFORM 1000-SEND
           ELSE
               EVALUATE EIBAID
                   WHEN DFHPF3
                       EXEC CICS XCTL PROGRAM('COMEN00C')
                                 COMMAREA(BK-COMMAREA)
                       END-EXEC
                   WHEN DFHENTER PERFORM 2000-SHOW
                   WHEN DFHPF5
                       MOVE 'F' TO WS-NEW-STATUS
                       PERFORM 3000-CHANGE-STATUS
                   WHEN DFHPF6
                       MOVE 'A' TO WS-NEW-STATUS
                       PERFORM 3000-CHANGE-STATUS
               END-EVALUATE
           END-IF
           EXEC CICS RETURN TRANSID('BKAV')
                     COMMAREA(BK-COMMAREA)
           END-EXEC.
       1000-SEND.
           EXEC CICS SEND MAP('ACTMAP1') MAPSET('ACTMAP') ERASE
           END-EXEC.
       2000-SHOW.
           EXEC CICS RECEIVE MAP('ACTMAP1') MAPSET('ACTMAP') END-EXEC
           MOVE ANOI TO WS-ACCT-KEY
           EXEC CICS READ FILE('ACCTMST') INTO(VIEW-REC)
                     RIDFLD(WS-ACCT-KEY) RESP(WS-RESP)
           END-EXEC
           IF WS-RESP = DFHRESP(NOTFND)
               MOVE 'NO SUCH ACCOUNT' TO AMSGO
           ELSE
               MOVE WS-ACCT-KEY TO CA-ACCT-NO
               EXEC CICS READ FILE('CUSTMST') INTO(CUST-REC)
                         RIDFLD(VIEW-CUST-NO) RESP(WS-RESP)
               END-EXEC
               COMPUTE WS-AVAIL =
                   VIEW-BAL - VIEW-HOLD-AMT + VIEW-OD-LIMIT
               MOVE CUST-LAST-NM TO ANAMEO
               MOVE VIEW-BAL     TO ABALO
               MOVE WS-AVAIL     TO AAVLO
               MOVE VIEW-STATUS  TO ASTATO
           END-IF
           PERFORM 1000-SEND.
       3000-CHANGE-STATUS.
           MOVE CA-ACCT-NO TO WS-ACCT-KEY
           EXEC CICS READ FILE('ACCTMST') INTO(VIEW-REC)
                     RIDFLD(WS-ACCT-KEY) UPDATE RESP(WS-RESP)
           END-EXEC
           IF WS-RESP NOT = DFHRESP(NORMAL) OR VIEW-CLOSED
               MOVE 'STATUS NOT CHANGED' TO AMSGO
           ELSE
               MOVE WS-NEW-STATUS TO VIEW-STATUS
               EXEC CICS REWRITE FILE('ACCTMST') FROM(VIEW-REC)
               END-EXEC
               PERFORM 3100-AUDIT
               MOVE 'STATUS CHANGED' TO AMSGO
           END-IF
           PERFORM 1000-SEND.
       3100-AUDIT.
           MOVE CA-USER-ID TO AU-USER
           MOVE 'STATUS'   TO AU-ACTION
           MOVE CA-ACCT-NO TO AU-ACCT
           MOVE EIBTRMID   TO AU-TERM
           MOVE EIBTIME    TO AU-TIME
           EXEC CICS WRITEQ TD QUEUE('BKAU') FROM(WS-AUDIT) END-EXEC.
       9999-SOMETHING-WRONG.
           EXEC CICS ABEND ABCODE('BKA1') END-EXEC.
