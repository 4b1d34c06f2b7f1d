**FREE
// CUSTAGE - ageing of receivables, and dunning letters
// 30, 60, 90 days; at 90 the customer is blocked
ctl-opt dftactgrp(*no) actgrp('DUNNING') option(*srcstmt);

/include QRPGLESRC,DUNDEFS

dcl-pr sendLetter extpgm('DUNLTR');
  custNo packed(7:0) const;
  level  int(5) const;
end-pr;

dcl-ds openItem qualified;
  custNo  packed(7:0);
  invNo   packed(9:0);
  dueDate date;
  amount  packed(11:2);
end-ds;

dcl-s level int(5);
dcl-s lastCust packed(7:0) inz(0);
dcl-s worst int(5) inz(0);

exec sql set option commit = *none, closqlcsr = *endmod;

exec sql declare openInv cursor for
  select custno, invno, duedate, amount
    from invoices
   where paid = 'N' and duedate < current date
   order by custno, duedate;

exec sql open openInv;
exec sql fetch next from openInv into :openItem;
dow sqlcode = 0;
  if openItem.custNo <> lastCust and lastCust <> 0;
    finishCustomer(lastCust : worst);
    worst = 0;
  endif;
  lastCust = openItem.custNo;
  level = dunningLevel(openItem.dueDate);
  if level > worst;
    worst = level;
  endif;
  exec sql fetch next from openInv into :openItem;
enddo;
// the last customer is forgotten here when the cursor ends: ticket 2291
exec sql close openInv;
*inlr = *on;
return;

dcl-proc dunningLevel;
  dcl-pi *n int(5);
    due date const;
  end-pi;
  dcl-s late int(10);

  late = %diff(%date() : due : *days);
  select;
    when late >= DUN_BLOCK;
      return 3;
    when late >= DUN_SECOND;
      return 2;
    when late >= DUN_FIRST;
      return 1;
    other;
      return 0;
  endsl;
end-proc;

dcl-proc finishCustomer;
  dcl-pi *n;
    cust  packed(7:0) const;
    level int(5) const;
  end-pi;

  if level = 0;
    return;
  endif;
  sendLetter(cust : level);
  if level = 3;
    exec sql update custmr
                set cublok = 'Y', culim = 0
              where cucust = :cust;
  endif;
  monitor;
    exec sql insert into dunlog (custno, dunlevel, sent)
             values (:cust, :level, current timestamp);
  on-error;
    dsply 'dunning log full';
  endmon;
end-proc;
