#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# make check-numa: tests/numa/numa_inside.sh in emulated machines of two and four nodes, of
# uneven ones, and with a memory-only node, all concurrently; each of ops/, which take
# half a minute, in a machine of its own.  Their results become one stream.
# usage: numa.sh SUITE...    test programs that run there too
# BROADLOOM_TEST_SHARE=K/N: only every N-th machine.

. "${srcdir:-.}/tests/harness/tap.sh"
source=$(cd "${srcdir:-.}" && pwd)
build=$(cd "${top_builddir:-.}" && pwd)
operators= suites=
for suite; do
    case $suite in
        ops/*) operators="$operators $suite" ;;
        *) suites="$suites $suite" ;;
    esac
done

if ! reason=$("$source/tests/numa/numa_vm" --check 2>&1); then
    echo "1..0 # SKIP ${reason#guest: }"
    exit 0
fi
LD_LIBRARY_PATH=$build/lib/.libs
export LD_LIBRARY_PATH

# run FILE NODES PROCESSORS SUITES OPTION...: boot a machine; its streams, status and seconds go
# to files that begin with FILE.  Of 0 NODES, the suites alone.
run() {
    file=$1 machine="$2 $3" wanted=$4 later=
    # The longest, which would end alone, get more of the processors.
    [ "$2" -eq 0 ] || later='nice -n 3'
    shift 4
    for program in broadloom tests/threads/guest_app; do
        set -- "$@" --add "$build/$program"
    done
    for suite in $wanted; do
        set -- "$@" --add "$build/tests/$suite.t"
    done
    for script in harness/tap.sh threads/side_effects.t.sh numa/numa_inside.sh; do
        set -- "$@" --add "$source/tests/$script"
    done
    began=$(date +%s)
    # shellcheck disable=SC2086 # words
    $later "$source/tests/numa/numa_vm" --cache "$build/tests" --timeout 900 "$@" \
        --env srcdir="$source" --env top_builddir="$build" \
        -- sh "$source/tests/numa/numa_inside.sh" $machine "$wanted" \
        > "$file" 2> "$file.errors"
    echo "$?" > "$file.status"
    echo "$(($(date +%s) - began))" > "$file.seconds"
}

# collect FILE NAME: a stream's results, with this one's numbers and the machine's name.
collect() {
    echo "$2: $(cat "$1.seconds") s" | tap_note
    awk -v number="$results" -v name="$2" '
        { sub(/\r$/, "") }
        /^(not )?ok [0-9]+ - / {
            match($0, /^(not )?ok /)
            verdict = substr($0, 1, RLENGTH)
            sub(/^(not )?ok [0-9]+ - /, "")
            print verdict (++number) " - " name ": " $0
            next
        }
        /^[0-9]+\.\.[0-9]+$/ { next }
        { print /^#/ ? $0 : "# " $0 }' "$1"
    count=$(grep -c -E '^(not )?ok [0-9]+ - ' "$1")
    results=$((results + count))
    [ "$(cat "$1.status")" -eq 0 ] && grep -q -x "1\\.\\.$count" "$1"
    passed=$?
    tap_ok $passed "$2: the machine ran to its end"
    [ $passed -eq 0 ] || tail -n 20 "$1.status" "$1.errors" | tap_note
}

# One boot first, which unpacks the kernel for the others.
"$source/tests/numa/numa_vm" --cache "$build/tests" --node 1:256 -- sh -c 'exit 3'
test $? -eq 3
tap_ok $? "a machine starts, and returns a status"

# four FILE NODES PROCESSORS SUITES: a machine of four nodes.
four() {
    run "$@" --node 2:384 --node 2:384 --node 2:384 --node 2:384 \
        --distances '10,16,16,22;16,10,22,16;16,22,10,16;22,16,16,10'
}

# start NAME run|four ARGUMENT...: a machine in the background, if it is in the share.
share=${BROADLOOM_TEST_SHARE:-0/1}
machines=0
start() {
    number=$machines
    machines=$((machines + 1))
    [ $((number % ${share#*/})) -eq "${share%/*}" ] || return 0
    file=$work/machine.$number kind=$2
    echo "$1" > "$file.name"
    shift 2
    "$kind" "$file" "$@" &
}
for suite in $operators; do
    start "4 nodes, $suite" four 0 0 "$suite"
done
start "4 nodes" four 4 8 "$suites"
start "2 nodes" run 2 4 "$suites" --node 2:512 --node 2:512
start "nodes of 1 and 3" run 2 4 "$suites" --node 1:512 --node 3:512 --distances 21
start "a node of memory alone" run 3 4 "$suites" --node 2:512 --node 2:512 --node 0:512 \
    --distances '10,21,28;21,10,17;28,17,10'
wait
for name in "$work"/machine.*.name; do
    collect "${name%.name}" "$(cat "$name")"
done
tap_done
