**FREE
ctl-opt dftactgrp(*no);
dcl-f CUST usage(*input) keyed;
dcl-ds info qualified;
  size char(5);
  dcl-subf begsr char(3);
end-ds;
dcl-pr doit extpgm('DOIT');
  p char(1);
end-pr;
// dcl-proc ghost;
/* begsr ghost2; */
exsr init; callp doit('begsr x;');
*inlr = *on;
begsr init;
  name = 'it''s; endsr;'; endsr;
dcl-proc calc export;
  dcl-pi *n int(10);
    a int(10) const;
  end-pi;
  begsr inner;
  endsr;
  return a
    * 2;
end-proc calc;
