      * STMTLIN - PRINT LINES OF THE MONTHLY STATEMENT
       01  STMT-HEAD-1.
           05  FILLER                   PIC X(01) VALUE '1'.
           05  FILLER                   PIC X(30)
               VALUE 'FIRST PROVINCIAL SAVINGS BANK'.
           05  FILLER                   PIC X(20)
               VALUE 'STATEMENT OF ACCOUNT'.
           05  SH1-PERIOD               PIC X(10).
           05  FILLER                   PIC X(05) VALUE 'PAGE '.
           05  SH1-PAGE                 PIC ZZ9.
       01  STMT-DETAIL.
           05  FILLER                   PIC X(01) VALUE SPACE.
           05  SD-DATE                  PIC 9999/99/99.
           05  FILLER                   PIC X(02) VALUE SPACES.
           05  SD-TEXT                  PIC X(30).
           05  SD-AMT                   PIC ---,---,--9.99.
           05  FILLER                   PIC X(02) VALUE SPACES.
           05  SD-BAL                   PIC ---,---,--9.99.
       01  STMT-TOTAL.
           05  FILLER                   PIC X(01) VALUE '0'.
           05  FILLER                   PIC X(20)
               VALUE 'CLOSING BALANCE'.
           05  ST-BAL                   PIC ---,---,--9.99.
           05  FILLER                   PIC X(12) VALUE '  INTEREST '.
           05  ST-INT                   PIC ---,---,--9.99.
