# SPDX-License-Identifier: BSD-3-Clause
# Datasets that h5py writes are loaded, and saved again: h5py then reads the same dtype,
# shape and bits.  The folder of the libraries is given as argument.

import ctypes as C
import os
import sys
import tempfile

import h5py
import numpy as np

DTYPES = "b1 u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 c8 c16".split()
SHAPES = [(), (7,), (0, 3), (3, 4), (5, 1, 6)]
# How h5py stores a dataset; those with chunks have dimensions.
STORED = {
    "contiguous": {},
    "chunked": {"chunks": True},
    "compressed": {"compression": "gzip", "shuffle": True},
    "checked and able to grow": {"fletcher32": True, "maxshape": True},
}


def make(dtype, shape, swapped):
    rng = np.random.Generator(np.random.PCG64([len(shape), DTYPES.index(dtype)]))
    count = int(np.prod(shape, dtype=int))
    if dtype == "b1":
        return rng.integers(0, 2, count).astype(bool).reshape(shape)
    array = np.frombuffer(rng.bytes(count * np.dtype(dtype).itemsize), dtype)
    array = array.reshape(shape)
    return array.astype(array.dtype.newbyteorder("S")) if swapped else array


def same(got, want):
    native = want.astype(want.dtype.newbyteorder("="))
    return (got.dtype == native.dtype and got.shape == native.shape
            and got.tobytes() == native.tobytes())


class Reporter:
    def __init__(self):
        self.number = self.failures = 0

    def ok(self, wrong, name):
        self.number += 1
        self.failures += bool(wrong)
        print("%sok %d - %s" % ("not " if wrong else "", self.number, name))
        for line in wrong[:5]:
            print("# " + line)


def stored(shape):
    for name, options in STORED.items():
        options = dict(options)
        if options and (not shape or 0 in shape):
            continue
        if "maxshape" in options:
            options["maxshape"] = (None,) * len(shape)
        yield name, options


core = C.CDLL(os.path.join(sys.argv[1], "libbroadloom.so"), C.RTLD_GLOBAL)
library = C.CDLL(os.path.join(sys.argv[1], "libbroadloom-hdf5.so"))
core.bl_error_message.restype = C.c_char_p
core.bl_tensor_array.restype = C.c_void_p


def load(path, dataset):
    tensor = C.c_void_p()
    if library.bl_hdf5_load(None, path.encode(), dataset.encode(), None,
                            C.byref(tensor)):
        raise ValueError(core.bl_error_message().decode())
    return tensor


def save(path, dataset, tensor):
    array = C.c_void_p(core.bl_tensor_array(tensor))
    if library.bl_hdf5_save(None, path.encode(), dataset.encode(), array, None):
        raise ValueError(core.bl_error_message().decode())


def copy(source, target, dataset):
    tensor = C.c_void_p()
    try:
        tensor = load(source, dataset)
        save(target, dataset, tensor)
    except ValueError as error:
        return str(error)
    finally:
        core.bl_tensor_release(tensor)
    return None


def check(folder, dtype):
    """What is wrong with the copies of arrays of a dtype."""
    source, target = os.path.join(folder, "in.h5"), os.path.join(folder, "out.h5")
    arrays = {}
    with h5py.File(source, "w") as file:
        for number, shape in enumerate(SHAPES):
            for name, options in stored(shape):
                for swapped in (False, True):
                    path = "/%s/%s %d %d" % (dtype, name, number, swapped)
                    arrays[path] = make(dtype, shape, swapped)
                    file.create_dataset(path, data=arrays[path], **options)
    wrong = []
    for path, array in arrays.items():
        said = copy(source, target, path)
        with h5py.File(target, "r") as file:
            if said or path not in file or not same(file[path][()], array):
                wrong.append("%s: %s" % (path, said or "another array"))
    os.remove(target)
    return wrong


def check_fortran(folder):
    """A Fortran program's a(4,3), as its interface of HDF5 writes it, and b(4)."""
    path = os.path.join(folder, "fortran.h5")
    a, b = np.asfortranarray(np.arange(12.0).reshape(4, 3)), np.arange(4.0)
    with h5py.File(path, "w") as file:
        file["a"] = a.T
        file["b"] = b
    tensors = load(path, "a"), load(path, "b")
    left, right = (C.c_void_p(core.bl_tensor_array(tensor)) for tensor in tensors)
    if core.bl_sub_inplace(None, left, right):
        return [core.bl_error_message().decode()]
    save(path, "g/c", tensors[0])
    for tensor in tensors:
        core.bl_tensor_release(tensor)
    with h5py.File(path, "r") as file:
        c = file["g/c"][()].T
    return [] if np.array_equal(c, a - b[:, None]) else [str(c)]


report = Reporter()
with tempfile.TemporaryDirectory() as folder:
    for dtype in DTYPES:
        report.ok(check(folder, dtype), "%s in every shape and storage" % dtype)
    report.ok(check_fortran(folder), "a(4,3) - b(4) of a Fortran program's file")
print("1..%d" % report.number)
sys.exit(1 if report.failures else 0)
