# SPDX-License-Identifier: BSD-3-Clause
# The tool given as argument evaluates + - * /, functions and reductions on random shapes
# and layouts and must agree with NumPy: same shape, and same bytes, except for functions that
# NumPy does not promise to the last place.  Dtypes are promoted before NumPy sees them, as
# PyTorch does.  Seed: BROADLOOM_TEST_SEED.

import os
import random
import subprocess
import sys
import tempfile
import warnings

import numpy as np

DTYPES = "f4 f8 i1 u1 i2 u2 i4 u4 i8 u8".split()
CASES = 200
TIMES = 3  # of each function
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


def promoted(op, arrays):
    """What PyTorch computes in: of two categories the higher one's dtype, whatever its
    width; arrays without dimensions matter where theirs is higher."""
    is_real = any(array.dtype.kind == "f" for array in arrays)
    of_kind = [array for array in arrays if (array.dtype.kind == "f") == is_real]
    with_dims = [array for array in of_kind if array.ndim] or of_kind
    dtype = np.result_type(*(array.dtype for array in with_dims))
    return np.dtype("f4") if op == "/" and dtype.kind != "f" else dtype


def expected(op, a, b):
    dtype = promoted(op, (a, b))
    with np.errstate(all="ignore"):
        return {"+": np.add, "-": np.subtract, "*": np.multiply,
                "/": np.divide}[op](a.astype(dtype), b.astype(dtype))


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
    first, op = DTYPES[number % len(DTYPES)], "+-*/"[number // len(DTYPES) % 4]
    dtypes = first, first if chance.random() < 0.5 else chance.choice(DTYPES)
    threads = chance.choice("128")
    paths = [os.path.join(folder, name + ".npy") for name in "abc"]
    arrays = [random_array(dtype, shape) for dtype, shape in zip(dtypes, random_shapes())]
    for path, array in zip(paths, arrays):
        np.save(path, array)
    done = subprocess.run([tool, "eval", "a %s b" % op, "a=" + paths[0], "b=" + paths[1],
                           "-o", paths[2], "--threads", threads],
                          stderr=subprocess.PIPE, universal_newlines=True)
    problem = "%s of %s, %s threads" % (op, " and ".join(
        "%s[%s]" % (array.dtype, ",".join(map(str, array.shape))) for array in arrays), threads)
    if done.returncode:
        return problem + ": " + done.stderr.strip()
    return None if same(np.asarray(expected(op, *arrays)), np.load(paths[2])) else problem


# ---- functions ----

FLOATS, INTEGERS, COMPLEX = "f2 f4 f8".split(), DTYPES[2:], "c8 c16".split()
REALS, INEXACT, NUMBERS = FLOATS + INTEGERS, FLOATS + COMPLEX, FLOATS + INTEGERS + COMPLEX
# NumPy's functions of single precision are off by up to 4 units.
LOOSE = 5

# operator: NumPy's function, inputs, dtypes, units in the last place
FUNCTIONS = {
    "neg": (np.negative, 1, NUMBERS, 0),
    "abs": (np.abs, 1, NUMBERS, 0),
    "square": (np.square, 1, REALS, 0),
    "sqrt": (np.sqrt, 1, FLOATS, 0),
    "reciprocal": (np.reciprocal, 1, FLOATS, 0),
    "floor_divide": (np.floor_divide, 2, REALS, 0),
    "remainder": (np.remainder, 2, REALS, 0),
    "fmod": (np.fmod, 2, REALS, 0),
    "pow": (np.power, 2, REALS, LOOSE),
    "hypot": (np.hypot, 2, FLOATS, LOOSE),
    "copysign": (np.copysign, 2, FLOATS, 0),
    "nextafter": (np.nextafter, 2, FLOATS, 0),
    "logaddexp": (np.logaddexp, 2, FLOATS, LOOSE),
    "heaviside": (np.heaviside, 2, FLOATS, 0),
    "maximum": (np.maximum, 2, REALS, 0),
    "minimum": (np.minimum, 2, REALS, 0),
    "fmax": (np.fmax, 2, REALS, 0),
    "fmin": (np.fmin, 2, REALS, 0),
    "clamp": (lambda a, b, c: np.minimum(np.maximum(a, b), c), 3, REALS, 0),
    "where": (lambda a, b, c: np.where(a != 0, b, c), 3, NUMBERS, 0),
    "eq": (np.equal, 2, NUMBERS, 0),
    "ne": (np.not_equal, 2, NUMBERS, 0),
    "lt": (np.less, 2, REALS, 0),
    "le": (np.less_equal, 2, REALS, 0),
    "gt": (np.greater, 2, REALS, 0),
    "ge": (np.greater_equal, 2, REALS, 0),
    "isnan": (np.isnan, 1, NUMBERS, 0),
    "isinf": (np.isinf, 1, NUMBERS, 0),
    "isfinite": (np.isfinite, 1, NUMBERS, 0),
    "signbit": (np.signbit, 1, FLOATS, 0),
    "bitwise_and": (np.bitwise_and, 2, INTEGERS, 0),
    "bitwise_or": (np.bitwise_or, 2, INTEGERS, 0),
    "bitwise_xor": (np.bitwise_xor, 2, INTEGERS, 0),
    "bitwise_not": (np.invert, 1, INTEGERS, 0),
    "left_shift": (np.left_shift, 2, INTEGERS, 0),
    "right_shift": (np.right_shift, 2, INTEGERS, 0),
    "logical_and": (np.logical_and, 2, NUMBERS, 0),
    "logical_or": (np.logical_or, 2, NUMBERS, 0),
    "logical_xor": (np.logical_xor, 2, NUMBERS, 0),
    "logical_not": (np.logical_not, 1, NUMBERS, 0),
    "exp": (np.exp, 1, INEXACT, LOOSE),
    "exp2": (np.exp2, 1, FLOATS, LOOSE),
    "expm1": (np.expm1, 1, FLOATS, LOOSE),
    "log": (np.log, 1, INEXACT, LOOSE),
    "log2": (np.log2, 1, INEXACT, LOOSE),
    "log10": (np.log10, 1, INEXACT, LOOSE),
    "log1p": (np.log1p, 1, FLOATS, LOOSE),
    "sin": (np.sin, 1, INEXACT, LOOSE),
    "cos": (np.cos, 1, INEXACT, LOOSE),
    "tan": (np.tan, 1, INEXACT, LOOSE),
    "asin": (np.arcsin, 1, INEXACT, LOOSE),
    "acos": (np.arccos, 1, INEXACT, LOOSE),
    "atan": (np.arctan, 1, INEXACT, LOOSE),
    "atan2": (np.arctan2, 2, FLOATS, LOOSE),
    "sinh": (np.sinh, 1, INEXACT, LOOSE),
    "cosh": (np.cosh, 1, INEXACT, LOOSE),
    "tanh": (np.tanh, 1, INEXACT, LOOSE),
    "asinh": (np.arcsinh, 1, INEXACT, LOOSE),
    "acosh": (np.arccosh, 1, INEXACT, LOOSE),
    "atanh": (np.arctanh, 1, INEXACT, LOOSE),
    "floor": (np.floor, 1, FLOATS, 0),
    "ceil": (np.ceil, 1, FLOATS, 0),
    "trunc": (np.trunc, 1, FLOATS, 0),
    "round": (np.rint, 1, FLOATS, 0),
    "conj": (np.conj, 1, NUMBERS, 0),
    "real": (np.real, 1, COMPLEX, 0),
    "imag": (np.imag, 1, COMPLEX, 0),
    "angle": (np.angle, 1, COMPLEX, LOOSE),
}


def operand(op, number, dtype, shape):
    """Complex numbers of ordinary size; integers that may divide, count or be exponents."""
    if dtype[0] == "c":
        parts = numbers.standard_normal(shape + (2,)) * 10.0 ** chance.randint(-2, 1)
        return (parts[..., 0] + 1j * parts[..., 1]).astype(dtype)
    array = random_array(dtype, shape)
    if number > 0 and dtype[0] in "iu":
        if op in ("floor_divide", "remainder", "fmod"):
            array[array == 0] = 1
        if op in ("left_shift", "right_shift"):
            array %= 8 * array.itemsize
        if op == "pow":
            array %= 9
    return array


def close(want, got, units):
    """Equal, zeros of either sign too, or so many units in the last place of the modulus."""
    if want.dtype != got.dtype or want.shape != got.shape:
        return False
    if want.dtype.kind == "c":
        counted = np.isfinite(want)
        scale = np.spacing(np.abs(want[counted]))
        return bool(np.all(np.abs(want[counted] - got[counted]) <= 2 * units * scale))
    if want.dtype.kind != "f":
        return np.array_equal(want, got)
    if not np.array_equal(np.isnan(want), np.isnan(got)):
        return False
    off = ~((want == got) | np.isnan(want))
    # Infinity is the number after the largest.
    largest = np.finfo(want.dtype).max
    want, got = np.clip(want[off], -largest, largest), np.clip(got[off], -largest, largest)
    return bool(np.all(np.abs(want - got) <= units * np.spacing(np.abs(want))))


def run_function(tool, folder, op):
    function, inputs, dtypes, units = FUNCTIONS[op]
    dtype = chance.choice(dtypes)
    shapes = (random_shapes() + [()])[:inputs]
    names = "abc"[:inputs]
    arrays = [operand(op, number, dtype, shape) for number, shape in enumerate(shapes)]
    if op == "where":
        arrays[0] = arrays[0] != 0
    path = os.path.join(folder, "%s.npy")
    for name, array in zip(names, arrays):
        np.save(path % name, array)
    done = subprocess.run([tool, "eval", "%s(%s)" % (op, ", ".join(names))] +
                          ["%s=%s" % (name, path % name) for name in names] +
                          ["-o", path % "r"], stderr=subprocess.PIPE,
                          universal_newlines=True)
    problem = "%s of %s %s" % (op, dtype, [array.shape for array in arrays])
    if done.returncode:
        return problem + ": " + done.stderr.strip()
    with np.errstate(all="ignore"):
        want = np.asarray(function(*arrays))
    return None if close(want, np.load(path % "r"), units) else problem


# ---- reductions ----

REDUCTIONS = "sum prod mean max min any all".split()


def run_reduction(tool, folder, number):
    """Integers exactly; sums and products of well-behaved numbers to a few roundings."""
    op = REDUCTIONS[number % len(REDUCTIONS)]
    dtype = chance.choice(FLOATS if op == "mean" else FLOATS + INTEGERS + ["?"])
    shape = random_shapes()[0]
    if op in ("max", "min") and 0 in shape:
        shape = ()
    kind = np.dtype(dtype).kind
    array = (np.asarray(numbers.standard_normal(shape)).astype(dtype) if kind == "f"
             else random_array(dtype, shape) if kind in "iu" else numbers.random(shape) < 0.7)
    array = np.asarray(array)
    axes = chance.sample(range(-len(shape), 0), chance.randint(0, len(shape)))
    keepdim = chance.random() < 0.5
    words = ["a"] + [str(axis) for axis in axes] + ["keepdim"] * keepdim
    paths = [os.path.join(folder, name + ".npy") for name in "ar"]
    np.save(paths[0], array)
    done = subprocess.run([tool, "eval", "%s(%s)" % (op, ", ".join(words)), "a=" + paths[0],
                           "-o", paths[1]], stderr=subprocess.PIPE, universal_newlines=True)
    problem = "%s(%s) of %s%s" % (op, ", ".join(words), dtype, array.shape)
    if done.returncode:
        return problem + ": " + done.stderr.strip()
    wide = array.astype("f8") if kind == "f" else array
    if op in ("sum", "prod") and kind != "f":
        wide = array.astype("i8")
    how = {"axis": tuple(axes) or None, "keepdims": keepdim}
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        want = np.asarray(getattr(np, op)(wide, **how))
        slack = np.asarray(np.sum(np.abs(wide), **how)) if kind == "f" else 0
    got = np.load(paths[1])
    if op in ("any", "all") and dtype == "u1":
        want = want.astype("u1")  # as in PyTorch
    dtype = want.dtype if kind != "f" or want.dtype.kind == "b" else np.dtype(dtype)
    if got.dtype != dtype or got.shape != want.shape:
        return problem + ": %s%s" % (got.dtype, got.shape)
    if dtype.kind != "f" or op in ("max", "min"):
        return None if np.array_equal(want.astype(dtype), got) else problem
    near = np.finfo(dtype).eps * np.abs(want) + 1e-13 * slack + np.finfo(dtype).tiny
    with np.errstate(all="ignore"):
        want = want.astype(dtype)
        right = (want == got) | (np.isnan(want) & np.isnan(got)) | (
            np.abs(want.astype("f8") - got) <= near + 1e-13 * np.abs(want))
    return None if np.all(right) else problem


def main():
    print("# seed %d, NumPy %s" % (seed, np.__version__))
    with tempfile.TemporaryDirectory() as folder:
        arithmetic = [run_case(sys.argv[1], folder, number) for number in range(CASES)]
        functions = [run_function(sys.argv[1], folder, op) for op in FUNCTIONS
                     for _ in range(TIMES)]
        reductions = [run_reduction(sys.argv[1], folder, number) for number in range(70)]
    for number, (what, faults) in enumerate((("+ - * /", arithmetic),
                                             ("functions", functions),
                                             ("reductions", reductions)), 1):
        count, faults = len(faults), [fault for fault in faults if fault]
        for fault in faults[:20]:
            print("# " + fault)
        print("%sok %d - %s agree with NumPy in %d cases" % (
            "not " if faults else "", number, what, count))
    print("1..3")
    return 1 if any(arithmetic + functions + reductions) else 0


sys.exit(main())
