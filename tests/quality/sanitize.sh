#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Build the library with a sanitizer, assertions on, in a folder below the current one, and
# run the test programs.  usage: sanitize.sh address|thread SOURCE-ROOT

set -eu
kind=$1
source=$(cd "$2" && pwd)
shift 2
if [ -e "$source/config.status" ]; then
    echo "$0: the sources are configured in place; build in another folder" >&2
    exit 2
fi
mkdir -p "sanitize-$kind"
cd "sanitize-$kind"

# Tests provoke failing allocations.
may_fail=allocator_may_return_null=1
run= left_out=
case $kind in
address)
    compiler='gcc -fsanitize=address -fno-sanitize-recover=all'
    # What checks each access for null and for the object's size finds, AddressSanitizer finds;
    # these, and sums of pointers in kernels, were three quarters of their compile time.
    # Accesses in kernels are checked by calls, and register machines are the `switch` that
    # stands in for addresses of labels: these compile in 36 s instead of 102.
    set -- VALUE_CFLAGS='-fsanitize=undefined -fno-sanitize=null,object-size' \
        KERNEL_CFLAGS="-fno-sanitize=pointer-overflow -DBLI_NO_LABELS \
            --param asan-instrumentation-with-call-threshold=0" \
        LDFLAGS=-fsanitize=undefined
    ASAN_OPTIONS=$may_fail:detect_stack_use_after_return=1
    export ASAN_OPTIONS
    ;;
thread)
    # GCC's OpenMP runtime does not announce its barriers to ThreadSanitizer; LLVM's does,
    # through the Archer library.
    compiler='clang -fsanitize=thread'
    # A forked child never joins its parent's threads.
    TSAN_OPTIONS=$may_fail:ignore_noninstrumented_modules=1:report_thread_leaks=0
    OMP_TOOL_LIBRARIES=$(clang -print-file-name=libarcher.so)
    export TSAN_OPTIONS OMP_TOOL_LIBRARIES
    # What proves that it starts no thread, here or with the other sanitizer, has no races.
    left_out=$(cd "$source" && grep -l 'limits_one_thread();' tests/*/*.c | sed 's/c$/t/' | tr '\n' ' ')
    # Its shadow memory does not fit every randomised address space.
    if setarch "$(uname -m)" -R true 2> /dev/null; then
        run="setarch $(uname -m) -R"
    fi
    ;;
*)
    echo "usage: $0 address|thread SOURCE-ROOT" >&2
    exit 2
    ;;
esac

# Lines and functions are all that a report names; more makes a folder of gigabytes.
flags='-O1 -g1 -fno-omit-frame-pointer'
# One instruction set: all have their kernels from the same sources, and those that are
# instrumented take minutes to build.  Reads beyond operands, of every set: guard.c.
[ -e config.status ] ||
    $run "$source/configure" -q --enable-debug CC="$compiler" CFLAGS="$flags" \
        --with-isa=base "$@"
# Neither the reference, a third of the tests' time, nor the tool, which `make check` would
# build, is what these test.
programs="\$(filter-out $left_out,\$(test_programs))"
# shellcheck disable=SC2086 # words
exec $run ${MAKE:-make} check-TESTS CFLAGS="$flags -Werror" REFERENCE_CFLAGS=-fno-sanitize=all \
    TESTS="$programs" check_PROGRAMS="$programs"
