       IDENTIFICATION DIVISION.
       PROGRAM-ID. RPL.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       COPY CUST REPLACING ==:TAG:== BY ==WS==
                 LEADING ==OLD== BY ==NEW==
                 ==PIC X. FAKE-A.== BY ==PIC 9.==.
       01 REAL-ITEM. COPY ITEMS IN MYLIB SUPPRESS.
       PROCEDURE DIVISION.
       REPLACE ==X-P.== BY ==Y-P.==.
       MAINP.
           COPY BODY.
       REPLACE OFF.
       ENDP.
           GOBACK.
