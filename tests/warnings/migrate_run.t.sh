#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# broadloom migrate run: programs that cannot start, end by a signal, fork or write no
# report; and filters in the environment that are none.

. "${srcdir:-.}/tests/harness/tool.sh"
unset BROADLOOM_COMPAT_REPORT BROADLOOM_KEEPDIM_WARNING OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID
TMPDIR=$work/tmp
export TMPDIR
mkdir "$TMPDIR"

# ---- how programs end ----

cat > "$work/ends.c" << 'END'
#define _POSIX_C_SOURCE 200809L
#include <broadloom.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static float column_data[4], row_data[4], whole_data[16];
static const int64_t column[2] = {4, 1}, row[1] = {4}, whole[2] = {4, 4};
static const bl_array a = {column_data, BL_DTYPE_F32, 2, column, NULL, 0};
static const bl_array b = {row_data, BL_DTYPE_F32, 1, row, NULL, 0};
static const bl_array out = {whole_data, BL_DTYPE_F32, 2, whole, NULL, 0};

static int broadcast(int times)
{
    int lost = 0;

    while (times-- > 0)
        lost += bl_add_out(NULL, &out, &a, &b) != BL_OK;
    return lost;
}

int main(int argc, char **argv)
{
    const char *const way = argc > 1 ? argv[1] : "quietly";
    int lost = bl_add_out(NULL, &a, &a, &a) != BL_OK, status = 0;

    if (strcmp(way, "by-signal") == 0)
        raise(SIGTERM);
    if (strcmp(way, "at-once") == 0)
        _exit(0);
    if (strcmp(way, "forked") == 0 || strcmp(way, "after-child") == 0) {
        pid_t child;

        lost += broadcast(2);
        child = fork();
        if (child == 0)
            return broadcast(1);
        lost += waitpid(child, &status, 0) != child || status != 0;
        if (strcmp(way, "after-child") == 0)
            raise(SIGTERM);
    }
    return lost;
}
END
if ! ${CC:-cc} -std=c11 -g -O0 -DBROADLOOM_CALL_SITES $headers -o "$work/ends" "$work/ends.c" \
    ${MIGRATE_LIBS--L"$here/lib/.libs" -Wl,-rpath,"$here/lib/.libs" -lbroadloom} -lm \
    > "$work/faults" 2>&1; then
    tap_skip "how programs end" "no program can be linked: $(head -n 1 "$work/faults")"
    tap_done
    exit
fi
printf '#!/none\n' > "$work/unreadable"

# lacks TEXT: the last answer does not have it.
lacks() {
    ! grep -q -e "$1" "$work/got"
    tap_ok $? "it does not say $1"
}
expect 0 'nothing was found that broadcasting changes' migrate run "$work/ends" quietly
expect 127 "broadloom: cannot run $work/none: No such file or directory" migrate run "$work/none"
expect 127 "broadloom: cannot run $work/none: No such file or directory" \
    migrate --json --fail-on value -o "$work/none.json" run "$work/none"
[ ! -e "$work/none.json" ]
tap_ok $? 'nothing is written of a program that did not run'
expect 126 "broadloom: cannot run $work/unreadable: Permission denied" migrate run "$work/unreadable"
expect 126 "broadloom: cannot run $work: Permission denied" migrate run "$work"
expect 143 '/^broadloom: .*ends was ended by signal 15, Terminated, before it could report$/' \
    migrate run "$work/ends" by-signal
grep -q '^broadloom: no report was written: ' "$work/got"
tap_ok $? 'and that there is no report'
lacks 'nothing was found'
expect 143 '/^value  *1  .*ends.c:[0-9]*  *add /' migrate run "$work/ends" after-child
grep -q 'ended by signal 15' "$work/got"
tap_ok $? 'and that one process has none'
for way in "$work/ends at-once" true; do
    # shellcheck disable=SC2086
    expect 1 '/^broadloom: no report was written: no process of /' migrate --json run $way
    lacks findings
done
expect 5 '/^broadloom: no report was written: /' migrate run -- sh -c 'exit 5'
expect 0 '/^value  *3  .*ends.c:[0-9]*  *add /' migrate run "$work/ends" forked
ls "$TMPDIR" > "$work/faults"
tap_empty "$work/faults" 'no folder is left'

# ---- filters that are none ----

# ignores FILTERS WHAT: the tool says so in one line, and goes on.
ignores() {
    BROADLOOM_WARNINGS=$1 "$tool" migrate run "$work/ends" quietly > "$work/got" 2> "$work/said" &&
        printf "broadloom: BROADLOOM_WARNINGS is ignored: %s\n" "$2" | diff - "$work/said" > "$work/faults"
    tap_empty "$work/faults" "BROADLOOM_WARNINGS=$1 is reported"
}
actions='there are default, always, once, error and ignore'
changes='there are value, shape, fallback and keepdim'
ignores ERROR "'ERROR': unknown action: $actions"
ignores ignore,error:nosuch "'error:nosuch': unknown change: $changes"
ignores error:value:a.c:x "'error:value:a.c:x': a file is NAME or NAME:LINE, LINE a number"
BROADLOOM_WARNINGS=eror "$tool" eval 1+1 > "$work/got" 2> "$work/said"
grep -q '^2$' "$work/got" && grep -q "is ignored: 'eror'" "$work/said"
tap_ok $? 'by every command'
BROADLOOM_WARNINGS=eror "$work/ends" > "$work/said" 2>&1
tap_empty "$work/said" 'the library is silent of it'
line=$(grep -n 'bl_add_out(NULL, &out' "$work/ends.c" | cut -d: -f1)
BROADLOOM_WARNINGS=error:value:ends.c:$line expect 3 '/^value  *3 /' migrate run "$work/ends" forked
BROADLOOM_WARNINGS=error:value:ends.c:1 expect 0 '/^value  *3 /' migrate run "$work/ends" forked
tap_done
