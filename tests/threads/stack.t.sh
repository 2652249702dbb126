#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every call in threads of 64 KiB of stack, of which the application keeps 16, and in
# teams of such threads.  What calls take is measured by tests/threads/stack.t and th_stack.t.

. "${srcdir:-.}/tests/harness/tap.sh"
build=${top_builddir:-.}
unset BROADLOOM_NUM_THREADS BROADLOOM_ISA OMP_NUM_THREADS OMP_STACKSIZE HWLOC_SYNTHETIC \
    HWLOC_XMLFILE
OMP_WAIT_POLICY=passive
BROADLOOM_REGION_NS=1
export OMP_WAIT_POLICY BROADLOOM_REGION_NS

# works NAME COMMAND...: status 0 within a minute.
works() {
    name=$1
    shift
    (cd "$work" && timeout 100 "$@") > "$work/said" 2>&1
    passed=$?
    tap_ok $passed "$name"
    [ $passed -eq 0 ] || { echo "status $passed after" && tail -n 5 "$work/said"; } | tap_note
}

case $build in /*) ;; *) build=$PWD/$build ;; esac
works "on one thread of 64 KiB" "$build/tests/threads/stack.t" small
works "TH, on a thread of 64 KiB" "$build/tests/th/stack.t" small
for threads in 2 8; do
    works "in teams of $threads, with OMP_STACKSIZE=64k" env OMP_NUM_THREADS=$threads \
        OMP_STACKSIZE=64k "$build/tests/threads/stack.t" small teams
done
works "in a team on a machine of 4 nodes" env OMP_NUM_THREADS=4 OMP_STACKSIZE=64k \
    HWLOC_SYNTHETIC='node:4 core:2 pu:1' "$build/tests/threads/stack.t" small teams

tap_done
