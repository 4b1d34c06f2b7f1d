**FREE
// days after the due date for the letters
dcl-c DUN_FIRST  const(30);
dcl-c DUN_SECOND const(60);
dcl-c DUN_BLOCK  const(90);
