#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each folder includes only what the layers allow it, and the check itself finds faults.

. "${srcdir:-.}/tests/harness/tap.sh"
quality=$source/tests/quality

# Faults in the sources under a folder.
check() { # TOP
    # shellcheck disable=SC2046 # names of folders; a build need not have them all
    (cd "$1" && find $(ls -d include lib compat tools 2> /dev/null) \( -name '*.[ch]' -o -name '*.def' \) \
        -exec "${AWK:-awk}" -v list="$quality/layers.txt" -f "$quality/layers_read.awk" \
        -f "$quality/layers.awk" {} +) 2>&1
}

# plant NAME FILE INCLUDE: an include that must be found.
plant() {
    rm -rf "$work/tree"
    mkdir -p "$work/tree/include" "$work/tree/lib" "$work/tree/compat" "$work/tree/tools" \
        "$work/tree/$(dirname "$2")"
    echo "#include $3" > "$work/tree/$2"
    check "$work/tree" > "$work/planted"
    tap_found "$work/planted" "$1"
}

{
    check "$source"
    check "$here"
} > "$work/faults"
tap_empty "$work/faults" "every include goes down the layers"

plant "core that knows shapes is found" lib/core/a.c '"shape/shape.h"'
plant "kernels that know shapes are found" lib/kernels/a.h '"shape/shape.h"'
plant "a plan that executes is found" lib/plan/a.c '"exec/exec.h"'
plant "files that plan are found" lib/io/a.c '"plan/plan.h"'
plant "a private header in compat is found" compat/a.c '"core/core.h"'
plant "a private header in the tool is found" tools/a.c '"call/call.h"'
plant "the tool that saves by itself is found" tools/a.c '"core/save.h"'
plant "a private header in a public one is found" include/a.h '"core/core.h"'
plant "stdio in a public header is found" include/a.h '<stdio.h>'
plant "MPI outside carry is found" lib/mpi/entry/a.c '<mpi.h>'
plant "HDF5 outside its library is found" tools/a.c '<hdf5.h>'
plant "MPI in the planner of ranks is found" lib/mpi/spread/a.c '<mpi.h>'
plant "a private header in it is found" lib/mpi/spread/a.c '"mpi/carry/carry.h"'
plant "the tool that carries messages is found" tools/a.c '"mpi/carry/carry.h"'
plant "hwloc outside machine is found" lib/exec/a.c '<hwloc.h>'
tap_done
