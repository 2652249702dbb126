#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# broadloom migrate run --shadow: what is found is listed, as text, JSON and SARIF, from several
# processes, and where the environment asks for it.

. "${srcdir:-.}/tests/harness/tool.sh"
unset BROADLOOM_COMPAT_REPORT BROADLOOM_COMPAT_SHADOW BROADLOOM_KEEPDIM_WARNING PMI_RANK
unset OMPI_COMM_WORLD_RANK SLURM_PROCID
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"

cat > "$work/differ.c" << 'END'
#define _POSIX_C_SOURCE 200809L
#include <broadloom.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static float a[4] = {0, 1, 2, 3}, b[4] = {0, 10, 20, 30}, same[4] = {7, 7, 7, 7};
static const int64_t column[2] = {4, 1}, row[1] = {4}, at[2] = {1, 2};

static float call(float *data)
{
    const bl_array x = {a, BL_DTYPE_F32, 2, column, NULL, 0};
    const bl_array y = {data, BL_DTYPE_F32, 1, row, NULL, 0};
    bl_tensor *out, *twice;
    float value = 0;

    if (data == b ? bl_sub(NULL, &x, &y, &out) != BL_OK /* line 20 */
                  : bl_add(NULL, &x, &y, &out) != BL_OK)
        exit(3);
    if (bl_add(NULL, bl_tensor_array(out), bl_tensor_array(out), &twice) != BL_OK ||
        bl_array_get(bl_tensor_array(twice), at, &value) != BL_OK)
        exit(4);
    bl_tensor_release(out);
    bl_tensor_release(twice);
    return value;
}

int main(int argc, char **argv)
{
    const int times = argc > 1 ? atoi(argv[1]) : 1;
    int status = 0;

    for (int i = 0; i < times; i++)
        call(same);
    for (int i = 0; i < times; i++)
        if (call(b) != 2 * (1 - 20))
            return 5;
    if (argc > 2 && fork() == 0)
        return call(b) != 2 * (1 - 20);
    return argc > 2 && (wait(&status) < 0 || status != 0);
}
END
if ! ${CC:-cc} -std=c11 -g -O0 -DBROADLOOM_CALL_SITES $headers -o "$work/differ" "$work/differ.c" \
    ${MIGRATE_LIBS--L"$here/lib/.libs" -Wl,-rpath,"$here/lib/.libs" -lbroadloom} -lm \
    > "$work/faults" 2>&1; then
    tap_skip "shadow runs" "no program can be linked: $(head -n 1 "$work/faults")"
    tap_done
    exit
fi

# listed WHAT FILE: the file has this text.
listed() {
    grep -qF -- "$1" "$2"
    tap_ok $? "$3"
}

"$tool" migrate run --shadow=1 -- "$work/differ" 3 fork > "$work/table" 2> "$work/errors"
tap_ok $? "a shadow run ends as the program does"
listed '48 of 64 elements differ, in 4 of 4 calls' "$work/table" \
    "elements that differ are counted over calls and processes"
listed 'by at most 30, relatively 1.11' "$work/table" "and so is by how much"
listed '4 more results were computed from them' "$work/table" "results that were computed from them"
grep -q 'read at .*differ.c:[0-9]*, 4 times' "$work/table"
tap_ok $? "and the line that reads one"
listed '0 of 48 elements differ, in 0 of 3 calls' "$work/table" \
    "calls of equal elements differ in none"

"$tool" migrate run --shadow=2 -- "$work/differ" 5 > "$work/table"
listed '36 of 48 elements differ, in 3 of 3 calls' "$work/table" "one in two of five calls"
"$tool" migrate run --shadow -- "$work/differ" 500 > "$work/table"
grep -q 'elements differ, in [1-9][0-9]* of [1-9][0-9]* calls' "$work/table"
tap_ok $? "without a number some calls are compared"
BROADLOOM_COMPAT_SHADOW=1 "$tool" migrate run -- "$work/differ" > "$work/table"
listed '12 of 16 elements differ, in 1 of 1 call' "$work/table" "the environment asks for it, too"
"$tool" migrate run -- "$work/differ" > "$work/table"
! grep -q 'both ways' "$work/table"
tap_ok $? "nobody does"

