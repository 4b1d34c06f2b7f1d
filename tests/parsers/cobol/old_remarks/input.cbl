000100 IDENTIFICATION DIVISION.                                         OLDPROG.
000200 PROGRAM-ID. OLDPROG.                                             OLDPROG.
000300 REMARKS. THIS PROGRAM READS.                                     OLDPROG.
000400     PROCEDURE DIVISION IS FAR.                                   OLDPROG.
000500 PROCEDURE DIVISION.                                              OLDPROG.
000600 010-START.                                                       OLDPROG.
000700     ALTER 020-SW TO PROCEED TO 030-END.                          OLDPROG.
000800 020-SW. GO TO 010-START.                                         OLDPROG.
000900 030-END. STOP 'DONE.'. STOP RUN.                                 OLDPROG.
