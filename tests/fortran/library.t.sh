#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Fortran library as a whole: every operator and reduction has its procedures, with the
# results of the C interface; refusals without stat end the program; descriptors of another
# version are refused; another compiler can build it from what is installed.

. "${srcdir:-.}/tests/harness/tap.sh"
. "${srcdir:-.}/tests/fortran/fortran.sh"
without_fortran "the Fortran library" && exit
tables=$source/lib/core/tables
module=$(built include/broadloom.f90)
fc="${FC:-gfortran} ${FCFLAGS--O1}"

# ---- coverage ----

# Names of procedures: all rows, and the forms in place that C has.
{
    sed -n 's/^BL_OP( *\([a-z0-9_]*\),.*/bl_\1/p' "$tables/ops.def"
    sed -n 's/^BL_REDUCTION( *\([a-z0-9_]*\),.*/bl_\1/p' "$tables/reductions.def"
    sed -n 's/.*BL_NAMED bl_status \(bl_[a-z0-9_]*_inplace\)(.*/\1/p' "$(built include/broadloom/named.h)"
} | sort > "$work/wanted"
sed -n 's/^ *subroutine \(bl_[a-z0-9_]*\)(.*/\1/p' "$module" | sort > "$work/has"
comm -23 "$work/wanted" "$work/has" > "$work/faults"
tap_empty "$work/faults" "the module has every operator, form in place and reduction"
[ "$(wc -l < "$work/wanted")" -gt 150 ]
tap_ok $? "which are $(wc -l < "$work/wanted")"
if ${NM:-nm} --version > /dev/null 2>&1; then
    sed -n "s/.*name='\(blf_[a-z0-9_]*\)'.*/\1/p" "$module" | sort > "$work/bound"
    ${NM:-nm} -D --defined-only "$here/lib/.libs/libbroadloom-fortran.so" |
        awk '$2 == "T" { print $3 }' | sort > "$work/exported"
    {
        comm -23 "$work/bound" "$work/exported"
        comm -13 "$work/bound" "$work/exported" | grep -v -E '^(blf_error_stop|__broadloom_.*)$'
    } > "$work/faults"
    tap_empty "$work/faults" "the library exports what the module binds, and nothing else"
fi

# ---- values ----

"${AWK:-awk}" -f "$source/tests/fortran/every.awk" "$tables/ops.def" "$tables/reductions.def" \
    > "$work/every.f90"
# shellcheck disable=SC2086 # words
(cd "$work" && ${CC:-cc} -c $headers "$source/tests/fortran/every_c.c" &&
    $fc "$source/tests/fortran/every_types.f90" every.f90 every_c.o -o every $link) \
    > "$work/log" 2>&1
tap_ok $? "a program of all of them compiles"
tap_note < "$work/log"
"$work/every" > "$work/values" 2>&1
tap_ok $? "and runs"
sed '$d' "$work/values" > "$work/faults"
tap_empty "$work/faults" "each has the result of the C interface"
[ "$(tail -n 1 "$work/values")" = "$(wc -l < "$work/wanted" | tr -d ' ')" ]
tap_ok $? "$(tail -n 1 "$work/values") are compared"

# ---- ERROR STOP ----

cat > "$work/stop.f90" << 'END'
program stops
  use broadloom
  real(8) :: a(3) = 1, b(2) = 2, c(3)
  character(80) :: message
  print '(a)', 'before'
  call bl_add(a, b, c, errmsg=message)
  print '(a)', 'after'
end program
END
# shellcheck disable=SC2086 # words
(cd "$work" && $fc stop.f90 -o stop $link) && "$work/stop" > "$work/out" 2> "$work/err"
status=$?
[ $status -ne 0 ] && [ $status -lt 128 ]
tap_ok $? "a refusal without stat ends the program with an error"
[ "$(cat "$work/out")" = before ]
tap_ok $? "at once"
grep -q 'bl_add: a has extent 3 and b extent 2 along dimension 1: a(3), b(2), out(3)' "$work/err"
tap_ok $? "and says why"

# ---- handles ----

