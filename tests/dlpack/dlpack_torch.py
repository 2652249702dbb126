# SPDX-License-Identifier: BSD-3-Clause
# Tensors of PyTorch become tensors of Broadloom, and tensors of PyTorch again: one
# memory, equal shapes and strides, and the storage is freed at the end.

import gc
import sys
import weakref

import torch
from torch.utils.dlpack import from_dlpack

from share import Report, Tensor

DTYPES = {torch.uint8: "u8", torch.int8: "i8", torch.int16: "i16", torch.int32: "i32",
          torch.int64: "i64", torch.float16: "f16", torch.bfloat16: "bf16",
          torch.float32: "f32", torch.float64: "f64", torch.complex64: "c64",
          torch.complex128: "c128"}
LAYOUTS = {
    "C": lambda a: a,
    "transposed": lambda a: a.t(),
    "every other": lambda a: a[:, ::2],
    "a stride of 0": lambda a: a[0].expand(5, 4),
    "0-d": lambda a: a[1, 2],
    "empty": lambda a: a[:, 1:1],
}


def check(dtype, layout):
    """What is wrong with a tensor that was taken and given, None if nothing is."""
    base = torch.arange(12).reshape(3, 4).to(dtype)
    first = LAYOUTS[layout](base)
    address, shape, strides = first.data_ptr(), first.shape, first.stride()
    wanted = first.clone()
    taken = Tensor(first)
    del base, first
    gc.collect()
    if taken.dtype() != DTYPES[dtype]:
        return "a tensor of " + taken.dtype()
    if wanted.numel() and taken.data() != address:
        return "another memory"
    back = from_dlpack(taken.__dlpack__())
    del taken
    gc.collect()
    if back.dtype != dtype or back.shape != shape or not torch.equal(back, wanted):
        return "another tensor"
    if wanted.numel() and (back.data_ptr() != address or back.stride() != strides):
        return "another memory comes back"
    return None


def is_freed():
    """Whether memory of Python's that PyTorch lends is freed with the last tensor."""
    class Block(bytearray):
        pass
    block = Block(64)
    alive = weakref.ref(block)
    first = torch.frombuffer(block, dtype=torch.float32)
    del block
    back = from_dlpack(Tensor(first).__dlpack__())
    del first
    gc.collect()
    held = alive() is not None
    del back
    gc.collect()
    return held and alive() is None


gc.freeze()  # PyTorch's own objects, which take .1 s to go through
report = Report()
for dtype in DTYPES:
    for layout in LAYOUTS:
        wrong = check(dtype, layout)
        report.ok(not wrong, "%s, %s%s" % (DTYPES[dtype], layout,
                                           ": " + wrong if wrong else ""))
report.ok(is_freed(), "memory lives as long as the last tensor, and no longer")
report.done()
