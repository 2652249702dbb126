#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# broadloom plan of an expression: the text, JSON with what is where and when it is last read,
# the picture, and mistakes.

. "${srcdir:-.}/tests/harness/tool.sh"

norm='d = x - mean(x, -1, keepdim); d / sqrt(mean(d * d, -1, keepdim) + 1e-5) * g'

# ---- text ----

expect 0 '/^phase 0   call of %1 = mean(x, -1, keepdim)   f32\[64,1\]   workspace/' plan --unfused "$norm" \
    'x=f32[64,1024]' 'g=[1024]'
expect 0 '/inputs and outputs alone 528384$/' plan "$norm" 'x=f32[64,1024]' 'g=[1024]'
"$tool" plan --unfused "$norm" 'g=[1024]' 'x=[64,1024]' > "$work/other" 2>&1
"$tool" plan --unfused "$norm" 'x=f32[64,1024]' 'g=f32[1024]' > "$work/want"
diff "$work/want" "$work/other" > "$work/faults"
tap_empty "$work/faults" 'operands may be given in any order'

# ---- JSON ----

# ask EXPRESSION OPERAND...: when each value is computed and last read, and where it is:
# "TEXT PLACE SLOT CALL LAST" a line, - for none.
ask() {
    "$tool" plan --unfused --json "$@" | tr '{}' '\n\n' | sed -n '/"node":/{
        s/.*"text": "\(.*\)", "dtype".*"place": "\([a-z]*\)"/\1 | \2/
        s/, "slot": / /; s/, "call": / @/; s/, "last_read": / ?/; p
    }'
}
ask 'd = (x - m) / s; d; abs(d) > 3' 'x=f32[64,1024]' 'm=[1024]' 's=f64[1024]' > "$work/got"
cat > "$work/want" << 'END'
x | input 0 ?0
m | input 1 ?0
x - m | workspace @0 ?1
s | input 2 ?1
(x - m) / s | output 0 @1 ?2
abs(d) | workspace @2 ?3
abs(d) > 3 | output 1 @3
END
diff "$work/want" "$work/got" > "$work/faults"
tap_empty "$work/faults" 'values, where they are, and who reads them'
ask 'a = x; b = a * a; c=a+b ; c*c - x*x == y' 'x=f32[8]' 'y=f32[8]' > "$work/got"
cat > "$work/want" << 'END'
x | input 0 ?1
a * a | workspace @0 ?3
a+b | workspace @1 ?2
c*c | workspace @2 ?3
c*c - x*x | workspace @3 ?4
y | input 1 ?4
c*c - x*x == y | output 0 @4
END
diff "$work/want" "$work/got" > "$work/faults"
tap_empty "$work/faults" 'names of names, and equal parts'
"$tool" plan --json --unfused "$norm" 'x=f32[64,1024]' 'g=[1024]' > "$work/json"
grep -q '"calls": \["mean", "-", "\*", "mean", "+", "sqrt", "/", "\*"\]' "$work/json"
tap_ok $? 'calls are named by their operators'
grep -q '"outputs": \[{"dtype": "f32", "shape": \[64, 1024\]}\], "bytes": [0-9]*, "bytes_call_by_call": [0-9]*, "bytes_of_inputs_and_outputs": 528384, "workspace": [0-9]*}$' \
    "$work/json"
tap_ok $? 'results, and bytes'
if command -v python3 > /dev/null; then
    python3 -c 'import json, sys; json.load(sys.stdin)' < "$work/json" > "$work/log" 2>&1
    tap_ok $? 'the JSON is JSON'
else
    tap_skip 'the JSON is JSON' 'python3 is not installed'
fi
expect 0 '/"place": "output", "slot": 0/' plan --json 'a+-b' 'a=i8[4]' 'b=i8[4]'
expect 0 '/"calls": \["-", "+"\]/' plan --unfused --json 'a+-b' 'a=i8[4]' 'b=i8[4]'

# ---- the picture ----

"$tool" plan --unfused --svg "$work/plan.svg" "$norm" 'x=f32[64,1024]' 'g=[1024]' > "$work/log" 2>&1
tap_ok $? 'a picture is drawn'
grep -c '^<rect' "$work/plan.svg" > "$work/count"
# The ground, six rows, and bars: two inputs, and eight values.
[ "$(cat "$work/count")" = 17 ]
tap_ok $? 'with a bar for each value'
for text in 'x' 'g' 'workspace' 'output 0' 'sqrt' 'd \* d, 256 KiB'; do
    grep -q ">$text</text>" "$work/plan.svg"
    tap_ok $? "it names $text"
done
expect 0 '' plan --svg "$work/copy.svg" 'x; x + 1; x' 'x=f32[4]'
grep -q '>output 2</text>' "$work/copy.svg"
tap_ok $? 'outputs that are copied have rows'
expect 1 '/cannot write/' plan --svg "$work/absent/plan.svg" 'x + 1' 'x=f32[4]'

# ---- mistakes ----

expect 1 '/no operand is given for m/' plan 'x - m' 'x=f32[4]'
expect 1 '/the expression does not name y/' plan 'x + 1' 'x=f32[4]' 'y=f32[4]'
expect 2 "/'x' is given twice/" plan 'x + 1' 'x=f32[4]' 'x=f32[4]'
expect 1 "/bad operand 'f32\[4'/" plan 'x + 1' 'x=f32[4'
expect 1 '/The size of tensor/' plan 'x + y' 'x=f32[4]' 'y=f32[3]'
expect 2 '/an expression takes no --op/' plan --op add 'x + 1' 'x=f32[4]'
expect 2 '/an expression takes no --inplace/' plan --inplace 'x + 1' 'x=f32[4]'
expect 2 '/--unfused is of an expression/' plan --unfused 'f32[4]' 'f32[4]'
tap_done
