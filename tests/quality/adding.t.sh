#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What lib/README.md says of adding things is all that it takes: in a copy of the tree, an
# operator is added by one row and one in the reference, a dtype by one stanza and one row
# there, an instruction set by three edits.  For `make check-long`; with BROADLOOM_TEST_SHARE=K/N,
# the operator and the dtype where K is even, the instruction set where it is odd.

. "${srcdir:-.}/tests/harness/tap.sh"
. "${srcdir:-.}/tests/harness/files.sh"

tap_long "an operator, a dtype and an instruction set are added"
if ! autoreconf --version > /dev/null 2>&1; then
    tap_skip "an operator, a dtype and an instruction set are added" "there is no autoreconf"
    tap_done
    exit
fi
unset BROADLOOM_TEST_LONG MAKEFLAGS MFLAGS
share=${BROADLOOM_TEST_SHARE:-0/1}
tree=$work/tree
programs="abi/describe npy/npy ops/alias ops/kernels ops/named ops/nan ops/ops ops/promote ops/random
    ops/scalar ops/values reduce/reduce tensor/format tensor/tensor"
started=$(date +%s)

# done_in WHAT: say how long it has been.
done_in() {
    echo "$1 after $(($(date +%s) - started)) s" | tap_note
}

# run NAME COMMAND...: a check that shows the end of what a command printed that fails.
run() {
    name=$1
    shift
    "$@" > "$work/log" 2>&1
    status=$?
    tap_ok $status "$name"
    [ $status -eq 0 ] || tail -n 20 "$work/log" | tap_note
    return $status
}

# append FILE: standard input at its end.
append() {
    cat >> "$tree/$1"
}

# after FILE PATTERN: standard input after the first line that matches.
after() {
    cat > "$work/lines"
    "${AWK:-awk}" -v pattern="$2" -v lines="$work/lines" '
        { print }
        $0 ~ pattern && !found {
            found = 1
            while ((getline line < lines) > 0)
                print line
        }
        END { exit !found }' "$tree/$1" > "$work/edited" && cp "$work/edited" "$tree/$1"
}

mkdir "$tree"
project_files > "$work/files"
tar -cf - -T "$work/files" | (cd "$tree" && tar -xf -)
cd "$tree" || exit 1
run "a copy is configured for base alone" sh -c 'autoreconf -i &&
    ./configure --with-isa=base CFLAGS="-O1 -w"' || {
    tap_done
    exit
}
run "and has its headers, whatever is made first" make lib/libbroadloom.map

# ---- an operator and a dtype ----

add_operator() {
    append lib/core/tables/ops.def << 'END'
BL_OP( absdiff, 92, BINARY, ORDERED, SAME, ELEMENT, a > b ? a - b : b - a, "absolute difference" )
END
    append tests/reference/ref_arith.c << 'END'
REF_DEFINE_INTEGER(absdiff, ref_is_less(b, a, is_signed) ? a - b : b - a)
REF_DEFINE_REAL(absdiff, a > b ? a - b : b - a)
REF_ROW(absdiff, 2, REF_ORDERED, OF_ORDERED(absdiff))
END
}

add_dtype() {
    append lib/core/tables/dtypes.def << 'END'

#ifdef BL_DTYPE
BL_DTYPE( f8, 16, FLOAT, uint8_t, float, bli_f32_of_narrow(x, 3, -14),
          (uint8_t)bli_narrow_of_f32(x, 3, -14), 3, -14,
          "", "Float8_e5m2", "c10::Float8_e5m2", "upper half of a binary16" )
#elif !defined BLI_SKIP_INEXACT
#define BLI_T    f8
#define BLI_KIND NARROW
#include BLI_DTYPE_TEMPLATE
#endif
END
    after tests/reference/ref_value.c '^static const struct ref_dtype ref_bf16' << 'END'
static const struct ref_dtype ref_f8 = {"f8", REF_REAL, 1, 2, -14, false};
END
}

