      * STDDEFS - standard definitions for all RPG IV members
     D runDate         S              8A
     D TRUE            C                   CONST('1')
     D FALSE           C                   CONST('0')
     D sds            SDS
     D  pgmName          *PROC
     D  userId               254    263
      /IF DEFINED(NEED_ERRDS)
     D errDs           DS
     D  errBytes                     10I 0 INZ(116)
     D  errMsgId                      7A
      /ENDIF
