# SPDX-License-Identifier: BSD-3-Clause
# Arrays of NumPy become tensors, and arrays again: one memory, equal shapes and strides,
# and the reference counts are what they were.

import gc
import sys

import numpy as np

from share import Report, Tensor

DTYPES = {"u1": "u8", "i1": "i8", "u2": "u16", "i2": "i16", "u4": "u32", "i4": "i32",
          "u8": "u64", "i8": "i64", "f2": "f16", "f4": "f32", "f8": "f64", "c8": "c64",
          "c16": "c128", "b1": "bool"}
LAYOUTS = {
    "C": lambda a: a,
    "transposed": lambda a: a.T,
    "Fortran": np.asfortranarray,
    "negative strides": lambda a: a[::-1, ::-1],
    "every other": lambda a: a[:, ::2],
    "a stride of 0": lambda a: np.lib.stride_tricks.as_strided(a, (5, 4), (0, a.itemsize)),
    "0-d": lambda a: a[1:2, 2].reshape(()),
    "empty": lambda a: a[:, 1:1],
}


def make(dtype):
    numbers = np.arange(12).reshape(3, 4)
    return (numbers % 2).astype(bool) if dtype == "b1" else numbers.astype(dtype)


def strides_that_count(array):
    return [s for s, n in zip(array.strides, array.shape) if n > 1 and array.size]


def check(dtype, layout):
    """What is wrong with an array that was taken and given, None if nothing is."""
    array = LAYOUTS[layout](make(dtype))
    before = sys.getrefcount(array)
    tensor = Tensor(array)
    if sys.getrefcount(array) != before + 1:
        return "the tensor does not hold the array"
    if tensor.dtype() != DTYPES[dtype]:
        return "a tensor of " + tensor.dtype()
    if array.size and tensor.data() != array.ctypes.data:
        return "another memory"
    back = np.from_dlpack(tensor)
    del tensor
    if (back.dtype != array.dtype or back.shape != array.shape
            or strides_that_count(back) != strides_that_count(array)
            or back.tobytes() != array.tobytes()):
        return "another array"
    if array.size and back.ctypes.data != array.ctypes.data:
        return "another memory comes back"
    if sys.getrefcount(array) != before + 1:
        return "the array that came back does not hold the first"
    del back
    gc.collect()
    return None if sys.getrefcount(array) == before else "a reference is left"


report = Report()
for dtype in DTYPES:
    for layout in LAYOUTS:
        # NumPy has no struct for booleans before 1.25.
        try:
            make(dtype).__dlpack__()
        except (BufferError, TypeError) as error:
            print("ok %d - %s # SKIP %s" % (report.number + 1, dtype, error))
            report.number += 1
            break
        wrong = check(dtype, layout)
        report.ok(not wrong, "%s, %s%s" % (DTYPES[dtype], layout,
                                           ": " + wrong if wrong else ""))
report.done()
