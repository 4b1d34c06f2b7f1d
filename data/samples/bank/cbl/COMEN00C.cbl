       IDENTIFICATION DIVISION.
       PROGRAM-ID. COMEN00C.
      * TELLER MENU, TRANSACTION BKMN
       ENVIRONMENT DIVISION.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-PGM-TAB.
           05  FILLER                   PIC X(09) VALUE '1COACT01C'.
           05  FILLER                   PIC X(09) VALUE '2COXFR02C'.
           05  FILLER                   PIC X(09) VALUE '3COLIM03C'.
       01  WS-PGM-R REDEFINES WS-PGM-TAB.
           05  WS-PGM-ENT OCCURS 3 TIMES INDEXED BY WS-PX.
               10  WS-PGM-OPT           PIC X(01).
               10  WS-PGM-NAME          PIC X(08).
       01  WS-RESP                      PIC S9(08) COMP.
           COPY COMMAREA.
           COPY MENMAP.
           COPY DFHAID.
       LINKAGE SECTION.
       01  DFHCOMMAREA                  PIC X(84).
       PROCEDURE DIVISION.
       0000-MAIN.
           IF EIBCALEN = 0
               INITIALIZE BK-COMMAREA
               MOVE 'BKMN' TO CA-FROM-TRAN
               PERFORM 1000-SEND-MENU
           ELSE
               MOVE DFHCOMMAREA TO BK-COMMAREA
               EVALUATE EIBAID
                   WHEN DFHENTER PERFORM 2000-CHOICE
                   WHEN DFHPF3   PERFORM 9000-GOODBYE
                   WHEN DFHCLEAR PERFORM 1000-SEND-MENU
                   WHEN OTHER
                       MOVE 'KEY NOT IN USE' TO MMSGO
                       PERFORM 1000-SEND-MENU
               END-EVALUATE
           END-IF
           EXEC CICS RETURN TRANSID('BKMN')
                     COMMAREA(BK-COMMAREA)
           END-EXEC.
       1000-SEND-MENU.
           EXEC CICS SEND MAP('MENMAP1') MAPSET('MENMAP')
                     ERASE FREEKB
           END-EXEC.
       2000-CHOICE.
           EXEC CICS RECEIVE MAP('MENMAP1') MAPSET('MENMAP')
                     RESP(WS-RESP)
           END-EXEC
           SET WS-PX TO 1
           SEARCH WS-PGM-ENT
               AT END
                   MOVE 'CHOOSE 1, 2 OR 3' TO MMSGO
                   PERFORM 1000-SEND-MENU
               WHEN WS-PGM-OPT(WS-PX) = MOPTI
                   PERFORM 2100-GO
           END-SEARCH.
       2100-GO.
      *    OPTION 3 CHANGES LIMITS: SUPERVISORS ONLY
           IF MOPTI = '3' AND NOT CA-SUPERVISOR
               MOVE 'ASK YOUR SUPERVISOR' TO MMSGO
               PERFORM 1000-SEND-MENU
           ELSE
               MOVE 0 TO CA-PGM-STATE
               EXEC CICS XCTL PROGRAM(WS-PGM-NAME(WS-PX))
                         COMMAREA(BK-COMMAREA)
                         RESP(WS-RESP)
               END-EXEC
               IF WS-RESP NOT = DFHRESP(NORMAL)
                   MOVE 'FUNCTION NOT INSTALLED' TO MMSGO
                   PERFORM 1000-SEND-MENU
               END-IF
           END-IF.
       9000-GOODBYE.
           EXEC CICS SEND TEXT FROM('SESSION ENDED') LENGTH(13)
                     ERASE FREEKB
           END-EXEC
           EXEC CICS RETURN END-EXEC.
