# SPDX-License-Identifier: BSD-3-Clause
# PyTorch's tensors as operands, by DLPack: both libraries use one memory, and the last of
# them frees it.  bfloat16 is no exception, which NumPy lacks.
#
#     python3 torch_dlpack.py
#
# The library is found as the dynamic linker finds it: set LD_LIBRARY_PATH where needed.
import ctypes

import torch
from torch.utils.dlpack import from_dlpack, to_dlpack

library = ctypes.CDLL("libbroadloom.so.1")
library.bl_error_message.restype = ctypes.c_char_p
library.bl_tensor_array.restype = ctypes.c_void_p
pointer = ctypes.pythonapi.PyCapsule_GetPointer
pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
rename = ctypes.pythonapi.PyCapsule_SetName
rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
capsule_of = ctypes.pythonapi.PyCapsule_New
capsule_of.restype, capsule_of.argtypes = ctypes.py_object, [ctypes.c_void_p] * 3
NAME = ctypes.c_char_p(b"dltensor")


def call(name, *arguments):
    if getattr(library, name)(None, *arguments) != 0:
        raise ValueError(library.bl_error_message().decode())


class Tensor:
    """A bl_tensor, and its array for calls."""

    def __init__(self, tensor):
        capsule = to_dlpack(tensor)
        self.handle = ctypes.c_void_p()
        managed = ctypes.c_void_p(pointer(capsule, NAME.value))
        call("bl_tensor_from_dlpack_unversioned", managed, ctypes.byref(self.handle))
        rename(capsule, b"used_dltensor")  # the library owns it now
        self.array = ctypes.c_void_p(library.bl_tensor_array(self.handle))

    def torch(self):
        managed = ctypes.c_void_p()
        call("bl_tensor_to_dlpack_unversioned", self.handle, 0, ctypes.byref(managed))
        return from_dlpack(capsule_of(managed, NAME, None))

    def __del__(self):
        library.bl_tensor_release(self.handle)


x = torch.arange(6, dtype=torch.bfloat16).reshape(2, 3)
column = torch.tensor([[1.0], [100.0]], dtype=torch.bfloat16)
a = Tensor(x.t())  # any strides
call("bl_mul_inplace", a.array, Tensor(column.t()).array)
print(x.tolist())
y = a.torch()
print(y.dtype, tuple(y.shape), y.data_ptr() == x.data_ptr())
try:
    call("bl_add_inplace", a.array, Tensor(torch.ones(5)).array)
except ValueError as error:
    print(error)
