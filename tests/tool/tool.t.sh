#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command-line tool as its users see it: what it prints, where, and its exit status.
# Here the tool itself, shape and plan; tool_data.t.sh has what needs data.

. "${srcdir:-.}/tests/harness/tool.sh"
tab=$(printf '\t')

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
for command in eval shape plan topo audit trace bench migrate; do
    expect 0 "/^Usage: broadloom $command/" $command --help
    expect 2 "/unknown option '--spin'/" $command --spin
    [ $command = topo ] || expect 2 "/^Try 'broadloom $command --help'/" $command
done
for command in eval shape plan topo audit trace bench migrate; do
    "$tool" $command --help | awk 'length > 100'
done > "$work/faults"
tap_empty "$work/faults" 'lines of help have at most 100 columns'
if [ -e /dev/full ]; then
    "$tool" --help > /dev/full 2> "$work/got"
    [ $? -eq 1 ] && grep -q 'cannot write' "$work/got"
    tap_ok $? 'output that is lost is a failure'
else
    tap_skip 'output that is lost is a failure' 'there is no /dev/full'
fi

# Every option of every command is in the manual, and no others.
for command in eval shape plan topo audit trace bench migrate; do
    "$tool" $command --help | sed -n 's/^ .*\(--[a-z]*\).*/\1/p'
done | sort -u > "$work/options"
echo --version >> "$work/options"
sort -u -o "$work/options" "$work/options"
manual=$(built tools/man/broadloom.1)
grep -o '\\-\\-[a-z]*' "$manual" | tr -d '\\' | sort -u > "$work/manual"
diff "$work/options" "$work/manual" > "$work/faults"
tap_empty "$work/faults" 'the manual has the options that there are'
sources='lib/context/environment.c lib/diag/flags.c'
for document in tools/man/broadloom.1.in tools/man/broadloom-environment.7 README.md; do
    # shellcheck disable=SC2086 # files are words
    cat $sources | grep -o 'BROADLOOM_[A-Z_]*' | sort -u > "$work/variables"
    sources='lib/context/environment.c lib/diag/flags.c lib/mpi/carry/shared.c' # what the tool has not
    grep -o 'BROADLOOM_[A-Z_]*' $document | sort -u | diff "$work/variables" - > "$work/faults"
    tap_empty "$work/faults" "$document has the environment variables that there are"
done

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
expect 0 '(2,3)' shape --op true_divide '(2,3)' '(3)'
expect 2 "/unknown operator 'weave'/" shape --op weave '(2)' '(2)'
expect 2 "/unknown rules 'loose'/" shape --rules loose '(2)' '(2)'
for rules in modern strict legacy; do
    for words in 'shape (2) (2)' 'plan [2] [2]' 'plan --ranks 4 [8]@0 [8]' 'plan x+1 x=[2]' \
        'eval 1+1' 'shape --batch --report text'; do
        # shellcheck disable=SC2086 # words
        expect 2 "/: rules '$rules' take no axis, got 1$/" $words --rules $rules --axis 1
    done
done
expect 1 '/differ in their number of dimensions/' shape --rules strict '(2,3)' '(3)'
expect 1 '/bad shape/' shape '(2,3' '(3)'
expect 1 "/bad shape '(2': it ends/" shape --op add '(2'
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

# Warnings after the shape.
printf '%s\n' "--rules modern --warn exact (4,1) (4)|ok (4,4)${tab}W_CHANGED" \
    "--warn exact (1,4) (4)|ok (1,4)${tab}W_CHANGED" \
    '--warn precise (1,4) (4)|ok (1,4)' \
    "--warn precise (4) (1,4)|ok (1,4)${tab}W_CHANGED_SHAPE" \
    "--rules transitional --op addcmul --warn precise (4,1) (4) (1,4)|ok (4,4)${tab}W_CHANGED${tab}W_CHANGED" \
    "--rules transitional (4,1) (2,2)|ok (4,1)${tab}W_FALLBACK_OUT2" \
    "--rules transitional --op add_ --inplace (4,1) (4)|ok (4,1)${tab}W_FALLBACK_INPLACE" \
    '--rules legacy --warn exact (4,1) (4)|ok (4,1)' \
    '--rules legacy --op dist (4,1) (4)|ok scalar' \
    '--rules modern --op dist (4,1) (4)|ok ()' \
    '--rules legacy () ()|ok ()' \
    '--rules transitional () (2)|error inconsistent tensor size, expected r_ [], t [] and src [2] to have the same number of elements, but got 0, 0 and 2 elements respectively' \
    "--warn loosely (2) (2)|error unknown predicate 'loosely': there are exact and precise" \
    > "$work/pairs"
