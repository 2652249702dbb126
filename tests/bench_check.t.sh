#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a call on four elements costs: instructions, as callgrind counts them, no more than
# 5 % over those of small.tsv; no system call, no allocation, and nothing asked of OpenMP.

. "${srcdir:-.}/tests/tap.sh"
small=${top_builddir:-.}/tests/small
counts=${srcdir:-.}/tests/small.tsv
times=1000
unset BROADLOOM_NUM_THREADS
BROADLOOM_ISA=base
export BROADLOOM_ISA

# Instructions differ between compilers and settings.
compiler="$(${CC:-cc} --version | head -n 1)"
known=$(sed -n 's/^# compiler: //p' "$counts")
comparable=no
case ${LIB_CPPFLAGS-} in *NDEBUG*) [ "$compiler" != "$known" ] || comparable=yes ;; esac

for way in planned one-shot; do
    "$small" $way $times sealed
    case $? in
        0) tap_ok 0 "$way: no system call" ;;
        77) tap_skip "$way: no system call" "the kernel cannot watch for them" ;;
        *) tap_ok 1 "$way: no system call" ;;
    esac

    profile=$work/$way
    if ! command -v valgrind > /dev/null; then
        tap_skip "$way: instructions" "valgrind is not installed"
        tap_skip "$way: no allocation" "valgrind is not installed"
        continue
    fi
    valgrind --tool=callgrind --callgrind-out-file="$profile" \
        --toggle-collect="$(echo $way | tr - _)" "$small" $way $times > "$work/log" 2>&1
    # One call more is made before the many.
    count=$(awk '/^(summary|totals):/ { print int($2 / '$((times + 1))'); exit }' "$profile")
    committed=$(awk -v way=$way '$1 == way { print $2 }' "$counts")
    echo "$way: ${count:-no} instructions, of $committed" | tap_note
    if [ $comparable = yes ]; then
        [ "${count:-0}" -gt 0 ] && [ $((count * 100)) -le $((committed * 105)) ]
        tap_ok $? "$way: instructions"
    else
        tap_skip "$way: instructions" "counted for another compiler or without assertions"
    fi

    sed -n 's/^c*fn=([0-9]*) //p' "$profile" | sort -u > "$work/functions"
    grep -E '^(malloc|calloc|realloc|free|.*alloc.*|mmap.*|omp_.*|GOMP_.*)(@|$)' \
        "$work/functions" > "$work/faults"
    tap_empty "$work/faults" "$way: no allocation, and nothing asked of OpenMP"
    grep -q bli_exec_run "$work/functions"
    tap_ok $? "$way: the profile has the functions of a call"
done
tap_done
