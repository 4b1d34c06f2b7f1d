      SUBROUTINE END IF(A)
      DO 10 I = 1, 3
   10 FORMAT(8HEND SUBR, 'END')
      FUNCTION X = 3
      RETURN
      ENTRY ALT(A,
     1          B)
      END
      BLOCK DATA
      COMMON /C/ A
      DATA A /1/
      END
      REAL FUNCTION F(X)
      F = X
      END FUNCTION
