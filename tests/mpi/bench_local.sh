#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls for which no elements move (ranks/local.c), on ranks of one thread each and on one process
# with as many threads, in turns: the best of BENCH_TURNS medians, 3, in microseconds, and the
# process's time over that of the ranks.  Alone on the machine.
# usage: bench_local.sh [RANKS]     2; by mpiexec.mpich and mpiexec.openmpi, or BENCH_MPI

. "${srcdir:-.}/tests/harness/tap.sh"
. "$source/tests/mpi/ranks/build.sh"

ranks=${1:-2}
unset OMPI_MCA_mpi_yield_when_idle
for mpi in ${BENCH_MPI:-mpich openmpi}; do
    command -v "mpicc.$mpi" > /dev/null || continue
    build ".$mpi" local > "$work/built"
    [ -x "$work/mpi.$mpi/local" ] || { cat "$work/built"; exit 1; }
    : > "$work/lines"
    for _ in $(seq "${BENCH_TURNS:-3}"); do
        "mpiexec.$mpi" -n "$ranks" "$work/mpi.$mpi/local" "${BENCH_ROUNDS:-9}" < /dev/null |
            sed 's/^/ranks	/' >> "$work/lines"
        OMP_NUM_THREADS=$ranks "$work/mpi.$mpi/local" "${BENCH_ROUNDS:-9}" |
            sed 's/^/threads	/' >> "$work/lines"
    done
    printf '\n%s, %s ranks\n\n| call | KiB a rank | ranks, us | threads, us | over ranks |\n' "$mpi" "$ranks"
    echo '| --- | ---: | ---: | ---: | ---: |'
    "${AWK:-awk}" -F '\t' -v ranks="$ranks" '
        {
            call = $2 " " $3 ($5 == "plan" ? ", planned" : "") "\t" $4
            if (!(call in seen)) { seen[call] = 1; order[++calls] = call }
            if (!(($1, call) in best) || $6 < best[$1, call]) best[$1, call] = $6
        }
        END {
            for (i = 1; i <= calls; i++) {
                split(order[i], part, "\t")
                printf "| %s | %d | %.2f | %.2f | %.2f |\n", part[1], part[2] / 1024 / ranks,
                    1e6 * best["ranks", order[i]], 1e6 * best["threads", order[i]],
                    best["threads", order[i]] / best["ranks", order[i]]
            }
        }' "$work/lines"
done
