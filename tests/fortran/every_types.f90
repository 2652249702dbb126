! SPDX-License-Identifier: BSD-3-Clause
!
! Operands and results of the program that every.awk makes, and how they are compared.
module every_types
  use, intrinsic :: iso_c_binding
  implicit none
  interface
     integer(c_int) function c_apply(op, count, dtypes, data, out_dtype, out) bind(c)
       import
       integer(c_int), value :: op, count, out_dtype
       integer(c_int), intent(in) :: dtypes(*)
       type(c_ptr), intent(in) :: data(*)
       type(c_ptr), value :: out
     end function
     integer(c_int) function c_reduce(op, dtype, in, out_dtype, out) bind(c)
       import
       integer(c_int), value :: op, dtype, out_dtype
       type(c_ptr), value :: in, out
     end function
  end interface
  interface compare
     module procedure compare_r, compare_n, compare_m
  end interface
  real(8), target :: r1(4) = [0.25d0, 1.5d0, 2d0, 3.75d0], r2(4) = [0.5d0, 1.25d0, 3d0, 0.75d0]
  real(8), target :: r3(4) = [0.125d0, 2.5d0, 4d0, 1d0], r4(4) = [2d0, 0.5d0, 1d0, 3d0]
  integer, target :: n1(4) = [5, 6, 70, 255], n2(4) = [3, 2, 1, 4]
  logical(c_bool), target :: m1(4) = [.true., .false., .true., .false.]
  real(8), target :: rx(4), ry(4)
  integer, target :: nx(4), ny(4)
  logical(c_bool), target :: mx(4), my(4)
  integer :: status, compared = 0

contains

  subroutine reset()
    rx = -77
    ry = rx
    nx = -77
    ny = nx
    mx = [.false., .true., .true., .false.]
    my = mx
  end subroutine

  subroutine copy()
    rx = r1
    ry = r1
    nx = n1
    ny = n1
  end subroutine

  subroutine report(name, same)
    character(*), intent(in) :: name
    logical, intent(in) :: same

    compared = compared + 1
    if (status /= 0 .or. .not. same) print '(2a, i0)', name, ' differs, status of C ', status
  end subroutine

  subroutine compare_r(name, x, y)
    character(*), intent(in) :: name
    real(8), intent(in) :: x(4), y(4)

    call report(name, all(transfer(x, [0]) == transfer(y, [0])))
  end subroutine

  subroutine compare_n(name, x, y)
    character(*), intent(in) :: name
    integer, intent(in) :: x(4), y(4)

    call report(name, all(x == y))
  end subroutine

  subroutine compare_m(name, x, y)
    character(*), intent(in) :: name
    logical(c_bool), intent(in) :: x(4), y(4)

    call report(name, logical(all(x .eqv. y)))
  end subroutine

end module
