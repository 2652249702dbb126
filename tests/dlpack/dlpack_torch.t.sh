#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory is shared with PyTorch and given back; skipped where PyTorch is missing.

library=${top_builddir:-.}/lib/.libs/libbroadloom.so
if [ ! -e "$library" ]; then
    echo '1..0 # SKIP built without a shared library'
    exit
fi
for python in "${PYTHON:-python3}" /usr/bin/python3; do
    if "$python" -c 'import importlib.util as u; exit(not u.find_spec("torch"))' 2> /dev/null; then
        exec "$python" -B "${srcdir:-.}/tests/dlpack/dlpack_torch.py" "$library"
    fi
done
echo '1..0 # SKIP PyTorch is missing'
