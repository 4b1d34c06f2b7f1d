program bench
   ! Small acceptance run: bar of iron, ends held, must come to a straight line.
   use heat_mod, only: step_explicit, step_implicit
   use stats_mod, only: running_t, add_value, stddev_of, robust_line
   implicit none
   integer, parameter :: dp = kind(1.0d0), n = 21
   real(dp) :: bar(n), x(n), slope, icept
   type(running_t) :: run
   integer :: i, stat
   logical :: ok
   interface
      subroutine quadr(f, a, b, npan, method, result, ierr)
         double precision, external :: f
         double precision :: a, b, result
         integer :: npan, method, ierr
      end subroutine quadr
   end interface
   double precision :: area

   bar = 20.0_dp
   bar(n) = 100.0_dp
   x = [(real(i - 1, dp) / (n - 1), i=1, n)]
   do i = 1, 4000
      if (i <= 10) then
         call step_explicit(bar, 2.3e-5_dp, 0.05_dp, 50.0_dp, stat)
         if (stat /= 0) stop 'step too long'
      else
         call step_implicit(bar, 2.3e-5_dp, 0.05_dp, 50.0_dp)
      end if
   end do
   call robust_line(x, bar, slope, icept, ok)
   call add_value(run, bar - slope * x - icept)
   call quadr(parabola, 0.0d0, 1.0d0, 8, 2, area, stat)
   print '(a,f8.3,a,f8.3,a,es10.2)', 'slope ', slope, ' at zero ', icept, ' spread ', stddev_of(run)
   print '(a,f10.6)', 'area ', area
contains
   double precision function parabola(t)
      double precision :: t
      parabola = t * t
   end function parabola
end program bench
