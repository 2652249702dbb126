#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command-line tool's eval and bench: results, mistakes and exit statuses.

. "${srcdir:-.}/tests/harness/tool.sh"

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
npy '|i1' '(99999, 1)' "$(printf '%099999d' 0)" zeros

# files EXPRESSION: the files of its names, a word NAME=FILE a line.
files() {
    for name in a b m; do
        printf '%s\n' "$1" | grep -q -w $name && echo "$name=$work/$name.npy"
    done
}

# evaluates EXPRESSION RESULT: what is printed, its lines joined.
evaluates() {
    # shellcheck disable=SC2046 # words
    got=$("$tool" eval "$1" $(files "$1") 2>&1)
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
evaluates 'a // b' '[[0,-1,1],[2,-3,2]]'
evaluates 'a % b' '[[1,0,0],[0,-1,0]]'
evaluates '-a ** 2' '[[-1,-4,-9],[-16,-25,-36]]'
evaluates '2 ** 3 ** 2' '512'
evaluates '4 ** -f32(a) * 4 > 0.9' '[[true,false,false],[false,false,false]]'
evaluates 'a & 1 | ~a ^ 6' '[[-7,-5,-5],[-3,-3,-1]]'
evaluates 'a << 1 >> 2' '[[0,1,1],[2,2,3]]'
evaluates '(a < 3) | (a > 4)' '[[true,true,false],[false,true,true]]'
evaluates 'a + f32(b)' '[[3,0,6],[6,3,9]]'
evaluates 'a + m' '[[2,2,4],[5,5,7]]'
evaluates 'addcmul(a, b, b)' '[[5,6,12],[8,9,15]]'
evaluates 'masked_fill(a, m, 9)' '[[9,2,9],[9,5,9]]'
evaluates 'isclose(a, a + 1e-6)' '[[true,true,true],[true,true,true]]'
evaluates 'clip(a, 2, 4)' '[[2,2,3],[4,4,4]]'
evaluates 'sum(a)' '21'
evaluates 'sum(a, 0)' '[5,7,9]'
evaluates 'sum(a, -1, keepdim)' '[[6],[15]]'
evaluates 'mean(f32(a), 0, 1)' '3.5'
evaluates 'max(a, 1)' '[3,6]'
evaluates 'max(a, b)' '[[2,2,3],[4,5,6]]'
evaluates 'any(a > 5)' 'true'
evaluates 'sum_to(a, b)' '[5,7,9]'
evaluates 'dist(f32(a), f32(a) + 2, inf)' '2'
evaluates 'masked_select(a, m)' '[1,3,4,6]'
evaluates 'masked_scatter(a, m, a * 2)' '[[2,2,4],[6,5,8]]'
evaluates 'u8(a) - 7' '[[250,251,252],[253,254,255]]'
evaluates 'inf * f64(b)' '[inf,-inf,inf]'
evaluates 'var(f32(a), 1)' '[1,1]'
evaluates 'std(f32(a), 0, keepdim, correction=0)' '[[1.5,1.5,1.5]]'
evaluates 'cos(pi) + log(e)' '0'
evaluates 'd = a - b; d * d' '[[1,16,0],[4,49,9]]'
evaluates 'd = a - b; d; 2 * d' '[[-1,4,0],[2,7,3]][[-2,8,0],[4,14,6]]'
evaluates 'sum(masked_select(a * 2, m)) - sum_to(masked_scatter(a, m, a * 2), b)' '[20,21,16]'
evaluates 'd = a - b; dist(f32(d), b, 1); d; masked_select(d * 2, m)' \
    '21[[-1,4,0],[2,7,3]][-2,0,4,6]'
evaluates 'n = inf; a; d = dist(f32(a), b, n); s = sum_to(a * d, a); dist(s, d, n)' \
    '[[1,2,3],[4,5,6]]35'
evaluates '7 / 2' '3.5'
evaluates '7 // 2 ** 2' '1'
evaluates '2 ** -1' '0.5'
evaluates 'sqrt(2 + 2) * b' '[4,-4,6]'
evaluates 'max(2, 3)' '3'
evaluates '1e3 + .5' '1000.5'
evaluates '2 - -3 * +2' '8'
evaluates '-9223372036854775808' '-9223372036854775808'
evaluates '- 9223372036854775808 == -9223372036854775807 - 1' 'true'
evaluates '-9223372036854775808 * i64(b) // 2 ** 62' '[0,0,-2]'

# mistake EXPRESSION COLUMN PATTERN: check the position of the caret, and the message.
mistake() {
    # shellcheck disable=SC2046 # words
    "$tool" eval "$1" $(files "$1") > "$work/got" 2>&1
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
mistake 'a + q' 5 "'q' is no input"
mistake 'f32(a) ^ 2' 8 'bitwise_xor does not take f32; a power is pow, or \*\* in texts'
mistake 'spin(a)' 1 "unknown function 'spin'"
mistake 'a + abs(a, b)' 5 'abs takes 1 argument, got 2'
mistake 'a < b < a' 7 'comparisons do not chain'
mistake 'a = b' 3 "equality is '=='"
mistake 'sum(a, axis=0)' 12 'arguments have no names'
mistake 'sum(a, 0, keepdim=1)' 18 'arguments have no names'
mistake 'a + where(a = 1, a, b)' 13 "equality is '=='"
mistake '2 * masked_select(a, m' 23 "ends where ',' or ')'"
mistake 'b + masked_select(a + q, m)' 23 "'q' is no input"
mistake 'b + masked_select(a; a, m)' 20 "';' where an operator or ')'"
mistake 'b; d = a - q; dist(d, b)' 12 "'q' is no input"
mistake 'dist(d, b); d = a - b' 6 "'d' is no input"
mistake 'd = a; a == d; dist(d, b // 0)' 26 ZeroDivisionError
mistake 'b + masked_select(a)' 5 'masked_select takes 2 arguments, got 1'
mistake 'dist( )' 1 'dist takes 2 or 3 arguments, got 0'
mistake 'dist(a, b, 1, 2, 3)' 1 'dist takes 2 or 3 arguments, got 5'
mistake 'a + sum_to(b, a)' 5 'sum_to'
mistake 'a $ b' 3 "unexpected '.'"
mistake 'a // 0' 3 'ZeroDivisionError'
mistake 'a ** -1' 3 'Integers to negative integer powers are not allowed'
mistake '1<<-1' 2 'the shift count -1 is negative'
mistake '1 << 64' 3 'does not fit in 64 bits'
mistake '2 ** 64' 3 'does not fit in 64 bits'
mistake 'sum(a, b)' 1 'sum takes an array and the numbers of its dimensions'
mistake 'sum(a, 0, keepdim' 18 "ends where ')' should stand"
mistake 'sum(a, 2)' 1 'out of range'
mistake 'addcmul(a, b)' 1 'addcmul takes 4 arguments, got 2'
mistake 'lerp(a, a, b)' 1 'lerp'
mistake 'a + 200' 3 '200 does not fit in i8'
mistake '1 + 99999999999999999999' 5 'does not fit in 64 bits'
mistake '9223372036854775807 + 1' 21 'does not fit in 64 bits'
mistake '1 + 9223372036854775808' 5 '9223372036854775808 does not fit in 64 bits'
mistake '1 - 9223372036854775808' 5 '9223372036854775808 does not fit in 64 bits'
mistake '-9223372036854775809' 2 '9223372036854775809 does not fit in 64 bits'
mistake '-9223372036854775808 ** 1' 2 '9223372036854775808 does not fit in 64 bits'
mistake '- -9223372036854775808' 1 'the number does not fit in 64 bits'
mistake 'abs(-9223372036854775808)' 1 'the number does not fit in 64 bits'
mistake '-9223372036854775808 // -1' 22 'the number does not fit in 64 bits'
mistake 'a +  ' 4 'the expression ends where an operand should stand'
mistake 'f16(a) * 1e6' 8 'does not fit in f16'
mistake 'where(a, a, a)' 1 'a is i8, expected bool'
mistake 'a + m - neg(m)' 9 'on a bool tensor is not supported'
mistake 'neg(m)' 1 'on a bool tensor is not supported'

many=$(yes 'a + ' | head -n 1100 | tr -d '\n')
"$tool" eval "$many a" a="$work/a.npy" > "$work/got" 2>&1
[ $? -eq 1 ] && grep -q '^broadloom: more than 1024 nodes$' "$work/got"
tap_ok $? 'a message names no function of the library'

# shows EXPRESSION LINE COLUMN WHAT: what is printed of the expression, and where the mark
# stands; escapes are as printf has them.
shows() {
    # shellcheck disable=SC2046,SC2059
    "$tool" eval "$(printf "$1")" $(files "$1") > "$work/got" 2>&1
    # shellcheck disable=SC2059
    printf "    $2\n%$(($3 + 4))s\n" '^' > "$work/wanted"
    sed 1d "$work/got" | diff "$work/wanted" - > "$work/faults"
    tap_empty "$work/faults" "$4"
}
shows 'a +\n  a q\n + a' '  a q' 5 'only the line of a mistake is shown'
shows 'a +\n\n' 'a +' 4 'what is missing is shown behind the last word'
shows 'a\t+\tq\n' 'a + q' 5 'a tab is a blank'
shows 'a + \303\244' 'a + \303\244' 5 'letters of other languages are shown as they are'
long=$(yes '1 + ' | head -n 10000 | tr -d '\n')
part='1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + '
shows "${long}q" "... + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + ${part}q" 75 \
    'the end of a long expression'
shows "${long}q + ${long}1" "...${part}1 + q + ${part}..." 40 'its middle'
shows "r + ${long}1" "r + ${part}${part}1 + ..." 1 'its start'
letters=$(yes '\303\244' | head -n 1000 | tr -d '\n')
shows "1 + $letters" "1 + $(yes '\303\244' | head -n 34 | tr -d '\n')..." 5 \
    'no letter is cut in two'
shows "1 +  $letters" "1 +  $(yes '\303\244' | head -n 34 | tr -d '\n')..." 6 \
    'nor where it would be'

expect 1 '/The size of tensor a (3) must match the size of tensor b (2)/' \
    eval a+c a="$work/a.npy" c="$work/c.npy"
expect 0 '/^\[\[11, 12, 13\],$/' eval a+c --axis 0 a="$work/a.npy" c="$work/c.npy"
expect 0 '/^\[\[22, 24, 26\],$/' eval '(a+c)*2' --axis 0 a="$work/a.npy" c="$work/c.npy"
expect 1 '/differ in their number of dimensions/' \
    eval a+b --rules strict a="$work/a.npy" b="$work/b.npy"
expect 0 '/^phase 0   fusion of 2: /' \
    eval --explain '(a + b) * 2' a="$work/a.npy" b="$work/b.npy"
expect 0 '/phase 1   call of %4 = mul(%2, 2)   i8\[2,3\]   output 0/' \
    eval --explain --unfused '(a + b) * 2' a="$work/a.npy" b="$work/b.npy"
expect 1 '/--explain computes nothing, and calls of dist, masked_scatter, .* are computed/' \
    eval --explain 'd = a * 2; masked_select(d, m)' a="$work/a.npy" m="$work/m.npy"
expect 0 '/^\[\[/' eval --unfused '(a + b) * 2' a="$work/a.npy" b="$work/b.npy"
expect 2 '/has 2 results, and there is 1 -o: give one for each, in order/' \
    eval 'a; a' a="$work/a.npy" -o "$work/two.npy"
expect 2 '/has 1 result, and there are 2 -o/' \
    eval a a="$work/a.npy" -o "$work/two.npy" -o "$work/three.npy"
expect 2 "/^broadloom: eval: two results for/" \
    eval 'a; a' a="$work/a.npy" -o "$work/two.npy" --output="$work/two.npy"
[ ! -e "$work/two.npy" ] && [ ! -e "$work/three.npy" ]
tap_ok $? 'nothing is written where their numbers differ'
expect 0 '' eval 's = a + a; s; s - b' a="$work/a.npy" b="$work/b.npy" -o "$work/two.npy" \
    --output "$work/three.npy"
[ "$("$tool" eval x x="$work/two.npy" | tr -d ' \n')" = '[[2,4,6],[8,10,12]]' ] &&
    [ "$("$tool" eval x x="$work/three.npy" | tr -d ' \n')" = '[[0,6,3],[6,12,9]]' ]
tap_ok $? 'each -o takes a result, in order'
expect 0 '[-2,  2, -3]' eval --threads 2 -b*1 b="$work/b.npy"
for call in 'std(f32(a))' 'var(f32(a) * 2, 0)' 'std(f32(a), 1, keepdim)'; do
    expect 0 "$("$tool" eval "$call" a="$work/a.npy")" eval "$call" --memory 1 a="$work/a.npy"
done
for pool in 0 1G; do
    BROADLOOM_POOL=$pool "$tool" eval 'sum(a // (b - b))' a="$work/a.npy" b="$work/b.npy" \
        2> "$work/got.$pool"
done
[ -s "$work/got.0" ] && cmp -s "$work/got.0" "$work/got.1G"
tap_ok $? 'the default of --memory is no matter of BROADLOOM_POOL'
expect 1 '/absent.npy/' eval a a="$work/absent.npy"
expect 2 '/expected NAME=FILE/' eval a a
expect 1 "broadloom: b=$work/b.npy is given, but the expression does not name b" \
    eval a a="$work/a.npy" b="$work/b.npy"
expect 1 'broadloom: "": cannot be written: No such file or directory' \
    eval a a="$work/a.npy" -o ''
expect 2 '/is no name/' eval a 2a=x.npy
expect 2 "/'a' is given twice/" eval a a=x.npy a=y.npy
cp "$work/b.npy" "$work/d.npy"
expect 0 '/^load .* ms, evaluate .* ms, save .* ms$/' \
    eval -d -o "$work/d.npy" --time d="$work/d.npy"
cmp -s "$work/d.npy" "$work/b.npy"
[ $? -eq 1 ] && [ "$("$tool" eval d d="$work/d.npy")" = '[-2,  2, -3]' ]
tap_ok $? 'a result may replace the file that it comes from'
chmod 600 "$work/d.npy"
ln -s d.npy "$work/link.npy"
expect 0 '' eval f64'(d)' -o "$work/link.npy" d="$work/link.npy"
[ -L "$work/link.npy" ] && [ -n "$(find "$work/d.npy" -perm 600)" ] &&
    [ "$("$tool" eval d d="$work/d.npy")" = '[-2,  2, -3]' ]
tap_ok $? 'a result is written through a link, and its file keeps the mode'
{
    "$tool" eval 'b + zeros' b="$work/b.npy" zeros="$work/zeros.npy" -o /dev/stdout 2> "$work/got"
    echo $? > "$work/status"
} | head -c 1 > "$work/faults"
[ "$(cat "$work/status")" -eq 1 ] &&
    grep -q '^broadloom: /dev/stdout: cannot be written: Broken pipe$' "$work/got"
tap_ok $? 'a reader that goes is an error'
[ "$(cat "$work/b.npy" | "$tool" eval b b=/dev/stdin 2>&1)" = \
    "$("$tool" eval b b="$work/b.npy")" ]
tap_ok $? 'an array may come through a pipe'

# ---- bench ----

{
    echo '# a comment'
    echo
    printf 'small\tadd\tout\tf32[4] f32[4]\n'
    printf 'planned\tadd\tplan\tf32[8,3]T f32[3]/2\n'
    printf 'first\tadd\tfirst\tf32[4] f32[4]\n'
    printf 'fresh\twhere\tnew\tbool[5] i16[5] i16[1]\n'
    printf 'again\tmul\tinplace\tc64[6,2]P10 c64[2]\n'
    printf 'mixed\tadd\tout\tf32[4] f64[4]\n'
    printf 'less\tlt\tout\ti8[4] f64[4]\n'
    printf 'number\taddcmul\tplan\tf32[4] f32[4] f32[1]\n'
    printf 'alias\ttrue_divide\tinplace\tf32[4] i32[4]\n'
    printf 'sums\tsum_to\tnew\tf32[4,3] f32[3]\n'
    printf 'chain\tchain5\tnew\tf32[4,3] f32[3] f32[3] f32[1]\n'
    printf 'cast\tcopy\tout\tu8[4,3]T f64[4,3]\n'
    printf 'expression\twhere(a > 2, b * c, 0.5)\tout\tf32[4,3]T f32[3] f32[4,1]\n'
    printf 'twice\td = a - mean(a, 1, keepdim); d; d > 0\tnew\tf64[4,3]\n'
    printf 'within\ta * 2 + b\tinplace\tf32[4,3]/2 f32[3]\n'
    printf 'once\t(a + b) * c\tplan\ti16[4] i16[4] i16[1]\n'
    printf 'oneshot\t(a + b) * c\trun\ti16[4] i16[4] i16[1]\n'
    printf 'each\t(a + b) * c\tfirst\ti16[4] i16[4] i16[1]\n'
    printf 'word\tadd\trun\tf32[4] f32[4]\n'
    printf 'lacking\ta + weave(b)\tout\tf32[4] f32[4]\n'
    printf 'later\tweave\tout\tf32[4]\n'
    printf 'never\tlerp\tout\ti8[4] i8[4] i8[4]\n'
} > "$work/workloads"
"$tool" bench --seconds 0 --threads 1 "$work/workloads" > "$work/got" 2> "$work/left"
tap_ok $? 'a benchmark runs'
cut -f 1,3 "$work/got" | tr '\t\n' ': ' > "$work/bytes"
[ "$(cat "$work/bytes")" = 'small:48 planned:204 first:48 fresh:27 again:208 mixed:80 less:40 number:52 alias:48 sums:60 chain:124 cast:108 expression:124 twice:204 within:108 once:26 oneshot:26 each:26 word:48 ' ]
tap_ok $? 'each workload has its line, with the bytes that must move'
[ "$(cut -d ' ' -f 2-4 "$work/left" | tr '\n' ';')" = 'lacking left out:;later left out:;never left out:;' ]
tap_ok $? 'what the library lacks is left out and named'
awk '{ ns[$1] = $2 } END { exit !(ns["first"] > 3 * ns["small"] && ns["each"] > 3 * ns["once"]) }' \
    "$work/got"
tap_ok $? 'first calls of a shape are planned'
"$tool" bench --seconds 0 --name small "$work/workloads" | cut -f 1 > "$work/got"
[ "$(cat "$work/got")" = small ]
tap_ok $? '--name chooses one'
"$tool" bench --seconds 0 --only a "$work/workloads" 2> /dev/null | cut -f 1 | tr '\n' ' ' \
    > "$work/got"
[ "$(cat "$work/got")" = 'small planned again alias chain cast each ' ]
tap_ok $? '--only chooses some'
expect 1 "broadloom: $work/workloads: no workload named 'smal'" bench --name smal "$work/workloads"
expect 1 "broadloom: $work/workloads: no workload whose name has 'tiny'" \
    bench --only tiny "$work/workloads"
expect 1 "broadloom: $work/workloads: no workload named 'small' that has 'tiny'" \
    bench --only tiny --name small "$work/workloads"
printf 'x\tadd\tout\tf32[4] f32[4]\ny\tadd\toff\tf32[4] f32[4]\n' > "$work/bad"
expect 2 "/bad:2: unknown mode 'off'/" bench --seconds 0 "$work/bad"
# malformed OPERATOR MODE OPERANDS TEXT: the second line of a list, named with what is wrong.
malformed() {
    printf '# a list\nx\t%s\t%s\t%s\ny\tadd\tout\tf32[4] f32[4]\n' "$1" "$2" "$3" > "$work/bad"
    expect 2 "broadloom: $work/bad:2: $4" bench --seconds 0 "$work/bad"
}
malformed 'a + nothing' out 'f32[4]' "'nothing' is no input"
malformed 'a +' out 'f32[4]' 'the expression ends where an operand should stand'
malformed 'a + b' out 'f32[4]' "'b' is no input"
malformed 'a + abs(a, a)' out 'f32[4]' 'abs takes 1 argument, got 2'
malformed 'a + 99999999999999999999' out 'i64[4]' '99999999999999999999 does not fit in 64 bits'
malformed 'a; -a' inplace 'f32[4]' '2 results, of which one can be inplace'
malformed add out 'f32[4]' 'add takes 2 arguments, got 1'
malformed sqrt out 'f32[4] f32[4]' 'sqrt takes 1 argument, got 2'
malformed sum_to new 'f32[4]' 'sum_to takes 2 arguments, got 1'
malformed chain5 new 'f32[4] f32[4]' 'chain5 takes 4 arguments, got 2'
printf 'x\ta + 1\tinplace\ti32[4] f32[4]\nx\ta + b\tinplace\ti32[4] f32[4]\n' > "$work/bad"
expect 0 '/x left out: /' bench --seconds 0 "$work/bad"
printf 'x\tadd\tout\n' > "$work/bad"
expect 2 '/bad:1: no mode/' bench "$work/bad"
printf 'x\tadd\tout\tf32[4] f32[3]\n' > "$work/bad"
expect 1 '/x: The size of tensor a (4)/' bench "$work/bad"
expect 1 '/cannot read/' bench "$work/absent"
# Public lists: every line is timed, and the shares of a limit are worked out.
for list in workloads expressions rows sums; do
    sed 's/\[[0-9,]*\]/[2,2]/g; s/P[0-9]*//g' tools/broadloom/bench/$list.tsv > "$work/list"
    "$tool" bench --seconds 0 --threads 1 --unfused "$work/list" > "$work/got" 2>&1
    [ "$(grep -c -v '^#' "$work/list")" = "$(awk -F '\t' 'NF == 3 && $2 > 0 && $3 > 0' "$work/got" | grep -c .)" ]
    tap_ok $? "every line of $list.tsv is timed, of small operands"
done
printf 'fill\t10\ncopy\t20\nadd\t40\nread\t80\n' > "$work/limits"
printf '%s\t1e6\t%s\n' chain-16m 335544320 sq-distance 134217732 outer-radius 268500992 \
    norm-rows 134356992 > "$work/ours"
tools/dev/compare_benchmarks tools/broadloom/bench/expressions.tsv "$work/limits" "$work/ours" \
    | awk -F ' *[|] *' 'NR > 2 { printf "%s %s;", $2, $5 }' > "$work/got"
[ "$(cat "$work/got")" = 'chain-16m 839 %;norm-rows 672 %;sq-distance 168 %;outer-radius 2685 %;' ]
tap_ok $? 'the limit of an expression is that of its mix of reads and writes'
expect 2 '/--limits takes no file/' bench --limits "$work/bad"
expect 2 '/one file of workloads/' bench
expect 2 '/bad number of seconds/' bench --seconds soon "$work/bad"

tap_done
