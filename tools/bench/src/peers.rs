//! Peers: optional programs that comet is measured next to. Each is either there or told to be missing.

use crate::setting::{Outcome, Setting, output};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A peer, or what to do to have it.
pub(crate) type Peer = Result<PathBuf, String>;

const CLANG: &str = "clang-22";

/// Whether there is a compiler for C loops: clang of LLVM's version.
pub(crate) fn clang() -> Result<(), String> {
    match Command::new(CLANG).arg("--version").output() {
        Ok(_) => Ok(()),
        Err(_) => Err(format!("`{CLANG}` is not installed: no C loops to compare with")),
    }
}

/// The C loops of `peers/kernels.c`, compiled for this processor together with the call of the generated
/// kernel, whose adapter and library are in the folder.
pub(crate) fn c_kernels(folder: &Path) -> Outcome<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/kernels.c");
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
