! Heat in a bar, one dimension, explicit and implicit steps.
module heat_mod
   implicit none
   integer, parameter, private :: dp = kind(1.0d0)
contains

   ! One explicit step. Refuses when the step is too long to be stable.
   subroutine step_explicit(u, alpha, dx, dt, stat)
      real(dp), intent(inout) :: u(:)
      real(dp), intent(in) :: alpha, dx, dt
      integer, intent(out) :: stat
      real(dp) :: k, left, here
      integer :: i
      k = alpha * dt / dx**2
      stat = 1
      if (k > 0.5_dp) return
      stat = 0
      left = u(1)
      do i = 2, size(u) - 1
         here = u(i)
         u(i) = here + k * (left - 2.0_dp * here + u(i + 1))
         left = here
      end do
   end subroutine step_explicit

   ! One implicit step: tridiagonal system, forward elimination and back substitution.
   subroutine step_implicit(u, alpha, dx, dt)
      real(dp), intent(inout) :: u(:)
      real(dp), intent(in) :: alpha, dx, dt
      real(dp) :: k, m, c(size(u))
      integer :: i, n
      n = size(u)
      k = alpha * dt / dx**2
      c(1) = 0.0_dp
      do i = 2, n - 1
         m = 1.0_dp + 2.0_dp * k + k * c(i - 1)
         c(i) = -k / m
         u(i) = (u(i) + k * u(i - 1)) / m
      end do
      do i = n - 1, 2, -1
         u(i) = u(i) - c(i) * u(i + 1)
      end do
   end subroutine step_implicit
end module heat_mod
