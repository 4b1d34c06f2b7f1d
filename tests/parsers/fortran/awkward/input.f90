! Every awkward thing at once, in free form.
module ledger; implicit none
  type, public :: entry_t(k)   ! a type whose name begins with a keyword
    integer, kind :: k = 4
    real(k) :: end = 0
  contains
    procedure :: post => post_entry
  end type entry_t
  interface post
    module procedure post_real, post_int
    subroutine post_other(x) bind(c, name="end interface")
      import
      real :: x
    end subroutine
  end interface post
  character(len=*), parameter :: text = 'it''s & not ! a comment &
    & end module ledger'
contains
  recursive real(kind=kind(1.0d0)) function &
      ! between the lines

      total &
#ifdef LONG
      (first, last, &
#else
      (first, &
#endif
      step) result(sum)
    integer :: first, last, step
    sum = first; if (last > first) sum = sum + total(first + step, last, step)
    end = 3
    block
      integer :: function
      function = 1
    end block
  contains
    pure elemental subroutine inner(x)
      real, intent(inout) :: x
      select type (y => x)
      type is (real)
        x = y
      end select
    end subroutine inner
  end function total
#ifdef SINGLE
  subroutine narrow(x)
    real(4) :: x
#else
  subroutine narrow(x)
    real(8) :: x
#endif
    call x%part(2)%go(1); call other
  end sub&
  &routine narrow
end module ledger
submodule (ledger) posting
contains
  module procedure post_entry
    use, intrinsic :: iso_fortran_env, only: real64
    include 'post.inc'
  end procedure
end submodule
program main; use ledger; call narrow(1.0); end program main