try_both() {
    # shellcheck disable=SC2086 # names are words
    run "with an operator and a dtype more it builds" make -s -j2 lib/libbroadloom.la \
        $(for name in $programs; do echo tests/$name.t; done)
    done_in "built"
    for name in $programs; do
        ./tests/$name.t > "$work/got" 2>&1
        echo "status $?" >> "$work/got"
        grep -e '^not ok' -e '^status [1-9]' "$work/got" > "$work/faults"
        tap_empty "$work/faults" "$name passes"
    done
    done_in "tested"
    for name in generated headers symbols; do
        srcdir=. top_builddir=. sh tests/quality/$name.t.sh 2>&1 | grep '^not ok' > "$work/faults"
        tap_empty "$work/faults" "quality/$name passes"
    done

    cat > "$work/uses.c" << 'END'
#include <broadloom.h>
#include <stdio.h>

int main(void)
{
    const int64_t extent[] = {3};
    float a[] = {1, 5, -2}, b[] = {4, 1, -2};
    unsigned char few[] = {0x3c, 0x44, 0}; /* 1, 4, 0 */
    const bl_array x = {a, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array y = {b, BL_DTYPE_F32, 1, extent, NULL, 0};
    const bl_array z = {few, BL_DTYPE_F8, 1, extent, NULL, 0};

    if (bl_absdiff_inplace(NULL, &x, &y) != BL_OK || bl_absdiff_out(NULL, &z, &z, &x) != BL_OK)
        return puts(bl_error_message()), 1;
    printf("%g %g %g %02x %02x %02x\n", a[0], a[1], a[2], few[0], few[1], few[2]);
    return 0;
}
END
    # shellcheck disable=SC2086 # options are words
    run "a program calls the new operator, on the new dtype" sh -c '
        ${CC:-cc} -Iinclude -o uses "$1" -Llib/.libs -Wl,-rpath,"$PWD/lib/.libs" -lbroadloom &&
        ./uses > said && echo "3 4 0 40 00 00" | diff said -' sh "$work/uses.c"
}

# ---- an instruction set ----

add_instruction_set() {
    after lib/kernels/isa.def '^BLI_ISA. base' << 'END'
#if BLI_HAVE_ISA_SSE4
BLI_ISA( sse4, __builtin_cpu_supports("sse4.2") )
#endif
END
    after configure.ac '^# what the compiler must then define' << 'END'
BL_ISA([sse4], [-msse4.2], [__SSE4_2__])
END
    after lib/kernels/Makefile.inc '^lib_libbli_base_la_CFLAGS' << 'END'

if ISA_SSE4
noinst_LTLIBRARIES += lib/libbli_sse4.la
lib_libbli_la_LIBADD += lib/libbli_sse4.la
lib_libbli_sse4_la_SOURCES = $(kernel_sources)
lib_libbli_sse4_la_CPPFLAGS = $(kernel_cppflags) -DBLI_ISA_NAME=sse4
lib_libbli_sse4_la_CFLAGS = $(kernel_cflags) $(ISA_SSE4_CFLAGS)
endif
END
    srcdir=. sh tests/quality/isa.t.sh 2>&1 | grep '^not ok' > "$work/faults"
    tap_empty "$work/faults" "quality/isa passes with an instruction set more"
    if ! ${CC:-cc} -msse4.2 -E - < /dev/null > "$work/log" 2>&1; then
        tap_skip "its kernels are built" "the compiler does not know -msse4.2"
    elif run "and is configured" sh -c 'autoreconf &&
        ./configure --with-isa=base,sse4 CFLAGS="-O1 -w"'; then
        run "its kernels are built" make -s -j2 lib/libbli_sse4.la lib/kernels/libbli_la-cpu.lo lib/kernels/libbli_la-dispatch.lo
        ${NM:-nm} lib/.libs/libbli_sse4.a lib/kernels/.libs/libbli_la-cpu.o \
            lib/kernels/.libs/libbli_la-dispatch.o > "$work/names" 2>&1
        for name in 'D bli_isa_sse4' 'T bli_isa_available_sse4' 'U bli_isa_sse4'; do
            grep -q " $name\$" "$work/names" || echo "no $name"
        done > "$work/faults"
        tap_empty "$work/faults" "and dispatched to"
    fi
}

# takes PART: whether this share has part 0 or 1.
takes() {
    [ "${share#*/}" -eq 1 ] || [ $((${share%/*} % 2)) -eq "$1" ]
}
if takes 0; then
    add_operator
    add_dtype
    try_both
fi
if takes 1; then
    add_instruction_set
fi
done_in "all"
tap_done
