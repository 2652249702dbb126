#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a shadow run costs, in instructions counted by callgrind: calls that differ take at most
# three times those of a run with warnings, others at most 2 % more.

. "${srcdir:-.}/tests/harness/tap.sh"
tap_long "the cost of shadow runs"
program=${top_builddir:-.}/tests/warnings/shadow_cost
unset BROADLOOM_NUM_THREADS BROADLOOM_COMPAT_SHADOW BROADLOOM_COMPAT_REPORT BROADLOOM_RULES
BROADLOOM_ISA=base OMP_NUM_THREADS=1
export BROADLOOM_ISA OMP_NUM_THREADS

# count WORD...: instructions of the program with these arguments.
count() {
    valgrind --tool=callgrind --callgrind-out-file="$work/profile" --toggle-collect=measured \
        "$program" "$@" > "$work/log" 2>&1 || return 1
    awk '/^(summary|totals):/ { print $2; exit }' "$work/profile"
}

# bounded WHAT PERCENT BEFORE AFTER
bounded() {
    echo "$1: $3 instructions, $4 in a shadow run" | tap_note
    [ "${3:-0}" -gt 0 ] && [ "${4:-0}" -gt 0 ] && [ $(($4 * 100)) -le $(($3 * $2)) ]
    tap_ok $? "$1: at most $2 %"
}

if ! command -v valgrind > /dev/null; then
    tap_skip "the cost of shadow runs" "valgrind is not installed"
    tap_done
    exit
fi
for call in small large; do
    plain=$(count $call 2000)
    bounded "$call calls that do not differ" 102 "$plain" \
        "$(BROADLOOM_COMPAT_SHADOW=1 count $call 2000)"
done
bounded "large calls beside memory that is marked" 102 "$plain" \
    "$(BROADLOOM_COMPAT_SHADOW=1 count large 2000 marks)"
for rules in modern transitional; do
    for call in broadcast; do
        plain=$(BROADLOOM_RULES=$rules BROADLOOM_BROADCAST_WARNING=precise \
            BROADLOOM_WARNINGS=ignore count $call 2000)
        bounded "calls that differ, $rules rules" 300 "$plain" \
            "$(BROADLOOM_RULES=$rules BROADLOOM_COMPAT_SHADOW=auto count $call 2000)"
    done
done
plain=$(BROADLOOM_RULES=legacy count flat 2000)
bounded "calls that differ, legacy rules" 300 "$plain" \
    "$(BROADLOOM_RULES=legacy BROADLOOM_COMPAT_SHADOW=auto count flat 2000)"
tap_done