cat > "$work/handles.f90" << 'END'
program handles
  use broadloom
  type(bl_context) :: ctx
  type(bl_expr) :: expr
  type(bl_expr_plan) :: plan
  real(8) :: a(3) = 1, b(3)
  integer :: i, threads, stat
  do i = 1, 5
     call bl_context_create(ctx)
     call bl_context_get_threads(ctx, threads)
     if (threads == 77) error stop 'settings'
     call bl_context_set_threads(ctx, 77)
     call bl_expr_parse(expr, 'a + 1', ctx=ctx)
     call bl_expr_parse(expr, 'sum(a, 1 + 1)', stat)
     call bl_expr_plan_create(plan, expr, b, a, ctx=ctx)
     call bl_expr_plan_create(plan, expr, b(:2), a, stat=stat)
     call bl_expr_plan_execute(plan, b, a, ctx=ctx)
  end do
  if (any(b /= 2)) error stop 'values'
  call bl_expr_plan_destroy(plan)
  call bl_expr_destroy(expr)
  call bl_context_destroy(ctx)
end program
END
# shellcheck disable=SC2086 # words
(cd "$work" && $fc handles.f90 -o handles $link) > "$work/log" 2>&1
tap_note < "$work/log"
if command -v valgrind > /dev/null; then
    valgrind -q --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite \
        --error-exitcode=9 "$work/handles" > "$work/faults" 2>&1
    tap_ok $? "what a handle was before is freed"
    tap_note < "$work/faults"
else
    "$work/handles"
    tap_ok $? "handles are used again"
fi

# ---- descriptors ----

cat > "$work/version.c" << 'END'
#include <ISO_Fortran_binding.h>
#include <stdio.h>
#include <string.h>
void blf_add(const CFI_cdesc_t *a, const CFI_cdesc_t *b, const CFI_cdesc_t *out, const int *along,
             int *stat, const CFI_cdesc_t *errmsg, const void *ctx);
static double x[4] = {1, 2, 3, 4};
static char text[200];
int main(void)
{
    struct { CFI_cdesc_t head; CFI_dim_t dim[1]; } a, b;
    CFI_cdesc_t message = {text, sizeof text - 1, CFI_VERSION, 0, CFI_attribute_other, CFI_type_char};
    int stat = 0;
    a.head = (CFI_cdesc_t){x, 8, CFI_VERSION, 1, CFI_attribute_other, CFI_type_double};
    a.dim[0] = (CFI_dim_t){0, 4, 8};
    b = a;
    b.head.version++;
    blf_add(&a.head, &b.head, &a.head, NULL, &stat, &message, NULL);
    printf("%d %.63s\n", stat, text);
    blf_add(&a.head, NULL, &a.head, NULL, &stat, &message, NULL);
    printf("%d %.22s\n", stat, text);
    blf_add(&a.head, &a.head, &a.head, NULL, &stat, &message, NULL);
    printf("%d %g\n", stat, x[3]);
    return 0;
}
END
# shellcheck disable=SC2086 # words
(cd "$work" && ${CC:-cc} version.c -o version $link) > "$work/log" 2>&1 && "$work/version" > "$work/got"
tap_note < "$work/log"
cat > "$work/want" << 'END'
10 bl_add: b is described in version 2 of another Fortran compiler
1 bl_add: b is absent: a
0 8
END
diff "$work/want" "$work/got" > "$work/faults"
tap_empty "$work/faults" "a descriptor of another version, and none, are refused"

# ---- other compilers ----

mkdir -p "$work/install/fortran" "$work/mod"
cp "$module" "$work/install"
cp "$(built lib/fortran/procedures.c)" "$source"/lib/fortran/*.[ch] "$work/install/fortran"
# shellcheck disable=SC2086 # words
(cd "$work/mod" && ${CC:-cc} -c $headers -I../install ../install/fortran/*.c && $fc -c ../install/broadloom.f90 &&
    $fc ../stop.f90 ./*.o -o stop -L"$here/lib/.libs" -lbroadloom -Wl,-rpath,"$here/lib/.libs") \
    > "$work/log" 2>&1
tap_ok $? "the installed sources are all that another compiler needs"
tap_note < "$work/log"
"$work/mod/stop" 2>&1 | grep -q 'bl_add: a has extent 3'
tap_ok $? "and work"
tap_done
