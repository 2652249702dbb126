# SPDX-License-Identifier: BSD-3-Clause
# NumPy's arrays as operands, by ctypes alone: the library reads and writes their memory,
# whatever their strides are, and what it refuses becomes an exception.
#
#     python3 numpy_ctypes.py
#
# The library is found as the dynamic linker finds it: set LD_LIBRARY_PATH where needed.
import ctypes

import numpy as np


class Array(ctypes.Structure):
    """bl_array of <broadloom/tensor.h>"""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("dtype", ctypes.c_int),
        ("rank", ctypes.c_int32),
        ("extent", ctypes.POINTER(ctypes.c_int64)),
        ("stride", ctypes.POINTER(ctypes.c_int64)),
        ("flags", ctypes.c_uint32),
    ]


READ_ONLY, BYTE_STRIDES = 1, 4
library = ctypes.CDLL("libbroadloom.so.1")
library.bl_error_message.restype = ctypes.c_char_p
library.bl_dtype_find.argtypes = [ctypes.c_char_p]
# Of NumPy's kinds: floating-point, signed, unsigned, complex.
KINDS = {"f": b"f", "i": b"i", "u": b"u", "c": b"c"}


def array(x):
    """A view of the memory of `x`, which must live as long as the view."""
    dtype = b"bool" if x.dtype == bool else b"%s%d" % (KINDS[x.dtype.kind], 8 * x.itemsize)
    lengths = ctypes.c_int64 * max(x.ndim, 1)
    flags = BYTE_STRIDES | (0 if x.flags.writeable else READ_ONLY)
    return Array(x.ctypes.data, library.bl_dtype_find(dtype), x.ndim, lengths(*x.shape),
                 lengths(*x.strides), flags)


def call(name, *operands):
    views = [array(x) for x in operands]
    if getattr(library, name)(None, *map(ctypes.byref, views)) != 0:
        raise ValueError(library.bl_error_message().decode())


a = np.arange(12.0).reshape(3, 4)
record = np.zeros(4, dtype=[("id", "i4"), ("weight", "f8")])
record["weight"] = [1, 10, 100, 1000]
call("bl_mul_out", a[::-1, ::-1], a.copy()[::-1, ::-1], record["weight"][::-1])
print(a)
try:
    call("bl_add_inplace", a, np.ones(5))
except ValueError as error:
    print(error)
