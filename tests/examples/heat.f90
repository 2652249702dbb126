! SPDX-License-Identifier: BSD-3-Clause
!
! Heat spreads on a plate with cold edges: heat.c in Fortran, on sections of the program's
! own arrays, of which nothing is copied.
!
!     gfortran -O2 -o heat heat.f90 $(pkg-config --cflags --libs broadloom-fortran)
!     ./heat
!
program heat
  use broadloom
  implicit none
  integer, parameter :: n = 514
  real(8) :: plate(n, n) = 0, next(n, n) = 0, total
  integer :: i

  plate(n / 2 + 1, n / 2 + 1) = 1000
  do i = 1, 50
     call step(next, plate, 0.2d0)
     call step(plate, next, 0.2d0)
  end do
  call bl_sum(plate, total)
  print '(2(a, f0.10))', 'centre ', plate(n / 2 + 1, n / 2 + 1), ' total ', total
contains
  ! to = from + rate * (the four neighbours - 4 * from), at the inner points.
  subroutine step(to, from, rate)
    real(8), intent(inout) :: to(:, :)
    real(8), intent(in) :: from(:, :), rate
    real(8), save :: t(n - 2, n - 2)

    call bl_add(from(1:n-2, 2:n-1), from(3:n, 2:n-1), t)
    call bl_add_inplace(t, from(2:n-1, 1:n-2))
    call bl_add_inplace(t, from(2:n-1, 3:n))
    call bl_sub_scaled_inplace(t, from(2:n-1, 2:n-1), 4)
    call bl_add_scaled(from(2:n-1, 2:n-1), t, rate, to(2:n-1, 2:n-1))
  end subroutine
end program
