//! The programs that are compared: each reads the arrays, repeats an operation and tells the seconds, as
//! `peers/sparse/driver.c` says.

use super::problem::Problem;
use crate::peers::{self, CLANG};
use crate::setting::{Outcome, Setting, output, write};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A program, and its arguments in front of those that all take.
#[derive(Clone)]
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) path: PathBuf,
    pub(super) arguments: Vec<OsString>,
}

fn sources() -> PathBuf {
    peers::sources().join("sparse")
}

/// The kernels of `operations.ta` as a static library, called on the arrays that the peers get.
pub(super) fn ours(setting: &Setting, folder: &Path) -> Outcome<Program> {
    let library = folder.join("library");
    let kernels = sources().join("operations.ta");
    let kinds: &OsStr = "--emit=header,static-lib".as_ref();
    let arguments = ["build".as_ref(), kernels.as_os_str(), kinds, "-o".as_ref(), library.as_os_str()];
    output(&setting.comet, &arguments)?;
    let compiled = Compilation {
        name: "comet",
        compiler: "cc",
        folder,
        flags: vec!["-O2".into(), with_path("-I", &library)],
        inputs: vec![sources().join("comet.c"), library.join("operations.a")],
        libraries: vec!["-lm".into()],
    };
    compiled.program()
}

/// The peers whose programs are the same for all matrices.
pub(super) fn peers(setting: &Setting, folder: &Path) -> Vec<Result<Program, String>> {
    vec![scipy(setting), eigen(folder), workspace(folder), mkl(setting, folder), graphblas(folder)]
}

fn scipy(setting: &Setting) -> Result<Program, String> {
    let path = peers::python_with_scipy(setting)?;
    let arguments = vec![sources().join("scipy_operations.py").into_os_string()];
    Ok(Program { name: "SciPy", path, arguments })
}

fn eigen(folder: &Path) -> Result<Program, String> {
    let headers = Path::new("/usr/include/eigen3");
    if !headers.is_dir() {
        return Err("Eigen: install Debian's `libeigen3-dev`".to_owned());
    }
    let compiled = Compilation {
        compiler: "clang++-22",
        flags: vec![
            "-O3".into(),
            "-march=native".into(),
            "-std=c++17".into(),
            with_path("-isystem", headers),
        ],
        ..Compilation::of_peer("Eigen", "eigen.cpp", folder)
    };
    compiled.program()
}

/// The product as one would write it by hand.
fn workspace(folder: &Path) -> Result<Program, String> {
    let compiled = Compilation {
        compiler: "clang++-22",
        flags: vec!["-O3".into(), "-march=native".into(), "-std=c++17".into()],
        ..Compilation::of_peer("workspace", "workspace.cpp", folder)
    };
    compiled.program()
}

fn mkl(setting: &Setting, folder: &Path) -> Result<Program, String> {
    let library = peers::mkl(setting)?;
    let libraries = library.parent().ok_or("MKL's path has no folder")?;
    let compiled = Compilation {
        libraries: vec![library.clone().into_os_string(), with_path("-Wl,-rpath,", libraries), "-lm".into()],
        ..Compilation::of_peer("MKL", "mkl.c", folder)
    };
    compiled.program()
}

fn graphblas(folder: &Path) -> Result<Program, String> {
    let headers = ["/usr/include", "/usr/include/suitesparse"];
    let has_header = |folder: &&&str| Path::new(folder).join("GraphBLAS.h").is_file();
    let Some(headers) = headers.iter().find(has_header) else {
        return Err("GraphBLAS: install Debian's `libgraphblas-dev`".to_owned());
    };
    let mut compiled = Compilation::of_peer("GraphBLAS", "graphblas.c", folder);
    compiled.flags.push(with_path("-I", Path::new(headers)));
    compiled.libraries.push("-lgraphblas".into());
    compiled.program()
}

/// MLIR's sparsifier generates code of its own, without its run-time library, which is slower. It wants the
/// extents in the program.
pub(super) fn mlir(folder: &Path, problem: &Problem) -> Result<Program, String> {
    let text =
        std::fs::read_to_string(sources().join("operations.mlir")).map_err(|error| error.to_string())?;
    let text =
        text.replace("ROWS", &problem.rows.to_string()).replace("COLUMNS", &problem.columns.to_string());
    let [source, lowered, object] =
        ["mlir", "lowered.mlir", "ll"].map(|kind| problem.folder.join(format!("operations.{kind}")));
    write(&source, text)?;
    const SPARSIFIER: &str = "--sparsifier=enable-runtime-library=false enable-index-optimizations=true";
    run("mlir-opt-22", &[SPARSIFIER.as_ref(), source.as_os_str(), "-o".as_ref(), lowered.as_os_str()])?;
    let translate = ["--mlir-to-llvmir".as_ref(), lowered.as_os_str(), "-o".as_ref(), object.as_os_str()];
    run("mlir-translate-22", &translate)?;
    let mut compiled = Compilation::of_peer("MLIR", "mlir.c", folder);
    compiled.inputs.push(object);
    compiled.flags.push("-Wno-override-module".into());
    compiled.program()
}

/// A program that is not there is a peer that is missing.
fn run(program: &str, arguments: &[&OsStr]) -> Result<String, String> {
    output(Path::new(program), arguments).map_err(|error| format!("MLIR: {error}"))
}

/// A source of a peer, compiled with the driver.
struct Compilation<'a> {
    name: &'static str,
    compiler: &'a str,
    folder: &'a Path,
    flags: Vec<OsString>,
    inputs: Vec<PathBuf>,
    libraries: Vec<OsString>,
}

impl<'a> Compilation<'a> {
    /// The same flags for all peers.
    fn of_peer(name: &'static str, source: &str, folder: &'a Path) -> Self {
        let flags = vec!["-O3".into(), "-march=native".into()];
        Self {
            name,
            compiler: CLANG,
            folder,
            flags,
            inputs: vec![sources().join(source)],
            libraries: Vec::new(),
        }
    }

    fn program(self) -> Outcome<Program> {
        let failed = |error: String| format!("{}: {error}", self.name);
        let driver = self.folder.join("driver.o");
        let c_driver = sources().join("driver.c");
        let compile = ["-O2", "-c", "-o"].map(OsStr::new);
        output(Path::new("cc"), &[&compile[..], &[driver.as_os_str(), c_driver.as_os_str()]].concat())
            .map_err(failed)?;
        let path = self.folder.join(format!("sparse-{}", self.name));
        let mut arguments = self.flags;
        arguments.extend(self.inputs.into_iter().map(PathBuf::into_os_string));
        arguments.extend([driver.into_os_string(), "-o".into(), path.clone().into_os_string()]);
        arguments.extend(self.libraries);
        output(Path::new(self.compiler), &arguments).map_err(failed)?;
        Ok(Program { name: self.name, path, arguments: Vec::new() })
    }
}

fn with_path(flag: &str, path: &Path) -> OsString {
    let mut text = OsString::from(flag);
    text.push(path);
    text
}
