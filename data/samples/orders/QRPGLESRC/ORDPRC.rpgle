     H OPTION(*SRCSTMT:*NODEBUGIO) ACTGRP(*NEW)
      * ORDPRC - release of held orders when the customer has paid
      * 2005 ported half way to free form, then the project ended
     FHELDORD   UF   E           K DISK
     FCUSTMR    UF   E           K DISK
     FORDDSP    CF   E             WORKSTN SFILE(HELDSFL:rrn)
      /DEFINE NEED_ERRDS
      /COPY QRPGLESRC,STDDEFS
     D rrn             S              4S 0
     D released        S              5P 0 INZ(0)
     D oldestDays      S              5P 0
     D SendMail        PR                  EXTPGM('MAILSND')
     D  to                           50A   CONST
     D  text                        200A   CONST
     C     *ENTRY        PLIST
     C                   PARM                    runDate
     C                   EXSR      LoadScreen
      /free
       dow not *in03;
         exfmt HELDCTL;
         if *in05;
           exsr LoadScreen;
         elseif not *in03;
           exsr ReadChoices;
         endif;
       enddo;
       *inlr = *on;
       return;

       // one line for each held order, oldest first
       begsr LoadScreen;
         rrn = 0;
         *in31 = *off;
         write HELDCTL;
         setll *loval HELDORD;
         read HELDREC;
         dow not %eof(HELDORD) and rrn < 9999;
           rrn += 1;
           DSORD = HOORD;
           DSVAL = HOVAL;
           oldestDays = %diff(%date() : %date(HODATE : *iso) : *days);
           if oldestDays > 14;
             DSFLAG = '*';
           else;
             DSFLAG = ' ';
           endif;
           write HELDSFL;
           read HELDREC;
         enddo;
         *in31 = *on;
       endsr;

       begsr ReadChoices;
         readc HELDSFL;
         dow not %eof(ORDDSP);
           select;
             when DSOPT = '1';
               exsr Release;
             when DSOPT = '4';
               exsr Cancel;
           endsl;
           readc HELDSFL;
         enddo;
       endsr;
      /end-free
      * still fixed: nobody dared
     C     Release       BEGSR
     C     DSORD         CHAIN     HELDREC                            60
     C                   IF        *IN60 = *OFF
     C     HOCUST        CHAIN     CUSREC                             61
     C                   IF        CUOWED + HOVAL <= CULIM
     C                             OR CUCLAS = 'A'
     C                   ADD       HOVAL         CUOWED
     C                   UPDATE    CUSREC
     C                   DELETE    HELDREC
     C                   ADD       1             released
     C                   ENDIF
     C                   ENDIF
     C                   ENDSR
      /free
       begsr Cancel;
         chain DSORD HELDREC;
         if %found(HELDORD);
           SendMail('sales@example.com' : 'Order cancelled: ' + %char(HOORD));
           delete HELDREC;
         endif;
       endsr;
      /end-free
