! SPDX-License-Identifier: BSD-3-Clause
!
! Whole expressions in Fortran: every column of a table with mean 0 and deviation 1, then a
! body in a spring, planned once and executed in a loop.
!
!     gfortran -O2 -o layer_norm layer_norm.f90 $(pkg-config --cflags --libs broadloom-fortran)
!     ./layer_norm
!
program layer_norm
  use broadloom
  implicit none
  real(8) :: x(3, 2) = reshape([1, 2, 3, 4, 5, 9], [3, 2]), y(3, 2), largest
  real(8) :: at(2) = [1, 0], speed(2) = [0, 1]
  character(120) :: message
  type(bl_expr) :: norm, spring
  type(bl_expr_plan) :: step
  integer :: i, stat

  ! Operands are a, b, ...; a text may have several results.
  call bl_expr_parse(norm, 'd = a - mean(a, 1, keepdim); &
       &n = d / sqrt(mean(d * d, 1, keepdim) + 1e-5); n; max(n)')
  call bl_expr_run(norm, y, x, out2=largest)
  print '(a, 3f8.3)', ('column ', y(:, i), i = 1, 2)
  print '(a, f0.3)', 'largest ', largest

  ! at = at + speed / 2, speed = speed - at / 2: both of the old values of results.
  call bl_expr_parse(spring, 'out + out2 * 0.5; out2 - out * 0.5')
  call bl_expr_plan_create(step, spring, at, out2=speed)
  do i = 1, 4
     call bl_expr_plan_execute(step, at, out2=speed)
  end do
  print '(2(a, 2f8.4))', 'at', at, ' speed', speed

  call bl_expr_run(spring, at, out2=x, stat=stat, errmsg=message)
  print '(a)', trim(message)

  call bl_expr_plan_destroy(step)
  call bl_expr_destroy(spring)
  call bl_expr_destroy(norm)
end program
