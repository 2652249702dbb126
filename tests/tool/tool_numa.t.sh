#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the tool shows about nodes and threads: pictures of plans on synthetic machines,
# audits and traces on this one.

. "${srcdir:-.}/tests/harness/tool.sh"
unset HWLOC_SYNTHETIC HWLOC_XMLFILE

# ---- plan --svg ----

# count PATTERN: matching lines of the last picture.
count() {
    grep -c -e "$1" "$work/picture.svg"
}

HWLOC_SYNTHETIC='pack:4 [numa(memory=64MiB)] pu:2'
export HWLOC_SYNTHETIC
expect 0 '' plan --threads 8 --svg "$work/picture.svg" 'f32[2048,2048]' 'f32[2048,2048]'
[ "$(count '>thread [0-7]</text>')" -eq 8 ] && [ "$(count '>node [0-3]</text>')" -eq 12 ] &&
    [ "$(count '>100 % is [a-z]* by the node that it lies on<')" -eq 3 ] &&
    [ "$(count '<pattern')" -eq 0 ] && [ "$(count '^</svg>$')" -eq 1 ]
tap_ok $? 'operands of one shape: eight threads on four nodes, all local'
expect 0 '' plan --threads 8 --svg "$work/picture.svg" 'f32[2048,2048]' 'f32[2048,2048]T'
[ "$(count '>25 % is read by the node')" -eq 1 ] && [ "$(count '>down: dimension 1 (2048)')" -eq 1 ]
tap_ok $? 'a transposed operand: a quarter is read locally'
expect 0 '' plan --threads 8 --svg "$work/picture.svg" 'f32[2048,1]' 'f32[1,2048]'
[ "$(count '<pattern')" -eq 1 ] && [ "$(count '^<text.*>[0-3]</text>')" -eq 4 ]
tap_ok $? 'an outer product: a column of four nodes, a row of all'
for operands in 'f32[32,64,56,56] f32[64,1,1]' 'f32[16777216] f32[1]' 'f64[64,1024,129] f64[1024,1]' \
    'f32[4] f32[4]' '[] []' 'f32[3001,1999]/2 f32[3001,1]' 'u8[7,1,9,2000,31]P41302 u8[7,1,9,1,31]'; do
    set -- $operands
    expect 0 '' plan --threads 5 --svg "$work/picture.svg" "$@"
    [ "$(count '^</svg>$')" -eq 1 ] && [ "$(count 'nan\|inf')" -eq 0 ]
    tap_ok $? "a picture of $operands"
done
expect 0 '/^  *3 *node 1 *elements 3145728 to 4194304 of the nest$/' \
    plan --threads 8 'f32[4096,2048]' 'f32[4096,2048]'
expect 0 '/{"thread": 3, "node": 1, "range": \[3145728, 4194304\]}/' \
    plan --json --threads 8 'f32[4096,2048]' 'f32[4096,2048]'
expect 1 '/nothing to draw of a result without elements/' \
    plan --svg "$work/picture.svg" 'f32[0,3]' 'f32[3]'
expect 1 '/^broadloom: cannot write/' plan --svg "$work/none/picture.svg" '[3]' '[3]'
expect 1 '/not on a description of another$/' audit '[3]' '[3]'
unset HWLOC_SYNTHETIC

# ---- audit ----

# Whether the system reports the nodes of pages: containers may forbid it.
if "$tool" audit '[3]' '[3]' > /dev/null 2> "$work/reason"; then
    expect 0 '/^counted  calls 2 to 5$/' audit '[1024,1024]' '[1024]'
    expect 0 '/^result .* all  *16.00 /' audit --placement interleave '[1024,1024]' '[1024,1024]T'
    expect 0 '/^f32\[1024\] .*(small)$/' audit --touch spread --chain 2 '[1024,1024]' '[1024]'
    expect 0 '/"mode": "inplace", .*"calls": \[2, 3\]/' audit --json --chain 3 --inplace --bind \
        --op mul --dtype f64 '[1024,1024]' '[1024,1]'
    # Each counted call touches each line of dense arrays once for each slice.
    expect 0 '/"local": 4194304, "remote": 0, "unknown": 0/' audit --json --chain 2 --threads 1 \
        --touch one '[1024,1024]' '[1024,1024]T'
    expect 0 '/"name": "f32\[1024,1024\].2", .*"local": 8388608, "remote": 0, "unknown": 0/' \
        audit --json --chain 2 --threads 1 --touch one '[1024,1024]' '[1024,1024]/2'
    expect 0 '/"name": "f32\[64\].32", .*"local": 4096, "remote": 0, "unknown": 0/' \
        audit --json --chain 2 --threads 1 --placement off '[64,64]' '[64]/32'
    expect 0 '/"local": 4096, .*"local": 64, /' \
        audit --json --chain 2 --threads 1 '[4,16,16]{-256,-1,-16}+1023' '[]'
    if "$tool" topo | grep -q '^machine *1 node'; then
        expect 0 '/^There is one node: all memory is local\.$/' audit --touch one --min 100 '[1024,1024]' '[1]'
    fi
    expect 1 '/must not have negative strides/' audit --inplace '[4]{-1}+3' '[4]'
else
    reason=$(cat "$work/reason")
    tap_skip 'audits' "${reason#broadloom: }"
fi
expect 2 '/chain must be 2 to 1000, got 1$/' audit --chain 1 '[3]' '[3]'
expect 2 "/touch must be team, one or spread, got 'all'/" audit --touch all '[3]' '[3]'
expect 2 '/placement must be first-touch, /' audit --placement best '[3]' '[3]'
expect 2 '/a node must be an integer/' audit --placement node:x '[3]' '[3]'
expect 2 '/min must be 0 to 100 percent/' audit --min 101 '[3]' '[3]'
expect 2 '/no operands given/' audit
expect 1 '/add takes 2 operands, got 1/' audit '[3]'

# ---- trace ----

expect 0 '' trace -o "$work/trace.json" --threads 2 --chain 3 '[1024,1024]' '[1024]'
if command -v python3 > /dev/null; then
    cat > "$work/check.py" << 'END'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
spans = [e for e in events if e["ph"] == "X"]
named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
calls = [e for e in spans if e["cat"] == "call"]
assert len(calls) == 3 and all(c["name"] == "add f32[1024,1024] f32[1024]" for c in calls)
assert {(e["pid"], e["tid"]) for e in spans} == named
assert all(e["dur"] >= 0 and e["ts"] >= 0 for e in spans)
for call in calls:
    parts = sorted((e["args"]["begin"], e["args"]["end"]) for e in spans
                   if e["cat"] == "slice" and e["args"]["call"] == call["args"]["call"])
    assert [p[0] for p in parts] + [1048576] == [0] + [p[1] for p in parts]
END
    python3 "$work/check.py" "$work/trace.json" 2> "$work/faults"
    tap_empty "$work/faults" 'a trace has each call, and its slices once'
else
    tap_skip 'a trace has each call, and its slices once' 'there is no python3'
fi
expect 0 '/^{"displayTimeUnit": "ns", "traceEvents": \[/' trace --op neg --inplace --bind 'f32[8]'
expect 1 '/^broadloom: cannot write/' trace -o "$work/none/trace.json" '[3]' '[3]'
expect 2 '/no operands given/' trace

tap_done
