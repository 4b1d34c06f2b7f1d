      * REJREC - REJECTED TRANSACTION WITH REASON, 150 BYTES
       01  REJ-REC.
           05  REJ-TRAN                 PIC X(100).
           05  REJ-REASON-CD            PIC 9(03).
               88  REJ-NO-ACCT          VALUE 101.
               88  REJ-BAD-AMT          VALUE 102.
               88  REJ-BAD-CODE         VALUE 103.
               88  REJ-NOT-OPEN         VALUE 104.
               88  REJ-NO-FUNDS         VALUE 105.
               88  REJ-BAD-DATE         VALUE 106.
               88  REJ-DUPLICATE        VALUE 107.
           05  REJ-REASON-TX            PIC X(30).
           05  REJ-RUN-DT               PIC 9(08).
           05  FILLER                   PIC X(09).
