#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Small calls from Fortran: their instructions over those of C, and that sections of any kind
# are described without an allocation.  The times are shown: at most 60 ns were allowed.

. "${srcdir:-.}/tests/harness/tap.sh"
. "${srcdir:-.}/tests/fortran/fortran.sh"
without_fortran "small calls" && exit
program=$here/tests/fortran/calls
times=500
# 520 where it was written, by gcc 12 with -O2: 27 ns.
most=560
# 948 of an expression's plan, of which 533 are as of a call.
most_of_plan=1050
unset BROADLOOM_NUM_THREADS
BROADLOOM_ISA=base
OMP_NUM_THREADS=1
export BROADLOOM_ISA OMP_NUM_THREADS

if ! command -v valgrind > /dev/null; then
    tap_skip "instructions over C" "valgrind is not installed"
    tap_skip "no allocation" "valgrind is not installed"
    tap_done
    exit
fi

# count NAME: instructions of one call; the profile stays in $work/NAME.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$work/$1" --toggle-collect=measured \
        "$program" "$1" $times > "$work/log" 2>&1 || tap_note < "$work/log" >&2
    awk '/^(summary|totals):/ { print int($2 / '$times'); exit }' "$work/$1"
}

c=$(count c)
fortran=$(count fortran)
"$program" time | tap_note
echo "instructions: C $c, Fortran $fortran, difference $((fortran - c))" | tap_note
case ${LIB_CPPFLAGS-} in
*NDEBUG*)
    [ "$c" -gt 100 ] && [ "$fortran" -gt "$c" ] && [ $((fortran - c)) -le $most ]
    tap_ok $? "at most $most instructions over C for 4 elements"
    ;;
*) tap_skip "instructions over C" "assertions are counted, too" ;;
esac

c=$(count c_plan)
fortran=$(count plan)
echo "a plan of a + b: C $c, Fortran $fortran, difference $((fortran - c))" | tap_note
[ "${c:-0}" -gt 100 ] && [ $((fortran - c)) -le $most_of_plan ]
tap_ok $? "an expression's plan: at most $most_of_plan instructions over C for 4 elements"

sections=$(count sections)
[ "${sections:-0}" -gt 1000 ]
tap_ok $? "sections are measured"
sed -n 's/^c*fn=([0-9]*) //p' "$work/sections" | sort -u > "$work/functions"
grep -x blf_add_inplace "$work/functions" > "$work/found"
tap_found "$work/found" "and their calls are in the profile"
grep -E '^(malloc|calloc|realloc|free|.*alloc.*|mmap.*|_gfortran_internal_.*)(@|$)' \
    "$work/functions" > "$work/faults"
tap_empty "$work/faults" "sections, components and along allocate and pack nothing"
tap_done
