#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# broadloom migrate: the report of a program that was written when operands of equal count
# paired as 1-D names the lines that broadcasting changes, whatever it was compiled with.

. "${srcdir:-.}/tests/harness/tool.sh"
unset BROADLOOM_COMPAT_REPORT BROADLOOM_KEEPDIM_WARNING OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID
program=tests/warnings/legacy_program.c

# The line of the program that is marked as that risk.
line_of() {
    grep -n "/\* $1 \*/" $program | cut -d: -f1
}
value=$program:$(line_of value) fallback=$program:$(line_of fallback) shape=$program:$(line_of shape)

# build NAME FLAG...: the program, linked as a user's is.
build() {
    name=$1
    shift
    ${CC:-cc} -std=c11 -g "$@" $headers -o "$work/$name" $program \
        ${MIGRATE_LIBS--L"$here/lib/.libs" -Wl,-rpath,"$here/lib/.libs" -lbroadloom} -lm \
        > "$work/faults" 2>&1
}

# What stands in the table: "risk calls place function", one a line.
table_rows() {
    "${AWK:-awk}" '$2 ~ /^[0-9]+$/ && NF > 4 { print $1, $2, $3, $4 }' "$1"
}
printf '%s\n' "value 3 $value sub" "fallback 1 $fallback add" "shape 3 $shape mul" > "$work/rows"

# finds NAME WHAT: the table of a run of the program is right.
finds() {
    (cd "$work" && "$tool" migrate -o table run -- "./$1" > said 2>&1)
    [ $? -eq 0 ] && grep -q '^sum 21$' "$work/said"
    tap_ok $? "$2: runs"
    table_rows "$work/table" | sed "s|$PWD/||" | diff "$work/rows" - > "$work/faults"
    tap_empty "$work/faults" "$2: the table has the lines"
}

if ! build marked -O0 -DBROADLOOM_CALL_SITES; then
    tap_skip "reports of programs" "no program can be linked: $(head -n 1 "$work/faults")"
    tap_done
    exit
fi
finds marked 'call sites at -O0'
build marked_fast -O2 -DBROADLOOM_CALL_SITES
finds marked_fast 'call sites at -O2'
if command -v addr2line > "$work/found" 2>&1; then
    build plain -O2
    finds plain 'addresses at -O2'
    build plain -O0
    finds plain 'addresses at -O0'
    BROADLOOM_COMPAT_REPORT="$work/stale" "$work/plain" > "$work/said"
    build plain -O2 -DBROADLOOM_CALL_SITES
    "$tool" migrate report "$work/stale" | grep -q '^value  *3  plain+0x[0-9a-f]*  sub '
    tap_ok $? 'a program that was rebuilt since is not searched for lines'
    build plain -O2
else
    tap_skip 'addresses' 'there is no addr2line'
fi

# ---- the table's suggestions ----

says() { # PATTERN
    grep -q -e "$1" "$work/table"
    tap_ok $? "the table says $1"
}
says '^value .* (4,1) (4) -> (4,4), 4 times as large by dimension 1$'
says '^  *as it was: operand 2.unsqueeze(1)$'
says '^  *broadcast: operand 1.expand(4,4), operand 2.expand(4,4)$'
says '^  *as it was: operand 2.reshape(2,2)$'
says '^  *as it was: operand 2.squeeze(0)$'
says '^3 findings: 1 value, 1 fallback, 1 shape$'

# ---- reports of several processes ----

for rank in 0 1; do
    PMI_RANK=$rank BROADLOOM_COMPAT_REPORT="$work/report.%r" "$work/marked" > "$work/said"
done
BROADLOOM_COMPAT_REPORT="$work/own.%p" "$work/marked" > "$work/said"
ls "$work"/report.0 "$work"/report.1 "$work"/own.[0-9]* > "$work/said" 2>&1
tap_ok $? '%r and %p name the reports of processes'
expect 0 "/^value  *6  .*$value /" migrate report "$work/report.0" "$work/report.1"
! ls "$work"/report.?.* > "$work/said" 2>&1
tap_ok $? 'nothing else is left'
PMI_RANK=0 BROADLOOM_COMPAT_REPORT="$work/%x" "$work/marked" > "$work/said" 2>&1
tap_ok $? 'a path that cannot be understood is ignored'

# ---- exit statuses ----

expect 0 '/^value/' migrate report "$work/report.0"
expect 1 '/^value/' migrate --fail-on value report "$work/report.0"
expect 1 '/^value/' migrate --fail-on fallback run "$work/marked"
expect 0 '/^value/' migrate --fail-on fallback run "$work/marked" modern
expect 1 '/^value/' migrate --fail-on fallback --fail-on shape run "$work/marked" modern
expect 3 '/^value/' migrate run -- "$work/marked" modern 3
expect 1 '/^broadloom: cannot read/' migrate report "$work/none"
expect 1 '/legacy_program.c:1: not a line of a report/' migrate report $program
expect 2 "/unknown risk 'all'/" migrate --fail-on all report "$work/report.0"
expect 2 "/unknown action 'reports'/" migrate reports "$work/report.0"
expect 2 '/no program given/' migrate run --
expect 2 '/exclude each other/' migrate --json --sarif report "$work/report.0"
printf '{"class": "value", "function": "a\\u0022\\\\", "count": 1}\n\n{}\n' > "$work/odd"
expect 0 '/^value  *1  unknown place  a"\\$/' migrate report "$work/odd"
for text in '{' '{"a"}' '{"a": }' '{"a": "b' '{"a": "\q"}' '{"class": "all"}' '{"line": "x"}' '[]' \
    '{"a": [1, 2}' '{"a": 1 "b": 2}'; do
    printf '%s\n' "$text" > "$work/odd"
    expect 1 '/odd:1: /' migrate report "$work/odd"
