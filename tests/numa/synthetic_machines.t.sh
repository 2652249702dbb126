#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Synthetic machines, described to hwloc: on each the same bits as on this one, and right
# results from a large call of an application.  Nothing can be placed on them.
# BROADLOOM_TEST_LONG: all; without it, every third one.

. "${srcdir:-.}/tests/harness/tap.sh"
build=${top_builddir:-.}
unset HWLOC_SYNTHETIC HWLOC_XMLFILE BROADLOOM_NUM_THREADS
OMP_WAIT_POLICY=passive
BROADLOOM_REGION_NS=1
export OMP_WAIT_POLICY BROADLOOM_REGION_NS

# Print the checksum of all results, on the machine that the environment describes.
bits() {
    "$build/tests/ops/bits.t" > "$work/bits" 2>&1 || return 1
    sed -n 's/^# bits //p' "$work/bits"
}

# check NAME PATTERN COMMAND-PREFIX...: check the report of a call, and the bits, on a machine.
check() {
    name=$1 pattern=$2
    shift 2
    sum=$("$@" sh -c "$build/tests/ops/bits.t few | sed -n 's/^# bits //p'" 2>&1)
    [ -n "$sum" ] && [ "$sum" = "$here" ]
    passed=$?
    tap_ok $passed "$name: the same bits"
    [ $passed -eq 0 ] || echo "$sum, not $here" | tap_note
    OMP_NUM_THREADS=8 BROADLOOM_NUM_THREADS=8 "$@" "$build/tests/threads/guest_app" plain \
        > "$work/said" 2>&1 && grep -q -x "$pattern" "$work/said"
    passed=$?
    tap_ok $passed "$name: a call of eight threads"
    [ $passed -eq 0 ] || { echo "expected: $pattern" && cat "$work/said"; } | tap_note
}

here=$(bits)
test -n "$here"
tap_ok $? "the bits of this machine: $here"
eight='team 8 (.*), used 8, grew 7, right'

# Which of three machines are tried.
case ${BROADLOOM_TEST_LONG:-0} in 0) turns=0 ;; *) turns='0 1 2' ;; esac
number=0
while read -r description; do
    number=$((number + 1))
    case " $turns " in *" $((number % 3)) "*) ;; *) continue ;; esac
    check "$description" "$eight" env HWLOC_SYNTHETIC="$description"
done << 'END'
pu:1
core:4 pu:1
core:4 pu:2
numa:2 pu:2
numa:3 pu:5
numa:4 pu:2
numa:8 pu:4
numa:16 core:8 pu:2
numa:64 pu:1
pack:2 numa:2 core:4 pu:2
pack:2 [numa(memory=1GiB)] core:3 pu:1
pack:2 l3:2 [numa] core:4 pu:1
[numa] pack:2 [numa] core:2 pu:1
END
check "a description that is none" "$eight" env HWLOC_SYNTHETIC="no machine"
check "a file that is not there" "$eight" env HWLOC_XMLFILE="$work/none.xml"
tap_done
