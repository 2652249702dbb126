! SPDX-License-Identifier: BSD-3-Clause
!
! Contexts: what is set is what is got and what calls do; one that was not created, or was
! destroyed, is the default context.
program contexts
  use broadloom
  use tap
  implicit none
  type(bl_context) :: ctx, never
  real(8) :: a(3, 2) = 1, b(3) = 2, c(3, 2), v(5), w(700, 600), x(700, 600), y(700, 600)
  integer :: stat, n, i
  character(12) :: word
  character(120) :: message

  call bl_context_create(ctx, stat=stat, errmsg=message)
  call ok(stat == 0, 'a context is created')
  call bl_context_set_threads(ctx, 3)
  call bl_context_get_threads(ctx, n)
  call ok(n == 3, 'threads')
  call bl_context_set_threads(ctx, -1, stat, message)
  call ok(stat == bl_err_argument .and. index(message, 'bl_context_set_threads: ') == 1, &
       'a negative number of threads is refused')
  call bl_context_set_isa(ctx, 'base ')
  call bl_context_get_isa(ctx, word)
  call ok(word == 'base', 'instruction set')
  call bl_context_set_isa(ctx, 'none', stat)
  call ok(stat == bl_err_argument, 'an unknown one is refused')
  call bl_context_set_isa(ctx, '')
  call bl_context_set_rules(ctx, 'strict')
  call bl_context_get_rules(ctx, word)
  call ok(word == 'strict', 'rules')
  call bl_add(a, b, c, stat=stat, errmsg=message, ctx=ctx)
  call same_text(message, 'bl_add: refused by the rules strict: a(3,2), b(3), out(3,2)', &
       'strict rules refuse operands of lower rank')
  call ok(stat == bl_err_rules, 'their status')
  call bl_add(a, b, c, ctx=never)
  call ok(all(c == 3), 'the default context does not')
  call bl_context_set_rules(ctx, 'stric', stat, message)
  call same_text(message, 'bl_context_set_rules: there are no rules "stric"', &
       'unknown rules are refused')
  call bl_context_set_rules(ctx, repeat('strict ', 9), stat)
  call ok(stat == bl_err_argument, 'and names that are too long')
  call bl_context_set_rules(ctx, 'modern')

  call bl_context_set_overlap(ctx, 'sequential')
  call bl_context_get_overlap(ctx, word)
  call ok(word == 'sequential', 'overlap')
  v = 1
  call accumulate(v)
  call ok(all(v == [1, 2, 3, 4, 5]), 'sequential results are those of a loop')
  call bl_context_set_overlap(ctx, 'copy')
  v = 1
  call accumulate(v)
  call ok(all(v == [1, 2, 2, 2, 2]), 'others are those of an array assignment')
  call bl_context_set_overlap(ctx, 'never', stat, message)
  call same_text(message, 'bl_context_set_overlap: there is no policy "never"', &
       'an unknown policy is refused')

  call random_number(w)
  call bl_context_set_threads(ctx, 1)
  call bl_exp(w(:, 600:1:-1), x, ctx=ctx)
  do i = 2, 8, 6
     call bl_context_set_threads(ctx, i)
     call bl_exp(w(:, 600:1:-1), y, ctx=ctx)
     call ok(all(x == y), 'the same bits by ' // char(iachar('0') + i) // ' threads')
  end do
  call bl_context_destroy(ctx)
  call bl_context_destroy(ctx)
  call bl_add(a, b, c, ctx=ctx)
  call ok(all(c == 3), 'a destroyed context is the default one')
  call done()

contains

  !> The targets may overlap: v(2:) = v(2:) + v(:4).
  subroutine accumulate(v)
    real(8), target, intent(inout) :: v(:)
    real(8), pointer :: to(:), from(:)

    to => v(2:5)
    from => v(1:4)
    call bl_add_inplace(to, from, ctx=ctx)
  end subroutine

end program
