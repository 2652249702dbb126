#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `broadloom eval` with datasets of HDF5: where it was built with HDF5, and where not.  The
# library itself does not know HDF5.

. "${srcdir:-.}/tests/harness/tool.sh"
run=$work/run.h5 out=$work/out.h5

if command -v readelf > /dev/null && [ -e "$here/lib/.libs/libbroadloom.so" ]; then
    readelf -d "$here/lib/.libs/libbroadloom.so" | grep -i hdf5 > "$work/faults"
    tap_empty "$work/faults" "libbroadloom does not need HDF5"
else
    tap_skip "libbroadloom does not need HDF5" "no readelf, or no shared library"
fi

if [ ! -e "$here/lib/libbroadloom-hdf5.la" ]; then
    refused='this tool was built without HDF5 (configure --with-hdf5)'
    expect 1 "broadloom: run.h5:/fields/x: $refused" eval x x=run.h5:/fields/x
    expect 1 "broadloom: $out:/x: $refused" eval '1 + 1' -o "$out:/x"
    tap_done
    exit
fi

expect 0 '' eval '1.5 * 4' -o "$run:/fields/x"
expect 0 '6' eval x "x=$run:/fields/x"
expect 0 '' eval 'x - mean' "x=$run:/fields/x" "mean=$run:/fields/x" -o "$out:/anomaly"
expect 0 '0' eval y "y=$out:/anomaly"
expect 1 "broadloom: $out:/anomaly: the dataset exists already" eval 3 -o "$out:/anomaly"
expect 0 '0' eval y "y=$out:/anomaly"
expect 0 '' eval 'x > 0' "x=$run:/fields/x" -o "$work/flag.h5:/flag"
expect 1 "broadloom: $out:/anomaly: the dataset exists already" eval -o "$out:/anomaly" \
    'x - flag - neg(flag)' "x=$run:/fields/x" "flag=$work/flag.h5:/flag"
expect 1 "broadloom: $work/none/out.h5: cannot be written: No such file or directory" \
    eval 3 -o "$work/none/out.h5:/x"
expect 2 "/^broadloom: eval: $out: no dataset is named, as in $out:.x$/" eval 3 -o "$out"
cp "$out" "$work/out.data"
expect 1 "/^broadloom: $work/out.data: an HDF5 file is not replaced by an NPY file: /" eval 3 -o "$work/out.data"
expect 0 '0' eval y "y=$out:/anomaly"
expect 0 '' eval 3 -o "$out:/anomaly" --replace
expect 0 '3' eval y "y=$out:/anomaly"
expect 0 '' eval 'y + 1' "y=$out:/anomaly" -o "$out:/groups/made/on/the/way"
expect 0 '4' eval y "y=$out:/groups/made/on/the/way"
expect 1 "/^broadloom: $run:/fields: this is a group, not a dataset; the file has \/fields\/x$/" eval x "x=$run:/fields"
expect 1 "/^broadloom: $run:/y: there is no such dataset: object 'y' doesn't exist; the file has \/fields\/x$/" \
    eval x "x=$run:/y"
expect 1 "broadloom: $out:/.: this is a group, not a dataset; the file has /anomaly, /groups/made/on/the/way" \
    eval x "x=$out"
expect 0 '' eval 'x; 2 * x' "x=$run:/fields/x" -o "$out:/one" -o "$work/twice.npy"
expect 0 '18' eval 'x + y' "x=$out:/one" "y=$work/twice.npy"
expect 1 "broadloom: $work/none.h5:/y: the file cannot be opened: No such file or directory" \
    eval x "x=$work/none.h5:/y"

# A file whose name has the same characters is that file.
mkdir "$work/a:"
expect 0 '' eval 5 -o "$work/b.npy"
cp "$work/b.npy" "$work/a:/b.npy"
expect 0 '5' eval x "x=$work/a:/b.npy"
tap_done
