#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# broadloom shape --batch --report: lists of calls that a program in any language recorded give
# the report of a program that makes the same calls.

. "${srcdir:-.}/tests/harness/tool.sh"
unset BROADLOOM_COMPAT_REPORT
legacy='shape --rules legacy --warn precise --batch --report'

# list STATUS TEXT LINE...: what is said of a list of these lines.
list() {
    status=$1 text=$2
    shift 2
    printf '%s\n' "$@" > "$work/calls"
    # shellcheck disable=SC2086 # words
    expect "$status" "$text" $legacy "text" "$work/calls"
}

# ---- the report ----

list 0 '/^value  *1  train.py:41  add (4,1) (4) -> (4,4), 4 times as large by dimension 1$/' \
    'add (4,1) (4) train.py:41'
list 0 '/^value  *2  train.py:41  add/' 'add (4,1) (4) train.py:41' ' add  (4, 1)  (4,)  train.py:41 '
list 0 '/^2 findings: 2 value$/' 'add (4,1) (4) a.py:1' 'add (4,1) (4) b.py:1'
list 0 '/^fallback  *1  my train.py:42  add (4,1) (4) -> (4,1)$/' 'add_ (4,1) (4) "my train.py:42"'
list 0 '/^shape  *1  C:.t.py:7  sub /' 'sub (4) (1,4) C:\t.py:7'
list 0 '/^value .* addcmul /' 'addcmul (4,1) (4) (4) t.py:3'
list 0 '/^value .* masked_fill (4,1) (4) -> (4,4)/' 'masked_fill (4,1) (4) t.py:3'
list 0 '/^nothing was found/' '# none' '' 'add (4) (4) t.py:1' '__and__ (4) (4) t.py:2' 'expand (1) (4) t.py:3'
expect 0 '/^nothing was found/' $legacy text

# Programs' own report, line for line: the same calls by the library.
cat > "$work/calls" << 'END'
sub (4,1) (4) legacy_program.c:1
sub (4,1) (4) legacy_program.c:1
add_ (2,2) (4) legacy_program.c:2
mul (4) (1,4) legacy_program.c:3
END
cat > "$work/program.c" << 'END'
#include <broadloom.h>
#include <broadloom/warnings.h>

static bl_rules_operand operand(int32_t rank, const int64_t *extent)
{
    return (bl_rules_operand){.shape = {rank, extent}, .role = BL_ROLE_PAIRED};
}

/* A binding's call, in its own way: raise() of <broadloom/warnings.h>. */
static int call(bl_op op, const char *name, int32_t mode, bl_rules_operand a, bl_rules_operand b, int line)
{
    const bl_rules_operand operands[] = {a, b};
    const bl_rules_query query = {.size = sizeof query, .op = op, .mode = mode, .axis = BL_AXIS_LAST,
                                  .count = 2, .operand = operands, .function = name};

    return bl_warnings_raise_pointwise(&query, "legacy_program.c", line, NULL) != BL_OK;
}

int main(void)
{
    static const int64_t column[] = {4, 1}, row[] = {1, 4}, square[] = {2, 2};
    int lost = 0;

    for (int k = 0; k < 2; k++)
        lost += call(BL_OP_SUB, "sub", BL_MODE_NEW, operand(2, column), operand(1, column), 1);
    lost += call(BL_OP_ADD, "add", BL_MODE_IN_PLACE, operand(2, square), operand(1, column), 2);
    return lost + call(BL_OP_MUL, "mul", BL_MODE_NEW, operand(1, column), operand(2, row), 3);
}
END
if ${CC:-cc} -std=c11 $headers -o "$work/program" "$work/program.c" -L"$here/lib/.libs" \
    -Wl,-rpath,"$here/lib/.libs" -lbroadloom > "$work/faults" 2>&1; then
    for form in text json sarif html; do
        flag=$(echo --$form | sed 's/--text//')
        # shellcheck disable=SC2086 # words, or none
        "$tool" migrate $flag run -- "$work/program" > "$work/want" 2>&1
        "$tool" $legacy $form "$work/calls" 2>&1 | diff "$work/want" - > "$work/faults"
        tap_empty "$work/faults" "the report as $form is that of a program with these calls"
    done
