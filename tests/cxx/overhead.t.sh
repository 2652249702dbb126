#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a call of four elements costs in C++ over the call in C: at most 40 instructions,
# counted by callgrind.  overhead.cpp says what each call is.

. "${srcdir:-.}/tests/harness/tap.sh"
. "$source/tests/cxx/cxx.sh"
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

# NAME of the call in C++, and of the one in C that it is compared with.
while read -r name base; do
    counted=$(count "$name")
    in_c=$(count "$base")
    echo "$name: ${counted:-no} instructions, $base: ${in_c:-no}" | tap_note
    [ "${in_c:-0}" -gt 100 ] && [ $((${counted:-9999} - in_c)) -le 40 ]
    tap_ok $? "$name: at most 40 instructions more than $base"
done << 'END'
tensors c
vectors c-views
codes c-views
new c-new
END
tap_done
