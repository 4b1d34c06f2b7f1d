       ID DIVISION.
       PROGRAM-ID
           .  SPLIT-ID
           IS INITIAL PROGRAM.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       77  N PIC 9.
       PROCEDURE
           DIVISION
           USING N.
       FIRST-P
           .
           GO TO
       SECOND-P.
       SECOND-P.
           STOP RUN.
