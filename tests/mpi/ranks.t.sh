#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# libbroadloom-mpi, built for each MPI that there is, and programs on several ranks of it, which
# have one thread each and share the processors.
# BROADLOOM_TEST_LONG: 1 to 16 ranks, BROADLOOM_TEST_CASES cases on each number, or 84; then
# BROADLOOM_TEST_RANKS ranks, or 256, that SimGrid simulates.  Where BROADLOOM_TEST_SHARE is set,
# a share of the numbers, of nodes, of the MPIs and of what is simulated; without it, all of the
# first MPI.  Of other MPIs, what differs between them.

. "${srcdir:-.}/tests/harness/tap.sh"

seed=${BROADLOOM_TEST_SEED-$(date +%s)}
case ${BROADLOOM_TEST_LONG:-0} in 0) is_long=false ;; *) is_long=true ;; esac
echo "# BROADLOOM_TEST_SEED=$seed"

# MPIs, as the ends of their commands' names: Debian has mpicc.mpich and mpicc.openmpi.
mpis=
for mpicc in mpicc.mpich mpicc.openmpi; do
    command -v "$mpicc" > /dev/null || continue
    mpis="$mpis .${mpicc##*.}"
done
[ -n "$mpis" ] || ! command -v mpicc > /dev/null || mpis=mpicc
if [ -z "$mpis" ] || [ ! -e "$here/lib/.libs/libbroadloom.so" ]; then
    tap_skip "programs on several ranks" "no mpicc, or no shared library"
    tap_done
    exit 0
fi
. "$source/tests/mpi/ranks/build.sh"
# Small ones: of a message many, results in tiles, and all that is assembled streamed.
pieces='-DBLI_PIECE=256 -DBLI_LEAST_TILE=64 -DBLI_LARGE=-1 -DBLI_LEAST_ROW=16'

# launch END RANKS PROGRAM ARGUMENT...; a program that hangs ends itself.
launch() {
    cd "$work/mpi$1" || return
    end=$1 ranks=$2
    shift 2
    case $end in
    .simgrid)
        smpirun -np "$ranks" -platform platform.xml -hostfile hosts --log=root.thres:warning \
            --cfg=smpi/simulate-computation:no --cfg=smpi/coll-selector:mpich \
            --cfg=smpi/send-is-detached-thresh:512 --cfg=smpi/bw-factor:0:0.94 \
            --cfg=smpi/test:0 "./$@"
        ;;
    *) "mpiexec$end" -n "$ranks" "./$@" ;;
    esac
}

# run END RANKS PROGRAM ARGUMENT...: its results are this script's.
run() {
    mpi=${1#.}
    (launch "$@" 2>&1) > "$work/printed"
    echo "status $?" >> "$work/printed"
    while read -r line; do
        case $line in
        'ok '*) tap_ok 0 "$mpi: ${line#* - }" ;;
        'not ok '*) tap_ok 1 "$mpi: ${line#* - }" ;;
        'status 0') ;;
        'status '*) tap_ok 1 "$mpi: $2 ranks of $3 end with $line" ;;
        1..*) ;;
        *) echo "# ${line#\# }" ;;
        esac
    done < "$work/printed"
}

# What the library exports, in which versions, and what it must not need.
check_library() { # END
    library=$work/mpi$1/libbroadloom-mpi.so
    for header in c11 c++17; do
        case $header in c11) language=c ;; *) language=c++ ;; esac
        echo '#include <broadloom/mpi.h>' |
            ${CC:-cc} -x $language -std=$header -Wall -Wextra -pedantic -Werror -fsyntax-only \
                $(echo "$flags" | sed "s/-I/-isystem /g") $headers - \
                > "$work/faults" 2>&1
        tap_empty "$work/faults" "${1#.}: <broadloom/mpi.h> alone as $header"
    done
    sed '/^#/d' "$source/lib/mpi/abi.txt" > "$work/abi"
    ${NM:-nm} -D --defined-only "$library" | awk '$2 != "A" { sub(/@@/, " ", $3); print $3 }' |
        sort | diff "$work/abi" - > "$work/faults"
    tap_empty "$work/faults" "${1#.}: it exports bl_mpi_ functions alone, in their versions"
    ${NM:-nm} -D --undefined-only "$library" | sed 's/@.*//' |
        grep -E ' (MPI_Abort|MPI_Init|MPI_Init_thread|MPI_Finalize|v?f?printf|puts|exit|abort)$' > "$work/faults"
    tap_empty "$work/faults" "${1#.}: it does not print, end the program or initialise MPI"
}

