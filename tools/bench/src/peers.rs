//! Peers: optional programs that comet is measured next to. Each is either there or told to be missing.

use crate::setting::{Outcome, Setting, output};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A peer, or what to do to have it.
pub(crate) type Peer = Result<PathBuf, String>;

/// The C loops of `peers/kernels.c`, compiled by clang of LLVM's version for this processor.
pub(crate) fn c_kernels(folder: &Path) -> Outcome<Peer> {
    const CLANG: &str = "clang-22";
    if Command::new(CLANG).arg("--version").output().is_err() {
        return Ok(Err(format!("`{CLANG}` is not installed: no C loops to compare with")));
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/kernels.c");
    let program = folder.join("kernels");
    let flags = ["-O3", "-march=native", "-o"].map(std::ffi::OsStr::new);
    let arguments = [&flags[..], &[program.as_os_str(), source.as_os_str()]].concat();
    output(Path::new(CLANG), &arguments)?;
    Ok(Ok(program))
}

/// The version of SciPy that is measured, so that runs can be compared.
const SCIPY: &str = "scipy==1.16.3";

/// A Python with SciPy, installed into the kept folder when it is not there yet.
pub(crate) fn python_with_scipy(setting: &Setting) -> Peer {
    let environment = setting.kept.join("venv");
    let python = environment.join("bin/python");
    if has_scipy(&python) {
        return Ok(python);
    }
    let missing = |error: String| format!("SciPy could not be installed: {error}");
    output(Path::new("python3"), &["-m".as_ref(), "venv".as_ref(), environment.as_os_str()])
        .map_err(missing)?;
    output(&python, &["-m", "pip", "install", "--quiet", SCIPY]).map_err(missing)?;
    Ok(python)
}

fn has_scipy(python: &Path) -> bool {
    output(python, &["-c", "import scipy.io"]).is_ok()
}
