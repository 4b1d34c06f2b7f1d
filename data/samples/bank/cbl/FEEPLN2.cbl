       IDENTIFICATION DIVISION.
       PROGRAM-ID. FEEPLN2.
      * STUDENT PLAN: FIRST 40 ITEMS FREE, THEN 20 CENTS, AT MOST 5.00
      * (COPIED FROM FEEPLN1 2003-05, NOW THE PENSIONERS PLAN)
       DATA DIVISION.
       LINKAGE SECTION.
       01  PRICER-PARM.
           05  PP-SEGMENT               PIC X(01).
           05  PP-ITEMS                 PIC 9(06).
           05  PP-FEE                   PIC 9(05)V99.
       PROCEDURE DIVISION USING PRICER-PARM.
       PENSION-PRICE.
           IF PP-ITEMS > 30
               COMPUTE PP-FEE = (PP-ITEMS - 30) * .15
               IF PP-FEE > 3.50
                   MOVE 3.50 TO PP-FEE
               END-IF
           ELSE
               MOVE 0 TO PP-FEE
           END-IF
           GOBACK.
