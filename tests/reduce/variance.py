# SPDX-License-Identifier: BSD-3-Clause
# Prints tests/reduce/variance.tsv: torch.var and torch.std, run, not derived.

import math

import torch

DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
          "f64": torch.float64, "c64": torch.complex64, "c128": torch.complex128,
          "i32": torch.int32, "bool": torch.bool}
HUGE = {"f16": 6e4, "bf16": 3e38, "f32": 3e38, "f64": 1e308}


def element(kind, dtype, i):
    """Element i of an array; tests/reduce/variance.c makes the same.  None are huge of
    complex numbers: PyTorch's intermediate results overflow."""
    mixed = (i * 2654435761 % 2 ** 32) >> 16
    real = {"far": 4096.0, "huge": 0.0, "same": 2.5}.get(kind, 0.0)
    if kind not in ("huge", "same"):
        real += mixed % 4093 / 256 - 8
    if kind == "huge":
        real = HUGE[dtype] * (1 if i % 2 == 0 else -1)
    if i == 3 and kind in ("nan", "inf"):
        real = float(kind)
    return complex(real, mixed % 511 / 64 - 4) if dtype[0] == "c" else real


def shaped(extents):
    return "(" + ",".join(str(n) for n in extents) + ")"


def text(number):
    return "nan" if math.isnan(number) else repr(number)


def row(op, dtype, shape, axes, keepdim, correction, kind):
    count = math.prod(shape)
    values = [element(kind, dtype, i) for i in range(count)]
    if dtype in ("i32", "bool"):
        values = [int(value.real) for value in values]
    array = torch.tensor(values, dtype=DTYPES[dtype]).reshape(shape)
    head = [op, dtype, shaped(shape), shaped(axes), str(int(keepdim)), str(correction), kind]
    try:
        made = getattr(torch, op)(array, dim=axes or None, keepdim=keepdim,
                                  correction=correction)
        assert made.dtype in (array.dtype, array.real.dtype if dtype[0] == "c" else None)
        result = [shaped(made.shape)] + [text(x) for x in made.double().flatten().tolist()]
    except (RuntimeError, IndexError) as error:
        result = ["E", str(error)]
    print("\t".join(head + result))


print("""# SPDX-License-Identifier: BSD-3-Clause
# Printed by tests/reduce/variance.py with PyTorch 1.13.1, read by tests/reduce/variance.c.
# axes () are all of them.  Then: the result's shape and its elements, or E and an error.
# op	dtype	shape	axes	keepdim	correction	kind	expected""")
for op in "var", "std":
    for dtype in list(DTYPES)[:6]:
        for correction in 0, 1, 2, -1:
            row(op, dtype, (7,), (), False, correction, "mixed")
        row(op, dtype, (3, 5), (1,), False, 1, "mixed")
        row(op, dtype, (3, 5), (-2,), True, 1, "mixed")
        row(op, dtype, (2, 3, 4), (0, 2), False, 0, "mixed")
        row(op, dtype, (2, 3, 4), (2, 0), True, 1, "mixed")
        row(op, dtype, (2, 3, 4), (), True, 1, "mixed")
        row(op, dtype, (5000,), (), False, 1, "mixed")
        row(op, dtype, (3, 2500), (1,), False, 1, "mixed")
        row(op, dtype, (2500, 3), (0,), False, 1, "mixed")
        for kind in ["same", "nan", "inf"] + ["huge"] * (dtype[0] != "c"):
            row(op, dtype, (2, 4), (1,), False, 1, kind)
            row(op, dtype, (8,), (), False, 1, kind)
        for correction in 0, 1, 2, 5:
            row(op, dtype, (), (), False, correction, "mixed")
            row(op, dtype, (2,), (0,), False, correction, "mixed")
            # PyTorch adds 0/0 of one part and x/0 of the other: NaN instead of infinity.
            if dtype[0] != "c" or correction < 2:
                row(op, dtype, (2,), (0,), False, correction, "same")
            row(op, dtype, (0,), (), False, correction, "mixed")
        row(op, dtype, (0, 3), (0,), False, 1, "mixed")
        row(op, dtype, (3, 0), (0,), False, 1, "mixed")
        row(op, dtype, (3, 0), (1,), True, 0, "mixed")
    for dtype in "f32", "f64", "c64", "c128":
        row(op, dtype, (5000,), (), False, 1, "far")
        row(op, dtype, (3, 4), (1,), False, 1, "far")
    for dtype in "i32", "bool":
        row(op, dtype, (3, 5), (1,), False, 1, "mixed")
    row(op, "f32", (3, 5), (2,), False, 1, "mixed")
    row(op, "f32", (3, 5), (1, -1), False, 1, "mixed")