sed 's/|.*//' "$work/pairs" | "$tool" shape --batch > "$work/got"
sed 's/.*|//' "$work/pairs" | diff - "$work/got" > "$work/faults"
tap_empty "$work/faults" 'warnings follow the shape'

# What PyTorch, NumPy and PaddlePaddle answered; PyTorch's texts letter for letter, and the
# ids of its warnings.  Where upstream's behaviour is undefined, any answer will do.
grep -v -e '^#' tests/shape/golden.tsv | "${AWK:-awk}" -F "$tab" -v questions="$work/questions" '
    $2 != "oop" && $2 != "inplace" && $2 != "view" && $2 != "shape" { next }
    {
        rules = $1 ~ /^paddle/ ? "--rules paddle --axis " $5 : \
            $1 ~ /^(legacy|transitional)$/ ? "--rules " $1 : "--rules modern"
        if ($9 == "1") rules = rules " --warn exact"
        others = $4
        gsub(/\|/, " ", others)
        print rules, ($2 == "inplace" ? "--inplace" : ""), "--op", $7, $3, others > questions
        sub(/ .*/, "", $6)
        gsub(/\+/, ";", $10)
        if ($7 == "masked_select" && $6 !~ /^E_/) $6 = "(select)" # as long as the mask has ones
        print $6 ~ /^E_PD_(UB|ZERODIM)$/ ? "any" : \
            $6 !~ /^E_/ ? "ok " $6 ($10 ~ /^W_/ ? ";" $10 : "") : \
            $1 ~ /^(torch|legacy|transitional)$/ ? "error " $8 : "error"
    }' > "$work/answers"
"$tool" shape --batch < "$work/questions" | tr "$tab" ';' > "$work/got"
paste "$work/questions" "$work/answers" "$work/got" | "${AWK:-awk}" -F "$tab" '
    $2 == "any" && $3 ~ /^(ok|error) ./ { next }
    $1 ~ /masked_select/ && $3 ~ /^ok/ { sub(/\([0-9,]*\)/, "(select)", $3) }
    $3 != $2 && ($2 != "error" || $3 !~ /^error ./)' > "$work/faults"
tap_empty "$work/faults" "$(grep -c . "$work/answers") rows of PyTorch, NumPy and PaddlePaddle"

# ---- plan ----

expect 0 '/^result   f32\[2,3\], 6 elements; 60 bytes/' plan 'f32[2,3]' '[3]'
expect 0 '/^call     sub f64\[2,3\]T f64\[3\]$/' plan --op sub --dtype f64 '[2,3]T' '[3]'
expect 0 '/"mode": "inplace", "result": {"dtype": "i8", "shape": \[4\], "elements": 4}/' \
    plan --json --inplace --dtype i8 '[4]' '[1]'
expect 0 '/"nest": .*{"extent": 6, "strides": \[4, -4, 8\]}/' \
    plan --json 'f32[2,3]{-3,-1}+5' '[2,3]/2'
expect 0 '/"slices": \[{"thread": 0, "node": 0, "range": \[0, [0-9]*\]}, .*, 4194304\]}\]/' \
    plan --json --threads 2 'f32[2048,2048]P10' '[2048,1]'
expect 0 '/^tiles    [0-9]* x [0-9]* elements, staged in L1: operand 2 ([0-9]* bytes)$/' \
    plan --threads 1 '[512,512]' '[512,512]T'
expect 0 '/^tiles    [0-9]*[0-9][0-9][0-9][0-9][0-9] x 1 elements, staged in L1: operand 2 (64 bytes)$/' \
    plan '[1048576]' 'f64[]'
