! SPDX-License-Identifier: BSD-3-Clause
!
! Broadcasting, reductions and elements in order are those of SPREAD, SUM, PACK, UNPACK and
! RESHAPE: 200 random shapes, sections among them, and large ones, by 1, 2 and 8 threads.
! Values are small whole numbers, whose sums are exact.
program intrinsics
  use broadloom
  use tap
  implicit none
  integer, parameter :: cases = 200
  type(bl_context) :: ctx(3)
  integer, parameter :: threads(3) = [1, 2, 8]
  integer :: i, seed, e(3), faults(10)
  character(9) :: what(10) = [character(9) :: 'columns', 'along', 'SPREAD', 'SUM', 'SUM(dim)', &
       'MAXVAL', 'PACK', 'UNPACK', 'RESHAPE', 'ANY, ALL']
  character(60) :: name

  seed = 20240229
  faults = 0
  do i = 1, 3
     call bl_context_create(ctx(i))
     call bl_context_set_threads(ctx(i), threads(i))
  end do
  do i = 1, cases
     e = [number(7), number(6), number(5)]
     if (i > 190) e(number(3)) = 0
     call try(e, 1 + mod(i, 2), ctx(1 + mod(i, 3)))
  end do
  do i = 1, 10
     call ok(faults(i) == 0, trim(what(i)) // ' of 200 random shapes')
  end do
  do i = 1, 3
     faults = 0
     call try([101, 67, 43], 1, ctx(i))
     write (name, '(a, i0, a)') 'large arrays, ', threads(i), ' threads'
     call ok(all(faults == 0), trim(name))
     call bl_context_destroy(ctx(i))
  end do
  call done()

contains

  !> A random number from 1 to n.
  integer function number(n)
    integer, intent(in) :: n

    seed = int(mod(seed * 48271_8, 2147483647_8))
    number = 1 + mod(seed / 16, n)
  end function

  subroutine check(k, passed)
    integer, intent(in) :: k
    logical, intent(in) :: passed

    if (passed) return
    faults(k) = faults(k) + 1
    print '(3a, 3(1x, i0))', '# ', trim(what(k)), ' of shape', e
  end subroutine

  !> All of it for arrays of `shape`, which are sections of larger ones where step is 2.
  subroutine try(shape, step, ctx)
    integer, intent(in) :: shape(3), step
    type(bl_context), intent(in) :: ctx
    real(8), target :: whole(step * shape(1), step * shape(2), shape(3))
    real(8), target :: other(step * shape(1), step * shape(2), shape(3))
    real(8), pointer :: a(:, :, :), c(:, :, :)
    logical, allocatable :: mask(:, :, :)
    integer :: i, j, k

    e = shape
    do k = 1, size(whole, 3)
       do j = 1, size(whole, 2)
          do i = 1, size(whole, 1)
             whole(i, j, k) = number(19) - 10
          end do
       end do
    end do
    a => whole(::step, step * shape(2):1:-step, :)
    c => other(step * shape(1):1:-step, ::step, :)
    mask = a > 0
    call pairs(a, c, ctx)
    call reductions(a, mask, ctx)
    call elements(a, c, mask, ctx)
  end subroutine

  subroutine pairs(a, c, ctx)
    real(8), intent(in) :: a(:, :, :)
    real(8), intent(inout) :: c(:, :, :)
    type(bl_context), intent(in) :: ctx
    integer :: n(3)

    n = shape(a)
    call bl_add(a, a(:, 1:min(1, n(2)), 1:min(1, n(3))), c, ctx=ctx)
    if (all(n > 0)) then
       call bl_add(a, a(:, 1, 1), c, ctx=ctx)
       call check(1, all(c == a + spread(spread(a(:, 1, 1), 2, n(2)), 3, n(3))))
       call bl_mul(a, a(:, :, 1), c, ctx=ctx)
       call check(1, all(c == a * spread(a(:, :, 1), 3, n(3))))
       call bl_sub(a(1, :, :), a, c, along=2, ctx=ctx)
       call check(2, all(c == spread(a(1, :, :), 1, n(1)) - a))
       call bl_sub(a, a(1, 1, :), c, along=3, ctx=ctx)
       call check(2, all(c == a - spread(spread(a(1, 1, :), 1, n(2)), 1, n(1))))
       call bl_copy(a, c, ctx=ctx)
       call bl_add_inplace(c, a(1, :, 1), along=2, ctx=ctx)
       call check(2, all(c == a + spread(spread(a(1, :, 1), 1, n(1)), 3, n(3))))
       call bl_copy(a(:, :, 1), c, ctx=ctx)
       call check(3, all(c == spread(a(:, :, 1), 3, n(3))))
       call bl_copy(a(1, :, :), c, along=2, ctx=ctx)
       call check(3, all(c == spread(a(1, :, :), 1, n(1))))
       call bl_copy(a(:, 1:1, :), c, ctx=ctx)
       call check(3, all(c == spread(a(:, 1, :), 2, n(2))))
    end if
  end subroutine

  subroutine reductions(a, mask, ctx)
    real(8), intent(in) :: a(:, :, :)
    logical, intent(in) :: mask(:, :, :)
    type(bl_context), intent(in) :: ctx
    real(8) :: total, one(size(a, 2), size(a, 3)), two(size(a, 1), size(a, 3))
    real(8) :: three(size(a, 1), size(a, 2)), line(size(a, 2)), kept(size(a, 1), 1, size(a, 3))
    integer :: dims(3) = [1, 9, 3]
    logical :: lone(size(a, 2), size(a, 3)), ltwo(size(a, 1), size(a, 3)), every
    integer :: i

    call bl_sum(a, total, ctx=ctx)
    call check(4, total == sum(a))
    call bl_sum(a, one, dim=1, ctx=ctx)
    call bl_sum(a, two, dim=2, ctx=ctx)
    call bl_sum(a, three, dim=3, ctx=ctx)
    call check(5, all(one == sum(a, 1)) .and. all(two == sum(a, 2)) .and. all(three == sum(a, 3)))
    call bl_sum(a, line, dim=dims(3:1:-2), ctx=ctx)
    call check(5, all(line == [(sum(a(:, i, :)), i = 1, size(line))]))
    call bl_sum(a, kept, dim=2, ctx=ctx)
    call check(5, all(kept(:, 1, :) == two))
    call bl_any(mask, lone, dim=1, ctx=ctx)
    call bl_all(mask, ltwo, dim=2, ctx=ctx)
    call bl_all(mask, every, ctx=ctx)
    call check(10, all(lone .eqv. any(mask, 1)) .and. all(ltwo .eqv. all(mask, 2)) .and. &
         (every .eqv. all(mask)))
    if (size(a) == 0) return
    call bl_var(a, three, dim=3, correction=0d0, ctx=ctx)
    call bl_std(a, total, correction=-1d0, ctx=ctx)
    call check(5, all(close(three, sum((a - spread(sum(a, 3) / size(a, 3), 3, size(a, 3)))**2, 3) &
         / size(a, 3))) .and. close(total, sqrt(sum((a - sum(a) / size(a))**2) / (size(a) + 1))))
    call bl_max(a, total, ctx=ctx)
    call bl_max(a, three, dim=3, ctx=ctx)
    call bl_min(a, two, dim=2, ctx=ctx)
    call check(6, total == maxval(a) .and. all(three == maxval(a, 3)) .and. &
         all(two == minval(a, 2)))
  end subroutine

  elemental logical function close(x, y)
    real(8), intent(in) :: x, y

    close = abs(x - y) <= 1d-10 * (1 + abs(y)) ! sum() adds one after the other
  end function

  subroutine elements(a, c, mask, ctx)
    real(8), intent(in) :: a(:, :, :)
    real(8), intent(inout) :: c(:, :, :)
    logical, intent(in) :: mask(:, :, :)
    type(bl_context), intent(in) :: ctx
    logical(c_bool) :: bools(size(a, 1), size(a, 2), size(a, 3))
    real(8) :: packed(size(a)), flat(size(a, 2), size(a, 3) * size(a, 1)), vector(2 * size(a))
    integer(8) :: found
    integer :: i

    bools = mask
    packed = -77
    call bl_masked_select(a, bools, packed, found, ctx=ctx)
    call check(7, found == count(mask) .and. all(packed(:found) == pack(a, mask)) .and. &
         all(packed(found + 1:) == -77))
    call bl_masked_select(a, mask, packed(found:1:-1), ctx=ctx)
    call check(7, all(packed(found:1:-1) == pack(a, mask)))
    packed = [(100 + i, i = 1, size(packed))]
    call bl_masked_scatter(a, mask, packed, c, ctx=ctx)
    call check(8, all(c == unpack(packed, mask, a)))
    call bl_copy(a, c, ctx=ctx)
    call bl_masked_scatter_inplace(c, bools, packed, ctx=ctx)
    call check(8, all(c == unpack(packed, mask, a)))
    call bl_masked_fill_inplace(c, mask, 5, ctx=ctx)
    call check(8, all(c == merge(5d0, a, mask)))
    call bl_reshape(a, flat, ctx=ctx)
    call check(9, all(flat == reshape(a, shape(flat))))
    call bl_reshape(flat, c, ctx=ctx)
    call check(9, all(c == a))
    call bl_reshape(a, vector(size(vector):1:-2), ctx=ctx)
    call check(9, all(vector(size(vector):1:-2) == reshape(a, [size(a)])))
  end subroutine

end program
