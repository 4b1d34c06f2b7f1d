     H DEBUG
     D longnameof...
     D  thething       PR            10I 0
     D   parm                         5A   VALUE
     D info            DS
     D  a                             1A
     D MAXN            C                   CONST(10)
     C                   EXSR      sub1
     C/FREE
        EXSR sub2; // begsr ghost
        begsr sub2;
          x = 1;
        endsr;
     C/END-FREE
     C     sub1          BEGSR
     C                   EVAL      x = 'P ghost2 B' +
     C                             'endsr'
     C                   ENDSR
     P longnameof...
     P  thething       B                   EXPORT
     D longnameof...
     D  thething       PI            10I 0
     C                   RETURN    1
     P                 E
