#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a call of four elements costs in C++ over the call in C, in instructions,
# counted by callgrind.  overhead.cpp says what each call is.

. "${srcdir:-.}/tests/harness/tap.sh"
. "$source/tests/cxx/cxx.sh"
tap_long "instructions of C++ over C"
times=200
unset BROADLOOM_NUM_THREADS
BROADLOOM_ISA=base
OMP_NUM_THREADS=1
LD_BIND_NOW=1
export BROADLOOM_ISA OMP_NUM_THREADS LD_BIND_NOW

if ! command -v valgrind > /dev/null; then
    tap_skip "instructions of C++ over C" "valgrind is not installed"
    tap_done
    exit
fi
# shellcheck disable=SC2086 # options are words
$cxx -std=c++17 -O2 -g1 $headers "$folder/overhead.cpp" -o "$work/overhead" $link 2>&1 | tap_note

# count NAME: instructions of one call.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$work/$1" --toggle-collect=measured \
        "$work/overhead" "$1" $times > "$work/log" 2>&1
    awk '/^(summary|totals):/ { print int($2 / '$times'); exit }' "$work/$1"
}

# NAME of the call in C++, of the one in C that it is compared with, and how many more it may be.
while read -r name base most; do
    counted=$(count "$name")
    in_c=$(count "$base")
    echo "$name: ${counted:-no} instructions, $base: ${in_c:-no}" | tap_note
    [ "${in_c:-0}" -gt 100 ] && [ $((${counted:-9999} - in_c)) -le "$most" ]
    tap_ok $? "$name: at most $most instructions more than $base"
done << 'END'
tensors c 40
vectors c-views 40
codes c-views 40
new c-new 40
plan c-plan 200
plan-operands c-plan 400
lazy c-run 200
END
tap_done
