#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command-line tool's files: what is refused before work begins, and what stays as it was.

. "${srcdir:-.}/tests/harness/tool.sh"

# npy SHAPE BYTES NAME: a file of NumPy's; bytes as printf has them.
npy() {
    {
        printf '\223NUMPY\001\000v\000'
        printf '%-117s\n' "{'descr': '|i1', 'fortran_order': False, 'shape': $1, }"
        # shellcheck disable=SC2059
        printf "$2"
    } > "$work/$3.npy"
}
npy '(3,)' '\001\002\003' x
npy '(2,)' '\001\002' y
x=$work/x.npy

# ---- eval: before evaluating ----

# early TEXT FILE: what is said of a result's file, and not that the shapes differ.
early() {
    expect 1 "broadloom: $1" eval 'x + y' x="$x" y="$work/y.npy" -o "$2"
}

printf '\211HDF\r\n\032\nand more' > "$work/run.h5"
cp "$work/run.h5" "$work/run.old"
early "$work/run.h5: an HDF5 file is not replaced by an NPY file: name a dataset, as in $work/run.h5:/x" \
    "$work/run.h5"
expect 1 '/an HDF5 file is not replaced/' eval 'x; x' x="$x" -o "$work/other.npy" -o "$work/run.h5"
cmp -s "$work/run.h5" "$work/run.old" && [ ! -e "$work/other.npy" ]
tap_ok $? 'nothing is written'
early "$work/out.h5:: no dataset is named, as in $work/out.h5:/x" "$work/out.h5:"
[ ! -e "$work/out.h5:" ]
tap_ok $? 'and no file has a colon'
early "$work/none/y.npy: cannot be written: No such file or directory" "$work/none/y.npy"
early "$x/y.npy: cannot be written: Not a directory" "$x/y.npy"
early "$work: cannot be written: Is a directory" "$work"
if [ "$(id -u)" -ne 0 ]; then
    mkdir -m 500 "$work/closed"
    early "$work/closed/y.npy: cannot be written: Permission denied" "$work/closed/y.npy"
    cp "$x" "$work/kept.npy"
    chmod 400 "$work/kept.npy"
    early "$work/kept.npy: cannot be written: Permission denied" "$work/kept.npy"
else
    tap_skip 'folders and files without the right to write' 'root may write everywhere'
fi
ln -s later.npy "$work/link.npy"
expect 0 '' eval x x="$x" -o "$work/link.npy"
[ -L "$work/link.npy" ] && cmp -s "$work/later.npy" "$x"
tap_ok $? 'a link to no file yet is written'

tap_done
