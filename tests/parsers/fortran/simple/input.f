C     Yearly interest on a savings account.
      PROGRAM SAVING
      REAL RATE, AMOUNT
      COMMON /TERMS/ RATE
      AMOUNT = 100.0
      DO 10 I = 1, 5
      AMOUNT = GROWN(AMOUNT)
   10 CONTINUE
      CALL REPORT(AMOUNT)
      END

C     Adds one year of interest.
      REAL FUNCTION GROWN(A)
      COMMON /TERMS/ RATE
      GROWN = A * (1.0 + RATE)
      END

      SUBROUTINE REPORT(A)
      WRITE (6, 100) A
  100 FORMAT (1X, 'AMOUNT', F10.2)
      END
