C     QUADRATURE.  METHOD 1 TRAPEZOID, 2 SIMPSON, 3 GAUSS (3 POINTS)
C     4 ROMBERG
      SUBROUTINE QUADR(F, A, B, NPAN, METHOD, RESULT, IERR)
      EXTERNAL F
      DOUBLE PRECISION F, A, B, RESULT, H, X, S, G, R(10,10)
      INTEGER NPAN, METHOD, IERR, I, K, L, NP
      IERR = 0
      RESULT = 0.0D0
      IF (NPAN .LE. 0) GO TO 800
      H = (B - A) / NPAN
      GO TO (100, 200, 300, 400), METHOD
C     FALLS THROUGH WHEN METHOD IS NONE OF THESE
  800 IERR = 1
      RETURN
C---- TRAPEZOID
  100 S = 0.5D0 * (F(A) + F(B))
      DO 110 I = 1, NPAN-1
         S = S + F(A + I*H)
  110 CONTINUE
      RESULT = S * H
      RETURN
C---- SIMPSON, NUMBER OF PANELS MUST BE EVEN
  200 IF (MOD(NPAN,2) .NE. 0) GO TO 800
      S = F(A) + F(B)
      DO 210 I = 1, NPAN-1
         X = A + I*H
         IF (MOD(I,2) .EQ. 1) S = S + 4.0D0*F(X)
         IF (MOD(I,2) .EQ. 0) S = S + 2.0D0*F(X)
  210 CONTINUE
      RESULT = S * H / 3.0D0
      RETURN
C---- GAUSS, THREE POINTS IN EVERY PANEL
  300 G = DSQRT(0.6D0) * H / 2.0D0
      DO 310 I = 1, NPAN
         X = A + (I - 0.5D0)*H
         S = 5.0D0*F(X-G) + 8.0D0*F(X) + 5.0D0*F(X+G)
         RESULT = RESULT + S * H / 18.0D0
  310 CONTINUE
      RETURN
C---- ROMBERG, TEN LEVELS AT MOST, STOPS AT SIX DIGITS
  400 NP = 1
      H = B - A
      R(1,1) = 0.5D0 * H * (F(A) + F(B))
      DO 440 K = 2, 10
         H = H / 2.0D0
         S = 0.0D0
         DO 410 I = 1, NP
            S = S + F(A + (2*I-1)*H)
  410    CONTINUE
         NP = NP * 2
         R(K,1) = 0.5D0*R(K-1,1) + H*S
         DO 420 L = 2, K
            R(K,L) = R(K,L-1) + (R(K,L-1)-R(K-1,L-1))/(4.0D0**(L-1)-1)
  420    CONTINUE
         RESULT = R(K,K)
         IF (DABS(R(K,K)-R(K-1,K-1)) .LT. 1.0D-6*DABS(R(K,K))) RETURN
  440 CONTINUE
      IERR = 2
      RETURN
      END