"$tool" migrate --json run --shadow=1 -- "$work/differ" > "$work/json"
listed '"shadow": {"compared": 1, "unequal": 1, "elements": 16, "differ": 12, "not_finite": 0, "max_abs": 30,' \
    "$work/json" "JSON has the figures"
listed '"reads": [{"how": "item", "place": "' "$work/json" "and the reads"
"$tool" migrate --sarif run --shadow=1 -- "$work/differ" > "$work/sarif"
listed '"properties": {"shadow": {"compared": 1,' "$work/sarif" "SARIF has them as properties"
if python3 -c '' 2> /dev/null; then
    python3 -m json.tool "$work/json" > /dev/null && python3 -m json.tool "$work/sarif" > /dev/null
    tap_ok $? "both are JSON"
else
    tap_skip "both are JSON" "there is no python3"
fi

# Reports of two runs, in any order.
for run in 1 2; do
    BROADLOOM_COMPAT_SHADOW=1 BROADLOOM_COMPAT_REPORT="$work/report.$run" "$work/differ" $run
done
"$tool" migrate report "$work/report.1" "$work/report.2" > "$work/one"
"$tool" migrate report "$work/report.2" "$work/report.1" > "$work/other"
cmp -s "$work/one" "$work/other"
tap_ok $? "reports are joined in any order"
listed '36 of 48 elements differ, in 3 of 3 calls' "$work/one" "and their figures added"

# In C++ places are the program's lines, never the headers'.
cat > "$work/plus.cpp" << 'END'
#include <broadloom/broadloom.hpp>
#include <broadloom/io.hpp>
#include <iostream>

int main()
{
    float a[4] = {0, 1, 2, 3}, b[4] = {0, 10, 20, 30};
    const auto column = broadloom::view(a, 4, 1);
    const auto row = broadloom::view(b, 4);

    std::cout << broadloom::sub(column, row) << '\n'; // 11
    std::cout << broadloom::dist(column, row) << '\n'; // 12
    std::cout << broadloom::masked_fill(column, broadloom::gt(row, 3.f), 5.f) << '\n'; // 13
    std::cout << broadloom::masked_select(column, broadloom::gt(row, 3.f)) << '\n'; // 14
}
END
for option in -g -DBROADLOOM_CALL_SITES; do
    if ! command -v addr2line > "$work/said" 2>&1 ||
        ! ${CXX:-c++} -std=c++17 -g -O0 $option $headers -o "$work/plus" "$work/plus.cpp" \
            ${MIGRATE_LIBS--L"$here/lib/.libs" -Wl,-rpath,"$here/lib/.libs" -lbroadloom} > "$work/said" 2>&1; then
        tap_skip "C++ with $option" "no program can be linked, or no addr2line"
        continue
    fi
    "$tool" migrate -o "$work/table" run --shadow=1 -- "$work/plus" > "$work/said" 2>&1
    sed -n 's/.*plus.cpp:\([0-9]*\).*/\1/p' "$work/table" | sort -u | tr '\n' ' ' > "$work/lines"
    [ "$(cat "$work/lines")" = '11 12 13 14 ' ] && grep -q 'read at .*plus.cpp:11' "$work/table" &&
        ! grep -q -e '\.hpp' -e '+0x' "$work/table"
    tap_ok $? "C++ with $option: all places are lines of the program"
done

for refused in 'run --shadow=0 -- true' 'run --shadow=x -- true' 'report --shadow report.1'; do
    "$tool" migrate $refused > "$work/said" 2>&1
    [ $? -eq 2 ]
    tap_ok $? "refused: $refused"
done
tap_done
