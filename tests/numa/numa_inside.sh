#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What tests/numa/numa.sh runs on each emulated machine: whether threads work on local
# memory, what the machine looks like, and test programs whose outcome depends on nodes.
# usage: numa_inside.sh NODES PROCESSORS SUITES    the programs alone where NODES is 0

. "$srcdir/tests/harness/tap.sh"
nodes=$1 processors=$2 suites=$3
OMP_WAIT_POLICY=passive
BROADLOOM_REGION_NS=1
export OMP_WAIT_POLICY BROADLOOM_REGION_NS
# The kernel would move pages after threads within seconds, ours or not.
echo 0 > /proc/sys/kernel/numa_balancing
# Groups that limit processor time, for side_effects.t.sh.
echo +cpu > /sys/fs/cgroup/cgroup.subtree_control

# ---- memory ----

bind_threads() {
    OMP_PROC_BIND=close OMP_PLACES=cores
    export OMP_PROC_BIND OMP_PLACES
}

float_threads() {
    unset OMP_PROC_BIND OMP_PLACES
}

# audit TRIES STATUS NAME ARGUMENT...: check its exit status in one of the tries; print the
# report where it differs.
audit() {
    tries=$1 wanted=$2 name=$3
    shift 3
    for try in $(seq "$tries"); do
        timeout 100 "$tool" audit "$@" > "$work/report" 2>&1
        status=$?
        [ $status -ne "$wanted" ] || break
    done
    [ $status -eq "$wanted" ]
    passed=$?
    [ "$try" -eq 1 ] || name="$name (try $try)"
    tap_ok $passed "$name"
    [ $passed -eq 0 ] || {
        echo "broadloom audit $*: status $status, expected $wanted" && cat "$work/report"
    } | tap_note
}

# chain NAME ARGUMENT...: five calls over memory that the library placed; 99 % of the possible
# accesses are local with bound threads, 90 % with others.  Unbound threads may migrate to
# another node in the middle of a call, which no library can prevent: they get five tries.
chain() {
    what=$1
    shift
    bind_threads
    audit 1 0 "local with bound threads: $what" --min 99 "$@"
    float_threads
    audit 5 0 "local with threads that float: $what" --min 90 "$@"
}

audits() {
    rows=2048
    [ "$processors" -lt 8 ] || rows=4096
    large="f32[$rows,2048]"
    chain "same shape" "$large" "$large"
    chain "row" "$large" 'f32[2048]'
    chain "column" "$large" "f32[$rows,1]"
    chain "channel" 'f32[4,64,128,128]' 'f32[64,1,1]'
    chain "outer" --op mul "f32[$rows,1]" 'f32[2048]'
    chain "transposed" "$large" "${large}T"
    chain "in place" --inplace "$large" "$large"
    chain "booleans from numbers" --op lt "f64[$rows,2048]" "f64[$rows,2048]"
    chain "numbers selected by booleans" --op where "bool[$rows,2048]" "$large" "$large"
    audit 1 0 "local with threads bound by the library" --min 99 --bind "$large" "$large"

    bind_threads
    audit 1 0 "memory that the caller spread is accessed locally" --min 99 \
        --touch spread "$large" "$large"
    audit 1 1 "with placement off the audit fails" --min 90 --placement off "$large" "$large"
    tap_note < "$work/report"
    audit 1 0 "memory that one thread touched, for contrast" --touch one "$large" "$large"
    tap_note < "$work/report"
    float_threads
}

# ---- the machine ----

topology() {
    "$tool" topo > "$work/topo" 2>&1 &&
        grep -q -x "machine *$nodes nodes, $processors processors .*" "$work/topo"
    tap_ok $? "broadloom topo shows the nodes and processors"
    tap_note < "$work/topo"
}

# ---- other tests ----

# suite NAME COMMAND...: a separate TAP stream becomes one result.
suite() {
    name=$1 began=$(date +%s)
    shift
    timeout 700 "$@" > "$work/suite" 2>&1
    status=$?
    echo "$name: $(($(date +%s) - began)) s" | tap_note
    count=$(grep -c -E '^(not )?ok ' "$work/suite")
    [ $status -eq 0 ] && ! grep -q '^not ok' "$work/suite" &&
        grep -q -x "1\\.\\.$count" "$work/suite"
    passed=$?
    tap_ok $passed "$name: $count results"
    [ $passed -eq 0 ] || { echo "status $status" && grep -v '^ok' "$work/suite"; } | tap_note
}
if [ "$nodes" -ne 0 ]; then
    audits
    topology
    suite side_effects.t.sh sh "$srcdir/tests/threads/side_effects.t.sh"
fi
for suite in $suites; do
    case $suite in
        ops/*) suite "$suite.t" "$top_builddir/tests/$suite.t" few ;;
        *) suite "$suite.t" "$top_builddir/tests/$suite.t" ;;
    esac
done
tap_done
