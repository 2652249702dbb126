#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# configure refuses what would be ignored, change results or fail after a whole build.  For
# `make check-long`: each takes seconds.

. "${srcdir:-.}/tests/harness/tap.sh"
configure=$(cd "${srcdir:-.}" && pwd)/configure
cd "$work" || exit 1
tap_long "configure's refusals"

# refuses TEXT ARGUMENT...: configure fails and says TEXT; what it found is kept for the next.
refuses() {
    text=$1
    shift
    "$configure" -q -C "$@" > said 2>&1 && echo "it succeeded" > said
    grep -q -e "$text" said
    tap_ok $? "$*" || tap_note < said
}

refuses 'OpenMP cannot be left out' --disable-openmp
refuses 'yes, no or check; SLEEF_CFLAGS' --with-sleef=/opt/sleef
refuses 'yes, no or check; HDF5_CFLAGS' --with-hdf5=/opt/hdf5
refuses 'names the library of --with-mpi' --with-mpi-flavour=mpich
refuses 'pkg-config is needed' PKG_CONFIG=/nonexistent
for flag in -Ofast -ffinite-math-only; do
    rm -f config.cache
    refuses 'changes results' "CFLAGS=$flag"
done
tap_done
