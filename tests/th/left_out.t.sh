#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Messages of the compiler and the linker for a program for TH: why a name is missing that it
# uses and does not define, and which form of TH_TENSOR_DIM_APPLY3 it was compiled for.

. "${srcdir:-.}/tests/harness/tap.sh"
th=${srcdir:-.}/compat/th
built=${top_builddir:-.}

# NAME.c in $work to NAME.o; what the compiler says is in $work/said.
build() { # NAME OPTIONS...
    object=$1
    shift
    # shellcheck disable=SC2086 # a compiler may be two words
    $compiler $th_headers -c -o "$work/$object.o" "$@" "$work/$object.c" \
        > "$work/said" 2>&1
}

# ---- names ----

# A name, and the reason that the linker gives.
reasons='
THDoubleTensor_gesvd call_the_LAPACK_that_the_program_links
THDoubleLapack_gesv call_the_LAPACK_that_the_program_links
THFloatLapack_gesvd call_the_LAPACK_that_the_program_links
THDoubleTensor_digamma it_has_no_such_function
THFloatTensor_erfinv it_has_no_such_function
'
cat > "$work/uses.c" <<'END'
#include <TH/TH.h>
int main(void)
{
    THDoubleTensor_gesvd(0, 0, 0, 0, "A");
    THDoubleLapack_gesv(1, 1, 0, 1, 0, 0, 1, 0);
    THFloatLapack_gesvd('A', 'A', 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 0);
    THDoubleTensor_digamma(0, 0);
    THFloatTensor_erfinv(0, 0);
    return 0;
}
END

library=$built/compat/.libs/libbroadloom-th.so
link="-L$built/compat/.libs -lbroadloom-th -Wl,-rpath-link,$built/lib/.libs"

names() {
    build uses -Wall -Wextra -Werror
    tap_empty "$work/said" "calls of what is left out compile with $compiler"
    if [ ! -e "$library" ]; then
        tap_skip "the linker says why, with $compiler" "built without a shared library"
        return
    fi
    # shellcheck disable=SC2086 # options are words
    if $compiler -o "$work/uses" "$work/uses.o" $link > "$work/said" 2>&1; then
        echo linked > "$work/faults"
    else
        echo "$reasons" | while read -r name reason; do
            [ -z "$name" ] ||
                grep -q "${name}_is_not_in_libbroadloom_th__$reason" "$work/said" ||
                echo "$name: $reason"
        done > "$work/faults"
    fi
    tap_empty "$work/faults" "and the linker says why, with $compiler"
}

# A program of a time when a function had other parameters.
cat > "$work/other.c" <<'END'
#include <TH/TH.h>
void THFloatTensor_potrf(THFloatTensor *ra_, THFloatTensor *a);
void THFloatTensor_potrf(THFloatTensor *ra_, THFloatTensor *a)
{
    THFloatTensor_copy(ra_, a);
}
END
own() {
    build other -DTH_NO_LEFT_OUT -Wall -Wextra -Werror
    tap_empty "$work/said" "TH_NO_LEFT_OUT lets a program declare them, with $compiler"
    if ${NM:-nm} "$work/other.o" | grep -q ' THFloatTensor_potrf$'; then
        tap_ok 0 "under their plain names"
    else
        tap_ok 1 "under their plain names"
    fi
}

# ---- loops ----

cat > "$work/loop.in" <<'END'
#include <TH/TH.h>
#define OWN_CHECK(A, B, C, DIMENSION) if (A->nDimension != C->nDimension) THError("rank");
void loop(THFloatTensor *x, THFloatTensor *y, THLongTensor *k);
void loop(THFloatTensor *x, THFloatTensor *y, THLongTensor *k)
{
    long i;

    TH_TENSOR_DIM_APPLY3(float, x, float, y, long, k, 1, FORM
                         for (i = 0; i < k_size; i++)
                         {
                             x_data[i * x_stride] = y_data[k_data[i * k_stride]];
                         })
}
END
# FORM is what stands between the dimension and the code.
compiles() { # NAME FORM OPTIONS...
    name=$1
    sed "s/FORM/$2/" "$work/loop.in" > "$work/loop.c"
    shift 2
    build loop -Wall -Wextra -Werror "$@"
    tap_empty "$work/said" "$name, with $compiler"
}
refused() { # NAME SAYS FORM OPTIONS...
    name=$1
    says=$2
    sed "s/FORM/$3/" "$work/loop.in" > "$work/loop.c"
    shift 3
    if build loop "$@"; then
        tap_ok 1 "$name, with $compiler"
    else
        grep -q "error.*$says" "$work/said"
        tap_ok $? "$name, with $compiler"
    fi
}

loops() {
    switch=-DTH_DIM_APPLY_SIZE_CHECK
    equal=TH_TENSOR_DIM_APPLY3_SIZE_EQ_EXCEPT_DIM,
    needed=define_TH_DIM_APPLY_SIZE_CHECK_for_loops_with_a_size_check
    defined=TH_DIM_APPLY_SIZE_CHECK_is_defined_but_this_loop_has_no_size_check
    compiles "Torch7's loop of three" ""
    compiles "PyTorch's" "$equal" $switch
    compiles "with a check of its own" OWN_CHECK, $switch
    compiles "in C89" "$equal" $switch -std=gnu89
    refused "PyTorch's without the switch names it" "$needed" "$equal"
    refused "whatever the check" "$needed" OWN_CHECK,
    refused "and Torch7's with it" "$defined" "" $switch
}

for compiler in "${CC:-cc}" clang; do
    if [ "$compiler" = clang ] && ! command -v clang > /dev/null; then
        tap_skip "the same with clang" "clang is not installed"
        continue
    fi
    names
    own
    loops
done
tap_done
