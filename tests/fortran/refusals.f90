! SPDX-License-Identifier: BSD-3-Clause
!
! Refused calls: texts in Fortran's dimensions, shapes and types; stat and errmsg, as
! ALLOCATE has them; nothing is written.
program refusals
  use broadloom
  use tap
  implicit none
  real(8) :: square(514, 514), half(512), a(3, 2), b(3), d(2), c(3, 2), f(4, 3, 2), v(5), s
  real(4) :: r4(3, 2)
  logical(c_bool) :: mask(3, 2)
  integer :: i4(3, 2), stat
  character(300) :: message
  type(bl_context) :: ctx

  square = 1
  half = 1
  a = 1
  b = 2
  d = 3
  f = 4
  v = [1, 2, 3, 4, 5]
  r4 = 5
  i4 = 6
  mask = .true.
  c = -77

  call bl_add(square, half, square, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_add: a has extent 514 and b extent 512 along dimension 1: ' // &
       'a(514,514), b(512), out(514,514)')
  call bl_add(a, c(:, 1:0), c, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_add: a has extent 2 and b extent 0 along dimension 2: ' // &
       'a(3,2), b(3,0), out(3,2)')
  call bl_add(a, f(1, :, :), c(:, 1:1), stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_add: out has extent 1 along dimension 2, and the result 2: ' // &
       'a(3,2), b(3,2), out(3,1)')
  call bl_add(a, b, d, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_add: out has another rank than the result: a(3,2), b(3), out(2)')
  call bl_fma(f, f(:, :, 1), d, f, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_fma: a has extent 4 and c extent 2 along dimension 1: ' // &
       'a(4,3,2), b(4,3), c(2), out(4,3,2)')
  call bl_add_inplace(b, a, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_add_inplace: a has another rank than the result: a(3), b(3,2)')
  call bl_add_inplace(b(1:1), b, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_add_inplace: a has extent 1 along dimension 1, and the ' // &
       'result 3: a(1), b(3)')
  call bl_where(mask, d, 0, c, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_where: mask has extent 3 and a extent 2 along dimension 1: ' // &
       'mask(3,2), a(2), b, out(3,2)')
  call bl_add(a, b, c, along=2, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_add: a has extent 2 and b extent 3 along dimension 2: ' // &
       'a(3,2), b(3), out(3,2)')
  call bl_add(a, b, c, along=3, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_add: along is 3, but the result has dimensions 1 to 2: ' // &
       'a(3,2), b(3), out(3,2)')
  call bl_add(f, a, f, along=3, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_add: b has rank 2 and does not fit along dimensions from 3 ' // &
       'of a result of rank 3: a(4,3,2), b(3,2), out(4,3,2)')

  call bl_sum(f, a, dim=2, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_sum: out has extent 3 along dimension 1, and the result 4: ' // &
       'a(4,3,2), out(3,2)')
  call bl_sum(f, b, dim=2, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_sum: out has another rank than the result: a(4,3,2), out(3)')
  call bl_sum(a, b, dim=3, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_sum: dim is 3, but a has dimensions 1 to 2: a(3,2), out(3)')
  call bl_sum(f, b, dim=[2, 2], stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_sum: dim names dimension 2 twice: a(4,3,2), out(3)')
  call bl_sum(f, b, dim=[2, 3, 1, 2], stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_sum: dim has 4 elements, but a has 3 dimensions: ' // &
       'a(4,3,2), out(3)')
  call bl_sum(f, b, dim=reshape([2, 3], [1, 2]), stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_sum: dim has rank 2, but is a dimension of a, or a vector ' // &
       'of some: a(4,3,2), out(3)')
  call of_assumed_size([2, 3])
  call refused(bl_err_argument, 'bl_sum: dim is of assumed size: pass a section, as dim(1:n): ' // &
       'a(4,3,2), out(3)')
  call bl_max(a(:, 1:0), b, dim=2, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_max: a has extent 0 along dimension 2: a(3,0), out(3)')
  call bl_min(a(1:0, :), s, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_min: a has no elements: a(0,2), out')
  call bl_mean(i4, s, dim=[1, 2])
  call ok(s == 6, 'the mean of integers, in real(8)')
  call bl_sum(a, i4(1, 1), stat=stat, errmsg=message)
  call refused(bl_err_dtype, 'bl_sum: out is integer(4) and not real(8): real(8) a(3,2), ' // &
       'integer(4) out')

  call bl_add(a, b, i4, stat=stat, errmsg=message)
  call refused(bl_err_dtype, 'bl_add: out is integer(4) and not real(8): real(8) a(3,2), ' // &
       'real(8) b(3), integer(4) out(3,2)')
  call bl_bitwise_and(a, i4, c, stat=stat, errmsg=message)
  call refused(bl_err_dtype, 'bl_bitwise_and: no result for real(8): real(8) a(3,2), ' // &
       'integer(4) b(3,2), real(8) out(3,2)')
  call bl_where(a, a, b, c, stat=stat, errmsg=message)
  call refused(bl_err_dtype, 'bl_where: mask is real(8) and not logical(c_bool): ' // &
       'real(8) mask(3,2), real(8) a(3,2), real(8) b(3), real(8) out(3,2)')
  call bl_lerp(a, r4, b, c, stat=stat, errmsg=message)
  call refused(bl_err_dtype, 'bl_lerp: b is real(4) and not real(8): real(8) a(3,2), ' // &
       'real(4) b(3,2), real(8) c(3), real(8) out(3,2)')
  call bl_masked_scatter(a, mask, r4, c, stat=stat, errmsg=message)
  call refused(bl_err_dtype, 'bl_masked_scatter: source is real(4) and not real(8): ' // &
       'real(8) a(3,2), logical(c_bool) mask(3,2), real(4) source(3,2), real(8) out(3,2)')

  call bl_masked_select(a, mask, b, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_masked_select: out has extent 3 along dimension 1, and the ' // &
       'result 6: a(3,2), mask(3,2), out(3)')
  call bl_masked_scatter_inplace(a, mask, b, stat=stat, errmsg=message)
  call refused_with(bl_err_shape, 'bl_masked_scatter_inplace: ', ': a(3,2), mask(3,2), source(3)')
  call bl_reshape(f, c, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_reshape: a has 24 elements and out 6: a(4,3,2), out(3,2)')
  call bl_masked_fill_inplace(d, mask, 0, stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_masked_fill_inplace: mask has extent 3 and a extent 2 along ' // &
       'dimension 1: a(2), mask(3,2), value')
  call bl_floor_divide(i4, 0, i4, stat=stat, errmsg=message)
  call refused_with(bl_err_argument, 'bl_floor_divide: ', ': a(3,2), b, out(3,2)')
  call bl_context_create(ctx)
  call bl_context_set_overlap(ctx, 'refuse')
  call overlapping(v(1:4), v(2:5))
  call refused_with(bl_err_overlap, 'bl_add: ', ' operation: a(4), b, out(4)')

  call ok(all(c == -77) .and. all(a == 1) .and. all(b == 2) .and. all(i4 == 6) .and. &
       all(v == [1, 2, 3, 4, 5]) .and. all(f == 4), 'nothing was written')
  call endings()
  call not_allocated()
  call empty(0)
  call done()

contains

  subroutine of_assumed_size(dim)
    integer, intent(in) :: dim(*)

    call bl_sum(f, b, dim=dim, stat=stat, errmsg=message)
  end subroutine

  subroutine overlapping(x, y)
    real(8), target, intent(in) :: x(:)
    real(8), target, intent(inout) :: y(:)

    call bl_add(x, 1, y, stat=stat, errmsg=message, ctx=ctx)
  end subroutine

  !> The last call had this status and this text.
  subroutine refused(status, text)
    integer, intent(in) :: status
    character(*), intent(in) :: text

    call same_text(message, text, text(:min(70, len(text))))
    if (stat /= status) call ok(.false., 'its status')
    stat = -1
  end subroutine

  !> The last call had this status, and a text that begins and ends so.
  subroutine refused_with(status, first, last)
    integer, intent(in) :: status
    character(*), intent(in) :: first, last

    call ok(stat == status .and. index(message, first) == 1 .and. &
         index(trim(message), last, back=.true.) == len_trim(message) - len(last) + 1, &
         first // '...' // last)
    print '(a)', '# ' // trim(message)
  end subroutine

  !> Refused although the extents that they had are left: of no elements.
  subroutine not_allocated()
    real(8), allocatable :: matrix(:, :), vector(:)
    real(8), pointer :: p(:, :)
    logical(c_bool), allocatable :: truths(:, :)
    type(bl_expr) :: twice
    type(bl_expr_plan) :: plan
    character(*), parameter :: is_not = ' is not allocated'
    integer :: stats(9)

    allocate (matrix(0, 3), vector(0), truths(0, 3), p(0, 3))
    call bl_sum(matrix, b, dim=1)
    call bl_sum(p, b, dim=1)
    call bl_expr_parse(twice, 'a * 2')
    call bl_expr_plan_create(plan, twice, vector, vector)
    deallocate (matrix, vector, truths, p)
    b = 2
    call bl_sum(matrix, b, dim=1, stat=stat, errmsg=message)
    call refused(bl_err_argument, 'bl_sum: a' // is_not)
    call bl_sum(p, b, dim=1, stat=stat, errmsg=message)
    call refused(bl_err_argument, 'bl_sum: a' // is_not)
    call bl_where(truths, c(:, 1:0), 1, c(:, 1:0), stat=stat, errmsg=message)
    call refused(bl_err_argument, 'bl_where: mask' // is_not)
    call bl_copy(b(1:0), vector, stat=stat, errmsg=message)
    call refused(bl_err_argument, 'bl_copy: out' // is_not // ': a(0)')
    call bl_add_inplace(vector, 1, stat=stats(1))
    call bl_masked_fill_inplace(vector, .true., 1, stat=stats(2))
    call bl_masked_scatter_inplace(vector, b(1:0) > 0, b, stat=stats(3))
    call bl_masked_scatter(b(1:0), b(1:0) > 0, b, vector, stat=stats(4))
    call bl_masked_select(b, .false., vector, stat=stats(5))
    call bl_reshape(c(:, 1:0), vector, stat=stats(6))
    call bl_sum(c(1:0, 1:0), vector, dim=1, stat=stats(7))
    call bl_expr_run(twice, vector, b(1:0), stat=stats(8))
    call bl_expr_plan_execute(plan, vector, b(1:0), stat=stats(9))
    call ok(all(stats == bl_err_argument), 'a result of no elements that is not allocated')
    call bl_expr_plan_destroy(plan)
    call bl_expr_destroy(twice)
  end subroutine

  !> What has no elements is taken, though it be a value or automatic.
  subroutine empty(n)
    integer, intent(in) :: n
    real(8) :: vector(n), matrix(n, 3), sums(3)
    real(8), allocatable :: whole(:, :)
    integer :: none(0), stats(14)

    allocate (whole(3, n))
    call bl_add([real(8) ::], vector, vector, stat=stats(1))
    call bl_add(pack(b, b > 1d9), (b(none)), vector, stat=stats(2))
    call bl_masked_scatter([real(8) ::], [logical ::], b, vector, stat=stats(3))
    call bl_masked_scatter_inplace(vector, vector > 0, [real(8) ::], stat=stats(4))
    call bl_where([logical ::], [real(8) ::], 1, vector, stat=stats(5))
    call bl_sum(matrix, sums, dim=1, stat=stats(6))
    call bl_sum(matrix * 2, sums, dim=1, stat=stats(7))
    call bl_sum(transpose(whole), sums, dim=1, stat=stats(8))
    call bl_sum(reshape([real(8) ::], [n, 3]), sums, dim=1, stat=stats(9))
    call bl_add_inplace(whole, 1, stat=stats(10))
    call bl_add_inplace(matrix(:, 3:1:-1), whole(1, :), stat=stats(11))
    call bl_copy(b(3:2), whole(3, :), stat=stats(12))
    call bl_masked_select(b, .false., vector, stat=stats(13))
    call bl_reshape(whole, matrix, stat=stats(14))
    call ok(all(stats == 0) .and. all(sums == 0), 'arrays and values of no elements')
  end subroutine

  subroutine endings()
    character(12) :: short = 'unchanged'
    character(0) :: empty
    character(:), allocatable :: deferred
    character(:), pointer :: pointed
    type(bl_expr) :: none

    nullify (pointed)
    stat = 99
    call bl_add(a, b, c, stat=stat, errmsg=short)
    call ok(stat == 0 .and. short == 'unchanged', 'a call that succeeds leaves errmsg alone')
    call bl_add(a, d, c, stat=stat, errmsg=short)
    call ok(stat == bl_err_shape .and. short == 'bl_add: a ha', 'errmsg is cut')
    call bl_add(a, d, c, stat=stat, errmsg=empty)
    call bl_add(a, d, c, stat=stat, errmsg=deferred)
    call bl_add(a, d, c, stat=stat, errmsg=pointed)
    call bl_expr_parse(none, deferred, stat=stat, errmsg=message)
    call ok(stat == bl_err_format .and. .not. allocated(deferred), &
         'an errmsg that is not allocated is absent')
    call bl_context_set_rules(ctx, deferred, stat)
    call bl_context_get_rules(ctx, deferred)
    call ok(stat == bl_err_argument, 'a word that is not allocated is none')
    allocate (character(12) :: deferred)
    call bl_add(a, d, c, stat=stat, errmsg=deferred)
    call ok(deferred == 'bl_add: a ha', 'an allocatable errmsg keeps its length')
    call bl_add(a, d, c, stat=stat)
    call ok(stat == bl_err_shape, 'stat alone')
    message = repeat('x', len(message))
    call bl_add(a, d, c, stat=stat, errmsg=message)
    call ok(message(len(message):) == ' ', 'errmsg is padded with blanks')
  end subroutine

end program
