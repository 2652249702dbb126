# SPDX-License-Identifier: BSD-3-Clause
# The tool given as argument evaluates + - * / on random shapes and layouts and must agree
# with NumPy bit for bit: same dtype, same shape, same bytes.  Seed: BROADLOOM_TEST_SEED.

import os
import random
import subprocess
import sys
import tempfile

import numpy as np

DTYPES = "f4 f8 i1 u1 i2 u2 i4 u4 i8 u8".split()
CASES = 300
seed = int(os.environ.get("BROADLOOM_TEST_SEED", "20170601"))
chance = random.Random(seed)
numbers = np.random.default_rng(seed)


def random_shapes():
    """Two shapes that broadcast, of up to five dimensions, some of them empty or 1."""
    result = [chance.choice([0, 1, 2, 3, 5, 7, 16, 33]) if chance.random() < 0.97 else 0
              for _ in range(chance.randint(0, 5))]
    if chance.random() < 0.1:
        result = [chance.randint(1, 300), chance.randint(200, 1000)]
    shapes = []
    for _ in range(2):
        dims = [1 if chance.random() < 0.25 else d for d in result]
        shapes.append(tuple(dims[chance.choice([0, 0, 0, len(dims) // 2, len(dims)]):]))
    return shapes


def random_array(dtype, shape):
    """Any bits for integers; for floating point all kinds of numbers but NaN, whose sign
    and payload depend on the compiler's order of operands in NumPy too."""
    if dtype[0] == "f":
        special = [0.0, -0.0, np.inf, -np.inf, 1e-310, 1e300, 3.4e38, 1e-45]
        with np.errstate(over="ignore"):
            array = (numbers.standard_normal(shape) * 10.0 ** chance.randint(-20, 20))
            array = np.where(numbers.random(shape) < 0.1,
                             numbers.choice(special, shape), array).astype(dtype)
    else:
        array = numbers.integers(0, 256, shape + (int(dtype[1]),), dtype=np.uint8)
        array = array.view(dtype).reshape(shape)
        if chance.random() < 0.3:
            array = array % np.asarray(3, dtype)
    return np.asfortranarray(array) if chance.random() < 0.4 else np.ascontiguousarray(array)


def expected(op, a, b):
    with np.errstate(all="ignore"):
        return {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}[op](a, b)


def same(want, got):
    if want.dtype != got.dtype or want.shape != got.shape:
        return False
    nan = np.isnan(want) if want.dtype.kind == "f" else np.zeros(want.shape, bool)
    if want.dtype.kind == "f" and not np.array_equal(nan, np.isnan(got)):
        return False
    bits = np.dtype("u%d" % want.dtype.itemsize)
    want, got = np.ascontiguousarray(want), np.ascontiguousarray(got)
    return np.array_equal(want.view(bits)[~nan], got.view(bits)[~nan])


def run_case(tool, folder, number):
    dtype, op = DTYPES[number % len(DTYPES)], "+-*/"[number // len(DTYPES) % 4]
    threads = chance.choice("128")
    paths = [os.path.join(folder, name + ".npy") for name in "abc"]
    arrays = [random_array(dtype, shape) for shape in random_shapes()]
    for path, array in zip(paths, arrays):
        np.save(path, array)
    done = subprocess.run([tool, "eval", "a %s b" % op, "a=" + paths[0], "b=" + paths[1],
                           "-o", paths[2], "--threads", threads],
                          stderr=subprocess.PIPE, universal_newlines=True)
    problem = "%s of %s[%s] and [%s], %s threads" % (
        op, dtype, *(",".join(map(str, a.shape)) for a in arrays), threads)
    if done.returncode:
        return problem + ": " + done.stderr.strip()
    return None if same(np.asarray(expected(op, *arrays)), np.load(paths[2])) else problem


def main():
    print("# seed %d, NumPy %s" % (seed, np.__version__))
    with tempfile.TemporaryDirectory() as folder:
        faults = [run_case(sys.argv[1], folder, number) for number in range(CASES)]
    faults = [fault for fault in faults if fault]
    for fault in faults[:20]:
        print("# " + fault)
    print("%sok 1 - + - * / agree with NumPy in %d cases" % ("not " if faults else "", CASES))
    print("1..1")
    return 1 if faults else 0


sys.exit(main())
