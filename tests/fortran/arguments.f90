! SPDX-License-Identifier: BSD-3-Clause
!
! Every form of actual argument: a value, or a refusal that names it.  What is written is
! compared with a whole array that Fortran's own assignment has written to, so that an
! element outside of a section that changes is found.
program arguments
  use broadloom
  use tap
  implicit none

  type :: particle
     complex(8) :: z
     real(8) :: w
     integer(1) :: charge
  end type

  character(200) :: message
  integer :: stat

  call kinds()
  call sections()
  call components()
  call memory()
  call logicals()
  call refused()
  call done()

contains

  subroutine kinds()
    real(4) :: r4(3) = [1, 2, 3], r4c(3)
    real(8) :: r8(3) = [1, 2, 3], r8c(3)
    integer(1) :: i1(3) = [1, 2, 3], i1c(3)
    integer(2) :: i2(3) = [1, 2, 3], i2c(3)
    integer(4) :: i4(3) = [1, 2, 3], i4c(3)
    integer(8) :: i8(3) = [1, 2, 3], i8c(3)
    complex(4) :: c4(3) = [(1, 2), (3, 4), (5, 6)], c4c(3)
    complex(8) :: c8(3) = [(1, 2), (3, 4), (5, 6)], c8c(3)
    logical(c_bool) :: l1(3) = [.true., .false., .true.], l1c(3)
    real(8) :: scalar, wide(3, 1)
    real(8) :: r15(2, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 2)
    integer :: i

    call bl_add(r4, r4, r4c)
    call ok(all(r4c == r4 + r4), 'real(4)')
    call bl_add(r8, r8, r8c)
    call ok(all(r8c == r8 + r8), 'real(8)')
    call bl_mul(i1, i1, i1c)
    call ok(all(i1c == i1 * i1), 'integer(1)')
    call bl_mul(i2, i2, i2c)
    call ok(all(i2c == i2 * i2), 'integer(2)')
    call bl_mul(i4, i4, i4c)
    call ok(all(i4c == i4 * i4), 'integer(4)')
    call bl_mul(i8, i8, i8c)
    call ok(all(i8c == i8 * i8), 'integer(8)')
    call bl_add(c4, c4, c4c)
    call ok(all(c4c == c4 + c4), 'complex(4)')
    call bl_conj(c8, c8c)
    call ok(all(c8c == conjg(c8)), 'complex(8)')
    call bl_logical_not(l1, l1c)
    call ok(logical(all(l1c .eqv. .not. l1)), 'logical(c_bool)')
    call bl_add(i1, 0.5d0, r8c)
    call ok(all(r8c == i1 + 0.5d0), 'integer(1) and a number of higher category')
    call bl_add(2d0, 3, scalar)
    call ok(scalar == 5, 'numbers, into a scalar')
    call bl_add(r8 * 2, [1, 2, 3], r8c)
    call ok(all(r8c == r8 * 3), 'expressions')
    call bl_mul(reshape(r4, [3, 1]), 0.1d0, wide, along=2)
    call ok(all(wide(:, 1) == r4 * 0.1), 'a number of another kind does not change that of a result')
    r15 = reshape([(real(i, 8), i = 1, 16)], shape(r15))
    call bl_mul_inplace(r15, 2)
    call ok(all(reshape(r15, [16]) == [(2 * i, i = 1, 16)]), 'rank 15')
  end subroutine

  subroutine sections()
    real(8) :: a(3, 2), b(3), s(6, 4), want(6, 4), t(9), want_t(9)
    integer :: i

    a = reshape([(real(i, 8), i = 1, 6)], [3, 2])
    b = [10, 20, 30]
    s = -77
    want = -77
    want(6:1:-2, 2:4:2) = a + spread(b, 2, 2)
    call bl_add(a, b, s(6:1:-2, 2:4:2))
    call ok(all(s == want), 'a section of negative and positive steps, and nothing beside it')
    want(2:4, 3) = want(2:4, 3) + want(6:2:-2, 2)
    call bl_add_inplace(s(2:4, 3), s(6:2:-2, 2))
    call ok(all(s == want), 'a column in place')
    want(3, :) = want(3, :) * [1, 2, 3, 4]
    call bl_mul_inplace(s(3, :), [1d0, 2d0, 3d0, 4d0])
    call ok(all(s == want), 'a row in place')
    t = -77
    want_t = -77
    want_t(8:2:-3) = b(3:1:-1)
    call bl_copy(b(3:1:-1), t(8:2:-3))
    call ok(all(t == want_t), 'a vector backwards')
    call bl_add(a(1:0, :), 1d0, s(1:0, 1:2))
    call bl_add_inplace(s(3:2, 4:3), [real(8) ::])
    call ok(all(s == want), 'empty sections')
    call nested(s(1:6:2, :))
    want(1:6:2, :) = want(1:6:2, :) + 1
    call ok(all(s == want), 'type(*), dimension(..) of a caller')
    call shaped(s(2:, 2:))
    want(3:6:3, 2:4:2) = 0
    call ok(all(s == want), 'a section of an assumed-shape dummy')
    call sized(t, b)
    want_t(1:3) = b
    call ok(all(t == want_t), 'a section of an assumed-size dummy')
  end subroutine

  subroutine nested(x)
    type(*), dimension(..), intent(inout) :: x

    call bl_add_inplace(x, 1)
  end subroutine

  subroutine shaped(x)
    real(8), intent(inout) :: x(0:, 0:)

    call bl_copy(0, x(1:4:3, 0:2:2))
  end subroutine

  subroutine sized(x, y)
    real(8), intent(inout) :: x(*), y(3)

    call bl_copy(y, x(1:3))
    call bl_add(x, y, y, stat=stat, errmsg=message)
    call same_text(message, 'bl_add: a is of assumed size: pass a section, as a(1:n)', &
         'assumed size is refused')
  end subroutine

  subroutine components()
    type(particle) :: p(5), q(2, 2)
    complex(8) :: z(5)
    integer :: i

    p%z = (1, 1)
    p%w = [(real(i, 8), i = 1, 5)]
    p%charge = 7
    call bl_add(p%z, p%w, z)
    call ok(all(z == p%z + p%w), 'components in 32 bytes as inputs')
    call bl_mul_inplace(p(5:1:-2)%w, 10)
    call ok(all(p%w == [10, 2, 30, 4, 50]), 'a section of components in place')
    call bl_sub_inplace(p%charge, [1, 2, 3, 4, 5])
    call ok(all(p%charge == [6, 5, 4, 3, 2]), 'components of a byte in place')
    call ok(all(p%z == (1, 1)) .and. all(p%w == [10, 2, 30, 4, 50]), 'and nothing beside them')
    q%w = 1
    q%z = 0
    call bl_add_inplace(q%w, [10d0, 20d0])
    call ok(all(q%w == reshape([11, 21, 11, 21], [2, 2])) .and. all(q%z == 0), &
         'components of a matrix, by columns')
    call bl_copy(q(2, 2)%w, q(1, 1)%w)
    call ok(q(1, 1)%w == 21, 'one component')
  end subroutine

  subroutine memory()
    real(8), allocatable :: al(:, :), none(:)
    real(8), pointer :: pp(:), row(:, :)
    real(8), target :: t(10), v(6)
    integer, allocatable :: dims(:)
    integer, pointer :: dim
    real(8) :: a(3, 2)

    nullify (dim)
    allocate (al(-1:1, 0:1), none(4))
    deallocate (none)
    a = 1
    call bl_add(a, 2, al)
    call ok(all(al == 3) .and. all(lbound(al) == [-1, 0]), 'allocatable, with bounds')
    t = -77
    pp => t(10:1:-3)
    call bl_copy([1, 2, 3, 4], pp)
    call ok(all(t == [4, -77, -77, 3, -77, -77, 2, -77, -77, 1]), 'pointer')
    v = [100, 0, 200, 0, 0, 0]
    row(1:1, 1:2) => v(1:4:2)
    call bl_add(a, row, al)
    call ok(all(al == reshape([101, 101, 101, 201, 201, 201], [3, 2])), 'pointer of higher rank')
    nullify (pp)
    call bl_add(a, none, al, stat=stat, errmsg=message)
    call same_text(message, 'bl_add: b is not allocated: a(3,2)', 'not allocated is refused')
    call bl_sum(a, pp, stat=stat, errmsg=message)
    call same_text(message, 'bl_sum: out is not allocated: a(3,2)', 'disassociated is refused')
    call bl_sum(a, t(1), dim=dims)
    call bl_sum(a, t(2), dim=dim)
    call ok(all(t(:2) == 6), 'dim that is not allocated, or disassociated, is absent')
  end subroutine

  subroutine logicals()
    real(8) :: a(4) = [1, 2, 3, 4], c(4)
    logical :: l4(4), l4s(8), any4, pattern(2, 3)
    real(8) :: field(4, 2, 3), other(4, 2, 3)
    logical(2) :: l2(4)
    logical(8) :: l8(4)
    integer :: i

    call bl_gt(a, 2, l4)
    call ok(all(l4 .eqv. a > 2), 'a default logical as result')
    call bl_gt(a, 2, l2)
    call bl_gt(a, 2, l8)
    call ok(logical(all(l2 .eqv. l4) .and. all(l8 .eqv. l4)), 'logical(2) and logical(8)')
    l4s = .false.
    call bl_logical_or(l4, .true., l4s(8:2:-2))
    call ok(all(l4s .eqv. [.false., .true., .false., .true., .false., .true., .false., .true.]), &
         'a section of a default logical')
    call bl_where(l4, a, -a, c)
    call ok(all(c == merge(a, -a, l4)), 'a default logical as mask')
    call bl_where(l4s(1:8:2), a, 0, c)
    call ok(all(c == 0), 'a section of one as mask')
    pattern = reshape([.true., .false., .false., .true., .true., .false.], [2, 3])
    field = reshape([(real(i, 8), i = 1, 24)], shape(field))
    call bl_where(pattern, field, 0, other, along=2)
    call ok(all(other == merge(field, 0d0, spread(pattern, 1, 4))), 'a default logical as mask along 2')
    call bl_any(l4, any4)
    call ok(any4, 'any, into a default logical')
    call bl_all(l4, any4)
    call ok(.not. any4, 'all, into a default logical')
    call bl_copy(l4, l2)
    call bl_where(l4, l4s(1:4), l4, l8)
    call ok(all(logical(l2) .eqv. l4) .and. all(logical(l8) .eqv. [.false., .false., .false., .true.]), &
         'logicals moved')
    call bl_sum(l4, c(1))
    call ok(c(1) == 2, 'a default logical counts as 0 and 1')
    call bl_add(l4, l4, l4, stat=stat, errmsg=message)
    call same_text(message, 'bl_add: out is logical(4), which takes logical results alone; ' // &
         'logical(c_bool) is a dtype: logical(4) a(4), logical(4) b(4), logical(4) out(4)', &
         'numbers into a default logical are refused')
    call numbers()
  end subroutine

  !> What gives or moves numbers leaves a logical that is not bool alone; logicals are moved.
  subroutine numbers()
    integer(8) :: i8(4) = [2, 3, 4, 5]
    logical(8) :: l8(4), want(4) = [.true., .false., .false., .true.]
    logical(c_bool) :: all4(4) = .true.
    integer :: stats(7)

    l8 = want
    call bl_sum(i8, l8(1), stat=stats(1))
    call bl_max(i8, l8(1), stat=stats(2))
    call bl_reshape(i8, l8, stat=stats(3))
    call bl_masked_select(i8, all4, l8, stat=stats(4))
    call bl_masked_fill_inplace(l8, all4, 7, stat=stats(5))
    call bl_masked_scatter_inplace(l8, all4, i8, stat=stats(6))
    call bl_masked_scatter(want, all4, i8, l8, stat=stats(7), errmsg=message)
    call ok(all(stats == bl_err_dtype) .and. all(transfer(l8, i8) == [1, 0, 0, 1]), &
         'a logical(8) takes no numbers: ' // trim(message(:60)))
    call bl_masked_fill_inplace(l8, logical(want, c_bool), .false._c_bool)
    call ok(all(transfer(l8, i8) == 0), 'it is filled with a logical')
    call bl_reshape(want(4:1:-1), l8)
    call bl_max(want, l8(2))
    call ok(all(transfer(l8, i8) == [1, 1, 0, 1]), 'and gets the elements of logicals')
  end subroutine

  subroutine refused()
    real(8) :: a(2) = 1, c(2) = -77
    real(10) :: r10(2)
    real(16) :: r16(2)
    integer(16) :: i16(2)
    complex(16) :: c16(2)
    logical(16) :: l16(2)
    type(particle) :: p(2)

    ! gfortran 12 takes real(10) for real(16) where type(*) is passed on.
    call bl_add(a, r10, c, stat=stat, errmsg=message)
    call same_text(message, 'bl_add: b is real(10), which has no dtype: real(8) a(2)', &
         'real(10) is refused')
    call is_refused('real(16)', r16)
    call is_refused('integer(16)', i16)
    call is_refused('complex(16)', c16)
    call is_refused('logical(16)', l16)
    call is_refused('character(3)', ['abc', 'def'])
    call is_refused('a derived type', p)
    call ok(all(c == -77), 'refused calls write nothing')
  end subroutine

  subroutine is_refused(type, x)
    character(*), intent(in) :: type
    type(*), dimension(..), intent(in) :: x
    real(8) :: a(2) = 1, c(2) = -77

    call bl_add(a, x, c, stat=stat, errmsg=message)
    call ok(stat == bl_err_dtype .and. all(c == -77) .and. message == &
         'bl_add: b is ' // type // ', which has no dtype: real(8) a(2)', type // ' is refused')
  end subroutine

end program
