#define N 3
program p; use iso_c_binding, only: c_int; implicit none
  character(len=*), parameter :: s = "it's a 'program' ! not comment"
  integer, target :: i; interface; subroutine x(); end subroutine; end interface
  block; integer :: j; end block
  associate (end => i); end associate
  select case (i); case (1); end select
  contains
  integer function g() ; g = 1 ; endfunction
  endprogram p
