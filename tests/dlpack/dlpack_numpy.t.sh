#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory is shared with NumPy and given back; skipped where NumPy is missing.

library=${top_builddir:-.}/lib/.libs/libbroadloom.so
if [ ! -e "$library" ]; then
    echo '1..0 # SKIP built without a shared library'
    exit
fi
for python in "${PYTHON:-python3}" /usr/bin/python3; do
    if "$python" -c 'import numpy; numpy.from_dlpack' 2> /dev/null; then
        exec "$python" -B "${srcdir:-.}/tests/dlpack/dlpack_numpy.py" "$library"
    fi
done
echo '1..0 # SKIP NumPy is missing'
