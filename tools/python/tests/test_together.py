"""Processes of MPI call functions together, each with its rows, and get the bits that one process gets."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

mpirun = os.environ.get("COMET_MPIRUN", "mpirun")
if not shutil.which(mpirun) or not shutil.which(os.environ.get("COMET_MPICC", "mpicc")):
    pytest.skip("there is no MPI; tools/setup --mpi installs it", allow_module_level=True)
pytest.importorskip("mpi4py", reason="mpi4py is not installed")

PROGRAM = '''
import sys
import numpy as np, scipy.sparse as sp, comet_sparse as ct
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.rank, comm.size
rng = np.random.default_rng(7)
n, m, k = 400, 250, 3
A = sp.random_array((n, m), density=0.02, format="csr", rng=rng)
B = sp.random_array((m, n), density=0.02, format="csr", rng=rng)
x, U, V = rng.random(m), rng.random((n, k)), rng.random((m, k))


def bounds(extent):
    """Where the rows of this process begin and end: the last one has the most."""
    return extent * rank * (rank + 1) // (size * (size + 1)), extent * (rank + 1) * (rank + 2) // (size * (size + 1))


(r0, r1), (c0, c1) = bounds(n), bounds(m)


def check(name, found, expected):
    if sp.issparse(expected):
        assert sp.issparse(found) and found.format == expected.format, name
        assert found.shape == expected.shape, (name, found.shape, expected.shape)
        assert (found.indptr == expected.indptr).all() and (found.indices == expected.indices).all(), name
        found, expected = found.data, expected.data
    assert found.shape == expected.shape, (name, found.shape, expected.shape)
    assert found.tobytes() == expected.tobytes(), name
    if rank == 0:
        print(name)


y = ct.einsum("ij,j->i", A, x)
check("einsum", ct.einsum("ij,j->i", A[r0:r1], x[c0:c1], comm=comm), y[r0:r1])
check("replicated", ct.einsum("ij,j->i", A[r0:r1], x, comm=comm, replicated=1), y[r0:r1])
out = np.zeros(r1 - r0)
assert ct.einsum("ij,j->i", A[r0:r1], x[c0:c1], out=out, comm=comm.py2f()) is out
check("out", out, y[r0:r1])
more = y.copy()
ct.einsum("ij,j->i", A, x, out=more, accumulate=True)
ct.einsum("ij,j->i", A[r0:r1], x[c0:c1], out=out, accumulate=True, comm=comm)
check("accumulate", out, more[r0:r1])
C = ct.einsum("ik,kj->ij", A, B)
check("sparse", ct.einsum("ik,kj->ij", A[r0:r1], B[c0:c1], comm=comm), C[r0:r1])
S = ct.einsum("ij,ik,jk->ij", A, U, V)
check("sampled", ct.einsum("ij,ik,jk->ij", A[r0:r1], U[r0:r1], V[c0:c1], comm=comm), S[r0:r1])
z = ct.evaluate("z[i] = a * A[i,j] * x[j] + 1", A=A, x=x, a=0.5)
check("evaluate", ct.evaluate("z[i] = a * A[i,j] * x[j] + 1", A=A[r0:r1], x=x, a=0.5, comm=comm, replicated=["x"]), z[r0:r1])
f = ct.compile("r[i] = b[i] - A[i,j] * x[j]", A="csr")
check("compile", f(b=y[r0:r1], A=A[r0:r1], x=x[c0:c1], comm=comm), f(b=y, A=A, x=x)[r0:r1])
total = ct.einsum("ij->", A[r0:r1], comm=comm)
assert abs(total - A.sum()) < 1e-9 * A.sum()
assert len(set(comm.allgather(float(total)))) == 1
# Nothing has the extent of the result, which is divided evenly.
t = ct.einsum("ij,i->j", A[r0:r1], y[r0:r1], comm=comm)
expected = (A.T @ y)[m * rank // size : m * (rank + 1) // size]
assert t.shape == expected.shape and np.allclose(t, expected, rtol=1e-12)
ordered = ct.einsum("ij,i->j", A[r0:r1], y[r0:r1], comm=comm, ordered=True)
check("ordered", ordered, ct.einsum("ij,i->j", A, y, ordered=True)[m * rank // size : m * (rank + 1) // size])

# All raise what one does, and go on.
for wrong in (lambda: ct.einsum("ij,j->i", A[r0:r1], x[c0:c1] if rank else "text", comm=comm),
              lambda: ct.einsum("ij,j->i", A[r0:r1], x[c0 : c1 - 1] if rank else x[c0:c1], comm=comm),
              lambda: ct.einsum("ij,j->i", A[r0:r1].astype(np.float32) if rank else A[r0:r1], x[c0:c1], comm=comm)):
    if size > 1:
        try:
            wrong()
        except ct.CometError as error:
            if rank == 0:
                print(type(error).__name__, error)
        else:
            raise AssertionError("nothing was refused")
check("after that", ct.einsum("ij,j->i", A[r0:r1], x[c0:c1], comm=comm), y[r0:r1])
'''


@pytest.mark.parametrize("processes", [1, 3])
def test_processes_call_functions_together(processes: int, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    allowed = ["ALLOW_RUN_AS_ROOT", "ALLOW_RUN_AS_ROOT_CONFIRM", "MCA_rmaps_base_oversubscribe"]
    environment = {**os.environ, **{f"OMPI_{name}": "1" for name in allowed}}
    command = [mpirun, "-n", str(processes), sys.executable, "-m", "mpi4py", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "after that"
    if processes > 1:
        assert "ShapeError the size of `j`" in done.stdout
        assert "calls another kernel than process 0, or in other formats" in done.stdout


def test_communicators_that_are_none_are_refused() -> None:
    import numpy as np

    import comet_sparse as ct

    with pytest.raises(TypeError, match="expected a communicator"):
        ct.einsum("i->i", np.ones(3), comm="world")
    with pytest.raises(TypeError, match="pass their communicator"):
        ct.einsum("i->i", np.ones(3), replicated=0)
    with pytest.raises(TypeError, match="no operand is called 'z'"):
        ct.evaluate("y[i] = x[i]", x=np.ones(3), comm=0, replicated="z")
