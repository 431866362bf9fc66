"""Reads a Matrix Market file into CSR as often as asked, and prints the seconds of each.

    read.py FILE REPETITIONS
"""

import sys
import time

import scipy.io

path, repetitions = sys.argv[1], int(sys.argv[2])
matrix = None
for _ in range(repetitions):
    start = time.perf_counter()
    matrix = scipy.io.mmread(path).tocsr()
    print(time.perf_counter() - start)
print(*matrix.shape, matrix.nnz, matrix.sum(), file=sys.stderr)
