       IDENTIFICATION DIVISION.                                         DAT00001
       PROGRAM-ID. CBDAT01.                                             DAT00002
      * COMMON DATE ROUTINE. WRITTEN 1998 FOR THE YEAR 2000 PROJECT.    DAT00003
      * PIVOT: YY BELOW 40 IS 20YY, 40 AND ABOVE IS 19YY.               DAT00004
       ENVIRONMENT DIVISION.                                            DAT00005
       DATA DIVISION.                                                   DAT00006
       WORKING-STORAGE SECTION.                                         DAT00007
       77  WS-PIVOT                     PIC 9(02) VALUE 40.             DAT00008
       01  WS-DATE-8                    PIC 9(08).                      DAT00009
       01  WS-DATE-8-R REDEFINES WS-DATE-8.                             DAT00010
           05  WS-CCYY                  PIC 9(04).                      DAT00011
           05  WS-MM                    PIC 9(02).                      DAT00012
           05  WS-DD                    PIC 9(02).                      DAT00013
       01  WS-DATE-6                    PIC 9(06).                      DAT00014
       01  WS-DATE-6-R REDEFINES WS-DATE-6.                             DAT00015
           05  WS-YY                    PIC 9(02).                      DAT00016
           05  WS-MMDD                  PIC 9(04).                      DAT00017
       01  WS-MONTH-LENGTHS             PIC X(24)                       DAT00018
               VALUE '312831303130313130313031'.                        DAT00019
       01  WS-MONTH-TAB REDEFINES WS-MONTH-LENGTHS.                     DAT00020
           05  WS-MLEN                  PIC 9(02) OCCURS 12 TIMES.      DAT00021
       77  WS-LAST-DD                   PIC 9(02).                      DAT00022
       77  WS-Q                         PIC 9(04).                      DAT00023
       77  WS-R4                        PIC 9(04).                      DAT00024
       77  WS-R100                      PIC 9(04).                      DAT00025
       77  WS-R400                      PIC 9(04).                      DAT00026
       LINKAGE SECTION.                                                 DAT00027
           COPY DATEPRM.                                                DAT00028
       PROCEDURE DIVISION USING DATE-PARM.                              DAT00029
       000-DISPATCH.                                                    DAT00030
           MOVE 0 TO DP-RETURN                                          DAT00031
           EVALUATE DP-FUNCTION                                         DAT00032
               WHEN 'EXPD' PERFORM 100-EXPAND                           DAT00033
               WHEN 'DIFF' PERFORM 200-DIFFERENCE                       DAT00034
               WHEN 'VALD' PERFORM 300-VALIDATE                         DAT00035
               WHEN 'EOM ' PERFORM 400-END-OF-MONTH                     DAT00036
               WHEN OTHER  MOVE 08 TO DP-RETURN                         DAT00037
           END-EVALUATE                                                 DAT00038
           GOBACK.                                                      DAT00039
       100-EXPAND.                                                      DAT00040
           MOVE DP-DATE-6 TO WS-DATE-6                                  DAT00041
           IF WS-YY < WS-PIVOT                                          DAT00042
               COMPUTE DP-DATE-8 = 20000000 + WS-DATE-6                 DAT00043
           ELSE                                                         DAT00044
               COMPUTE DP-DATE-8 = 19000000 + WS-DATE-6                 DAT00045
           END-IF.                                                      DAT00046
       200-DIFFERENCE.                                                  DAT00047
           COMPUTE DP-DAYS =                                            DAT00048
               FUNCTION INTEGER-OF-DATE(DP-DATE-8-TO)                   DAT00049
             - FUNCTION INTEGER-OF-DATE(DP-DATE-8).                     DAT00050
       300-VALIDATE.                                                    DAT00051
           MOVE DP-DATE-8 TO WS-DATE-8                                  DAT00052
           IF WS-MM < 1 OR WS-MM > 12                                   DAT00053
               MOVE 08 TO DP-RETURN                                     DAT00054
           ELSE                                                         DAT00055
               PERFORM 500-LAST-DAY                                     DAT00056
               IF WS-DD < 1 OR WS-DD > WS-LAST-DD                       DAT00057
                   MOVE 08 TO DP-RETURN                                 DAT00058
               END-IF                                                   DAT00059
           END-IF.                                                      DAT00060
       400-END-OF-MONTH.                                                DAT00061
           MOVE DP-DATE-8 TO WS-DATE-8                                  DAT00062
           PERFORM 500-LAST-DAY                                         DAT00063
           IF WS-DD = WS-LAST-DD                                        DAT00064
               MOVE 1 TO DP-DAYS                                        DAT00065
           ELSE                                                         DAT00066
               MOVE 0 TO DP-DAYS                                        DAT00067
           END-IF.                                                      DAT00068
       500-LAST-DAY.                                                    DAT00069
           MOVE WS-MLEN(WS-MM) TO WS-LAST-DD                            DAT00070
           DIVIDE WS-CCYY BY 4   GIVING WS-Q REMAINDER WS-R4            DAT00071
           DIVIDE WS-CCYY BY 100 GIVING WS-Q REMAINDER WS-R100          DAT00072
           DIVIDE WS-CCYY BY 400 GIVING WS-Q REMAINDER WS-R400          DAT00073
           IF WS-MM = 2                                                 DAT00074
              IF (WS-R4 = 0 AND WS-R100 NOT = 0) OR WS-R400 = 0         DAT00075
                  MOVE 29 TO WS-LAST-DD                                 DAT00076
              END-IF                                                    DAT00077
           END-IF.                                                      DAT00078