done

printf '{"class": "keepdim", "function": "sum", "file": "a.c", "line": 7, "count": 2, "shapes": ""}\n' > "$work/odd"
expect 0 '/^keepdim  *2  a.c:7  sum$/' migrate report "$work/odd"
expect 0 '/^  *as today:  sum with keepdim = 0$/' migrate report "$work/odd"

# Without debugging information there are addresses.
build bare -O2 -g0
expect 0 '/^value  *3  bare+0x[0-9a-f]*  sub /' migrate run "$work/bare"
expect 0 '/"module": "[^"]*\/bare", "build_id": "[0-9a-f]*", "offset": [0-9]*,/' migrate --json run "$work/bare"
expect 0 '/"address": {"relativeAddress": [0-9]*}/' migrate --sarif run "$work/bare"

# A library that is closed before the program ends has its place from when it called.
cat > "$work/part.c" << 'END'
#include <broadloom.h>

int part(void)
{
    static float column_data[4], row_data[4], whole_data[16];
    static const int64_t column[2] = {4, 1}, row[1] = {4}, whole[2] = {4, 4};
    const bl_array a = {column_data, BL_DTYPE_F32, 2, column, NULL, 0};
    const bl_array b = {row_data, BL_DTYPE_F32, 1, row, NULL, 0};
    const bl_array out = {whole_data, BL_DTYPE_F32, 2, whole, NULL, 0};
    const bl_status status = bl_add_out(NULL, &out, &a, &b);

    return status == BL_OK ? 0 : 1;
}
END
cat > "$work/whole.c" << 'END'
#include <dlfcn.h>

int main(int argc, char **argv)
{
    void *const library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : (void *)0;
    int (*part)(void);

    if (!library || !(*(void **)&part = dlsym(library, "part")))
        return 2;
    return part() + dlclose(library) + (dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD) ? 4 : 0);
}
END
place="$work/part.c:$(grep -n bl_add_out "$work/part.c" | cut -d: -f1)"
${CC:-cc} -std=c11 -g -O0 -fPIC -shared $headers -o "$work/part.so" "$work/part.c" \
    ${MIGRATE_LIBS--L"$here/lib/.libs" -Wl,-rpath,"$here/lib/.libs" -lbroadloom} -lm > "$work/faults" 2>&1 &&
    ${CC:-cc} -std=c11 -o "$work/whole" "$work/whole.c" -ldl >> "$work/faults" 2>&1
expect 0 '/"module": "[^"]*\/part.so", "build_id": "[0-9a-f]*", "offset": [0-9]*,/' \
    migrate --json run "$work/whole" "$work/part.so"
command -v addr2line > "$work/found" 2>&1 &&
    expect 0 "/^value  *1  .*$place  *add /" migrate run "$work/whole" "$work/part.so"

# ---- JSON and SARIF ----

if ! command -v python3 > "$work/found" 2>&1; then
    tap_skip 'JSON and SARIF' 'there is no python3'
    tap_done
    exit
fi
"$tool" migrate --json report "$work/report.0" > "$work/json"
"$tool" migrate --sarif report "$work/report.0" > "$work/sarif"
python3 - "$work/json" "$work/sarif" > "$work/got" << 'END'
import json, sys

rows = json.load(open(sys.argv[1]))
for row in rows["findings"]:
    print("json", row["risk"], row["count"], f'{row["file"]}:{row["line"]}', row["function"])
(run,) = json.load(open(sys.argv[2]))["runs"]
assert run["tool"]["driver"]["name"] == "broadloom"
for result in run["results"]:
    assert "operand 2" in result["message"]["text"]
    (location,) = result["locations"]
    physical = location["physicalLocation"]
    place = physical["artifactLocation"]["uri"], physical["region"]["startLine"]
    print("sarif", result["ruleId"], result["level"], "%s:%d" % place)
END
tap_ok $? 'JSON and SARIF have the structure that they should'
printf '%s\n' "json value 3 $value sub" "json fallback 1 $fallback add" "json shape 3 $shape mul" \
    "sarif broadcast-value error $value" "sarif broadcast-fallback warning $fallback" \
    "sarif broadcast-shape warning $shape" | diff - "$work/got" > "$work/faults"
tap_empty "$work/faults" 'JSON and SARIF have the lines'

# Places of every kind: a line, an address, a file alone, none, odd names.
"$tool" migrate -o "$work/bare.sarif" --sarif run "$work/bare" > "$work/said"
printf '{"class": "%s", "function": "%s", "count": 2, "shapes": "(4,1) (4) -> (4,4)"%s}\n' \
    keepdim sum ', "file": "a b.c", "line": 7' value 'x\u0022\u0001' ', "file": "/p/%#?.c", "line": 0' \
    shape add '' none add ', "module": "/p/'"$(printf "\303\251")"'.so", "build_id": "", "offset": 5' > "$work/odd"
"$tool" migrate --sarif report "$work/odd" > "$work/odd.sarif"
: > "$work/odd"
"$tool" migrate --sarif report "$work/odd" > "$work/none.sarif"
python3 tests/warnings/sarif.py "$work/sarif" "$work/bare.sarif" "$work/odd.sarif" "$work/none.sarif" \
    > "$work/faults" 2>&1
tap_empty "$work/faults" 'SARIF is as SARIF 2.1.0 has it'
sed 's/"startLine": 7/"startLine": 0/; s/"ruleId"/"rule"/; s/file:/fi le:/' "$work/odd.sarif" > "$work/wrong"
python3 tests/warnings/sarif.py "$work/wrong" > "$work/said" 2>&1
tap_ok $(($(grep -c 'startLine\|no property\|no URI' "$work/said") < 3)) 'what is not is noticed'
tap_done
