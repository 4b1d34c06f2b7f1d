      ******************************************************************
      * DCLGEN TABLE(BANKDB.XFER_LOG)                                  *
      *        LIBRARY(BANK.PROD.DCLLIB(DCLXFRLG))                     *
      ******************************************************************
           EXEC SQL DECLARE BANKDB.XFER_LOG TABLE
           ( XFER_ID                        INTEGER NOT NULL,
             FROM_ACCT                      DECIMAL(10, 0) NOT NULL,
             TO_ACCT                        DECIMAL(10, 0) NOT NULL,
             AMOUNT                         DECIMAL(11, 2) NOT NULL,
             USER_ID                        CHAR(8) NOT NULL,
             CREATED_TS                     TIMESTAMP NOT NULL
           ) END-EXEC.
       01  DCLXFER-LOG.
           10 XL-XFER-ID           PIC S9(9) USAGE COMP.
           10 XL-FROM-ACCT         PIC S9(10)V USAGE COMP-3.
           10 XL-TO-ACCT           PIC S9(10)V USAGE COMP-3.
           10 XL-AMOUNT            PIC S9(9)V9(2) USAGE COMP-3.
           10 XL-USER-ID           PIC X(8).
           10 XL-CREATED-TS        PIC X(26).
