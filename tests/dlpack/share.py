# SPDX-License-Identifier: BSD-3-Clause
# Broadloom's side of Python's DLPack protocol, by ctypes: tensors without a version, as
# NumPy 1.22 and PyTorch 1.10 exchange them.  The library is the program's argument.

import ctypes as C
import sys

NAME, USED = b"dltensor", b"used_dltensor"

api = C.pythonapi
api.PyCapsule_GetPointer.restype = C.c_void_p
api.PyCapsule_GetPointer.argtypes = [C.py_object, C.c_char_p]
api.PyCapsule_SetName.argtypes = [C.py_object, C.c_char_p]
api.PyCapsule_New.restype = C.py_object
api.PyCapsule_New.argtypes = [C.c_void_p, C.c_char_p, C.c_void_p]

library = C.CDLL(sys.argv[1])
library.bl_error_message.restype = C.c_char_p
library.bl_tensor_release.argtypes = [C.c_void_p]
library.bl_tensor_data.restype = C.c_void_p
library.bl_tensor_data.argtypes = [C.c_void_p]
library.bl_dtype_name.restype = C.c_char_p
library.bl_tensor_from_dlpack_unversioned.argtypes = [C.c_void_p] * 3
library.bl_tensor_to_dlpack_unversioned.argtypes = [
    C.c_void_p, C.c_void_p, C.c_uint32, C.c_void_p]


class Tensor:
    """A tensor of the memory of an array that has __dlpack__()."""

    def __init__(self, array):
        capsule = array.__dlpack__()
        self.handle = C.c_void_p()
        if library.bl_tensor_from_dlpack_unversioned(
                None, api.PyCapsule_GetPointer(capsule, NAME), C.byref(self.handle)):
            raise BufferError(library.bl_error_message().decode())
        api.PyCapsule_SetName(capsule, USED)

    def dtype(self):
        return library.bl_dtype_name(library.bl_tensor_dtype(self.handle)).decode()

    def data(self):
        return library.bl_tensor_data(self.handle)

    def __dlpack__(self, stream=None):
        given = C.c_void_p()
        if library.bl_tensor_to_dlpack_unversioned(None, self.handle, 0,
                                                   C.byref(given)):
            raise BufferError(library.bl_error_message().decode())
        return api.PyCapsule_New(given, NAME, None)

    def __dlpack_device__(self):
        return (1, 0)

    def __del__(self):
        library.bl_tensor_release(self.handle)


class Report:
    """A producer of TAP."""

    def __init__(self):
        self.number = self.failures = 0

    def ok(self, passed, name):
        self.number += 1
        self.failures += not passed
        print("%sok %d - %s" % ("" if passed else "not ", self.number, name))

    def done(self):
        print("1..%d" % self.number)
        sys.exit(1 if self.failures else 0)
