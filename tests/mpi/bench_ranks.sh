#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The workloads of ranks/workloads.c on 2 and 4 ranks beside what peers can do, as a table: our
# seconds, a peer's, the peer's over ours, and whether each has the bits of one process.
# usage: bench_ranks.sh [RANKS...]     by the MPI of mpiexec.openmpi, for which mpi4py is built;
# BENCH_MPI=mpich measures ours on the other one.  BENCH_EDGE: of the cube, 512; BENCH_ROUNDS: 3.
# `make bench-ranks`; peers that are not installed are left out with a word.

. "${srcdir:-.}/tests/harness/tap.sh"
. "$source/tests/mpi/ranks/build.sh"

mpi=${BENCH_MPI:-openmpi} edge=${BENCH_EDGE:-512} rounds=${BENCH_ROUNDS:-3}
python=${PYTHON:-/usr/bin/python3}
command -v "mpicc.$mpi" > /dev/null || { echo "no mpicc.$mpi"; exit 1; }
build ".$mpi" workloads > "$work/built"
[ -x "$work/mpi.$mpi/workloads" ] || { cat "$work/built"; exit 1; }
export OMPI_MCA_mpi_yield_when_idle
processors=$(getconf _NPROCESSORS_ONLN)

# cannot NAME: what none of the peers does.
cannot() {
    case $1 in
    'bias along the wrong'* | 'outer product'* | 'bias along the right'*) echo 'PETSc, mpi4py-fft: no broadcasting' ;;
    '(x,y,-)'*) echo 'mpi4py-fft: one axis at a time; PETSc: no array expressions' ;;
    '(N,1)'*) echo 'none pairs so: NumPy and dask give (N,N)' ;;
    'ten rows'*) echo 'PETSc, mpi4py-fft: no broadcasting' ;;
    'softmax'* | 'sum + 10'* | 'mean per'*) echo 'PETSc, mpi4py-fft: no reduction along an axis' ;;
    'sum of what'*) echo 'dask: no blocks of the program; mpi4py-fft: no ghosts' ;;
    'NPY'*) echo 'dask: a file for each chunk; PETSc, mpi4py-fft: formats of their own' ;;
    'random'*) echo 'dask: by chunks; PETSc: by ranks; mpi4py-fft: none' ;;
    'rows to'*) echo 'dask: within one process' ;;
    'a[:-1]'*) echo 'mpi4py-fft: no arithmetic over borders' ;;
    'distance'*) echo 'mpi4py-fft: none' ;;
    esac
}

echo "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | sed 1q), $processors processors;" \
    "edge $edge, medians of $rounds"
[ $# -gt 0 ] || set -- 2 4
for ranks in "$@"; do
    OMPI_MCA_mpi_yield_when_idle=$((ranks > processors))
    {
        "mpiexec.$mpi" -n "$ranks" "$work/mpi.$mpi/workloads" "$edge" "$rounds" "$work/x.npy"
        # What needs no messages, by threads of one process instead of ranks.
        [ "$ranks" -gt "$processors" ] ||
            OMP_NUM_THREADS=$ranks "$work/mpi.$mpi/workloads" "$edge" "$rounds" "$work/x.npy" |
            awk -F '\t' -v OFS='\t' -v peer="one process, $ranks threads" '
                /^(bias along the right|outer product|ten rows|random normal)/ { $2 = peer; print }'
        if [ "$mpi" = openmpi ]; then
            mpiexec.openmpi -n "$ranks" "$python" "$source/tests/mpi/ranks/peers.py" "$edge" "$rounds"
            "$python" "$source/tests/mpi/ranks/peers.py" "$edge" "$rounds" "$ranks"
        fi
    } 2> "$work/complaints" < /dev/null > "$work/lines"
    grep '^#' "$work/lines"
    sed -n '/not found\|rror/p' "$work/complaints" | sed 5q
    printf '\n%s ranks\n\n| workload | ours, ms | bits | peer | ms | over ours | bits | cannot |\n' "$ranks"
    echo '| --- | ---: | --- | --- | ---: | ---: | --- | --- |'
    awk -F '\t' '$2 == "broadloom" { print $1 }' "$work/lines" | while IFS= read -r name; do
        NAME=$name CANNOT=$(cannot "$name") awk -F '\t' '
            $1 != ENVIRON["NAME"] { next }
            $2 == "broadloom" { ours = $3; bits = $4; next }
            {
                printf "| %s | %.2f | %s | %s | %.2f | %.2f | %s | %s |\n", ENVIRON["NAME"], 1e3 * ours,
                    bits, $2, 1e3 * $3, $3 / ours, $4, ENVIRON["CANNOT"]
                printed = 1
            }
            END {
                if (!printed)
                    printf "| %s | %.2f | %s | none | | | | %s |\n", ENVIRON["NAME"], 1e3 * ours, bits, ENVIRON["CANNOT"]
            }' "$work/lines"
    done
done
