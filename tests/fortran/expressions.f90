! SPDX-License-Identifier: BSD-3-Clause
!
! Whole expressions from text: Fortran's dimensions, several results, sections, plans, and
! what is refused.  The results are those of the module's calls, bit for bit.
program expressions
  use broadloom
  use tap
  implicit none
  real(8) :: x(5, 3), y(5, 3), z(5, 3), want(5, 3), d(5, 3), column(5), row(1, 3), total
  real(4) :: wide(10, 6), half(5, 3)
  logical(c_bool) :: above(5, 3)
  logical :: mask(5, 3), wrong(5, 3)
  integer :: i, n(4), stat
  character(300) :: message
  type(bl_context) :: ctx
  type(bl_expr) :: e, none
  type(bl_expr_plan) :: plan, no_plan

  x = reshape([(sin(real(i, 8)), i = 1, 15)], [5, 3])
  column = [1, 2, 3, 4, 5]
  row = reshape([10, 20, 30], [1, 3])
  call bl_context_create(ctx)
  call bl_context_set_threads(ctx, 2)

  call bl_expr_parse(e, '(a - b) * c + 1  ')
  call bl_expr_run(e, y, x, column, row, ctx=ctx)
  call ok(all(y == (x - spread(column, 2, 3)) * spread(row(1, :), 1, 5) + 1), 'broadcasting')
  call bl_expr_run(e, out=y, c=2, b=column, a=x)
  call ok(all(y == (x - spread(column, 2, 3)) * 2 + 1), 'arguments by name, and a number')

  call bl_expr_parse(e, 'd = a - mean(a, 1, keepdim); d; sum(d * d, 1, 2); d > 0', stat=stat)
  call bl_expr_run(e, y, x, out2=total, out3=above, stat=stat)
  call bl_mean(x, row, dim=1)
  call bl_sub(x, row, want)
  call ok(stat == 0 .and. all(y == want), 'the first of three results: dimension 1 is the first')
  call bl_mul(want, want, d)
  call bl_sum(d, want(1, 1))
  call ok(total == want(1, 1) .and. all(above .eqv. y > 0), 'the second and the third')
  call bl_expr_parse(e, 'maximum(sum( a , 2 ), 0.5) ** 2')
  call bl_expr_run(e, column, x)
  call ok(all(abs(column - max(sum(x, 2), 0.5d0)**2) < 1d-14), 'dimension 2, and no other number')
  call bl_expr_parse(e, 'MAX( Exp (a), a) - VAR(a, 1, KeepDim, Correction=0)')
  call bl_expr_run(e, y, x)
  call bl_expr_parse(e, 'max(exp(a), a) - var(a, 1, keepdim, correction=0)')
  call bl_expr_run(e, z, x)
  call ok(all(y == z), 'names of functions and options in any case')
  call bl_expr_parse(e, 'A = a + 1; A * a')
  call bl_expr_run(e, y, x)
  call ok(all(y == (x + 1) * x), 'names of values as they are')
  call bl_expr_parse(e, 'where(b, a, -a)')
  mask = x > 0
  call bl_expr_run(e, y, x, mask)
  call ok(all(y == abs(x)), 'a mask of default kind')

  wide = 0
  call bl_expr_parse(e, 'a * 2')
  call bl_expr_run(e, wide(2:10:2, 6:1:-2), real(x, 4))
  half = real(x, 4) * 2
  call ok(all(wide(2:10:2, 6:1:-2) == half) .and. all(wide(1:9:2, :) == 0), 'a section is written')
  call bl_expr_parse(e, 'out * 2')
  call bl_expr_run(e, x)
  call ok(all(real(x, 4) == half), 'the result is the operand')

  call bl_expr_parse(e, 'out + out2 * 0.5; out2 - out')
  y = 1
  z = 3
  call bl_expr_plan_create(plan, e, y, out2=z)
  call bl_expr_destroy(e)
  call bl_expr_plan_execute(plan, y, out2=z, ctx=ctx)
  call ok(all(y == 2.5d0) .and. all(z == 2), 'a plan')
  call bl_expr_plan_execute(plan, y, out2=z, stat=stat)
  call ok(stat == 0 .and. all(y == 3.5d0) .and. all(z == -0.5d0), 'once more, without its expression')
  want = y
  call bl_expr_plan_execute(plan, y(:, 1:2), out2=z, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_plan_execute: out is not like the one planned for: ' // &
       'out(5,2), out2(5,3)')
  call bl_expr_plan_execute(plan, y, out2=half, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_plan_execute: out2 is not like the one planned for: ' // &
       'out(5,3), out2(5,3)')
  call bl_expr_plan_execute(plan, y, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_plan_execute: out2 is absent: out(5,3)')
  call bl_expr_plan_execute(plan, y, x, out2=z, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_plan_execute: a is given, but the expression has no a: ' // &
       'out(5,3), out2(5,3)')
  call bl_expr_plan_execute(no_plan, y, y, z, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_plan_execute: the plan was not created')
  call ok(all(y == want), 'nothing is written')

  call bl_expr_run(none, y, x, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_run: the expression was not created')
  call bl_expr_parse(e, 'a + b')
  call bl_expr_run(e, y, x, column(1:4), stat=stat, errmsg=message)
  call refused(bl_err_shape, 'bl_expr_run: a has extent 5 and b extent 4 along dimension 1: ' // &
       'a(5,3), b(4), out(5,3)')
  call bl_expr_run(e, y(1:4, :), x, column, stat=stat, errmsg=message)
  call ok(stat == bl_err_shape, 'a result of another shape')
  call bl_expr_run(e, n, x, column, stat=stat, errmsg=message)
  call ok(stat /= 0, 'a result of another rank and type')
  call bl_expr_run(e, y, x, column, out2=z, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_run: out2 is given, but the expression has 1 result: ' // &
       'a(5,3), b(5), out(5,3)')
  call bl_expr_run(e, y, x, column, c=z, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_run: c is given, but the expression has no c: ' // &
       'a(5,3), b(5), out(5,3)')
  call bl_expr_run(e, wrong, x, column, stat=stat, errmsg=message)
  call ok(stat == bl_err_dtype .and. index(message, 'logical(c_bool) is a dtype') > 0, &
       'a logical result of default kind')
  call bl_expr_run(e, y, x, stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_run: b is absent: a(5,3)')
  call bl_expr_parse(e, 'a; a; a; a; a', stat=stat, errmsg=message)
  call refused(bl_err_unsupported, 'bl_expr_parse: the expression has 5 results, of which 4 can be taken')
  call bl_expr_parse(e, 'a + x', stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_parse: x is no operand: they are a to h, and results')
  call bl_expr_parse(e, 'a + out2', stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_parse: out2 is no operand: they are a to h, and results')
  call bl_expr_parse(e, 'sum(a, 0)', stat=stat, errmsg=message)
  call refused(bl_err_argument, 'bl_expr_parse: dimensions count from 1, not 0')
  call bl_expr_parse(e, 'a +', stat=stat, errmsg=message)
  call refused(bl_err_format, 'bl_expr_parse: the expression ends where an operand should stand, ' // &
       'at column 4 of ''a +''')
  call bl_expr_parse(e, repeat('(', 300) // 'a' // repeat(')', 300), stat=stat, errmsg=message)
  call ok(stat == bl_err_unsupported, 'deep parentheses')
  call dimensions()
  call columns()
  call results()
  call overlaps()
  call ok(all(y == want), 'refused calls write nothing')

  call bl_expr_destroy(e)
  call bl_expr_destroy(none)
  call bl_expr_plan_destroy(plan)
  call bl_expr_plan_destroy(no_plan)
  call bl_context_destroy(ctx)
  call done()
contains

  !> A dimension of a text that is none is refused, and called what it is in Fortran.
  subroutine dimensions()
    character(*), parameter :: parse = 'bl_expr_parse: ', alone = ' is not written as a number alone'

    call bl_expr_parse(e, 'sum(a, -2)', stat=stat, errmsg=message)
    call refused(bl_err_argument, parse // 'dimensions count from 1, not -2')
    call bl_expr_parse(e, 'sum(a, 3, 1, 3)', stat=stat, errmsg=message)
    call refused(bl_err_argument, parse // 'dimension 3 is named twice')
    call bl_expr_parse(e, 'sum(a, 1 + 1)', stat=stat, errmsg=message)
    call refused(bl_err_argument, parse // 'dimension 2' // alone)
    call bl_expr_parse(e, 'sum(a, (1))', stat=stat, errmsg=message)
    call refused(bl_err_argument, parse // 'dimension 1' // alone)
    call bl_expr_parse(e, 'n = 2; sum(a, n)', stat=stat, errmsg=message)
    call refused(bl_err_argument, parse // 'dimension 2' // alone)
    call bl_expr_parse(e, 'a + max(2, 3)', stat=stat, errmsg=message)
    call refused(bl_err_unsupported, parse // 'of two numbers, write maximum() or minimum()')
    call bl_expr_parse(e, 'max(a, -b) + max(2.5, a)')
    call bl_expr_run(e, y(1:2, :), x(1:2, :), x(3:4, :))
    call ok(all(y(1:2, :) == max(x(1:2, :), -x(3:4, :)) + 2.5d0), 'max of two operands is none')
    y = want
    call bl_expr_parse(e, 'sum(a, 3)')
    call bl_expr_run(e, total, x, stat=stat, errmsg=message)
    call refused(bl_err_argument, 'bl_expr_run: dim is 3, but a has dimensions 1 to 2: a(5,3), out')
    call bl_expr_parse(e, 'sum(mean(a - 1, 2) - 1, 2)')
    call bl_expr_run(e, total, x, stat=stat, errmsg=message)
    call refused(bl_err_argument, 'bl_expr_run: dim is 2, but (mean(a - 1, 2) - 1) has ' // &
         'dimensions 1 to 1: a(5,3), out')
    call bl_expr_parse(e, 'max(a, 1)')
    call bl_expr_run(e, row, x(1:0, :), stat=stat, errmsg=message)
    call refused(bl_err_argument, 'bl_expr_run: a has extent 0 along dimension 1: a(0,3), out(1,3)')
  end subroutine

  !> A text that is refused is cited as it was written, with the column.
  subroutine columns()
    character(*), parameter :: parse = 'bl_expr_parse: '

    call bl_expr_parse(e, 'SUM(a, -2, 1) + nosuch(a, 2)  ', stat=stat, errmsg=message)
    call refused(bl_err_unsupported, parse // 'unknown function ''nosuch'', at column 17 of ' // &
         '''SUM(a, -2, 1) + nosuch(a, 2)''')
    call bl_expr_parse(e, repeat('a + ', 20) // '$' // repeat(' + b', 20), stat=stat, errmsg=message)
    call refused(bl_err_format, parse // 'unexpected ''$'', at column 81 of ''...' // &
         repeat('a + ', 10) // '$' // repeat(' + b', 9) // ' + ...''')
  end subroutine

  !> Results that share memory are named as arguments, and nothing is written.
  subroutine overlaps()
    real(8) :: b(300)
    type(bl_expr_plan) :: three

    b = 1
    call bl_expr_parse(e, 'a + 1; a * 2')
    call bl_expr_run(e, b, b + 1, out2=b(300:1:-1), stat=stat, errmsg=message)
    call refused(bl_err_overlap, 'bl_expr_run: out and out2 share memory: a(300), out(300), out2(300)')
    call bl_expr_parse(e, 'a; a + 1; out + 2')
    call bl_expr_plan_create(three, e, b(1:3), b(4:6), out2=b(7:9), out3=b(8:10))
    call bl_expr_plan_execute(three, b(1:3), b(4:6), out2=b(7:9), out3=b(8:10), stat=stat, errmsg=message)
    call refused(bl_err_overlap, 'bl_expr_plan_execute: out2 and out3 share memory: ' // &
         'a(3), out(3), out2(3), out3(3)')
    call ok(all(b == 1), 'overlapping results are not written')
    call bl_expr_plan_destroy(three)
  end subroutine

  !> Of several results the one at fault is named; shapes and types are Fortran's.
  subroutine results()
    call bl_expr_parse(e, 'a; sum(a, 1)')
    call bl_expr_run(e, y, x, out2=z, stat=stat, errmsg=message)
    call refused(bl_err_shape, 'bl_expr_run: out2 has another rank than the result: ' // &
         'a(5,3), out(5,3), out2(5,3)')
    call bl_expr_run(e, y, x, out2=column, stat=stat, errmsg=message)
    call refused(bl_err_shape, 'bl_expr_run: out2 has extent 5 along dimension 1, and the ' // &
         'result 3: a(5,3), out(5,3), out2(5)')
    call bl_expr_run(e, y, x, out2=n(1:3), stat=stat, errmsg=message)
    call refused(bl_err_dtype, 'bl_expr_run: out2 is integer(4) and not real(8): ' // &
         'real(8) a(5,3), real(8) out(5,3), integer(4) out2(3)')
    call bl_expr_parse(e, '(a + 1) & b')
    call bl_expr_run(e, y, x, 1, stat=stat, errmsg=message)
    call refused(bl_err_dtype, 'bl_expr_run: no result of bitwise_and for real(8): ' // &
         'real(8) a(5,3), integer(4) b, real(8) out(5,3)')
  end subroutine

  subroutine refused(status, text)
    integer, intent(in) :: status
    character(*), intent(in) :: text

    call ok(stat == status, text)
    call same_text(message, text, 'its text')
  end subroutine
end program
