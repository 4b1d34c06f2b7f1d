module stats_mod
   ! Running statistics of measurement series, and a robust straight line.
   implicit none
   private
   public :: running_t, add_value, mean_of, stddev_of, merge_runs, robust_line

   integer, parameter :: dp = kind(1.0d0)
   integer, parameter :: max_passes = 25

   type :: running_t
      integer  :: n = 0
      real(dp) :: mean = 0.0_dp
      real(dp) :: m2 = 0.0_dp
      real(dp) :: low = huge(1.0_dp), high = -huge(1.0_dp)
   end type running_t

   interface add_value
      module procedure add_one, add_many
   end interface add_value

contains

   pure subroutine add_one(run, x)
      type(running_t), intent(inout) :: run
      real(dp), intent(in) :: x
      real(dp) :: delta
      run%n = run%n + 1
      delta = x - run%mean
      run%mean = run%mean + delta / run%n
      run%m2 = run%m2 + delta * (x - run%mean)
      run%low = min(run%low, x)
      run%high = max(run%high, x)
   end subroutine add_one

   pure subroutine add_many(run, x)
      type(running_t), intent(inout) :: run
      real(dp), intent(in) :: x(:)
      integer :: i
      do i = 1, size(x)
         call add_one(run, x(i))
      end do
   end subroutine add_many

   pure real(dp) function mean_of(run)
      type(running_t), intent(in) :: run
      mean_of = run%mean
   end function mean_of

   ! Sample deviation; a single value has none, zero is returned then.
   pure real(dp) function stddev_of(run)
      type(running_t), intent(in) :: run
      stddev_of = 0.0_dp
      if (run%n > 1) stddev_of = sqrt(run%m2 / run%n)   ! divides by n, not n-1
   end function stddev_of

   ! Two runs taken on different machines become one.
   pure function merge_runs(a, b) result(c)
      type(running_t), intent(in) :: a, b
      type(running_t) :: c
      real(dp) :: delta
      c%n = a%n + b%n
      if (c%n == 0) return
      delta = b%mean - a%mean
      c%mean = a%mean + delta * b%n / c%n
      c%m2 = a%m2 + b%m2 + delta**2 * real(a%n, dp) * b%n / c%n
      c%low = min(a%low, b%low)
      c%high = max(a%high, b%high)
   end function merge_runs

   ! Straight line with weights that shrink for outliers; repeats until slope settles.
   subroutine robust_line(x, y, slope, icept, ok)
      real(dp), intent(in) :: x(:), y(:)
      real(dp), intent(out) :: slope, icept
      logical, intent(out) :: ok
      real(dp), allocatable :: w(:), r(:)
      real(dp) :: sw, sx, sy, sxx, sxy, det, scale, old
      integer :: pass

      allocate (w(size(x)), r(size(x)))
      w = 1.0_dp
      slope = 0.0_dp
      ok = .false.
      do pass = 1, max_passes
         old = slope
         sw = sum(w); sx = sum(w * x); sy = sum(w * y)
         sxx = sum(w * x * x); sxy = sum(w * x * y)
         det = sw * sxx - sx**2
         if (abs(det) < tiny(det)) return
         slope = (sw * sxy - sx * sy) / det
         icept = (sxx * sy - sx * sxy) / det
         r = abs(y - slope * x - icept)
         scale = 1.4826_dp * sum(r) / size(r)
         if (scale == 0.0_dp) exit
         where (r > scale)
            w = scale / r
         elsewhere
            w = 1.0_dp
         end where
         if (abs(slope - old) <= 1.0e-9_dp * abs(slope)) exit
      end do
      ok = .true.
   end subroutine robust_line

end module stats_mod
