      * DATEPRM - PARAMETERS OF THE DATE ROUTINE CBDAT01
       01  DATE-PARM.
           05  DP-FUNCTION              PIC X(04).
      *        EXPD = EXPAND YYMMDD TO CCYYMMDD
      *        DIFF = DAYS BETWEEN TWO DATES
      *        VALD = IS THE DATE REAL
      *        EOM  = IS IT THE LAST DAY OF ITS MONTH
           05  DP-DATE-6                PIC 9(06).
           05  DP-DATE-8                PIC 9(08).
           05  DP-DATE-8-TO             PIC 9(08).
           05  DP-DAYS                  PIC S9(07) COMP-3.
           05  DP-RETURN                PIC 9(02).
               88  DP-OK                VALUE 00.
               88  DP-INVALID           VALUE 08.
