# SPDX-License-Identifier: BSD-3-Clause
# Printers of Broadloom's values for GDB:
#
#     bl_array      f64[512,512]{514,1} at 0x5581e2a0, read-only
#     bl_tensor *   bl_tensor 0x5581e120: f64[2,3] at 0x5581e2c0
#     bl_scalar     f64 scalar 0.5
#     bl_status     BL_ERR_SHAPE (2)
#
# GDB loads this file with the library where it is installed in one of GDB's directories of
# scripts (`show auto-load scripts-directory`); else `source` it.  Memory that cannot be read and
# values that make no sense are printed as what they are.
import gdb
import gdb.printing

MAX_RANK = 64
READ_ONLY, SCALAR, BYTE_STRIDES = 1, 2, 4


def enumerator(value):
    """The name of an enumerator, or its number where it has none."""
    number = int(value)
    for field in value.type.strip_typedefs().fields():
        if field.enumval == number:
            return field.name
    return None


def dtype_name(value):
    name = enumerator(value)
    if name is None:
        return "dtype %d?" % int(value)
    return name.replace("BL_DTYPE_", "").lower()


def numbers(pointer, count):
    """`count` numbers in memory, with commas between them."""
    if count == 0:
        return ""
    if int(pointer) == 0:
        return "null"
    try:
        return ",".join(str(int(pointer[i])) for i in range(count))
    except gdb.MemoryError:
        return "unreadable at %#x" % int(pointer)


def is_compact(array, rank):
    """Whether strides are those of compact row-major memory."""
    step = 1
    for axis in reversed(range(rank)):
        if int(array["stride"][axis]) != step:
            return False
        step *= int(array["extent"][axis])
    return True


def strides(array, rank, is_bytes):
    """Strides, where they are not compact: "{514,1}", or "{8,4}B" in bytes."""
    if rank == 0 or int(array["stride"]) == 0:
        return ""
    try:
        if not is_bytes and is_compact(array, rank):
            return ""
    except gdb.MemoryError:
        pass
    return "{%s}%s" % (numbers(array["stride"], rank), "B" if is_bytes else "")


def describe(array):
    """An array in the notation of the tool, and where it is."""
    rank, flags = int(array["rank"]), int(array["flags"])
    if rank < 0 or rank > MAX_RANK:
        return "bl_array of rank %d?" % rank
    text = "%s[%s]%s at %#x" % (dtype_name(array["dtype"]),
                                numbers(array["extent"], rank),
                                strides(array, rank, flags & BYTE_STRIDES),
                                int(array["data"]))
    if flags & SCALAR:
        text += ", a scalar"
    elif flags & READ_ONLY:
        text += ", read-only"
    return text


class Printer:
    def __init__(self, value):
        self.value = value


class Array(Printer):
    def to_string(self):
        return describe(self.value)


class Tensor(Printer):
    """A tensor, whose members only the library's debugging information has."""

    def to_string(self):
        try:
            return "bl_tensor %#x: %s" % (int(self.value.address),
                                          describe(self.value["array"]))
        except (gdb.error, KeyError, TypeError):
            return "bl_tensor"


class TensorPointer(Printer):
    def to_string(self):
        address = int(self.value)
        if address == 0:
            return "bl_tensor NULL"
        try:
            return "bl_tensor %#x: %s" % (address,
                                          describe(self.value.dereference()["array"]))
        except gdb.MemoryError:
            return "bl_tensor %#x: unreadable" % address
        except (gdb.error, KeyError):
            return "bl_tensor %#x" % address


class Scalar(Printer):
    def to_string(self):
        dtype, value = dtype_name(self.value["dtype"]), self.value["value"]
        if dtype == "bool":
            text = "true" if int(value["boolean"]) else "false"
        elif dtype in ("i64", "f64"):
            text = str(value[dtype])
        elif dtype == "c128":
            text = "(%s, %s)" % (value["c128"][0], value["c128"][1])
        else:
            return "bl_scalar of %s" % dtype
        return "%s scalar %s" % (dtype, text)


class Status(Printer):
    def to_string(self):
        name = enumerator(self.value)
        return "%s (%d)" % (name or "bl_status", int(self.value))


PRINTERS = {"bl_array": Array, "bl_tensor": Tensor, "bl_scalar": Scalar,
            "bl_status": Status}


def names_of(type):
    """A type's typedefs, outermost first, and its tag, without qualifiers."""
    while True:
        type = type.unqualified()
        yield type.name or type.tag
        if type.code != gdb.TYPE_CODE_TYPEDEF:
            return
        type = type.target()


class Lookup(gdb.printing.PrettyPrinter):
    def __call__(self, value):
        type = value.type.strip_typedefs()
        if type.code == gdb.TYPE_CODE_PTR:
            if "bl_tensor" in names_of(type.target()):
                return TensorPointer(value)
            return None
        for name in names_of(value.type):
            if name in PRINTERS:
                return PRINTERS[name](value)
        return None


gdb.printing.register_pretty_printer(gdb.current_objfile(), Lookup("broadloom"),
                                     replace=True)
