       IDENTIFICATION DIVISION.
       PROGRAM-ID. FEEPLN1.
      * STUDENT PLAN: FIRST 40 ITEMS FREE, THEN 20 CENTS, AT MOST 5.00
       DATA DIVISION.
       LINKAGE SECTION.
       01  PRICER-PARM.
           05  PP-SEGMENT               PIC X(01).
           05  PP-ITEMS                 PIC 9(06).
           05  PP-FEE                   PIC 9(05)V99.
       PROCEDURE DIVISION USING PRICER-PARM.
       STUDENT-PRICE.
           IF PP-ITEMS > 40
               COMPUTE PP-FEE = (PP-ITEMS - 40) * .20
               IF PP-FEE > 5.00
                   MOVE 5.00 TO PP-FEE
               END-IF
           ELSE
               MOVE 0 TO PP-FEE
           END-IF
           GOBACK.
