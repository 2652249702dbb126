#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The cost of small calls: instructions, counted by callgrind, at most 5 % over those of
# bench_check.tsv; no system call, no allocation, and no call of OpenMP.  This detects losses
# that are hidden by noise in timings.
#
# usage: bench_check.t.sh [all | write]
#   all    every call of the table, not only the first four
#   write  recount, and write the table

. "${srcdir:-.}/tests/harness/tap.sh"
folder=${top_builddir:-.}/tests/quality
counts=${srcdir:-.}/tests/quality/bench_check.tsv
times=200
unset BROADLOOM_NUM_THREADS
# The larger ones could have a team, whose threads outlive a sealed one.
BROADLOOM_ISA=base
OMP_NUM_THREADS=1
export BROADLOOM_ISA OMP_NUM_THREADS

names=$(sed -n 's/^\([a-z][^ 	]*\)	.*/\1/p' "$counts")
[ $# -gt 0 ] || names=$(printf '%s\n' "$names" | head -n 4)

# Instructions differ between compilers and settings.
compiler="$(${CC:-cc} --version | head -n 1)"
known=$(sed -n 's/^# compiler: //p' "$counts")
comparable=no
case "${LIB_CPPFLAGS-} ${CFLAGS-}" in
    *NDEBUG*-O2*) [ "$compiler" != "$known" ] || comparable=yes ;;
esac

# program_of NAME: sets $program.
program_of() {
    case $1 in
        expression*) program=$folder/bench_expression ;;
        *) program=$folder/bench_check ;;
    esac
}

# count NAME: instructions of one call; the profile stays in $work/NAME.
count() {
    program_of "$1"
    valgrind --tool=callgrind --callgrind-out-file="$work/$1" --toggle-collect=measured \
        "$program" "$1" $times > "$work/log" 2>&1
    awk '/^(summary|totals):/ { print int($2 / '$times'); exit }' "$work/$1"
}

if [ "${1-}" = write ]; then
    sed -n "s/^# compiler: .*/# compiler: $compiler/; /^#/p" "$counts" > "$work/table"
    for name in $names; do
        printf '%s\t%s\n' "$name" "$(count "$name")"
    done >> "$work/table"
    cat "$work/table" > "$counts"
    exec cat "$counts"
fi

for name in $names; do
    program_of "$name"
    "$program" "$name" $times sealed
    case $? in
        0) tap_ok 0 "$name: no system call" ;;
        77) tap_skip "$name: no system call" "the kernel cannot watch for them" ;;
        *) tap_ok 1 "$name: no system call" ;;
    esac

    if ! command -v valgrind > /dev/null; then
        tap_skip "$name: instructions" "valgrind is not installed"
        tap_skip "$name: no allocation" "valgrind is not installed"
        continue
    fi
    counted=$(count "$name")
    committed=$(awk -v name="$name" '$1 == name { print $2 }' "$counts")
    echo "$name: ${counted:-no} instructions, of $committed" | tap_note
    if [ $comparable = yes ]; then
        [ "${counted:-0}" -gt 0 ] && [ $((counted * 100)) -le $((committed * 105)) ]
        tap_ok $? "$name: instructions"
    else
        tap_skip "$name: instructions" "counted for another compiler or without assertions"
    fi

    sed -n 's/^c*fn=([0-9]*) //p' "$work/$name" | sort -u > "$work/functions"
    grep -E '^(malloc|calloc|realloc|free|.*alloc.*|mmap.*|omp_.*|GOMP_.*)(@|$)' \
        "$work/functions" > "$work/faults"
    case $name in
        # A plan that is made of large operands asks how many threads there may be, too.
        expression-made-*) forgiven='/alloc/d; /^free/d; /^omp_get_/d; /^omp_in_parallel/d' ;;
        # A plan that is made, and the workspace of one; a new result.
        expression* | new* | zeros) forgiven='/alloc/d; /^free/d' ;;
        *) forgiven= ;;
    esac
    sed "$forgiven" "$work/faults" > "$work/left"
    tap_empty "$work/left" "$name: no allocation, and no call of OpenMP"
    grep -q '^bli_' "$work/functions"
    tap_ok $? "$name: the profile has the functions of a call"
done
tap_done
