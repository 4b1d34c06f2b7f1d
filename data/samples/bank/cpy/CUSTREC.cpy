      * CUSTREC - CUSTOMER MASTER, 250 BYTES, KEY = CUST-NO
       01  CUST-REC.
           05  CUST-NO                  PIC 9(08).
           05  CUST-NAME.
               10  CUST-LAST-NM         PIC X(25).
               10  CUST-FIRST-NM        PIC X(20).
           05  CUST-ADDR.
               10  CUST-ADDR-LN1        PIC X(30).
               10  CUST-ADDR-LN2        PIC X(30).
               10  CUST-CITY            PIC X(20).
               10  CUST-POST-CD         PIC X(10).
           05  CUST-BIRTH-DT            PIC 9(06).
           05  CUST-PHONE               PIC X(15).
           05  CUST-SEGMENT             PIC X(01).
           05  CUST-MAIL-FLAG           PIC X(01).
               88  CUST-NO-PAPER        VALUE 'E'.
           05  FILLER                   PIC X(84).