expect 0 '/"tile": \[0, 0\], "min_iterations": 0, "staged": \[\], "buffer_bytes": \[0, 0, 0\], /' \
    plan --json '[4]' '[4]'
expect 0 '/^method   small$/' plan '[4]' '[4]'
expect 0 '/^method   nest$/' plan '[4096]' '[4096]'
expect 0 '/^method   tiles$/' plan 'i32[4096]' 'f32[4096]'
expect 0 '/^method   permuted tiles, where a thread has 4 iterations of their outermost loop$/' \
    plan '[512,512]' '[512,512]T'
expect 0 '/"method": "permuted tiles", "tile": \[64, 64\], "min_iterations": 4, /' \
    plan --json '[512,512]' '[512,512]T'
expect 0 '/"buffer_bytes": \[0, 8192, 0\], "staging_bytes": 8192, "non_temporal": false, /' \
    plan --json 'i32[4096]' 'f32[4096]'
expect 0 '/^stores   cached$/' plan '[4096]' '[4096]'
export HWLOC_SYNTHETIC='l3:1(size=32MiB) core:2 pu:1'
expect 0 '/^stores   non-temporal$/' plan '[65536,4096]' '[4096]'
unset HWLOC_SYNTHETIC
expect 0 '/^threads  1 of 1 by the cost model$/' plan '[4]' '[4]'
expect 0 '/"threads_by_cost": 1, "limit": "the cost model", /' plan --json '[4]' '[4]'
expect 0 "/^threads  1 of [0-9]* by the cost model: the context's number of threads$/" \
    plan --threads 1 '[65536,4096]' '[4096]'
expect 0 '/"node_ranges": \[{"node": 0, "range": \[0, 4\]}\]}$/' plan --json '[4]' '[4]'
expect 0 '/"staged": \[1\], /' plan --json 'i32[100]' 'f32[100]'
# Vectors repeat the element of a column along rows of a register or more.
column=
"$tool" plan --json '[4]' '[4]' | grep -q '"isa": "base"' && column=2
expect 0 '/"staged": \['"$column"'\], /' plan --json 'f32[100,40]' 'f32[100,1]'
[ -n "$column" ] ||
    expect 0 '/fusion of 2: 0 in registers in 0 programs, boxes of 1000 elements$/' \
        plan '(a - b) * c' a='f64[3000,50]' b='f64[50]' c='f64[3000,1]'
expect 0 '/"staged": \[2\], /' plan --json 'f32[100,7]' 'f32[100,1]'
expect 0 '/"staged": \[2\], /' plan --json 'f32[100,16,9]' 'f32[16,1]'
expect 0 '/"staged": \[2, 3\], /' plan --json --op lerp 'f32[100,40]' 'f32[100,1]' '[40]'
expect 0 '/^result   f32\[2,3,4,5\]/' plan --axis 1 '[2,3,4,5]' '[3,4]'
expect 1 '/^broadloom: The size of tensor a (3) must match/' plan '[2,3]' '[3,2]'
expect 0 '/^ *2  *48  *48  *-36$/' plan 'f64[2,3]{48,16}B' 'c64[2,3]{-36,12}B+108'
expect 1 "/a: a plan takes no elements that are not aligned to 8 bytes/" \
    plan 'f64[2]{12}B' 'f64[2]'
expect 1 "/bad operand 'f32\[2\]{4}Bx'/" plan 'f32[2]{4}Bx' 'f32[2]'
expect 1 '/add takes 2 operands, got 1/' plan '[2,3]'
expect 1 "/bad operand '\[2,3': it ends/" plan '[2,3' '[3]'
expect 1 "/bad operand 'f32\[2': it ends/" plan 'f32[2'
expect 1 "/bad operand 'f32\[2': it ends/" plan '[2]' '[2]' 'f32[2'
expect 1 '/add takes 2 operands, got 8/' plan '[2]' '[2]' '[2]' '[2]' '[2]' '[2]' '[2]' '[2]'
expect 1 "/unknown dtype 'f33'/" plan 'f33[2]' '[2]'
expect 1 '/layout T needs two dimensions/' plan '[2]T' '[2]'
expect 1 '/must name each of 2 dimensions once/' plan '[2,3]P00' '[3]'
expect 1 '/2 strides for 1 dimensions/' plan '[2]{1,2}' '[3]'
expect 1 '/the step of a layout/' plan '[2]/0' '[3]'
expect 1 '/does not fit in 64 bits/' plan '[4611686018427387904,2]' '[1]'

