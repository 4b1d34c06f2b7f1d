      PROGRAM M A I N
      I N T E G E R FUNC TION
      END = 3
      IF (A .EQ. 1) END = 4
      CALL SUB(1)
      EN D
      DOUBLE PRECISION FUNCTION D B(X)
      DB = X
      RETURN
      END
