//P1      PROC M=X,
//  N='A''B'
//ST1     EXEC PGM=&M
//D1      DD  DUMMY
//        PEND
//J       JOB
//INP     PROC
//X1      EXEC PGM=A
//        PEND
//C1      EXEC P1,M=Y
//ST1.D2  DD  *
DATA
//C2      EXEC PROC=INP
