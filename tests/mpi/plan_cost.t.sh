#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What all totals of 4096 described ranks cost for one operand, in instructions counted by
# callgrind: at most 40 million, which take less than 10 ms.

. "${srcdir:-.}/tests/harness/tap.sh"
program=${top_builddir:-.}/tests/mpi/scale.t

if ! command -v valgrind > /dev/null; then
    tap_skip "the cost of plans over ranks" "valgrind is not installed"
    tap_done
    exit
fi
for row in 0 1 2 3 4; do
    valgrind --tool=callgrind --callgrind-out-file="$work/profile" --toggle-collect=measured \
        "$program" $row > "$work/log" 2>&1
    count=$(awk '/^(summary|totals):/ { print $2; exit }' "$work/profile")
    echo "row $row: $count instructions" | tap_note
    [ "${count:-0}" -gt 4096 ] && [ "$count" -le 40000000 ]
    tap_ok $? "all totals of 4096 ranks, row $row: at most 40 million instructions"
done
tap_done
