#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `THNN_DIR=/path/to/THNN make check-thnn`: compile a copy of Torch's THNN unmodified, all of
# its types and modules, link it with libbroadloom-th without an undefined symbol, and compare
# what its modules compute with PyTorch.  THNN_DIR has init.c and THNN.h.
set -eu

compiler=${CC:-cc}
if [ ! -e "${THNN_DIR-}/init.c" ]; then
    echo "1..0 # SKIP THNN_DIR names no copy of THNN"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
th=$srcdir/compat/th
built=$top_builddir/compat/th
headers="-I$th -I$built -I$th/TH -I$built/TH -I$THNN_DIR"
libraries="-L$top_builddir/compat/.libs -L$top_builddir/lib/.libs -lbroadloom-th -lbroadloom"

# shellcheck disable=SC2086 # options are words, and so may a compiler be
$compiler -std=gnu99 -O1 -w -fPIC -fopenmp $headers -c -o "$work/init.o" "$THNN_DIR/init.c"
# shellcheck disable=SC2086
$compiler -shared -fopenmp -Wl,--no-undefined -o "$work/libthnn.so" "$work/init.o" $libraries -lm
# shellcheck disable=SC2086
$compiler -std=gnu99 -O1 -fopenmp $headers -I"$srcdir/tests" -o "$work/thnn" \
    "$srcdir/tests/th/thnn.c" -L"$work" -lthnn $libraries -lm
LD_LIBRARY_PATH=$work:$top_builddir/compat/.libs:$top_builddir/lib/.libs \
    "$work/thnn" "$srcdir/tests/th/thnn.tsv"
