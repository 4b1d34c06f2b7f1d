module m
  interface
    module subroutine impl(a)
      real :: a
    end subroutine
  end interface
  type, abstract, public :: base(k)
    integer, kind :: k
  contains
    procedure(iface), deferred :: run
    generic :: go => run
  end type base
contains
  subroutine type(x)
    type(integer) :: x
    end = 3
    end(1) = 2
  end subroutine type
  function module() result(program)
    integer :: program
    program = 1
  end function module
  impure &
  ! a comment
  & elemental &
  subroutine w(a); real, intent(in) :: a
  end &
  subroutine &
  w
end module m
