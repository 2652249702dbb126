#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Execution decides nothing and reserves nothing: the objects of lib/exec do not refer to
# those of lib/exec/bind, to what makes plans, or to what allocates.

. "${srcdir:-.}/tests/harness/tap.sh"
nm=${NM:-nm}

# An old build may have objects of files that are gone.
(cd "${srcdir:-.}" && find lib/exec -name '*.c') |
    sed 's|\(.*\)/\([^/]*\)\.c$|\1/.libs/libbli_la-\2.o \1/libbli_la-\2.o|' | tr ' ' '\n' |
    while read -r object; do
        [ ! -e "${top_builddir:-.}/$object" ] || echo "${top_builddir:-.}/$object"
    done > "$work/all"
grep '/exec/bind/' "$work/all" > "$work/deciding"
grep -v '/exec/bind/' "$work/all" > "$work/executing"
[ -s "$work/deciding" ] && [ -s "$work/executing" ]
tap_ok $? "the objects of lib/exec and of lib/exec/bind are there"

# shellcheck disable=SC2086 # nm and its options
xargs $nm -g --defined-only < "$work/deciding" 2> /dev/null |
    awk 'NF == 3 { print $3 }' > "$work/decisions"
cat >> "$work/decisions" << 'END'
bli_plan_finish
bli_plan_layout
bli_plan_make
bli_plan_permuted
bli_plan_single
bli_plan_small
bli_plan_stage
bli_plan_thread_count
bli_plan_tile
bli_reduce_plan_make
bli_reduce_width
bli_thread_limits_reserve
bli_thread_lend
bli_page_nodes
malloc
calloc
realloc
END
# shellcheck disable=SC2086 # nm and its options
xargs $nm -A -u < "$work/executing" > "$work/used"

# Uses of the names in a list.
uses() {
    awk 'NR == FNR { listed[$1] = 1; next } $NF in listed { print $1, $NF }' "$1" "$work/used"
}
uses "$work/decisions" > "$work/faults"
tap_empty "$work/faults" "execution decides and reserves nothing"
echo memcpy > "$work/names"
uses "$work/names" > "$work/found"
tap_found "$work/found" "and what it uses is found"
tap_done
