module shapes ; implicit none
  type :: t
    integer :: end
  contains
    procedure :: area => area_impl
    final :: done
  end type
  interface operator(+)
    module procedure add
  end interface
  abstract interface
    function f(x) result(y)
      real :: x, y
    end function
  end interface
contains
  pure elemental recursive function area_impl(this) result(r) bind(c, name="end function")
    class(t), intent(in) :: this
    real :: r
    r = 1; end function
  module subroutine s() ; end subroutine s
  subroutine &
    & done &
    (this)
    type(t) :: this
    print *, 'end subroutine &
       & done'
  end
  function add(a,b) result(c); type(t), intent(in)::a,b; type(t)::c
  end function add
end module
submodule (shapes:parent) child
contains
  module procedure area2
    integer :: subroutine
    subroutine = 3
  end procedure area2
end submodule child
