"""Times an operation of SciPy as driver.c times those of the others. It has no SDDMM.

    scipy_operations.py OPERATION FOLDER MOST-REPETITIONS SECONDS RESULT
"""

import sys
import time

import numpy
import scipy.sparse

operation, folder, most, seconds, result_stem = sys.argv[1:]


def array(name, kind):
    return numpy.fromfile(f"{folder}/{name}", dtype=kind)


rows, columns = (int(size) for size in open(f"{folder}/sizes").read().split()[:2])


def csr(name):
    arrays = (array(f"{name}.val", "f8"), array(f"{name}.crd", "i4"), array(f"{name}.pos", "i4"))
    return scipy.sparse.csr_array(arrays, shape=(rows, columns))


def sorted_product():
    product = A @ A
    product.sort_indices()
    return product


A, B = csr("a"), csr("b")
coo = scipy.sparse.coo_array((A.data, (array("a.row", "i4"), A.indices)), shape=(rows, columns))
coo.has_canonical_format = True
operations = {
    "add": lambda: A + B,
    "multiply": lambda: A.multiply(B),
    "spgemm": sorted_product,
    "spgemm-to-csc": lambda: (A @ A).tocsc(),
    "coo-to-csr": coo.tocsr,
    "csr-to-csc": A.tocsc,
}
if operation not in operations:
    print("none")
    sys.exit()
compute = operations[operation]
times = []
while len(times) < 2 or (len(times) < int(most) and sum(times) < float(seconds)):
    start = time.process_time()
    result = compute()
    del result
    times.append(time.process_time() - start)
print(*(f"{seconds:.9f}" for seconds in times))
if result_stem != "-":
    result = compute()
    result.indptr.astype("i4").tofile(f"{result_stem}.pos")
    result.indices.astype("i4").tofile(f"{result_stem}.crd")
    result.data.astype("f8").tofile(f"{result_stem}.val")
