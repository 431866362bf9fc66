"""Threads, processes and memory."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest
import scipy.sparse as sp

import comet_sparse as ct


def _matrix(rows: int, seed: int = 0) -> sp.csr_array:
    return sp.random_array((rows, rows), density=5 / rows, format="csr", rng=seed)


def _resident() -> int:
    with open("/proc/self/statm") as status:
        return int(status.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_calls_keep_the_resident_size() -> None:
    matrix, vector = _matrix(100), np.arange(100.0)

    def calls(count: int) -> None:
        for _ in range(count):
            ct.einsum("ij,j->i", matrix, vector)
            ct.einsum("ik,kj->ij", matrix, matrix)

    calls(500)
    gc.collect()
    before = _resident()
    calls(int(os.environ.get("COMET_CALLS", "5000")))
    gc.collect()
    assert _resident() - before < 4 << 20


def test_threads_run_kernels_at_once() -> None:
    matrix, expected, wrong = _matrix(2000), None, []
    expected = (matrix @ matrix).toarray()

    def run() -> None:
        for _ in range(5):
            if not np.allclose(ct.einsum("ik,kj->ij", matrix, matrix).toarray(), expected):
                wrong.append(1)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def _while_running(work: Callable[[], object]) -> int:
    """How often this thread comes to run while another one is at work."""
    done = threading.Event()

    def run() -> None:
        work()
        done.set()

    thread = threading.Thread(target=run)
    turns = 0
    thread.start()
    while not done.is_set():
        time.sleep(0.001)
        turns += 1
    thread.join()
    return turns


def test_kernels_release_the_interpreter() -> None:
    dense = np.ones((1200, 1200))
    kernel = ct.compile("C[i,j] = A[i,k] * B[k,j]", schedule="order(i, j, k)")
    kernel(dense[:2, :2].copy(), dense[:2, :2].copy())
    assert _while_running(lambda: kernel(dense, dense)) > 10


def test_a_forked_process_runs_kernels() -> None:
    matrix = _matrix(5000)
    vector = np.ones(5000)
    expected = ct.einsum("ij,j->i", matrix, vector)
    ct.einsum("ik,kj->ij", matrix, matrix)
    child = os.fork()
    if child == 0:
        try:
            same = np.allclose(ct.einsum("ij,j->i", matrix, vector), expected)
            product = ct.einsum("ik,kj->ij", matrix, matrix)
            new = ct.einsum("ij,ij->ij", matrix, matrix)
            os._exit(0 if same and product.nnz > 0 and new.nnz == matrix.nnz else 1)
        finally:
            os._exit(2)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            assert os.waitstatus_to_exitcode(status) == 0
            return
        time.sleep(0.01)
    os.kill(child, 9)
    pytest.fail("the child does not end")


def test_the_number_of_threads_can_be_set() -> None:
    before = ct.get_num_threads()
    matrix = _matrix(3000)
    try:
        ct.set_num_threads(1)
        assert ct.get_num_threads() == 1
        one = ct.einsum("ik,kj->ij", matrix, matrix)
    finally:
        ct.set_num_threads(before)
    assert (one != ct.einsum("ik,kj->ij", matrix, matrix)).nnz == 0
    with pytest.raises(ValueError):
        ct.set_num_threads(0)


def test_threads_are_known_to_threadpoolctl() -> None:
    threadpoolctl = pytest.importorskip("threadpoolctl")
    ct.register_threadpoolctl()
    before = ct.get_num_threads()
    with threadpoolctl.threadpool_limits(1, user_api="comet"):
        assert ct.get_num_threads() == 1
    assert ct.get_num_threads() == before


@pytest.mark.parametrize("first", ["comet_sparse", "llvmlite.binding"])
def test_several_llvms_in_one_process(first: str) -> None:
    pytest.importorskip("numba")
    second = "llvmlite.binding" if first == "comet_sparse" else "comet_sparse"
    program = f"""
import {first}, {second}, numba, numpy as np, scipy.sparse as sp
import comet_sparse as ct
double = numba.njit(lambda x: 2 * x)
assert double(3.0) == 6.0
assert ct.einsum("ij,j->i", sp.eye_array(3, format="csr"), np.arange(3.0)).tolist() == [0, 1, 2]
assert numba.njit(lambda x: 3 * x)(3.0) == 9.0
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)


def test_the_command_is_there() -> None:
    done = subprocess.run([sys.executable, "-m", "comet_sparse", "--version"], capture_output=True, text=True, check=True)
    assert ct.__version__ in done.stdout
    done = subprocess.run([sys.executable, "-m", "comet_sparse", "run", "none.ta"], capture_output=True, text=True)
    assert done.returncode == 1 and "none.ta" in done.stderr
