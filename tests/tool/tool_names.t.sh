#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command-line tool and names of files that are no UTF-8, or have control characters.

. "${srcdir:-.}/tests/harness/tool.sh"
unset BROADLOOM_COMPAT_REPORT
legacy='shape --rules legacy --warn precise --batch --report'

# ---- JSON ----

# No UTF-8: a lone byte, a form too long, a surrogate, a character that ends early.
name=$(printf 'f\377_\300\200_\355\240\200_\303\244_\360\237.py')
echo "add (4,1) (4) $work/$name:1" > "$work/calls"
for form in json sarif lines; do
    # shellcheck disable=SC2086 # words
    "$tool" $legacy $form "$work/calls" > "$work/got" 2> "$work/faults"
    iconv -f UTF-8 -t UTF-8 "$work/got" 2>> "$work/faults" > /dev/null
    tap_empty "$work/faults" "a report as $form is UTF-8"
done
# shellcheck disable=SC2086 # words
"$tool" $legacy json "$work/calls" > "$work/want"
bad=$(printf '\357\277\275')
grep -q "/f${bad}_$bad${bad}_$bad$bad${bad}_$(printf '\303\244')_$bad$bad.py\"" "$work/want"
tap_ok $? 'U+FFFD stands for each byte that is not, and a letter is as it was'
# shellcheck disable=SC2086 # words
"$tool" $legacy lines "$work/calls" > "$work/lines"
grep -q "/f.udcff_.udcc0.udc80_.udced.udca0.udc80_$(printf '\303\244')_.udcf0.udc9f.py\"" "$work/lines"
tap_ok $? 'lines have the bytes, as surrogates'
"$tool" migrate --json report "$work/lines" | diff "$work/want" - > "$work/faults"
tap_empty "$work/faults" 'lines are read back'
if echo 'y = x + z' 2> "$work/faults" > "$work/$name"; then
    "$tool" migrate --write-baseline "$work/base" report "$work/lines" > "$work/got" 2>&1 &&
        grep -q 'y = x + z' "$work/base"
    tap_ok $? 'and the file is found by its name'
else
    tap_skip 'and the file is found by its name' 'the file system has no such names'
fi

# ---- what a terminal obeys ----

odd=$(printf 'odd\377\033[31m_\302\233_\177_\303\244')
expect 1 '/^    x=odd?..31m_??_ _/' eval "x=$odd"
"$tool" eval "$(yes "$(printf '\200')" | head -n 2000 | tr -d '\n')" > "$work/got" 2>&1
[ $? -eq 1 ] && grep -q '^    ??*\.\.\.$' "$work/got"
tap_ok $? 'an excerpt of what is no UTF-8 has an end'
expect 1 "/^broadloom: odd??.31m_??_?_$(printf '\303\244'): /" eval x "x=$odd"
expect 2 "/^broadloom: unknown command 'odd??.31m_??_?_/" "$odd"
printf 'add (4,1) (4) "%s":1\n' "$odd" > "$work/calls"
# shellcheck disable=SC2086 # words
"$tool" $legacy lines "$work/calls" > "$work/lines"
row="^value  *1  odd??.31m_??_?_$(printf '\303\244'):1  add "
# shellcheck disable=SC2086 # words
expect 0 "/$row/" $legacy text "$work/calls"
expect 0 "/$row/" migrate report "$work/lines"
sed 's/odd/o\\u000ad/' "$work/lines" > "$work/split"
expect 0 "/^value  *1  o?d??/" migrate report "$work/split"

tap_done
