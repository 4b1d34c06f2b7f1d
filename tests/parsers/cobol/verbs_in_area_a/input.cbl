       IDENTIFICATION DIVISION.
       PROGRAM-ID. EVALP.
       PROCEDURE DIVISION.
       BEGIN.
           EVALUATE TRUE
           WHEN A
           CONTINUE
           WHEN OTHER
       STOP RUN
           END-EVALUATE.
       ADD-IT.
           ADD 1 TO X
           ON SIZE ERROR
       PERFORM
       FINISH
           END-ADD.
       FINISH.
           XML PARSE D PROCESSING PROCEDURE
           HANDLER
           END-XML.
       HANDLER.
           GOBACK.
