#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What loading the shared library does: nothing but loading.  It reads no file of the
# machine's description, and neither binds nor starts a thread.

. "${srcdir:-.}/tests/harness/tap.sh"
build=${top_builddir:-.}
name="loading looks at nothing and starts nothing"

if [ ! -e "$build/lib/.libs/libbroadloom.so" ]; then
    tap_skip "$name" "built without a shared library"
elif ! strace -o /dev/null true 2> /dev/null; then
    tap_skip "$name" "system calls cannot be traced here"
else
    top_builddir=$build strace -f -o "$work/calls" "$build/tests/threads/dlopen.t" load
    tap_ok $? "the library is loaded"
    # From the opening of the library on.  The OpenMP runtime counts processors itself.
    sed -n '/libbroadloom\.so/,$p' "$work/calls" |
        grep -v '"/sys/devices/system/cpu/\(possible\|online\)"' > "$work/after"
    grep -E '^[0-9]+ +(clone3?|v?fork|sched_setaffinity|set_mempolicy|mbind)\(|"/(proc|sys)/' \
        "$work/after" > "$work/faults"
    tap_empty "$work/faults" "$name"
    grep -q libbroadloom "$work/after"
    tap_ok $? "the trace has the loading"
fi
tap_done
