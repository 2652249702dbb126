#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Arithmetic of the tool is NumPy's bit for bit; skipped where NumPy is missing.

. "${srcdir:-.}/tests/harness/tap.sh"
for python in "${PYTHON:-python3}" /usr/bin/python3; do
    if "$python" -c 'import numpy' 2> /dev/null; then
        "$python" -B "$source/tests/tool/eval_numpy.py" "$tool"
        exit
    fi
done
echo '1..0 # SKIP NumPy is missing'