# ---- plan over ranks ----

row='f32[65536,65536]@0,1 f32[65536]@0'
# shellcheck disable=SC2086 # two operands
{
    expect 0 '/^result   f32\[65536,65536\]@0,1, 4294967296 elements; lies as operand 1$/' plan --ranks 64x64 $row
    expect 0 '/^ranks    4096 as 64 x 64, 64 on a node$/' plan --ranks 4096 --axes 2 --node 64 $row
    expect 0 '/^result   f32\[8,8\]@-,0[+]1, 64 elements; lies as operand 1$/' plan --ranks 2x2 'f32[8,8]@-,0+1' 'f32[8]@1+0'
    expect 0 '/^result   f32\[8,8\]@-,0[+]1[(]...[)], 64/' plan --ranks 2x2 'f32[8,8]@-,0+1(0,1,2,3,8)' 'f32[8]'
    expect 1 '/axis 1 is named twice/' plan --ranks 2x2 'f32[8,8]@-,1+1' 'f32[8]'
    expect 1 '/a dimension of 4 parts takes 5 borders in parentheses/' plan --ranks 2x2 'f32[8,8]@-,0+1(0,4,8)' 'f32[8]'
    expect 0 '/^         operand 2  *4032  *16515072  *4032  *4096$/' plan --ranks 64x64 $row
    expect 0 '/^         least  *16515072,/' plan --ranks 64x64 $row
    expect 0 '/^         operand 2  *8  *62000  *8000  *8  *8000$/' plan --ranks 8 --node 4 'f64[8,1000]@0' 'f64[1000]@0'
    expect 0 '/^         operand 2  enters each node once, and moves on within it$/' plan --ranks 8 --node 4 'f64[8,1000]@0' 'f64[1000]@0'
    expect 0 '/"most_received": 8000, "once_per_node": 1}/' plan --json --ranks 8 --node 4 'f64[8,1000]@0' 'f64[1000]@0'
    expect 0 '/^         receives operand 2\[33792:34816\], 4096 bytes, from rank 2144 (33,32)$/' \
        plan --ranks 64x64 --rank 2081 $row
    expect 0 '/^         rank 1 (0,1) sends 4096 bytes to 1 rank$/' plan --ranks 64x64 $row
    expect 1 '/b f32\[65536\] would move, and nothing may: rank 1 would receive 4096 bytes/' \
        plan --ranks 64x64 --move none $row
    expect 1 '/rank 1 would receive 4096 bytes, above all of b f32\[65536\]: most_bytes is 4095/' \
        plan --ranks 64x64 --most-bytes 4095 $row
    expect 1 '/most_memory is 1$/' plan --ranks 64x64 --most-memory 1 $row
}
expect 0 '/"computed": \[0, 6, 2\], "sent": \[24, 0, 0\], "received": \[0, 24, 0\]/' \
    plan --json --ranks 3 --result '0(0,0,6,8)' 'f32[8]@0(0,6,6,8)' 'f32[8]@0(0,0,6,8)'
expect 0 '/"rank": 1, "sends": \[\], "receives": \[{"operand": 0, "peer": 0, "bytes": 24, "begin": \[0\], "end": \[6\]}\]}$/' \
    plan --json --ranks 3 --rank 1 --result '0(0,0,6,8)' 'f32[8]@0(0,6,6,8)' '[8]'
# Of 4 ranks on 2 nodes, each sends to one of its own and to two of the other.
expect 0 '/^         operand 1  *8  *384  *256  *4  *96$/' plan --ranks 4 --node 2 --op copy --result -,0 'f64[8,8]@0'
expect 0 '/^         shared  *128, through memory of a node, without messages$/' \
    plan --ranks 4 --node 2 --op copy --result -,0 'f64[8,8]@0'
