"""Calls the kernels of kernels.ta on NumPy's arrays: python3 library.py libkernels.so"""

import ctypes as c
import sys

import numpy as np

MOST_MODES = 16
WHOLE, DENSE, COMPRESSED = 0, 1, 2


class Level(c.Structure):
    _fields_ = [("kind", c.c_uint32), ("bits", c.c_uint32), ("part", c.c_uint32), ("mode", c.c_uint32),
                ("factor", c.c_int64), ("size", c.c_int64),
                ("pos", c.c_void_p), ("pos_count", c.c_int64), ("crd", c.c_void_p), ("crd_count", c.c_int64)]


class Tensor(c.Structure):
    _fields_ = [("version", c.c_uint32), ("bytes", c.c_uint32), ("element", c.c_uint32), ("index_bits", c.c_uint32),
                ("rank", c.c_uint32), ("level_count", c.c_uint32), ("dims", c.c_int64 * MOST_MODES),
                ("levels", Level * MOST_MODES), ("values", c.c_void_p), ("value_count", c.c_int64)]

    def __init__(self, shape, kinds):
        super().__init__(version=1, bytes=c.sizeof(Tensor), element=1, index_bits=32, rank=len(shape),
                         level_count=len(kinds))
        self.dims[:len(shape)] = shape
        for mode, kind in enumerate(kinds):
            self.levels[mode] = Level(kind=kind, part=WHOLE, mode=mode)


class Call(c.Structure):
    _fields_ = [("version", c.c_uint32), ("bytes", c.c_uint32), ("flags", c.c_uint32), ("reserved", c.c_uint32),
                ("context", c.c_void_p), ("allocate", c.c_void_p), ("release", c.c_void_p), ("message", c.c_char * 1024)]


def checked(array, dtype):
    """Only an array that is laid out as the kernel wants it is passed without a copy."""
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise TypeError(f"expected a contiguous array of {np.dtype(dtype)}, found {array.dtype}")
    return array


def dense(array):
    tensor = Tensor(array.shape, [DENSE] * array.ndim)
    tensor.keep = array  # the structure has only its address, which holds nothing alive
    tensor.values, tensor.value_count = checked(array, np.float64).ctypes.data, array.size
    return tensor


def csr(shape, pos, crd, values):
    """As scipy.sparse.csr_matrix has them: indptr, indices, data."""
    tensor = Tensor(shape, [DENSE, COMPRESSED])
    tensor.keep = (pos, crd, values)  # the structure has only their addresses, which hold nothing alive
    level = tensor.levels[1]
    level.pos, level.pos_count = checked(pos, np.int32).ctypes.data, pos.size
    level.crd, level.crd_count = checked(crd, np.int32).ctypes.data, crd.size
    tensor.values, tensor.value_count = checked(values, np.float64).ctypes.data, values.size
    return tensor


def taken(address, count, kind):
    """A copy of an array of a result, which is freed: without an allocator of the caller's it is malloc's."""
    if not address:
        return np.zeros(0, kind)
    array = np.ctypeslib.as_array(c.cast(address, c.POINTER(kind)), (count,)).copy()
    c.CDLL(None).free(c.c_void_p(address))
    return array


def run(kernel, *arguments):
    call = Call(version=1, bytes=c.sizeof(Call))
    passed = [c.byref(argument) if isinstance(argument, c.Structure) else argument for argument in arguments]
    if kernel(*passed, c.byref(call)) != 0:
        raise RuntimeError(call.message.decode())


def main(path):
    kernels = c.CDLL(path)
    pos, crd = np.array([0, 2, 2, 4], np.int32), np.array([0, 2, 1, 2], np.int32)
    values = np.array([1.0, 2.0, 3.0, 4.0])
    A, x, y = csr((3, 3), pos, crd, values), np.array([1.0, 10.0, 100.0]), np.empty(3)
    run(kernels.spmv, A, dense(x), dense(y))
    print("y =", y)
    values[0] = 5.0  # the kernel sees NumPy's own array
    run(kernels.spmv, A, dense(x), dense(y))
    print("y =", y)

    C = Tensor((3, 3), [DENSE, COMPRESSED])
    run(kernels.spgemm, A, A, C)
    level = C.levels[1]
    print("C =", taken(level.pos, level.pos_count, c.c_int32), taken(level.crd, level.crd_count, c.c_int32),
          taken(C.values, C.value_count, c.c_double))

    mean = c.c_double()
    run(kernels.average, A, c.c_int64(4), c.pointer(mean))
    print("average =", mean.value)
    try:
        run(kernels.spmv, A, dense(x[:2]), dense(y))
    except RuntimeError as error:
        print("refused:", error)


main(sys.argv[1])
