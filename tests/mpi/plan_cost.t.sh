#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What all totals of 4096 described ranks, or their stages, cost for one operand, in
# instructions counted by callgrind: at most 40 million, which take less than 10 ms.  Of a sum
# over 1024, with the tool: at most 300 million.

. "${srcdir:-.}/tests/harness/tap.sh"
tap_long "the cost of plans over ranks"
program=${top_builddir:-.}/tests/mpi/scale.t

if ! command -v valgrind > /dev/null; then
    tap_skip "the cost of plans over ranks" "valgrind is not installed"
    tap_done
    exit
fi
# shellcheck disable=SC2086 # words
for row in 0 1 2 3 4 "5 stages"; do
    valgrind --tool=callgrind --callgrind-out-file="$work/profile" --toggle-collect=measured \
        "$program" $row > "$work/log" 2>&1
    count=$(awk '/^(summary|totals):/ { print $2; exit }' "$work/profile")
    echo "row $row: $count instructions" | tap_note
    [ "${count:-0}" -gt 4096 ] && [ "$count" -le 40000000 ]
    tap_ok $? "4096 ranks, row $row: at most 40 million instructions"
done
"$here/libtool" --mode=execute valgrind --tool=callgrind --callgrind-out-file="$work/profile" \
    "$tool" plan --ranks 32x32 --op sum 'f64[256,10000000]@0,1' > "$work/log" 2>&1
count=$(awk '/^(summary|totals):/ { print $2; exit }' "$work/profile")
echo "a sum: $count instructions" | tap_note
grep -q '^sent ' "$work/log" && [ "${count:-0}" -gt 1024 ] && [ "$count" -le 300000000 ]
tap_ok $? "the plan of a sum over 1024 ranks: at most 300 million instructions"
tap_done
