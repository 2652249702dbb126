# SPDX-License-Identifier: BSD-3-Clause
# Files that NumPy writes are copied by the program given as argument (npy_copy.c) and
# read by NumPy again: equal dtype, shape, order and bits, and equal files byte for byte.

import itertools
import os
import subprocess
import sys
import tempfile

import numpy as np

DTYPES = "b1 u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 c8 c16".split()
SHAPES = [(), (1,), (7,), (0,), (3, 4), (1, 5), (5, 1), (4, 0, 3), (2, 3, 4),
          (2, 1, 3, 2), (1,) * 32, (2, 1, 1, 1, 1) + (1, 2) * 10]

# Newer releases leave room in the header for the file to grow; the library does too.
leaves_room = hasattr(np.lib.format, "GROWTH_AXIS_MAX_DIGITS")


def make(dtype, shape, order, swapped):
    rng = np.random.Generator(np.random.PCG64([len(shape), DTYPES.index(dtype)]))
    count = int(np.prod(shape, dtype=int))
    if dtype == "b1":
        flat = rng.integers(0, 2, count).astype(bool)
    else:
        flat = np.frombuffer(rng.bytes(count * np.dtype(dtype).itemsize), dtype)
    array = np.array(flat.reshape(shape), order=order)
    return array.astype(array.dtype.newbyteorder("S")) if swapped else array


def same(got, want):
    return (got.dtype == want.dtype and got.shape == want.shape
            and got.flags.c_contiguous == want.flags.c_contiguous
            and got.flags.f_contiguous == want.flags.f_contiguous
            and got.tobytes() == want.tobytes())


class Copier:
    def __init__(self, program, folder):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, universal_newlines=True)
        self.source = os.path.join(folder, "in.npy")
        self.target = os.path.join(folder, "out.npy")

    def copy(self, how):
        self.process.stdin.write("%s %s %s\n" % (how, self.source, self.target))
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()


def check(copier, how, array, version):
    """What is wrong with the copy of an array, None if nothing is."""
    with open(copier.source, "wb") as file:
        np.lib.format.write_array(file, array, version)
    if os.path.exists(copier.target):
        os.remove(copier.target)
    answer = copier.copy(how)
    if answer != "ok":
        return answer or "it died"
    native = array.astype(array.dtype.newbyteorder("="))
    want = {"flip": lambda: np.array(native[::-1], order="C"),
            "turn": lambda: native.T}.get(how, lambda: native)()
    if not same(np.load(copier.target), want):
        return "another array"
    if leaves_room:
        np.save(copier.source, want)
        with open(copier.source, "rb") as first, open(copier.target, "rb") as second:
            if first.read() != second.read():
                return "another file"
    return None


def cases(how):
    """Arrays and versions of the format that this way of copying takes."""
    versions = [(1, 0), (2, 0), (3, 0)] if how == "load" else [(1, 0)]
    for shape, order, swapped in itertools.product(SHAPES, "CF", [False, True]):
        if (how == "flip" and not shape) or (swapped and how in ("map", "turn")):
            continue
        for version in versions:
            yield shape, order, swapped, version


def main():
    number = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        copier = Copier(os.path.abspath(sys.argv[1]), folder)
        for how, dtype in itertools.product(["load", "map", "flip", "turn"], DTYPES):
            wrong = []
            for shape, order, swapped, version in cases(how):
                array = make(dtype, shape, order, swapped)
                problem = check(copier, how, array, version)
                if problem:
                    wrong.append("# %s %s %s: %s"
                                 % (array.dtype.str, shape, order, problem))
            number += 1
            failures += bool(wrong)
            print("%sok %d - %s %s" % ("not " if wrong else "", number, how, dtype))
            print("\n".join(wrong[:5]), end="\n" if wrong else "")
        copier.process.stdin.close()
        copier.process.wait()
    print("1..%d" % number)
    return 1 if failures else 0


sys.exit(main())
