#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Datasets are exchanged with h5py unchanged; skipped where h5py is missing.

libraries=${top_builddir:-.}/lib/.libs
if [ ! -e "$libraries/libbroadloom-hdf5.so" ]; then
    echo '1..0 # SKIP built without HDF5, or without shared libraries'
    exit
fi
for python in "${PYTHON:-python3}" /usr/bin/python3; do
    if "$python" -c 'import h5py' 2> /dev/null; then
        exec "$python" -B "${srcdir:-.}/tests/hdf5/hdf5_h5py.py" "$libraries"
    fi
done
echo '1..0 # SKIP h5py is missing'
