       CBL NODYNAM,APOST
       IDENTIFICATION DIVISION.
       PROGRAM-ID.    INTPOST.
       AUTHOR.        THE LEDGER TEAM'S PROGRAMMER.
      ******************************************************************
      * Posts monthly interest to savings accounts and lists rejects.
      ******************************************************************
       ENVIRONMENT DIVISION.
       CONFIGURATION SECTION.
       SOURCE-COMPUTER. IBM-370.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT SAVINGS-IN  ASSIGN TO UT-S-SAVIN
               FILE STATUS IS WS-SAVIN-STATUS.
           SELECT SAVINGS-OUT ASSIGN TO SAVOUT.
           SELECT REJECTS     ASSIGN TO AS-REJLIST.
       DATA DIVISION.
       FILE SECTION.
       FD  SAVINGS-IN
           RECORDING MODE IS F
           RECORD CONTAINS 120 CHARACTERS.
       01  SAV-REC.
           COPY SAVREC REPLACING ==:P:== BY ==SAV==.
       FD  SAVINGS-OUT.
       01  OUT-REC                   PIC X(120).
       FD  REJECTS.
       01  REJ-LINE                  PIC X(132).
       WORKING-STORAGE SECTION.
       77  WS-SAVIN-STATUS           PIC XX.
           88  SAVIN-OK              VALUE '00'.
           88  SAVIN-END             VALUE '10'.
       01  WS-RATES.
           05  RATE-TABLE OCCURS 12 TIMES INDEXED BY RATE-IX.
               10  RATE-MONTH        PIC 99.
               10  RATE-PCT          PIC S9(3)V9(4) COMP-3.
           05  RATE-CHARS REDEFINES RATE-TABLE PIC X(72).
       01  WS-EDITED                 PIC ZZZ,ZZ9.99-.
       01  WS-SUBPGM                 PIC X(8) VALUE 'INTCALC'.
       01  WS-TITLE                 PIC X(60) VALUE 'MONTHLY INTEREST. T
      -    'HIS IS CONTINUED. NOT-A-PARA.'.
       LINKAGE SECTION.
       01  PARM-AREA.
           05  PARM-LEN              PIC S9(4) COMP.
           05  PARM-MONTH            PIC 99.
       PROCEDURE DIVISION USING PARM-AREA.
       DECLARATIVES.
       IO-ERRORS SECTION.
           USE AFTER STANDARD ERROR PROCEDURE ON SAVINGS-IN.
       IO-ERRORS-SHOW.
           DISPLAY 'SAVIN STATUS ' WS-SAVIN-STATUS.
       END DECLARATIVES.
       0000-MAIN SECTION 10.
       0000-START.
           OPEN INPUT SAVINGS-IN OUTPUT SAVINGS-OUT REJECTS.
           PERFORM 1000-READ THRU 1000-EXIT.
           PERFORM 2000-POST UNTIL SAVIN-END.
           GO TO 9000-END.
       1000-READ.
           READ SAVINGS-IN INTO OUT-REC
               AT END SET SAVIN-END TO TRUE
           END-READ.
       1000-EXIT. EXIT.
       2000-POST.
           CALL WS-SUBPGM USING SAV-REC RATE-TABLE(PARM-MONTH)
               ON EXCEPTION GO TO 8000-REJECT
           END-CALL
      D    DISPLAY 'POSTED ' SAV-REC.
           WRITE OUT-REC FROM SAV-REC.
           EVALUATE TRUE
               WHEN PARM-MONTH = 12 MOVE 'INTYEAR' TO WS-SUBPGM
               WHEN OTHER CONTINUE
           END-EVALUATE.
           PERFORM 1000-READ THRU 1000-EXIT.
       8000-REJECT.
           STRING 'REJECTED ' DELIMITED BY SIZE
                  SAV-REC(1:8) DELIMITED BY SIZE INTO REJ-LINE.
           WRITE REJ-LINE AFTER ADVANCING 1 LINE.
       9000-END.
           CLOSE SAVINGS-IN SAVINGS-OUT REJECTS.
       GOBACK.
       END PROGRAM INTPOST.
