C     LINSOL - SOLVE A*X = B BY GAUSS ELIMINATION WITH PARTIAL PIVOTING
C     A IS DESTROYED. FOR A SECOND RIGHT HAND SIDE CALL LINAGN.
C
C     H. BRANDT, STRUCTURES GROUP, 1978.  LAST CHANGE 12/83
C
      SUBROUTINE LINSOL(A, LDA, N, B, IERR)
      INTEGER LDA, N, IERR
      DOUBLE PRECISION A(LDA,N), B(N)
      INTEGER MAXN
      PARAMETER (MAXN=200)
      INTEGER IPIV(MAXN)
      DOUBLE PRECISION DET, COND
      COMMON /LINCOM/ DET, COND, IPIV, LASTN
      INTEGER LASTN
      DOUBLE PRECISION T, BIG
      INTEGER I, J, K, M, NN
      IERR = 0
      IF (N .GT. MAXN) GO TO 900
      DET = 1.0D0
      BIG = 0.0D0
      DO 50 K = 1, N-1
         M = K
         DO 10 I = K+1, N
            IF (DABS(A(I,K)) .GT. DABS(A(M,K))) M = I
   10    CONTINUE
         IPIV(K) = M
         IF (M .EQ. K) GO TO 20
            DET = -DET
            DO 15 J = 1, N
               T = A(K,J)
               A(K,J) = A(M,J)
               A(M,J) = T
   15       CONTINUE
   20    IF (DABS(A(K,K)) .LT. 1.0D-12) GO TO 910
         DO 40 I = K+1, N
            A(I,K) = A(I,K) / A(K,K)
            DO 30 J = K+1, N
               A(I,J) = A(I,J) - A(I,K)*A(K,J)
   30       CONTINUE
   40    CONTINUE
         DET = DET * A(K,K)
   50 CONTINUE
      IF (DABS(A(N,N)) .LT. 1.0D-12) GO TO 910
      DET = DET * A(N,N)
      LASTN = N
C
C     SECOND DOOR: FACTORS ARE STILL IN A, PIVOTS IN COMMON
C
      ENTRY LINAGN(A, LDA, N, B, IERR)
      NN = LASTN
      IF (NN .NE. N) GO TO 920
      DO 70 K = 1, NN-1
         M = IPIV(K)
         T = B(K)
         B(K) = B(M)
         B(M) = T
   70 CONTINUE
      DO 90 K = 1, NN-1
         DO 80 I = K+1, NN
            B(I) = B(I) - A(I,K)*B(K)
   80    CONTINUE
   90 CONTINUE
      DO 110 I = NN, 1, -1
         T = B(I)
         DO 100 J = I+1, NN
            T = T - A(I,J)*B(J)
  100    CONTINUE
         B(I) = T / A(I,I)
  110 CONTINUE
      RETURN
C     ERRORS: 1 TOO BIG, 2 SINGULAR, 3 LINAGN BEFORE LINSOL
  900 IERR = 1
      RETURN
  910 IERR = 2
      DET = 0.0D0
      RETURN
  920 IERR = 3
      RETURN
      END
C
C     RESIDUAL OF A SOLUTION, LARGEST COMPONENT
C
      DOUBLE PRECISION FUNCTION RESMAX(A, LDA, N, X, B)
      INTEGER LDA, N, I, J
      DOUBLE PRECISION A(LDA,N), X(N), B(N), S
      RESMAX = 0.0D0
      DO 20 I = 1, N
         S = -B(I)
         DO 10 J = 1, N
            S = S + A(I,J)*X(J)
   10    CONTINUE
         RESMAX = DMAX1(RESMAX, DABS(S))
   20 CONTINUE
      RETURN
      END
