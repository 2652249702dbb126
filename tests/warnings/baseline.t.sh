#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# broadloom migrate with baselines: places that are known are left out though their lines
# moved, new ones fail; and reports of many processes, joined in bounded memory.

. "${srcdir:-.}/tests/harness/tool.sh"
unset BROADLOOM_COMPAT_REPORT BROADLOOM_KEEPDIM_WARNING OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID
cd "$work" || exit 1
tab=$(printf '\t')

# found RISK OPERATION LINE [CALLER]: a line of a report of src/train.c.
found() {
    printf '{"class": "%s", "function": "%s", "file": "src/train.c", "line": %d, "caller": "%s", ' "$@"
    printf '"count": 2, "shapes": "(4,1) (4) -> (4,4)", "growth": 4.0, "expanded_dims": [1]}\n'
}
mkdir src
printf '%s\n' 'add(a,  b);' "${tab}sub(a, b);  " 'add(a, b);' 'mul(a, b);' > src/train.c

# ---- the file ----

{ found value add 1 step; found value add 3 step; found shape sub 2 ''; } > report
expect 0 '/^3 findings/' migrate --write-baseline base report report
printf '%s\t%s\t%s\t%s\t%s\t%s\n' train.c '' shape sub 'sub(a, b);' 1 \
    train.c step value add 'add(a, b);' 2 > want
grep -v '^#' base | diff want - > faults
tap_empty faults 'a baseline has a line for each place, and how many are equal'
LC_ALL=C sort -c base > faults 2>&1
tap_empty faults 'its lines are sorted'
expect 0 '/^not listed: 3 of the baseline, which has 0 that were not found$/' \
    migrate --baseline base report report
expect 0 '/^nothing new was found/' migrate --fail-on value --baseline base report report
tac report > turned
"$tool" migrate --write-baseline turned.base report turned > said
cmp base turned.base > faults 2>&1
tap_empty faults 'the order of a report does not matter'

# ---- lines that move, and lines that are new ----

{ printf '\n\n// new\n'; sed 's/(a/( a/; s/( a,  b/(a, b/; s/( a/(a/' src/train.c; } > moved
mv moved src/train.c
{ found value add 4 step; found value add 6 step; found shape sub 5 ''; } > report
expect 0 '/^nothing new was found/' migrate --baseline base report report
{ cat report; found shape mul 7 step; } > more
expect 1 '/^1 finding: 1 shape$/' migrate --baseline base report more
expect 0 '/^1 finding: 1 shape$/' migrate --fail-on value --baseline base report more
expect 1 '/^shape /' migrate --fail-on shape --baseline base report more
echo 'add( a, b );' >> src/train.c
{ cat report; found value add 8 step; } > more
expect 1 '/src\/train.c:8/' migrate --baseline base report more
sed '$s/.*/add(a, b);/' src/train.c > third && mv third src/train.c
expect 1 '/src\/train.c:8/' migrate --baseline base report more
expect 1 '/^1 finding: 1 value$/' migrate --baseline base report more
expect 1 '/"baselineState": "new"/' migrate --sarif --baseline base report more
expect 1 '/"baseline": {"known": 3, "gone": 0}/' migrate --json --baseline base report more
for change in 's/step/start/' 's/"add"/"mul"/' 's/"shape"/"value"/' 's/train/test/'; do
    sed "$change" report > changed
    expect 1 '/ finding/' migrate --baseline base report changed
done
sed 1d report > fewer
expect 0 '/of the baseline, which has 1 that was not found$/' migrate --baseline base report fewer
expect 0 '/^nothing new/' migrate --baseline base --write-baseline base report fewer
expect 1 '/^1 finding/' migrate --baseline base report report
expect 0 '/^nothing new/' migrate --baseline base report fewer
rm src/train.c
expect 1 '/has line 5 of src\/train.c without its text: No such file/' migrate --baseline base report report

# ---- what is no baseline ----

expect 1 '/^broadloom: cannot read none: No such/' migrate --baseline none report report
expect 1 '/^broadloom: cannot write .*none\/base: No such/' migrate --write-baseline none/base report report
printf 'a\tb\tvalue\tadd\ttext\n' > odd
expect 1 '/^broadloom: odd:1: not a line of a baseline: 4 tabs, not 5$/' migrate --baseline odd report report
printf '# a comment\n\na\tb\tvalue\tadd\ttext\t0\n' > odd
expect 1 '/^broadloom: odd:3: a count must be 1 to/' migrate --baseline odd report report
printf '\n' > odd
expect 1 '/^2 findings\|^3 findings/' migrate --baseline odd report report

# ---- programs ----

build() { # FLAG...: the program, linked as a user's is
    # shellcheck disable=SC2086 # words
    ${CC:-cc} -std=c11 -g "$@" $headers -o program program.c \
        ${MIGRATE_LIBS--L"$here/lib/.libs" -Wl,-rpath,"$here/lib/.libs" -lbroadloom} -lm > faults 2>&1
}
cp "$source/tests/warnings/legacy_program.c" program.c
if ! command -v addr2line > said 2>&1 || ! build -O2; then
    tap_skip 'baselines of programs' 'no program can be linked, or there is no addr2line'
else
    "$tool" migrate --write-baseline base run -- ./program > said
    grep -q "^program.c${tab}step${tab}value${tab}sub${tab}lost += check(bl_sub_out" base
    tap_ok $? 'functions are known from debugging information'
    { echo '/* moved */'; cat "$source/tests/warnings/legacy_program.c"; } > program.c
    build -O0
    expect 0 '/^nothing new/' migrate --baseline base run -- ./program
    grep -v "${tab}value${tab}" base > less
    expect 1 '/^1 finding: 1 value$/' migrate --baseline less run -- ./program
    expect 3 '/^1 finding: 1 value$/' migrate --baseline less --write-baseline failed run -- ./program legacy 3
    [ ! -e failed ]
    tap_ok $? 'no baseline is written for a program that failed'
fi

# ---- reports of many processes ----

# 200000 lines, of 40 places and 30 kinds of calls each, in both orders.
"${AWK:-awk}" 'BEGIN { for (i = 0; i < 200000; i++)
    printf "{\"class\": \"value\", \"function\": \"add\", \"file\": \"p%d.c\", \"line\": %d, \"count\": 1, " \
        "\"shapes\": \"(%d,1) (%d) -> (%d,%d)\", \"growth\": %d.0}\n", i % 4, i % 40 + 1, \
        i % 30 + 2, i % 30 + 2, i % 30 + 2, i % 30 + 2, i % 30 + 2 }' > many
tac many | "$tool" migrate --json report - > backward
"$tool" migrate --json report many > forward
cmp forward backward > faults 2>&1
tap_empty faults 'the order of lines has no effect'
[ "$(grep -o '"count": 5000,' forward | wc -l)" -eq 40 ]
tap_ok $? 'calls of one place are counted together'
if grep -q fsanitize "$here/Makefile" || ! (ulimit -d 24000) > said 2>&1; then
    tap_skip 'memory' 'it cannot be limited here'
else
    (ulimit -d 24000 && exec "$tool" migrate report many) > said 2> faults
    tap_ok $? '28 MB of lines, which take more when kept, fit in 24 MB'
fi
tap_done
