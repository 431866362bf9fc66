"""What driver.c does, for peers in Python:

    PEER.py OPERATION RESULT OPERAND...

A peer has functions that are given the operands and the array of a dense result or None. Each gives the function that is timed, and
another one that makes of its result what is saved: a dense array, or rows, columns and values.
"""

import os
import sys
import time

import numpy


class Tensor:
    """The arrays of a file, as driver.c loads them."""

    def __init__(self, stem):
        self.dims = [int(dim) for dim in open(f"{stem}.dims").read().split()]
        levels = range(len(self.dims))
        self.pos = [array(f"{stem}.pos{level}", "i4") for level in levels]
        self.crd = [array(f"{stem}.crd{level}", "i4") for level in levels]
        self.values = array(f"{stem}.val", "f8")

    def matrix(self):
        """The values of a dense operand in its shape."""
        return self.values.reshape(self.dims)


def array(path, kind):
    return numpy.fromfile(path, dtype=kind) if os.path.exists(path) else None


def measure(compute, most, seconds):
    times = []
    while len(times) < 2 or (len(times) < most and sum(times) < seconds):
        start = time.perf_counter()
        result = compute()
        del result
        times.append(time.perf_counter() - start)
    return min(times)


def save(result, stem):
    if not isinstance(result, tuple):
        numpy.ascontiguousarray(result, "f8").tofile(f"{stem}.val")
        return
    for array, kind, name in zip(result, ("i4", "i4", "f8"), ("row", "crd", "val")):
        numpy.ascontiguousarray(array, kind).tofile(f"{stem}.{name}")


def serve(operations):
    operation, result, *operands = sys.argv[1:]
    if operation not in operations:
        print("none")
        return
    dense = None if result == "sparse" else numpy.zeros([int(extent) for extent in result.split("x")])
    compute, shown = operations[operation](dense, *map(Tensor, operands))
    print("ready", flush=True)
    for line in sys.stdin:
        asked, *arguments = line.split()
        if asked == "time":
            print(f"{measure(compute, int(arguments[0]), float(arguments[1])):.9f}", flush=True)
        else:
            save(shown(compute()), arguments[0])
            print("saved", flush=True)
