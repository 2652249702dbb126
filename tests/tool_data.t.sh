#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command-line tool's eval and bench: results, mistakes and exit statuses.

. "${srcdir:-.}/tests/tool.sh"

# ---- eval ----

# npy TYPE SHAPE BYTES NAME: a file of NumPy's; bytes as printf has them.
npy() {
    {
        printf '\223NUMPY\001\000v\000'
        printf '%-117s\n' "{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
        # shellcheck disable=SC2059
        printf "$3"
    } > "$work/$4.npy"
}
npy '|i1' '(2, 3)' '\001\002\003\004\005\006' a
npy '|i1' '(3,)' '\002\376\003' b
npy '|b1' '(3,)' '\001\000\001' m
npy '|i1' '(2,)' '\012\024' c

# evaluates EXPRESSION RESULT: what is printed, its lines joined.
evaluates() {
    got=$("$tool" eval "$1" a="$work/a.npy" b="$work/b.npy" m="$work/m.npy" 2>&1)
    [ "$(printf '%s' "$got" | tr -d ' \n')" = "$2" ]
    passed=$?
    tap_ok "$passed" "eval $1"
    [ "$passed" -eq 0 ] || printf '%s\n' "$got" | tap_note
}

evaluates 'a' '[[1,2,3],[4,5,6]]'
evaluates 'a + b' '[[3,0,6],[6,3,9]]'
evaluates 'a - b - b' '[[-3,6,-3],[0,9,0]]'
evaluates 'a - (b - b)' '[[1,2,3],[4,5,6]]'
evaluates '-a + 2 * a' '[[1,2,3],[4,5,6]]'
evaluates 'a / b' '[[0.5,-1,1],[2,-2.5,2]]'
evaluates 'div(a, b)' '[[0.5,-1,1],[2,-2.5,2]]'
evaluates 'a * 0.5' '[[0.5,1,1.5],[2,2.5,3]]'
evaluates 'f32(a) * (1 + 2) / 2' '[[1.5,3,4.5],[6,7.5,9]]'
evaluates 'maximum(a, b) == a' '[[false,true,true],[true,true,true]]'
evaluates 'a < b' '[[true,false,false],[false,false,false]]'
evaluates 'where(m, a, -a)' '[[1,-2,3],[4,-5,6]]'
evaluates 'where(b < 0, 0, b)' '[2,0,3]'
evaluates 'm * 5' '[5,0,5]'
evaluates 'u8(a) - 7' '[[250,251,252],[253,254,255]]'
evaluates 'inf * f64(b)' '[inf,-inf,inf]'
evaluates '7 / 2' '3.5'
evaluates '1e3 + .5' '1000.5'
evaluates '2 - -3 * +2' '8'

# mistake EXPRESSION COLUMN PATTERN: the mark stands there, and the text fits.
mistake() {
    "$tool" eval "$1" a="$work/a.npy" b="$work/b.npy" m="$work/m.npy" > "$work/got" 2>&1
    status=$?
    mark=$(printf "%$(($2 + 4))s" '^')
    [ "$status" -eq 1 ] && grep -q -e "$3" "$work/got" &&
        [ "$(sed -n 3p "$work/got")" = "$mark" ]
    passed=$?
    tap_ok "$passed" "eval $1 is a mistake"
    [ "$passed" -eq 0 ] || tap_note < "$work/got"
}

mistake 'a +' 4 'the expression ends where an operand should stand'
mistake 'a + (b' 7 "ends where an operator or ')'"
mistake 'a b' 3 "'b' where an operator should stand"
mistake 'a + q' 5 "no file is given for 'q'"
mistake 'spin(a)' 1 "unknown function 'spin'"
mistake 'a + abs(a, b)' 5 'abs takes 1 argument, got 2'
mistake 'a < b < a' 7 'comparisons do not chain'
mistake 'a = b' 3 "equality is '=='"
mistake 'a $ b' 3 "unexpected '.'"
mistake 'a + f32(b)' 3 "needs one dtype, got i8 and f32; convert one, as in f32(...)"
mistake 'a + 200' 3 '200 does not fit in i8'
mistake '1 + 99999999999999999999' 5 'does not fit in 64 bits'
mistake '9223372036854775807 + 1' 21 'does not fit in 64 bits'
mistake 'f16(a) * 1e6' 8 'does not fit in f16'
mistake 'where(a, a, a)' 1 'the condition must be bool, got i8'
mistake 'a + m - neg(m)' 3 'needs one dtype'
mistake 'neg(m)' 1 'on a bool tensor is not supported'