# A program of one MPI with the library that was built by the other.
check_family() { # END OTHER
    LD_LIBRARY_PATH=$work/mpi$2${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
    run "$1" 2 grid family
    unset LD_LIBRARY_PATH
}

# An example on 4 ranks; it waits as the tests' programs do.
run_example() { # END NAME EXPECTED
    (cd "$work/mpi$1" && timeout 60 "mpiexec${1:+.}${1#.}" -n 4 "./$2") < /dev/null > "$work/printed" 2>&1
    diff "$source/tests/examples/expected/$3" "$work/printed" > "$work/faults"
    tap_empty "$work/faults" "${1#.}: the example $2 on 4 ranks"
}

. "$source/tests/mpi/ranks/tool.sh"
. "$source/tests/mpi/ranks/forms.sh"
evaluate_apart
evaluate_forms_apart
readelf -d "$here/lib/.libs/libbroadloom.so" 2> /dev/null | grep -i 'NEEDED.*mpi' > "$work/faults"
tap_empty "$work/faults" "libbroadloom needs no MPI"
sed '/^#/d' "$source/lib/mpi/abi.txt" > "$work/wanted"
cat "$source"/include/broadloom/mpi*.h | tr '\n' ' ' | tr ';{}' '\n\n\n' |
    sed -n 's/.*[^A-Za-z_]BL_API \(.*\)/\1/p' | sed 's/ *(.*//; s/.*[ *]//; s/$/ BROADLOOM_0.3/' | sort -u |
    diff - "$work/wanted" > "$work/faults"
tap_empty "$work/faults" "what <broadloom/mpi.h> declares is in lib/mpi/abi.txt"

if $is_long; then
    share=${BROADLOOM_TEST_SHARE:-0/1}
    # of_share EACH WORD...: those of this share, a space after each: the next ones after EACH
    # shares, and shares beyond the words repeat them.
    of_share() {
        each=$1
        shift
        printf '%s\n' "$@" | "${AWK:-awk}" -v part=$((${share%/*} / each)) \
            -v parts=$(((${share#*/} + each - 1) / each)) -v words=$# '
            (NR - part) % (parts < words ? parts : words) == 0 { printf "%s ", $0 }'
    }
    every_rank=$(of_share 1 1 2 3 4 5 6 7 8 9 12 13 16)
    as_of_nodes=$(of_share 1 4/2 6/2 6/3 8/4 9/3 12/4 16/2 16/8)
    tool_ranks=$(of_share 1 1 2 3 4) form_ranks=$(of_share 1 1 2 4)
    # shellcheck disable=SC2086 # words
    whole=$(of_share 12 $mpis) # so that each has all those ranks
    simulated=$(of_share 1 bits faults reductions latency model overlap)
    few_ranks='1 4' cases=${BROADLOOM_TEST_CASES:-84} calls=${BROADLOOM_TEST_CASES:-84}
else
    # shellcheck disable=SC2086 # words
    set -- $mpis
    whole=$1
    every_rank=3 as_of_nodes=4/2 form_ranks=4 few_ranks=4 cases=30 calls=60
fi

# What differs between MPIs: the library, how programs begin, a few messages.
try_few() { # END
    build "$1" bits grid heat_ranks
    check_library "$1"
    run "$1" 3 bits $((seed + 3)) 10
    OMP_NUM_THREADS=16
    run "$1" 4 grid
    OMP_NUM_THREADS=1
    run_example "$1" heat_ranks heat.txt
}

