     H OPTION(*SRCSTMT)
     FORDERS    IF   E           K DISK    RENAME(ORDR:ORD)
     F                                     PREFIX(O_)
      /COPY QRPGLESRC,PROTOS
      /IF DEFINED(X)
     D PGMX            PR                  EXTPGM('X')
      /ENDIF
     D arr             S             10A   DIM(3) CTDATA
     D ds1           E DS                  EXTNAME(F)
     C     *ENTRY        PLIST
     C                   PARM                    P1               10
     C                   CALL      'PGMY'
     C     TAGX          TAG
     C                   CASEQ     SUBA
     C                   ENDCS
     C     *PSSR         BEGSR
     C                   ENDSR     '*CANCL'
     C     SUBA          BEGSR
     C/EXEC SQL
     C+ SELECT BEGSR INTO :X FROM T
     C/END-EXEC
     C                   ENDSR
     OQPRINT    E            HDR
     O                                           'P PROC B'
     P myProc          B
     D                 PI
     C     INNER         BEGSR
     C                   ENDSR
     P myProc          E
** CTDATA arr
C     GHOST     BEGSR
P GHOST2          B