expect 1 '/The size of tensor a (3) must match the size of tensor b (2)/' \
    eval a+c a="$work/a.npy" c="$work/c.npy"
expect 0 '/^\[\[11, 12, 13\],$/' eval a+c --axis 0 a="$work/a.npy" c="$work/c.npy"
expect 0 '/^\[\[22, 24, 26\],$/' eval '(a+c)*2' --axis 0 a="$work/a.npy" c="$work/c.npy"
expect 1 '/differ in their number of dimensions/' \
    eval a+b --rules strict a="$work/a.npy" b="$work/b.npy"
expect 0 '[-2,  2, -3]' eval --threads 2 -b*1 b="$work/b.npy"
expect 1 '/absent.npy/' eval a a="$work/absent.npy"
expect 2 '/expected NAME=FILE/' eval a a
expect 2 '/is no name/' eval a 2a=x.npy
expect 2 "/'a' is given twice/" eval a a=x.npy a=y.npy
cp "$work/b.npy" "$work/d.npy"
expect 0 '/^load .* ms, evaluate .* ms, save .* ms$/' \
    eval -d -o "$work/d.npy" --time d="$work/d.npy"
cmp -s "$work/d.npy" "$work/b.npy"
[ $? -eq 1 ] && [ "$("$tool" eval d d="$work/d.npy")" = '[-2,  2, -3]' ]
tap_ok $? 'a result may replace the file that it comes from'
[ "$(cat "$work/b.npy" | "$tool" eval b b=/dev/stdin 2>&1)" = \
    "$("$tool" eval b b="$work/b.npy")" ]
tap_ok $? 'an array may come through a pipe'

# ---- bench ----

{
    echo '# a comment'
    echo
    printf 'small\tadd\tout\tf32[4] f32[4]\n'
    printf 'planned\tadd\tplan\tf32[8,3]T f32[3]/2\n'
    printf 'fresh\twhere\tnew\tbool[5] i16[5] i16[1]\n'
    printf 'again\tmul\tinplace\tc64[6,2]P10 c64[2]\n'
    printf 'mixed\tadd\tout\tf32[4] f64[4]\n'
    printf 'later\tweave\tout\tf32[4]\n'
} > "$work/workloads"
"$tool" bench --seconds 0 --threads 1 "$work/workloads" > "$work/got" 2> "$work/left"
tap_ok $? 'a benchmark runs'
cut -f 1,3 "$work/got" | tr '\t\n' ': ' | grep -q '^small:48 planned:204 fresh:27 again:208 $'
tap_ok $? 'each workload has its line, with the bytes that must move'
[ "$(cut -d ' ' -f 2-4 "$work/left" | tr '\n' ';')" = 'mixed left out:;later left out:;' ]
tap_ok $? 'what the library lacks is left out and named'
"$tool" bench --seconds 0 --name small "$work/workloads" | cut -f 1 > "$work/got"
[ "$(cat "$work/got")" = small ]
tap_ok $? '--name chooses one'
"$tool" bench --seconds 0 --only a "$work/workloads" 2> /dev/null | cut -f 1 | tr '\n' ' ' \
    > "$work/got"
[ "$(cat "$work/got")" = 'small planned again ' ]
tap_ok $? '--only chooses some'
printf 'x\tadd\tout\tf32[4] f32[4]\ny\tadd\toff\tf32[4] f32[4]\n' > "$work/bad"
expect 2 "/bad:2: unknown mode 'off'/" bench --seconds 0 "$work/bad"
printf 'x\tadd\tout\n' > "$work/bad"
expect 2 '/bad:1: no mode/' bench "$work/bad"
printf 'x\tadd\tout\tf32[4] f32[3]\n' > "$work/bad"
expect 1 '/x: The size of tensor a (4)/' bench "$work/bad"
expect 1 '/cannot read/' bench "$work/absent"
expect 2 '/bad number of seconds/' bench --seconds soon "$work/bad"

tap_done
