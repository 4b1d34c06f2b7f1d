      * COMMAREA PASSED BETWEEN THE SCREEN PROGRAMS, TRAN BKMN BKAV BKXF
       01  BK-COMMAREA.
           05  CA-FROM-TRAN             PIC X(04).
           05  CA-USER-ID               PIC X(08).
           05  CA-USER-LVL              PIC X(01).
               88  CA-SUPERVISOR        VALUE 'S'.
               88  CA-TELLER            VALUE 'T'.
           05  CA-PGM-STATE             PIC 9(01).
               88  CA-FIRST-TIME        VALUE 0.
               88  CA-RE-ENTER          VALUE 1.
           05  CA-ACCT-NO               PIC 9(10).
           05  CA-MSG                   PIC X(60).
