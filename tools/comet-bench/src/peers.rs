//! Peers: optional programs that comet is measured next to. Each is either there or reported as missing.

use crate::setting::{Outcome, Setting, output};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A peer, or what to do to have it.
pub(crate) type Peer = Result<PathBuf, String>;

/// Clang of the LLVM version that comet is built with.
pub(crate) const CLANG: &str = "clang-22";

/// No program may start threads of its own.
pub(crate) const ONE_THREAD: [(&str, &str); 5] = [
    ("COMET_NUM_THREADS", "1"),
    ("OMP_NUM_THREADS", "1"),
    ("OPENBLAS_NUM_THREADS", "1"),
    ("MKL_THREADING_LAYER", "SEQUENTIAL"),
    ("RAYON_NUM_THREADS", "1"),
];

/// The sources of the peers.
pub(crate) fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers")
}

/// Whether there is a compiler for C loops: clang of LLVM's version.
pub(crate) fn clang() -> Result<(), String> {
    match Command::new(CLANG).arg("--version").output() {
        Ok(_) => Ok(()),
        Err(_) => Err(format!("`{CLANG}` is not installed: no C loops to compare with")),
    }
}

/// Whether clang has its OpenMP.
pub(crate) fn openmp() -> Result<(), String> {
    let library = Path::new("/usr/lib/llvm-22/lib/libomp.so");
    if library.exists() {
        return Ok(());
    }
    Err("OpenMP: install `libomp-22-dev`, as `tools/setup --peers` does; the C loops have one thread"
        .to_owned())
}

/// The C loops of `peers/kernels.c`, compiled for this processor together with the call of the generated
/// kernel, whose adapter and library are in the folder.
pub(crate) fn c_kernels(folder: &Path) -> Outcome<PathBuf> {
    let source = sources().join("kernels.c");
    let program = folder.join("kernels");
    let library = folder.join("ours.so");
    let (here, search) = (folder.display(), format!("-Wl,-rpath,{}", folder.display()));
    let defined = [format!("-I{here}"), "-DOURS=\"adapter.h\"".to_owned(), search];
    let mut arguments: Vec<&std::ffi::OsStr> = vec!["-O3".as_ref(), "-march=native".as_ref()];
    arguments.extend(defined.iter().map(std::ffi::OsStr::new));
    arguments.extend(["-o".as_ref(), program.as_os_str(), source.as_os_str(), library.as_os_str()]);
    output(Path::new(CLANG), &arguments)?;
    Ok(program)
}

/// The versions that are measured, so that runs can be compared.
const SCIPY: &str = "scipy==1.16.3";
const MKL: &str = "mkl==2026.2.0";
const NUMBA: &str = "numba==0.68.1";

/// A Python with SciPy, installed into the kept folder when it is not there yet.
pub(crate) fn python_with_scipy(setting: &Setting) -> Peer {
    let missing = |error: String| format!("SciPy could not be installed: {error}");
    let python = python(setting).map_err(missing)?;
    if output(&python, &["-c", "import scipy.io"]).is_err() {
        install(&python, SCIPY).map_err(missing)?;
    }
    Ok(python)
}

/// Has numba in that Python, installed like SciPy.
pub(crate) fn numba(python: &Path) -> Result<(), String> {
    if output(python, &["-c", "import numba"]).is_err() {
        install(python, NUMBA).map_err(|error| format!("numba could not be installed: {error}"))?;
    }
    Ok(())
}

/// MKL's library, installed like SciPy.
pub(crate) fn mkl(setting: &Setting) -> Peer {
    let missing = |error: String| format!("MKL could not be installed: {error}");
    let python = python(setting).map_err(missing)?;
    let libraries = setting.kept.join("venv/lib");
    if mkl_library(&libraries).is_none() {
        install(&python, MKL).map_err(missing)?;
    }
    mkl_library(&libraries).ok_or_else(|| missing("its packages have no `libmkl_rt.so`".to_owned()))
}

fn mkl_library(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let is_it = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libmkl_rt.so"))
    };
    files.map(|file| file.path()).find(is_it)
}

/// The Python of the kept folder's environment.
fn python(setting: &Setting) -> Outcome<PathBuf> {
    let environment = setting.kept.join("venv");
    let python = environment.join("bin/python");
    if !python.exists() {
        output(Path::new("python3"), &["-m".as_ref(), "venv".as_ref(), environment.as_os_str()])?;
    }
    Ok(python)
}

fn install(python: &Path, package: &str) -> Outcome<()> {
    output(python, &["-m", "pip", "install", "--quiet", package]).map(|_| ())
}
