#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command-line tool as its users see it: what it prints, where, and its exit status.

. "${srcdir:-.}/tests/tap.sh"
here=$(cd "${top_builddir:-.}" && pwd)
cd "${srcdir:-.}" || exit 1
unset BROADLOOM_NUM_THREADS BROADLOOM_ISA BROADLOOM_RULES BROADLOOM_OVERLAP \
    BROADLOOM_MAX_GROWTH
tool=${BROADLOOM:-$here/broadloom}
tab=$(printf '\t')

# expect STATUS TEXT ARGUMENT...: the exit status, and a text of both outputs together; a
# text in slashes is a pattern, of which some line must be one.
expect() {
    wanted=$1 text=$2
    shift 2
    "$tool" "$@" < /dev/null > "$work/got" 2>&1
    status=$?
    case $text in
        /*/)
            pattern=${text#/}
            grep -q -e "${pattern%/}" "$work/got"
            ;;
        *) [ "$(cat "$work/got")" = "$text" ] ;;
    esac
    found=$?
    [ "$status" -eq "$wanted" ] && [ "$found" -eq 0 ]
    passed=$?
    tap_ok "$passed" "broadloom $*"
    if [ "$passed" -ne 0 ]; then
        echo "status $status, expected $wanted and $text; printed:" | tap_note
        tap_note < "$work/got"
    fi
}

# answer LINE ANSWER: what --batch says to one line.
answer() {
    printf '%s\n' "$1" >> "$work/questions"
    printf '%s\n' "$2" >> "$work/answers"
}

# ---- the tool itself ----

expect 0 '/^broadloom [0-9]/' --version
expect 0 '/^Usage: broadloom COMMAND/' --help
expect 2 '/^Usage: broadloom COMMAND/'
expect 2 "/unknown command 'spin'/" spin
expect 2 "/unknown option '--spin'/" --spin
for command in eval shape plan bench; do
    expect 0 "/^Usage: broadloom $command/" $command --help
    expect 2 "/unknown option '--spin'/" $command --spin
    expect 2 "/^Try 'broadloom $command --help'/" $command
done
if [ -e /dev/full ]; then
    "$tool" --help > /dev/full 2> "$work/got"
    [ $? -eq 1 ] && grep -q 'cannot write' "$work/got"
    tap_ok $? 'output that is lost is a failure'
else
    tap_skip 'output that is lost is a failure' 'there is no /dev/full'
fi

# Every option of every command is in the manual, and no others.
for command in eval shape plan bench; do
    "$tool" $command --help | sed -n 's/^ .*\(--[a-z]*\).*/\1/p'
done | sort -u > "$work/options"
echo --version >> "$work/options"
sort -u -o "$work/options" "$work/options"
grep -o '\\-\\-[a-z]*' tools/broadloom.1 | tr -d '\\' | sort -u > "$work/manual"
diff "$work/options" "$work/manual" > "$work/faults"
tap_empty "$work/faults" 'the manual has the options that there are'

# ---- shape ----

expect 0 '(5,3,4,1)' shape '(5,3,4,1)' '(3,1,1)'
expect 0 '()' shape '()' '()'
expect 0 '(3)' shape '(3,)' '()'
expect 0 '(0)' shape '(1)' '(0)'
expect 1 'broadloom: The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 1' \
    shape '(2,3)' '(3,2)'
expect 1 "broadloom: output with shape [3] doesn't match the broadcast shape [2, 3]" \
    shape --inplace '(3)' '(2,3)'
expect 0 '(2,3,4,5)' shape --rules paddle --axis 1 '(2,3,4,5)' '(3,4)'
expect 0 '(2,3,4,5)' shape --axis 1 '(2,3,4,5)' '(3,4)'
expect 0 '(2,3,4,5)' shape --axis -1 '(2,3,4,5)' '(4,5)'
expect 2 '/must be an integer/' shape --axis one '(2)' '(2)'
expect 2 "/unknown operator 'weave'/" shape --op weave '(2)' '(2)'
expect 2 "/unknown rules 'loose'/" shape --rules loose '(2)' '(2)'
expect 1 "/rules 'strict' take no axis/" shape --rules strict --axis 1 '(2)' '(2)'
expect 1 '/differ in their number of dimensions/' shape --rules strict '(2,3)' '(3)'
expect 1 '/bad shape/' shape '(2,3' '(3)'
expect 1 '/must not be negative/' shape '(2,-3)' '(3)'
expect 1 '/does not fit in 64 bits/' shape '(99999999999999999999)' '(3)'
expect 2 '/takes no shapes/' shape --batch '(3)'

: > "$work/questions"
: > "$work/answers"
answer '(5,3,4,1) (3,1,1)' 'ok (5,3,4,1)'
answer ' (2, 3)	( 3, ) ' 'ok (2,3)'
answer '"(2,3)" '"'(1)'" 'ok (2,3)'
answer '--op add --inplace (2,3) (3)' 'ok (2,3)'
answer '--op add_ (3) (2,3)' 'ok (2,3)'
answer '(3) (2,3) --axis -1 --rules paddle' 'ok (2,3)'
answer '--op addcmul (2,1) (3) (4,1,1)' 'ok (4,2,3)'
answer '--op masked_select (4,1) (5,3)' \
    'error The size of tensor a (5) must match the size of tensor b (4) at non-singleton dimension 0'
answer '--op masked_scatter_ --inplace (2,3) (3) (77)' 'ok (2,3)'
answer '--op expand (1,3) (2,-1)' 'ok (2,3)'
answer '--op sum_to_size (2,3) (2)' 'error size {[2]} is not expandable to size {[2, 3]}.'
answer '--op sum_to_size (2,3) (1,3)' 'ok (1,3)'
answer '--op neg (2,3)' 'ok (2,3)'
answer '--op lerp (2) (3) (1) (1)' 'error the operator takes up to 3 operands, got 4'
answer '--op expand_ (1) (2)' "error unknown operator 'expand_'"
answer '' 'error no shapes given'
answer '(2) "(3)' 'error a quote " stays open'
answer '(2,3' "error bad shape '(2,3': it ends where ',' or ')' should stand"
answer '(2) (x)' "error bad shape '(x)': 'x)' where an integer should stand"
answer '--axis' "error option '--axis' needs a value"
answer '--inplace=1 (2)' "error option '--inplace=1' takes no value"
answer '--weave (2)' "error unknown option '--weave'"
answer '-w (2)' "error unknown option '-w'"
answer '--batch (2)' 'error only for the command line: --batch'
answer '(4611686018427387904,2) (1)' \
    'error the number of elements of shape [4611686018427387904, 2] does not fit in 64 bits'
"$tool" shape --batch < "$work/questions" > "$work/got" 2> "$work/faults"
tap_ok $? 'a batch is a success whatever its answers'
diff "$work/answers" "$work/got" >> "$work/faults"
tap_empty "$work/faults" 'each line of a batch gets its answer'
printf '(2) (3)\n(4)' | "$tool" shape --batch --op mul --inplace > "$work/got"
printf 'error %s\nerror %s\n' \
    'The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0' \
    'the operator takes 2 operands, got 1' | diff - "$work/got" > "$work/faults"
tap_empty "$work/faults" 'options before --batch are defaults for its lines'

# What PyTorch, NumPy and PaddlePaddle answered; PyTorch's texts letter for letter.  Where
# upstream's behaviour is undefined, any answer will do.
grep -v -e '^#' tests/vectors.tsv | "${AWK:-awk}" -F "$tab" -v questions="$work/questions" '
    $2 != "oop" && $2 != "inplace" && $2 != "view" && $2 != "shape" { next }
    {
        rules = $1 ~ /^paddle/ ? "--rules paddle --axis " $5 : "--rules modern"
        others = $4
        gsub(/\|/, " ", others)
        print rules, ($2 == "inplace" ? "--inplace" : ""), "--op", $7, $3, others > questions
        sub(/ .*/, "", $6)
        print $6 ~ /^E_PD_(UB|ZERODIM)$/ ? "any" : $6 !~ /^E_/ ? "ok " $6 : \
            $1 == "torch" ? "error " $8 : "error"
    }' > "$work/answers"
"$tool" shape --batch < "$work/questions" > "$work/got"
paste "$work/questions" "$work/answers" "$work/got" | "${AWK:-awk}" -F "$tab" '
    $2 == "any" && $3 ~ /^(ok|error) ./ { next }
    $3 != $2 && ($2 != "error" || $3 !~ /^error ./)' > "$work/faults"
tap_empty "$work/faults" "$(grep -c . "$work/answers") rows of PyTorch, NumPy and PaddlePaddle"

# ---- plan ----

expect 0 '/^result   f32\[2,3\], 6 elements; 60 bytes/' plan 'f32[2,3]' '[3]'
expect 0 '/^call     sub f64\[2,3\]T f64\[3\]$/' plan --op sub --dtype f64 '[2,3]T' '[3]'
expect 0 '/"mode": "inplace", "result": {"dtype": "i8", "shape": \[4\], "elements": 4}/' \
    plan --json --inplace --dtype i8 '[4]' '[1]'
expect 0 '/"nest": .*{"extent": 6, "strides": \[4, -4, 8\]}/' \
    plan --json 'f32[2,3]{-3,-1}+5' '[2,3]/2'
expect 0 '/"ranges": \[\[0, [0-9]*\], \[[0-9]*, 4194304\]\]/' \
    plan --json --threads 2 'f32[2048,2048]P10' '[2048,1]'
expect 0 '/^result   f32\[2,3,4,5\]/' plan --axis 1 '[2,3,4,5]' '[3,4]'
expect 1 '/^broadloom: The size of tensor a (3) must match/' plan '[2,3]' '[3,2]'
expect 1 '/add takes 2 operands, got 1/' plan '[2,3]'
expect 1 "/bad operand '\[2,3': it ends/" plan '[2,3' '[3]'
expect 1 "/unknown dtype 'f33'/" plan 'f33[2]' '[2]'
expect 1 '/layout T needs two dimensions/' plan '[2]T' '[2]'
expect 1 '/must name each of 2 dimensions once/' plan '[2,3]P00' '[3]'
expect 1 '/2 strides for 1 dimensions/' plan '[2]{1,2}' '[3]'
expect 1 '/the step of a layout/' plan '[2]/0' '[3]'
expect 1 '/does not fit in 64 bits/' plan '[4611686018427387904,2]' '[1]'

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
mistake 'neg(m)' 1 'does not take bool'

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
