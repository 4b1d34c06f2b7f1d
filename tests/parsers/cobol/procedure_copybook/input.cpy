      * procedure copybook
       READ-NEXT.
           READ INF NEXT AT END
               SET EOF TO TRUE
           END-READ.
       READ-NEXT-X.
           EXIT.
       SHOW-IT SECTION.
       S1.
           DISPLAY 'X'.
