# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh
# How programs on several ranks are built and run, for scripts that have sourced tap.sh: they have
# one thread each and share the processors.

OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl_base_warn_component_unused=0
OMPI_MCA_odls_base_sigkill_timeout=0 # mpiexec waits so many seconds where ranks end with an error
export OMP_NUM_THREADS OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
export OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle
export OMPI_MCA_btl_vader_single_copy_mechanism OMPI_MCA_btl_base_warn_component_unused
export OMPI_MCA_odls_base_sigkill_timeout
unset MAKEFLAGS MAKELEVEL MFLAGS

${MAKE:-make} -s -C "$here" list-mpi > "$work/sources"
${MAKE:-make} -s -C "$here" list-mpi-tool > "$work/tool_sources"
${AWK:-awk} -v version="$(sed -n 's/^VERSION = //p' "$here/Makefile")" \
    -f "$source/tools/dev/version_script.awk" "$source/lib/mpi/abi.txt" > "$work/map"

# build END PROGRAM...: by the MPI whose commands end so, in a folder of its own; by SimGrid,
# whose smpicc is another name, where END is .simgrid.  What ranks share is cut as $pieces says.
build() {
    end=$1 mpicc=mpicc$1 simulated=
    shift
    [ "$end" != .simgrid ] || mpicc=smpicc simulated=yes
    mkdir "$work/mpi$end"
    cp "$work/map" "$work/mpi$end/libbroadloom-mpi.map"
    flags= libs=
    for word in $("$mpicc" -show | sed 's/^[^ ]* *//'); do
        case $word in
        -include | */smpi_helpers.h | -shared | -Wl,-z,defs) ;; # SimGrid's own malloc()
        -L* | -l* | -Wl,*) libs="$libs $word" ;;
        *) flags="$flags $word" ;;
        esac
    done
    ${MAKE:-make} -s -j2 -C "$work/mpi$end" -f "$source/tests/mpi/ranks/build.mk" \
        SOURCE="$source" HERE="$here" SOURCES="$(tr '\n' ' ' < "$work/sources")" \
        CC="${CC:-cc}" CFLAGS="${CFLAGS-}" OPENMP_CFLAGS="${OPENMP_CFLAGS--fopenmp}" \
        TOOL="$(tr '\n' ' ' < "$work/tool_sources")" FLAGS="$flags" LIBS="$libs" PROGRAMS="$*" \
        SIMULATED="$simulated" PIECES="${pieces-}" > "$work/log" 2>&1
    tap_ok $? "the library and its programs by $mpicc"
    tail -n 20 "$work/log" | tap_note
}
