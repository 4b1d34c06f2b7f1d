       IDENTIFICATION DIVISION.
       PROGRAM-ID. CONTLIT.
       PROCEDURE DIVISION.
       P1.
           DISPLAY "A LITERAL THAT GOES ON TO THE NEXT LINE AND HAS A PE
      -    "RIOD.
      *    a comment between
      -    "FAKE-P. END".
       P2.
           GOBACK.
