"""The lit suites: passes, dialects, dataflow graphs and tools, one folder each, as in the source tree.

    COMET_BIN_DIR=target/debug /usr/lib/llvm-22/bin/lit test

`%comet` and `%comet-opt` are the programs in COMET_BIN_DIR (by default target/debug of this checkout), `%data` is test/data,
`%shared` the folder with real matrices where it exists (feature `shared`).
"""

import os
import platform
import shutil

import lit.formats

here = os.path.dirname(__file__)
root = os.path.dirname(here)

config.name = "comet"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ta"]
# Programs and random cases have a harness of their own, and split-file makes the inputs of a test.
config.excludes = ["run", "data", "harness", "oracle", "fuzz", "kernels", "dsl", "Inputs", "cmake"]
config.test_source_root = here

binaries = os.path.abspath(os.environ.get("COMET_BIN_DIR", os.path.join(root, "target", "debug")))
config.test_exec_root = os.path.join(os.path.dirname(binaries), "lit")

# Code is kept from one line of a test to the next, and not from one run of the suite to the next.
cache = os.path.join(config.test_exec_root, "cache")
shutil.rmtree(cache, ignore_errors=True)
config.environment["COMET_CACHE_DIR"] = cache

prefixes = ["MLIR_SYS_220_PREFIX", "LLVM_SYS_221_PREFIX", "TABLEGEN_220_PREFIX"]
llvm = next((os.environ[name] for name in prefixes if name in os.environ), "/usr/lib/llvm-22")

# Longer names first: lit replaces text, and `%comet` is a part of `%comet-opt`.
config.substitutions += [
    ("%comet-opt", os.path.join(binaries, "comet-opt")),
    ("%comet", os.path.join(binaries, "comet")),
    ("%data", os.path.join(here, "data")),
    ("%include", os.path.join(root, "runtime", "include")),
    ("%examples", os.path.join(root, "compiler", "docs", "examples")),
]

# FileCheck, not and split-file are LLVM's; messages are compared as a pipe sees them, and no test may see the inputs of whoever runs it.
config.environment["PATH"] = os.path.join(llvm, "bin") + os.pathsep + os.environ["PATH"]
config.environment["NO_COLOR"] = "1"
for name in ["HOME", "CC", "CARGO_HOME"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]

shared = os.path.join(os.path.dirname(root), "shared", "data")
if os.path.isdir(shared):
    config.available_features.add("shared")
    config.substitutions.append(("%shared", shared))
eigen = os.environ.get("EIGEN3_INCLUDE_DIR", "/usr/include/eigen3")
if os.path.isfile(os.path.join(eigen, "Eigen", "Sparse")):
    config.available_features.add("eigen")
    config.substitutions.append(("%eigen", eigen))
else:
    lit_config.warning(f"the tests with Eigen are skipped: {eigen} has no Eigen/Sparse; install libeigen3-dev, or set EIGEN3_INCLUDE_DIR")
mpirun = os.environ.get("COMET_MPIRUN", "mpirun")
if shutil.which(mpirun) and shutil.which(os.environ.get("COMET_MPICC", "mpicc")):
    config.available_features.add("mpi")
    # More processes than cores, and as root, as `comet run --ranks` does it.
    allowed = ["ALLOW_RUN_AS_ROOT", "ALLOW_RUN_AS_ROOT_CONFIRM", "MCA_rmaps_base_oversubscribe"]
    settings = " ".join(f"OMPI_{name}=1" for name in allowed)
    config.substitutions.append(("%mpirun", f"env {settings} {mpirun}"))
else:
    lit_config.warning("the tests on several processes are skipped: there is no MPI; tools/setup --mpi installs it")
config.available_features.add(platform.machine())
