#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The benchmark of two builds, of this build with itself: the form of what it prints, and its
# exit status.  Ratios are not judged.

. "${srcdir:-.}/tests/harness/tap.sh"
program=$here/tests/quality/bench_pair/bench_pair
library=$here/lib/.libs/libbroadloom.so.1
if [ ! -e "$library" ]; then
    tap_skip "two builds are compared" "there is no shared library"
    tap_done
    exit
fi

"$program" --op add,neg --dtype f32 --shape 4096-last --rounds 3 --tsv "$work/tsv" \
    "$library" "$library" > "$work/said" 2> "$work/faults"
status=$?
tap_note < "$work/said"
[ $status -le 1 ]
tap_ok $? "a cell is measured"
tap_empty "$work/faults" "without a message"

number='[0-9]+\.[0-9]+'
form() { # PATTERN NAME: one line of the output is of this form
    [ "$(grep -c -E -x "$1" "$work/said")" -eq 1 ]
    tap_ok $? "$2"
}
form "# old [0-9.]+, [a-z0-9]+, new [0-9.]+, [a-z0-9]+; .+; 3 rounds, .*" \
    "the head has versions, instruction sets, processor"
form "add +f32 +4096-last +$number +$number" "a cell has its time and its ratio"
[ "$(grep -c '^neg ' "$work/said")" -eq 0 ]
tap_ok $? "a shape with a scalar has no cell of one operand"
for mean in "shape +4096-last" "dtype +f32" "operator +add" "of +all"; do
    form "mean $mean +$number  of 1( .*)?" "there is a mean: $mean"
done
form "1 cells, [01] below 0.95, [01] below 0.90: bounds are (kept|broken)" "the last line judges"
kept=$(grep -c 'bounds are kept$' "$work/said")
[ $((kept + status)) -eq 1 ]
tap_ok $? "the exit status is the judgement"
[ "$(grep -v '^#' "$work/tsv" | awk -F '\t' '$5 > 0 && NF == 6 { print $1, $2, $3 }')" = \
    "add f32 4096-last" ]
tap_ok $? "the table of --tsv has the cell"


# A library that takes twice as long.
cat > "$work/slow.c" << 'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>

int bl_plan_execute(void *ctx, const void *plan, void *out, const void *const *data)
{
    int (*execute)(void *, const void *, void *, const void *const *);

    *(void **)&execute = dlsym(RTLD_NEXT, "bl_plan_execute");
    return execute(ctx, plan, out, data) | execute(ctx, plan, out, data);
}
EOF
${CC:-cc} -shared -fPIC -Wl,--no-as-needed -Wl,-rpath,"$here/lib/.libs" -o "$work/slow.so" \
    "$work/slow.c" "$library" -ldl
"$program" --op exp --dtype f32 --shape 65536 --rounds 1 "$library" "$work/slow.so" \
    > "$work/said" 2>&1
[ $? -eq 1 ] && grep -q '^below 0[.]90 .* 0[.][0-8][0-9]* 0[.][0-8][0-9]* 0[.][0-8][0-9]*$' "$work/said"
tap_ok $? "a library of half the speed breaks the bounds, measured three times"

"$program" --dtype f32-f16 --shape 13 --rounds 1 "$library" "$library" > "$work/said"
form "copy +f32-f16 +13 +$number +$number" "a conversion is measured"
"$program" --op nothing "$library" "$library" > "$work/said" 2>&1
[ $? -eq 2 ]
tap_ok $? "a filter without cells is an error"
"$program" "$library" "$work/none" > "$work/said" 2>&1
[ $? -eq 2 ] && grep -q "$work/none" "$work/said"
tap_ok $? "a library that is not there is an error that names it"
tap_done
