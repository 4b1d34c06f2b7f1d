**free
dcl-s endproc ind; dcl-c X 'dcl-proc y;';
dcl-pr ext int(10) extproc('e') end-pr;
dcl-ds d likeds(e) end-ds;
dcl-ds t template qualified; a char(1); end-ds t;
/copy qrpglesrc,hdr
/if defined(A)
dcl-proc p1;
/else
dcl-proc p1 export;
/endif
  dcl-pi *n end-pi;
  monitor; p2(); on-error; endmon;
  exec sql declare c cursor for select 'dcl-proc q;' from x
    where begsr = 1;
end-proc;
dcl-proc p2;
end-proc
 p2;
