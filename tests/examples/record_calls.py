# SPDX-License-Identifier: BSD-3-Clause
# A list of calls, recorded in a library of NumPy's arrays that pairs operands in the order of
# their elements, as Torch did: which lines of its users would broadcasting change?
#
#     python3 record_calls.py > calls.txt
#     broadloom shape --rules legacy --warn precise --batch --report text calls.txt
import os
import sys

import numpy as np


def recorded(function):
    """The function, which prints a line for each call: operation, shapes, file and line."""

    def call(*operands):
        result = function(*operands)
        caller = sys._getframe(1)
        shapes = [str(np.shape(x)).replace(" ", "") for x in operands]
        file = os.path.relpath(caller.f_code.co_filename)
        print(function.__name__, *shapes, f'"{file}":{caller.f_lineno}')
        return result

    return call


@recorded
def add(a, b):
    return (a.ravel() + b.ravel()).reshape(a.shape)


@recorded
def mul(a, b):
    return (a.ravel() * b.ravel()).reshape(a.shape)


column, row = np.ones((4, 1)), np.arange(4.0)
mul(add(column, row), column)
add(np.ones((2, 2)), row)
