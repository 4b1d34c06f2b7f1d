         MACRO
&L       SAVEALL &R
&L       STM   14,12,12(&R)
         MEND
REFCALC  CSECT
         USING REFCALC,12
* Convert the amount to cents
START1   SAVEALL 13
         L     15,=V(RATETAB)
         CALL  ROUNDER,(AMT)
DONE     BR    14
AMT      DS    PL8
         COPY  REFREC
WORK     DSECT
WFIELD   DS    F
         END