for end in $mpis; do
    case " $whole " in
    *" $end "*) ;;
    *)
        try_few "$end"
        continue
        ;;
    esac
    [ "$end" != mpicc ] || end=
    build "$end" bits again arguments links packed reductions numbers faults grid shared stages seats npy broadloom-mpi heat_ranks rules warnings views tiles
    check_library "$end"
    (cd "$work/mpi$end" && BROADLOOM_TEST_SEED=$seed ./seats) > "$work/printed"
    grep -q '^ok 1' "$work/printed"
    tap_ok $? "threads of the ranks of a node share its processors"
    for ranks in $every_rank; do
        run "$end" "$ranks" bits $((seed + ranks)) $cases
        run "$end" "$ranks" reductions $((seed + ranks)) $cases
        run "$end" "$ranks" again $((seed + ranks)) $cases
        run "$end" "$ranks" numbers $((seed + ranks)) 20
        BROADLOOM_TEST_NODE=1
        export BROADLOOM_TEST_NODE
        run "$end" "$ranks" tiles $((seed + ranks)) $cases
        unset BROADLOOM_TEST_NODE
        run "$end" "$ranks" faults $((seed + ranks)) $calls
    done
    # Ranks and how many are as of one node.
    for nodes in $as_of_nodes; do
        ranks=${nodes%/*} BROADLOOM_TEST_NODE=${nodes#*/}
        export BROADLOOM_TEST_NODE
        run "$end" "$ranks" stages
        run "$end" "$ranks" tiles $((seed + ranks)) $cases
        run "$end" "$ranks" bits $((seed + ranks)) $cases
        run "$end" "$ranks" faults $((seed + ranks)) $calls
        unset BROADLOOM_TEST_NODE
    done
    check_tool "$end"
    # shellcheck disable=SC2086 # words
    check_forms "$end" $form_ranks
    check_refused_forms "$end" 2
    run_example "$end" heat_ranks heat.txt
    for ranks in $few_ranks; do
        OMP_NUM_THREADS=16
        run "$end" $ranks grid
        OMP_NUM_THREADS=1
        run "$end" $ranks shared
        run "$end" $ranks arguments
        run "$end" $ranks packed
        run "$end" $ranks links
        run "$end" $ranks warnings
        run "$end" $ranks views $((seed + ranks)) $((10 * cases))
        run "$end" $ranks rules $((seed + ranks)) $((4 * cases))
        run "$end" $ranks npy $((seed + ranks)) $((cases / 2))
    done
done
# A fat tree of as many nodes as simulated ranks, a square number, and ranks in their order.
describe_nodes() { # RANKS BANDWIDTH
    side=1
    while [ $((side * side)) -lt "$1" ]; do
        side=$((side + 1))
    done
    cat > "$work/mpi.simgrid/platform.xml" << END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="tree" prefix="node-" radical="0-$(($1 - 1))" suffix="" speed="10Gf" bw="$2"
           lat="500ns" loopback_bw="20GBps" loopback_lat="200ns" topology="FAT_TREE"
           topo_parameters="2;$side,$side;1,$side;1,1" sharing_policy="SPLITDUPLEX"/>
</platform>
END
    seq 0 $(($1 - 1)) | sed 's/^/node-/' > "$work/mpi.simgrid/hosts"
}

# simulate RANKS BANDWIDTH PROGRAM ARGUMENT...
simulate() {
    ranks=$1
    describe_nodes "$ranks" "$2"
    shift 2
    run .simgrid "$ranks" "$@"
}

if ! command -v smpicc > /dev/null; then
    tap_skip "simulated ranks" "no smpicc"
elif $is_long; then
    # shellcheck disable=SC2086 # words
    build .simgrid $simulated
    most=${BROADLOOM_TEST_RANKS:-256}
    for program in $simulated; do
        case $program in
        bits) simulate "$most" 12.5GBps bits "$seed" 12 ;;
        faults) simulate "$most" 12.5GBps faults "$seed" 45 ;;
        reductions) simulate "$most" 12.5GBps reductions "$seed" 8 ;;
        latency) simulate "$most" 12.5GBps latency ;;
        model) simulate "$most" 97.65625MBps model ;; # what model.c says
        overlap) simulate 16 97.65625MBps overlap ;;
        esac
    done
fi
# shellcheck disable=SC2086 # words
if [ "$(echo $mpis)" = ".mpich .openmpi" ]; then
    check_family .mpich .openmpi
    check_family .openmpi .mpich
fi
tap_done
