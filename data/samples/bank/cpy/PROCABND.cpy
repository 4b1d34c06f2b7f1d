      *----------------------------------------------------------------*
      * PROCABND - PROCEDURE COPYBOOK: COMMON ABNORMAL END             *
      * NEEDS WS-ABND-PARA, WS-ABND-STAT AND WS-ABND-KEY               *
      *----------------------------------------------------------------*
       9900-ABEND-RTN.
           DISPLAY 'ABEND IN ' WS-ABND-PARA
                   ' FILE STATUS ' WS-ABND-STAT
                   ' KEY ' WS-ABND-KEY
           MOVE 16 TO RETURN-CODE
           STOP RUN.
       9900-EXIT.
           EXIT.
