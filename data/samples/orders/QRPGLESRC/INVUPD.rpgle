     H DEBUG(*YES) DATEDIT(*DMY)
      *****************************************************************
      *  INVUPD - STOCK MOVEMENTS OF THE DAY                          *
      *  RECEIPTS, ISSUES, COUNTS. CALLED BY NIGHTLY.                 *
      *****************************************************************
     FMOVES     IF   E             DISK
     FITEMS     UF A E           K DISK
     FREORDER   O    E             DISK
      /COPY QRPGLESRC,STDDEFS
     D ReorderQty      PR             7P 0
     D  item                         15A   CONST
     D onHand          S              7P 0
     D variance        S              7P 0
     D tolerance       S              5P 2 INZ(0.02)
     D pgmError        S              1A   INZ('N')
     D itemDs        E DS                  EXTNAME(ITEMS) PREFIX(o_)
      *
     C     *ENTRY        PLIST
     C                   PARM                    runDate           8
     C                   READ      MOVREC                                 90
     C     *IN90         DOWEQ     *OFF
     C     MVITEM        CHAIN     ITMREC                             80
     C                   IF        *IN80 = *OFF
     C     MVTYPE        CASEQ     'R'           Receipt
     C     MVTYPE        CASEQ     'I'           Issue
     C     MVTYPE        CASEQ     'C'           CountAdj
     C                   CAS                     UnknownMv
     C                   ENDCS
     C                   UPDATE    ITMREC
     C                   EXSR      ChkReorder
     C                   ENDIF
     C                   READ      MOVREC                                 90
     C                   ENDDO
     C                   SETON                                        LR
     C                   RETURN
      * goods in: first fill back orders, the rest is free stock; new average cost
     C     Receipt       BEGSR
     C                   IF        ITHAND+MVQTY > 0
     C                   EVAL(H)   ITCOST = (ITHAND * ITCOST +
     C                                       MVQTY * MVCOST) /
     C                                      (ITHAND + MVQTY)
     C                   ENDIF
     C                   ADD       MVQTY         ITHAND
     C                   IF        ITBACK > MVQTY
     C                   SUB       MVQTY         ITBACK
     C                   ELSE
     C                   Z-ADD     0             ITBACK
     C                   ENDIF
     C                   ENDSR
      * goods out. Stock may become negative: pickers are quicker than clerks
     C     Issue         BEGSR
     C                   SUB       MVQTY         ITHAND
     C                   SUB       MVQTY         ITRES
     C                   ENDSR
      * shelf count: differences over 2 per cent are written off at once
      * and reported (report was never built)
     C     CountAdj      BEGSR
     C     MVQTY         SUB       ITHAND        variance
     C                   Z-ADD     MVQTY         ITHAND
     C                   IF        %ABS(variance) > ITHAND * tolerance
     C                   ADD       variance      ITLOSS
     C                   ENDIF
     C                   ENDSR
     C     UnknownMv     BEGSR
     C                   MOVE      'Y'           pgmError
     C*                  DUMP
     C                   ENDSR
     C     ChkReorder    BEGSR
     C                   EVAL      onHand = ITHAND - ITRES
     C                   IF        onHand < ITMIN AND ITONORD = 0
     C                   EVAL      ROQTY = ReorderQty(MVITEM)
     C                   EVAL      ROITEM = MVITEM
     C                   WRITE     REOREC
     C                   ENDIF
     C                   ENDSR
     P ReorderQty      B
     D ReorderQty      PI             7P 0
     D  item                         15A   CONST
     D lotSize         S              7P 0 INZ(25)
     D need            S              7P 0
      * up to the maximum, in whole lots
     C                   EVAL      need = ITMAX - onHand
     C                   IF        %REM(need:lotSize) <> 0
     C                   EVAL      need = need + lotSize -
     C                                    %REM(need:lotSize)
     C                   ENDIF
     C                   RETURN    need
     P                 E
