! SPDX-License-Identifier: BSD-3-Clause
!
! Small calls for calls.t.sh, which counts their instructions and what they allocate.
! usage: calls c|fortran|c_plan|plan|sections TIMES, or calls time
module small_calls
  use broadloom
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  interface
     subroutine c_calls(a, b, c, times) bind(c)
       import
       real(c_double), intent(inout) :: a(4), b(4), c(4)
       integer(c_int), value :: times
     end subroutine
     subroutine c_plan(a, b, c, times) bind(c)
       import
       real(c_double), intent(inout) :: a(4), b(4), c(4)
       integer(c_int), value :: times
     end subroutine
     !> Calls run(); what callgrind collects.
     subroutine measured(times) bind(c)
       import
       integer(c_int), intent(in) :: times
     end subroutine
  end interface
  type :: point
     real(8) :: x, y
     integer(1) :: tag
  end type
  real(8) :: a(4) = 1, b(4) = 2, c(4), grid(9, 6) = 3
  type(point) :: p(4) = point(1, 2, 3_1)
  type(bl_expr) :: sum
  type(bl_expr_plan) :: plan
  character(10) :: what

contains

  subroutine run(times) bind(c, name='run_calls')
    integer(c_int), intent(in) :: times
    integer :: i

    select case (what)
    case ('c')
       call c_calls(a, b, c, times)
    case ('fortran')
       do i = 1, times
          call bl_add(a, b, c)
       end do
    case ('c_plan')
       call c_plan(a, b, c, times)
    case ('plan')
       do i = 1, times
          call bl_expr_plan_execute(plan, c, a, b)
       end do
    case ('sections')
       do i = 1, times
          call bl_add(grid(9:3:-2, 2:6:2), p%x, grid(8:2:-2, 1:5:2))
          call bl_add_inplace(p%y, grid(2:8:2, 1))
          call bl_add(grid(1:4, 1:4), grid(1, 1:4), grid(6:9, 2:5), along=2)
       end do
    end select
  end subroutine

  !> The shortest of many turns, in nanoseconds of a call.
  real(8) function time_of(name)
    character(*), intent(in) :: name
    integer(8) :: begin, end, rate
    integer :: i

    what = name
    time_of = huge(time_of)
    do i = 1, 100
       call system_clock(begin, rate)
       call run(1000)
       call system_clock(end)
       time_of = min(time_of, (end - begin) * 1d6 / rate)
    end do
  end function

end module

program calls
  use small_calls
  implicit none
  integer(c_int) :: times
  character(10) :: word
  real(8) :: ns(2)

  call get_command_argument(1, what)
  if (what == 'time') then
     ns = [time_of('c'), time_of('fortran')]
     print '(3(a, f0.1))', 'C ', ns(1), ' ns, Fortran ', ns(2), ' ns, difference ', ns(2) - ns(1)
     stop
  end if
  call get_command_argument(2, word)
  read (word, *) times
  call bl_expr_parse(sum, 'a + b')
  call bl_expr_plan_create(plan, sum, c, a, b)
  call run(1)
  call measured(times)
end program
