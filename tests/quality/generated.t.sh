#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a build generates: it is not in Git but in the distribution, and follows its tables.

. "${srcdir:-.}/tests/harness/tap.sh"
. "${srcdir:-.}/tests/harness/files.sh"

listed list-generated > "$work/generated"
if is_checkout; then
    git ls-files | sort | comm -12 - "$work/generated" > "$work/faults"
    tap_empty "$work/faults" "Git has no generated file"
    git check-ignore --no-index --stdin < "$work/generated" | sort |
        comm -13 - "$work/generated" > "$work/faults"
    tap_empty "$work/faults" "and ignores them all"
else
    tap_skip "Git has no generated file" "not a Git checkout"
fi
listed list-dist | comm -13 - "$work/generated" > "$work/faults"
tap_empty "$work/faults" "a distribution has them all"

# generate FILE ROOT: print a generated file.
generate() {
    case $1 in
    compat/th/*) sh "$2/compat/th/generate" ;;
    *) sh "$2/tools/dev/generate" "$(basename "$1")" "$2" ;;
    esac
}

while read -r file; do
    generate "$file" . | diff "$(built "$file")" - > "$work/faults" 2>&1
    tap_empty "$work/faults" "$file is what its tables give"
done < "$work/generated"

# A copy with one more row in each table.
mkdir -p "$work/tree/lib/core" "$work/tree/compat" "$work/tree/tools"
cp -R lib/core/tables "$work/tree/lib/core"
cp -R lib/fortran "$work/tree/lib"
cp -R include "$work/tree"
cp -R compat/rules "$work/tree/compat"
cp -R tools/dev tools/man "$work/tree/tools"
row() { # TABLE ROW
    printf '%s\n' "$2" >> "$work/tree/$1"
}
row lib/core/tables/status.def 'BL_STATUS( ERR_WOVEN, 99, "woven", "A new status." )'
row lib/core/tables/ops.def 'BL_OP( weave, 999, BINARY, ALL, SAME, ELEMENT, a + b, "a new operator" )'
row lib/core/tables/reductions.def 'BL_REDUCTION( felt, 99, ALL, SAME, SUM, "a new reduction" )'
row compat/rules/paddle.def 'BL_PADDLE( weave, WEAVE, WEAVE, "a new function" )'
while read -r file words; do
    generate "$file" "$work/tree" > "$work/got" 2>&1
    for word in $words; do
        grep -q -w -e "$word" "$work/got" || echo "no $word"
    done > "$work/faults"
    tap_empty "$work/faults" "$file has what new rows bring"
done << 'END'
tables.h BL_ERR_WOVEN BL_OP_WEAVE BL_REDUCTION_FELT
named.h bl_weave bl_weave_out bl_weave_inplace
reductions.h bl_felt bl_felt_out
paddle.h bl_paddle_elementwise_weave bl_paddle_elementwise_weave_out
sites.h bl_weave bl_weave_out_from bl_paddle_elementwise_weave_inplace
errc.hpp BL_ERR_WOVEN
operators.hpp weave weave_out weave_inplace
reductions.hpp felt felt_out
broadloom.f90 bl_weave bl_weave_inplace bl_felt bl_err_woven
procedures.c blf_weave BL_OP_WEAVE blf_weave_inplace blf_felt
broadloom.1 weave felt
section3.pages bl_weave bl_weave_inplace bl_felt_out bl_paddle_elementwise_weave
END
tap_done
