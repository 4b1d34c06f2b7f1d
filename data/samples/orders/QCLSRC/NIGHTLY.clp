/* NIGHTLY - ORDER AND STOCK RUN. SUBMITTED BY THE JOB SCHEDULER 23:00 */
             PGM        PARM(&MODE)
             DCL        VAR(&MODE) TYPE(*CHAR) LEN(1)
             DCL        VAR(&DATE) TYPE(*CHAR) LEN(8)
             DCL        VAR(&STAMP) TYPE(*CHAR) LEN(20)
             DCL        VAR(&COUNT) TYPE(*DEC) LEN(10 0)
             MONMSG     MSGID(CPF0000) EXEC(GOTO CMDLBL(FAILED))

             RTVSYSVAL  SYSVAL(QDATETIME) RTNVAR(&STAMP)
             CHGVAR     VAR(&DATE) VALUE(%SST(&STAMP 1 8))
             ALCOBJ     OBJ((PRODLIB/ITEMS *FILE *EXCL)) WAIT(300)
             MONMSG     MSGID(CPF1002) EXEC(DO)
                SNDMSG     MSG('Stock file in use, nightly run not done') +
                             TOUSR(QSYSOPR)
                RETURN
             ENDDO

             SAVOBJ     OBJ(ITEMS CUSTMR) LIB(PRODLIB) DEV(*SAVF) +
                          SAVF(BACKUP/NIGHT) CLEAR(*ALL)
             OVRDBF     FILE(ORDERS) TOFILE(PRODLIB/ORDERS) SHARE(*YES)
             CALL       PGM(ORDENT)
             RTVMBRD    FILE(PRODLIB/MOVES) NBRCURRCD(&COUNT)
             IF         COND(&COUNT *GT 0) THEN(DO)
                CALL       PGM(INVUPD) PARM(&DATE)
                CLRPFM     FILE(PRODLIB/MOVES)
             ENDDO
             IF         COND(&MODE *EQ 'W') THEN(CALL PGM(CUSTAGE))
             DLTOVR     FILE(ORDERS)
             DLCOBJ     OBJ((PRODLIB/ITEMS *FILE *EXCL))
             RETURN

 FAILED:     SNDPGMMSG  MSGID(CPF9898) MSGF(QCPFMSG) +
                          MSGDTA('NIGHTLY failed, see job log') +
                          MSGTYPE(*ESCAPE)
             ENDPGM