expect 0 '/^         sends .*, 32 bytes, shared, to rank 1$/' \
    plan --ranks 4 --node 2 --rank 0 --op copy --result -,0 'f64[8,8]@0'
expect 0 '/"shared": 128/' plan --json --ranks 4 --node 2 --op copy --result -,0 'f64[8,8]@0'
expect 0 '/^result   i64\[8\]@r2, 8 elements$/' plan --ranks 4 --op copy --result r2 'i64[8]@0'
expect 0 '/^         all  *0  *0  *0  *0$/' plan --ranks 4 '[8,8]@0' '[8]'
expect 0 '/lies as operand 1$/' plan --ranks 4 --axis 0 '[8,4]@0' '[8]@0'
expect 1 '/must match the size/' plan --ranks 4 '[8,8]@0' '[3]'
expect 1 '/no operand is spread over ranks/' plan --ranks 4 '[8,8]' '[8]'
expect 1 "/bad operand '\[8\]@1': '1' where an integer from 0 to 0 should stand/" plan --ranks 4 '[8]@1' '[8]'
expect 1 "/bad operand '\[8\]@0,0': '0' after 1 dimensions/" plan --ranks 4 '[8]@0,0' '[8]'
expect 1 '/both along axis 0 of the grid/' plan --ranks 4 '[8,8]@0,0' '[8]'
expect 1 '/takes 5 borders in parentheses/' plan --ranks 4 '[8]@0(0,4,8)' '[8]'
expect 1 '/fall from 5 to 4 at part 1/' plan --ranks 4 '[8]@0(0,5,4,6,8)' '[8]'
expect 1 '/the rank after @r must be 0 to 3, got 4/' plan --ranks 4 '[8]@r4' '[8]'
expect 1 '/over ranks it has no layout/' plan --ranks 4 '[8,8]T@0' '[8]'
expect 2 '/an extent of ranks must be an integer/' plan --ranks 4xx4 '[8]@0' '[8]'
expect 2 '/axes divide one number of ranks/' plan --ranks 4x4 --axes 2 '[8]@0' '[8]'
expect 2 '/rank must be below 4, got 4/' plan --ranks 4 --rank 4 '[8]@0' '[8]'
expect 2 '/move must be auto, small or none/' plan --ranks 4 --move some '[8]@0' '[8]'
expect 1 "/bad result '0,0'/" plan --ranks 4 --result 0,0 '[8]@0' '[8]'
expect 1 '/a result in place lies as it does/' plan --ranks 4 --result 0 --inplace '[8]@0' '[8]'
expect 1 '/add takes 2 operands, got 1/' plan --ranks 4 '[8]@0'
expect 2 '/an extent of ranks must be 1 to 2147483647, got 0/' plan --ranks 0 '[8]@0' '[8]'
for command in plan audit trace; do
    expect 2 "/^broadloom: $command: unknown operator 'foo'$/" $command --op foo '[3]' '[3]'
done
expect 2 "/unknown operator 'sum'/" plan --op sum '[3]'
expect 2 '/options of ranks need --ranks/' plan --node 4 '[8]' '[8]'
expect 1 '/^broadloom: cannot write/' plan --ranks 4 --svg "$work/none/picture.svg" '[8]@0' '[8]'
expect 0 '/^blocks   3 of a result are cut; a rank has 4000 elements in a row at least$/' \
    plan --ranks 4 --op sum --over 1 'f64[4096,16384]@-,0(0,4000,8000,12000,16384)'
expect 0 '/^       \* lanes .*64 bytes of each cut block/' \
    plan --ranks 4 --op sum --over -1 'f64[4096,16384]@-,0(0,4000,8000,12000,16384)'
expect 0 '/^       \* nodes /' plan --ranks 4 --op sum 'i32[4096,16384]@-,0(0,4000,8000,12000,16384)'
expect 0 '/"way": "here", "ways": {"here": {"messages": 0, "bytes": 0}}, "messages": 0, "bytes": 0, "most_bytes": 0}$/' \
    plan --json --ranks 4 --op max --over 1 'f32[64,64]@0'
