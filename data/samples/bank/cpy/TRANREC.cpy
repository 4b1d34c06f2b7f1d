      * TRANREC - DAILY TRANSACTION, 100 BYTES, FROM BRANCH CAPTURE
       01  TRAN-REC.
           05  TRAN-ID                  PIC X(12).
           05  TRAN-ACCT-NO             PIC 9(10).
           05  TRAN-CODE                PIC X(02).
               88  TRAN-DEPOSIT         VALUE '01'.
               88  TRAN-WITHDRAWAL      VALUE '02'.
               88  TRAN-CHEQUE          VALUE '03'.
               88  TRAN-REFUND          VALUE '04'.
               88  TRAN-FEE             VALUE '05'.
               88  TRAN-XFER-IN         VALUE '06'.
               88  TRAN-XFER-OUT        VALUE '07'.
               88  TRAN-REVERSAL        VALUE '99'.
           05  TRAN-AMT                 PIC S9(09)V99.
           05  TRAN-DT                  PIC 9(08).
           05  TRAN-BRANCH              PIC 9(04).
           05  TRAN-TELLER              PIC X(06).
           05  TRAN-TEXT                PIC X(30).
           05  TRAN-ORIG-ID             PIC X(12).
           05  FILLER                   PIC X(05).
