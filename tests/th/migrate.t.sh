#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# broadloom migrate names the lines of a program for TH whichever way its calls are made:
# with arguments that call TH, through pointers, after calls that were refused, in loops
# of its own, with and without call sites, whatever it was compiled with.

. "${srcdir:-.}/tests/harness/tool.sh"
unset BROADLOOM_COMPAT_REPORT
BROADLOOM_KEEPDIM_WARNING=1
export BROADLOOM_KEEPDIM_WARNING
program=tests/th/places.c

# "risk calls place function", one a line, as the program's marks say.
sed -n '=; s|.*/\* \([a-z]* [0-9]* [A-Za-z0-9_]*\) \*/.*|\1|p' $program | "${AWK:-awk}" -v file="$program" '
    NF == 1 { line = $1 }
    NF == 3 { print $1, $2, file ":" line, $3 }' | sort > "$work/exact"
grep -v '^none' "$work/exact" > "$work/precise"

# build NAME COMPILER FLAG...
build() {
    name=$1 command=$2
    shift 2
    # shellcheck disable=SC2086 # a compiler with options is words
    $command "$@" -std=gnu11 -g $th_headers -o "$work/$name" $program \
        ${MIGRATE_TH_LIBS--L"$here/compat/.libs" -Wl,-rpath,"$here/compat/.libs" -lbroadloom-th \
        -Wl,-rpath-link,"$here/lib/.libs" -Wl,-rpath,"$here/lib/.libs"} -lm > "$work/faults" 2>&1
}

# finds PREDICATE NAME WHAT: the table of a run of the program has the marked lines.
finds() {
    predicate=$1
    shift
    BROADLOOM_BROADCAST_WARNING=$predicate "$tool" migrate -o "$work/table" run -- "$work/$1" > "$work/said" 2>&1 &&
        grep -q '^total 24$' "$work/said"
    tap_ok $? "$2: runs"
    "${AWK:-awk}" '$2 ~ /^[0-9]+$/ && NF > 3 { print $1, $2, $3, $4 }' "$work/table" |
        sort | diff "$work/$predicate" - > "$work/faults"
    tap_empty "$work/faults" "$2: the table has the lines"
}

if ! build first "${CC:-cc}" -O0; then
    tap_skip 'reports of programs for TH' "no program can be linked: $(head -n 1 "$work/faults")"
    tap_done
    exit
fi
if ! command -v addr2line > "$work/found" 2>&1; then
    tap_skip 'calls through pointers' 'there is no addr2line'
    tap_done
    exit
fi
for compiler in "${CC:-cc}" clang; do
    if ! build first "$compiler" -O0; then
        tap_skip "$compiler" 'it is not installed'
        continue
    fi
    for flag in -O0 -O2; do
        build marked "$compiler" $flag
        finds precise marked "$compiler $flag"
        build bare "$compiler" $flag -DTH_NO_CALL_SITES
        finds precise bare "$compiler $flag, without call sites"
    done
done
finds exact bare 'loops of the program, which nothing changes'

# ---- one line for all shapes ----

says() { # PATTERN
    grep -q -e "$1" "$work/table"
    tap_ok $? "the table says $1"
}
says '  pow (1000,1) (1000) -> (1000,1000), 1000 times as large by dimension 1$'
says '^  *the worst of 3 kinds of calls$'
says '^  *also (4) (4,1) -> (4,4)$'
says '^  *as it was: operand 2.squeeze(1)$'
[ "$(grep -c 'also' "$work/table")" -eq 1 ]
tap_ok $? 'kinds with the same suggestion are reported once'
says ' addcmul (4,1) (4) (4) -> (4,4)'

# ---- SARIF ----

if command -v python3 > "$work/found" 2>&1; then
    BROADLOOM_BROADCAST_WARNING=exact "$tool" migrate -o "$work/sarif" --sarif run "$work/bare" \
        > "$work/said" 2>&1
    python3 tests/warnings/sarif.py "$work/sarif" > "$work/faults" 2>&1
    tap_empty "$work/faults" 'SARIF is as SARIF 2.1.0 has it'
    python3 -c 'import json, sys
for result in json.load(sys.stdin)["runs"][0]["results"]:
    text = result["message"]["text"]
    if "TH_TENSOR_APPLY" in text:
        print(result["ruleId"], result["level"])' < "$work/sarif" | sort -u > "$work/got"
    echo 'broadcast-none note' | diff - "$work/got" > "$work/faults"
    tap_empty "$work/faults" 'a loop of the program is a note'
else
    tap_skip 'SARIF' 'there is no python3'
fi
tap_done