expect 0 '/^sent     by all ranks 2064 bytes in 11 messages; rank 2 sends and receives most, 1160 bytes$/' \
    plan --ranks 4 --op sum 'f64[1000000]@0(0,400000,500000,900000,1000000)'
expect 0 '/"way": "move", .*"messages": 24, "bytes": 13056, "most_bytes": 6528, "moved": "@-,0"}$/' plan --json --ranks 4 --op mean --over 0 'f32[64,64]@0'
expect 1 '/over must name each of 2 dimensions once, got 1,1/' plan --ranks 4 --op sum --over 1,1 '[8,8]@0'
expect 1 '/over must name each of 2 dimensions once, got 2/' plan --ranks 4 --op sum --over 2 '[8,8]@0'
expect 1 '/sum takes 1 operand, got 2/' plan --ranks 4 --op sum '[8]@0' '[8]'
expect 1 '/takes no result, rank or limits/' plan --ranks 4 --op sum --rank 1 '[8]@0'
expect 2 "/unknown operator 'sum'/" plan --ranks 4 --op sum --svg "$work/ranks.svg" '[8]@0'
expect 0 '' plan --ranks 24 --axes 2 --op copy --result r5 --svg "$work/ranks.svg" '[4096,100]@0,1'
grep -q 'orange: rank 5; outlined: those that it receives from' "$work/ranks.svg" &&
    grep -q '^</svg>$' "$work/ranks.svg" && [ "$(grep -c 'stroke="#c2500a"' "$work/ranks.svg")" -eq 25 ]
tap_ok $? 'a picture of ranks, with the peers of one'

# ---- topo ----

unset HWLOC_SYNTHETIC HWLOC_XMLFILE
expect 0 '/^team  *[0-9]* threads*: ./' topo
expect 0 '/^{"source": ".*", "processors": [1-9].*"limit": ".*"}$/' topo --json
expect 2 "/topo takes no arguments, got '3'/" topo 3
expect 1 '/^broadloom: cannot write/' topo --svg "$work/none/picture.svg"
for words in topo 'plan [8] [8]' 'plan --ranks 4 [8]@0 [8]' 'plan x+1 x=[8]'; do
    # shellcheck disable=SC2086 # words
    expect 2 '/: --json and --svg exclude each other$/' $words --svg "$work/both.svg" --json
done
[ ! -e "$work/both.svg" ]
tap_ok $? 'nothing is drawn of them'
HWLOC_SYNTHETIC='pack:2 [numa(memory=64MiB)] core:3 pu:2'
export HWLOC_SYNTHETIC
expect 0 '/^machine    2 nodes, 12 processors for this process; described/' topo
expect 0 '/^  *1  *1  *64 MiB  6 of 6: 6-11$/' topo
expect 0 '/"nodes": \[{"node": 0, .*"usable": \[0, 1, 2, 3, 4, 5\]/' topo --json
expect 0 '' topo --svg "$work/picture.svg"
(
    unset OMP_NUM_THREADS OMP_THREAD_LIMIT
    "$tool" topo > "$work/got"
)
expect 0 '/"node_ranges": \[{"node": 0, "range": \[0, 134217728\]}, {"node": 1, "range": \[134217728, 268435456\]}\]}$/' \
    plan --json '[65536,4096]' '[4096]'
expect 0 '/^nodes    of a result without pages yet; else work follows its memory$/' \
    plan --threads 4 '[65536,4096]' '[4096]'
expect 0 '/^         node 1   elements 134217728 to 268435456 of the nest$/' \
    plan --threads 4 '[65536,4096]' '[4096]'
grep -q 'every processor is used' "$work/got"
[ $? -eq 1 ]
tap_ok $? 'a described machine is not the one that threads run on'
[ "$(grep -c '>node [01]</text>' "$work/picture.svg")" -eq 2 ] &&
    grep -q '^</svg>$' "$work/picture.svg"
tap_ok $? 'a picture of two nodes'
unset HWLOC_SYNTHETIC
BROADLOOM_NUM_THREADS=1
export BROADLOOM_NUM_THREADS
expect 0 "/^team  *1 thread: the context's number of threads$/" topo
unset BROADLOOM_NUM_THREADS

tap_done
