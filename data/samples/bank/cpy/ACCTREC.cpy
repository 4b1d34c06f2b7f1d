      *----------------------------------------------------------------*
      * ACCTREC - ACCOUNT MASTER RECORD, 200 BYTES, KEY = :TAG:-NO     *
      * USE WITH REPLACING ==:TAG:== BY YOUR OWN PREFIX                *
      *----------------------------------------------------------------*
       01  :TAG:-REC.
           05  :TAG:-NO                 PIC 9(10).
           05  :TAG:-CUST-NO            PIC 9(8).
           05  :TAG:-TYPE               PIC X(02).
               88  :TAG:-IS-CHECKING    VALUE 'CK'.
               88  :TAG:-IS-SAVINGS     VALUE 'SV'.
               88  :TAG:-IS-LOAN        VALUE 'LN'.
           05  :TAG:-STATUS             PIC X(01).
               88  :TAG:-OPEN           VALUE 'A'.
               88  :TAG:-FROZEN         VALUE 'F'.
               88  :TAG:-CLOSED         VALUE 'C'.
               88  :TAG:-DORMANT        VALUE 'D'.
           05  :TAG:-BRANCH             PIC 9(04).
           05  :TAG:-BAL                PIC S9(11)V99 COMP-3.
           05  :TAG:-HOLD-AMT           PIC S9(09)V99 COMP-3.
           05  :TAG:-OD-LIMIT           PIC S9(09)V99 COMP-3.
           05  :TAG:-INT-RATE           PIC 9(02)V9(04) COMP-3.
           05  :TAG:-INT-ACCRUED        PIC S9(09)V9(06) COMP-3.
           05  :TAG:-LAST-POST-DT       PIC 9(08).
           05  :TAG:-LAST-STMT-DT       PIC 9(08).
           05  :TAG:-OPEN-DT.
               10  :TAG:-OPEN-YY        PIC 9(02).
               10  :TAG:-OPEN-MM        PIC 9(02).
               10  :TAG:-OPEN-DD        PIC 9(02).
           05  :TAG:-MTD-DR-CNT         PIC 9(05) COMP-3.
           05  :TAG:-MTD-CR-CNT         PIC 9(05) COMP-3.
           05  :TAG:-FEE-WAIVE-CD       PIC X(01).
           05  :TAG:-STAFF-FLAG         PIC X(01).
           05  FILLER                   PIC X(114).
