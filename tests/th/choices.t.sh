#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Macros that a program for TH chooses before it includes TH: functions of its own in the
# place of the library's, and the form of TH_TENSOR_DIM_APPLY3.

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

library=$built/compat/.libs/libbroadloom-th.so
link="-L$built/compat/.libs -lbroadloom-th -Wl,-rpath-link,$built/lib/.libs"
shared=$built/compat/.libs:$built/lib/.libs

# A program of a time when a function had other parameters.
cat > "$work/other.c" <<'END'
#include <TH/TH.h>
void THFloatTensor_potrf(THFloatTensor *ra_, THFloatTensor *a);
void THFloatTensor_potrf(THFloatTensor *ra_, THFloatTensor *a)
{
    THFloatTensor_copy(ra_, a);
}
int main(void)
{
    THFloatTensor *a = THFloatTensor_newWithSize1d(1), *r = THFloatTensor_newWithSize1d(1);

    THFloatTensor_fill(a, 3);
    THFloatTensor_potrf(r, a);
    return THFloatTensor_get1d(r, 0) != 3;
}
END
own() {
    build other -DTH_NO_LEFT_OUT -Wall -Wextra -Werror
    tap_empty "$work/said" "TH_NO_LEFT_OUT lets a program have its own, with $compiler"
    if [ ! -e "$library" ]; then
        tap_skip "which it calls" "built without a shared library"
        return
    fi
    # shellcheck disable=SC2086 # options are words
    $compiler -o "$work/other" "$work/other.o" $link > "$work/said" 2>&1 &&
        LD_LIBRARY_PATH=$shared "$work/other"
    tap_ok $? "which it calls"
    if build other -Wall; then
        tap_ok 1 "without it, other parameters are an error"
    else
        grep -q "conflicting types for .THFloatTensor_potrf" "$work/said"
        tap_ok $? "without it, other parameters are an error"
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
    own
    loops
done
tap_done