else
    tap_skip 'the report of a program' 'no program can be linked'
fi
"$tool" $legacy lines < "$work/calls" | "$tool" migrate --fail-on fallback report - > "$work/said"
[ $? -eq 1 ] && grep -q '^3 findings: 1 value, 1 fallback, 1 shape$' "$work/said"
tap_ok $? 'its lines are read by migrate report'
mkfifo "$work/pipe"
cat "$work/calls" > "$work/pipe" &
expect 0 '/^3 findings/' $legacy text "$work/pipe"
wait
expect 0 '/^value  *4 /' $legacy text "$work/calls" "$work/calls"
expect 0 '/^3 findings/' shape --rules transitional --batch --report text "$work/calls"
expect 1 '/calls:3: .*: no broadcasting\|calls:3: /' shape --rules modern --batch --report text "$work/calls"

# ---- lines that are refused ----

list 1 "/^broadloom: $work.calls:2: 'foo (4) (4) t.py:1': unknown operator 'foo'$/" 'add (4) (4) t.py:1' \
    'foo (4) (4) t.py:1'
list 1 "/:1: 'add (4) (4)': '(4)' where FILE:LINE should stand$/" 'add (4) (4)'
list 1 "/:1: 'add (4) (4) t.py': 't.py' where FILE:LINE should stand$/" 'add (4) (4) t.py'
list 1 "/:1: .* 'x'$/" 'add (4) (4) t.py:x'
list 1 '/:1: .* must be 1 to 2147483647, got 0$/' 'add (4) (4) t.py:0'
list 1 '/:1: .*: the operator takes 2 operands, got 1$/' 'add (4) t.py:1'
list 1 "/:1: .*: bad shape 'x': a shape is written as (2,3)$/" 'add (4) x t.py:1'
list 1 '/:1: .*: inconsistent tensor size$/' 'add (4) (5) t.py:1'
list 1 '/:1: .*: a call is OPERATION SHAPE... FILE:LINE, got 1 word$/' 'add'
list 1 '/:1: .*: a quote " stays open$/' 'add (4) (4) "t.py:1'
list 1 '/^broadloom: no report: 2 lines were refused$/' 'add' 'add (4,1) (4) t.py:1' 'sub'
! grep -q '^value' "$work/got"
tap_ok $? 'nothing is written then'
list 1 '/^broadloom: no report: 10 lines were refused, and others not read$/' 1 2 3 4 5 6 7 8 9 10 11 12
printf 'add (4) (4) t.py:1\0\n' > "$work/calls"
expect 1 '/calls:1: .*: the line contains a NUL byte$/' $legacy text "$work/calls"
expect 1 '/^broadloom: cannot read none: No such/' $legacy text none
expect 2 '/--report needs --batch/' shape --report text '(4)' '(4)'
expect 2 "/unknown report 'table': there are text, json, sarif, html and lines/" shape --batch --report table
expect 2 '/--batch takes no shapes/' shape --batch --report text '(4)'
expect 2 '/--report takes operators from its lines/' shape --batch --report text --op add
expect 1 "/rules 'paddle' have no report/" shape --axis 1 --batch --report text

# ---- long lists ----

"${AWK:-awk}" 'BEGIN { for (i = 0; i < 100000; i++)
    printf "add (%d,1) (%d) part%d.py:%d\n", i % 64 + 2, i % 64 + 2, i % 3, i % 50 + 1 }' > "$work/calls"
expect 0 '/^150 findings: 150 value$/' $legacy text "$work/calls"
[ "$("$tool" $legacy json "$work/calls" | grep -o '"count": 66[67],' | wc -l)" -eq 150 ]
tap_ok $? 'each line is counted at its place'
tap_done
