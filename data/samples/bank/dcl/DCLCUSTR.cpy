      ******************************************************************
      * DCLGEN TABLE(BANKDB.CUST_RISK)                                 *
      *        LIBRARY(BANK.PROD.DCLLIB(DCLCUSTR))                     *
      *        ACTION(REPLACE) LANGUAGE(COBOL) APOST                   *
      ******************************************************************
           EXEC SQL DECLARE BANKDB.CUST_RISK TABLE
           ( CUST_NO                        DECIMAL(8, 0) NOT NULL,
             RISK_CLASS                     CHAR(1) NOT NULL,
             RISK_SCORE                     SMALLINT NOT NULL,
             OVERDUE_CNT                    SMALLINT NOT NULL,
             LAST_REVIEW                    DATE,
             REVIEWER                       CHAR(8)
           ) END-EXEC.
       01  DCLCUST-RISK.
           10 CR-CUST-NO           PIC S9(8)V USAGE COMP-3.
           10 CR-RISK-CLASS        PIC X(1).
           10 CR-RISK-SCORE        PIC S9(4) USAGE COMP.
           10 CR-OVERDUE-CNT       PIC S9(4) USAGE COMP.
           10 CR-LAST-REVIEW       PIC X(10).
           10 CR-REVIEWER          PIC X(8).
