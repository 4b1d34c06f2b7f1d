/* REXX: /* nested */ refunds */
parse arg day .
call collect day,
     'ALL'
if rc > 0 then signal failed
exit 0
collect: procedure
  arg day
  call 'REFLIST' day
return
failed:
  say 'no: refunds'
exit 8
