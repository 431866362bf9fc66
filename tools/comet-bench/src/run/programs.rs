//! The programs that are compared: each reads the operands, and measures on request, as
//! `peers/run/driver.c` says.

use crate::peers::{self, CLANG};
use crate::setting::{Outcome, Setting, create_folder, output, write};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// A program, its arguments in front of those that all take, and what it needs in its environment.
pub(super) struct Program {
    pub(super) name: &'static str,
    pub(super) path: PathBuf,
    /// The same code at other addresses.
    pub(super) moved: Vec<PathBuf>,
    pub(super) arguments: Vec<OsString>,
    pub(super) variables: Vec<(&'static str, OsString)>,
}

impl Program {
    /// Whether it is one of the C loops.
    pub(super) fn is_by_hand(&self) -> bool {
        self.name.starts_with("C ") || self.name == "C"
    }
}

pub(super) fn sources() -> PathBuf {
    peers::sources().join("run")
}

/// The comet under test.
pub(super) const OURS: &str = "comet";

/// The kernels of `operations.ta` as a shared library of a comet, called on the arrays that the peers get.
pub(super) fn kernels(name: &'static str, comet: &Path, folder: &Path) -> Outcome<Program> {
    kernels_after(0, name, comet, folder)
}

/// The kernels at [`PLACEMENTS`] addresses. Where a loop is in memory decides how well the processor predicts
/// its branches: the same instructions were seen to take 1.3 times as long, so that one placement alone does
/// not compare two compilers.
pub(super) fn moved_kernels(name: &'static str, comet: &Path, folder: &Path) -> Outcome<Program> {
    let placed = |count: usize| {
        let folder = folder.join(format!("after{count}"));
        create_folder(&folder)?;
        kernels_after(count, name, comet, &folder)
    };
    let mut programs = (0..PLACEMENTS).map(placed).collect::<Outcome<Vec<_>>>()?;
    let first = programs.remove(0);
    Ok(Program { moved: programs.into_iter().map(|program| program.path).collect(), ..first })
}

const PLACEMENTS: usize = 4;

/// The kernels behind a number of functions that nobody calls.
fn kernels_after(count: usize, name: &'static str, comet: &Path, folder: &Path) -> Outcome<Program> {
    let library = folder.join("library");
    let filler = |number: usize| {
        let signature =
            format!("filler{number}(Tensor<double> A([i, j], CSR)) -> Tensor<double> C([i], Dense)");
        format!("def {signature} {{\n  C[i] = A[i,j] * {number}.5;\n}}\n\n")
    };
    let operations = sources().join("operations.ta");
    let operations = std::fs::read_to_string(&operations).map_err(|error| error.to_string())?;
    let kernels = folder.join("operations.ta");
    write(&kernels, (0..count).map(filler).collect::<String>() + &operations)?;
    let kinds: &OsStr = "--emit=header,shared-lib".as_ref();
    // A folder ends in a slash.
    let place = library.join("");
    let arguments = ["build".as_ref(), kernels.as_os_str(), kinds, "-o".as_ref(), place.as_os_str()];
    output(comet, &arguments)?;
    let compiled = Compilation {
        compiler: "cc",
        flags: vec!["-O2".into(), with_path("-I", &library), with_path("-Wl,-rpath,", &library)],
        libraries: vec![library.join("operations.so").into_os_string()],
        ..Compilation::of_peer(name, "comet.c", folder).named("comet")
    };
    compiled.program()
}

/// The peers whose programs are the same for all inputs.
pub(super) fn peers(setting: &Setting, folder: &Path) -> Vec<Outcome<Program>> {
    let mut peers = loops(folder);
    peers.extend([eigen(folder), mkl(setting, folder), graphblas(folder)]);
    peers.extend([python(setting, "SciPy", "scipy_peer.py"), python(setting, "numba", "numba_peer.py")]);
    peers
}

/// The loops written by hand, as the C standard has them and with sums in any order.
pub(super) fn loops(folder: &Path) -> Vec<Outcome<Program>> {
    let compiled = |name, program, source, fast: &[&str]| {
        let mut compiled = Compilation::of_peer(name, source, folder).named(program);
        compiled.flags.extend(fast.iter().map(OsString::from));
        compiled.with_openmp().program()
    };
    vec![
        compiled("C", "loops-dense", "loops_dense.c", &[]),
        compiled("C -ffast-math", "loops-fast", "loops_dense.c", &["-ffast-math"]),
        compiled("C", "loops-sparse", "loops_sparse.c", &[]),
        compiled("C", "loops-product", "loops_product.c", &[]),
    ]
}

/// A Python script of the peers.
fn python(setting: &Setting, name: &'static str, script: &str) -> Outcome<Program> {
    let path = peers::python_with_scipy(setting)?;
    if name == "numba" {
        peers::numba(&path)?;
    }
    let cache = setting.kept.join("numba");
    create_folder(&cache)?;
    let variables =
        vec![("NUMBA_CACHE_DIR", cache.into_os_string()), ("PYTHONDONTWRITEBYTECODE", "1".into())];
    Ok(Program {
        name,
        path,
        moved: Vec::new(),
        arguments: vec![sources().join(script).into_os_string()],
        variables,
    })
}

fn eigen(folder: &Path) -> Outcome<Program> {
    let headers = Path::new("/usr/include/eigen3");
    if !headers.is_dir() {
        return Err("Eigen: install Debian's `libeigen3-dev`, as `tools/setup --peers` does".to_owned());
    }
    let mut compiled = Compilation::of_peer("Eigen", "eigen.cpp", folder);
    compiled.compiler = "clang++-22";
    compiled.flags.extend(["-std=c++17".into(), with_path("-isystem", headers)]);
    compiled.with_openmp().program()
}

fn mkl(setting: &Setting, folder: &Path) -> Outcome<Program> {
    let library = peers::mkl(setting)?;
    let libraries = library.parent().ok_or("MKL's path has no folder")?;
    let mut compiled = Compilation::of_peer("MKL", "mkl.c", folder);
    compiled.libraries =
        vec![library.clone().into_os_string(), with_path("-Wl,-rpath,", libraries), "-lm".into()];
    let mut program = compiled.program()?;
    // It loads the library of its threads by name.
    program.variables.push(("LD_LIBRARY_PATH", libraries.as_os_str().to_owned()));
    Ok(program)
}

fn graphblas(folder: &Path) -> Outcome<Program> {
    let headers = ["/usr/include", "/usr/include/suitesparse"];
    let has_header = |folder: &&&str| Path::new(folder).join("GraphBLAS.h").is_file();
    let Some(headers) = headers.iter().find(has_header) else {
        return Err(
            "GraphBLAS: install Debian's `libgraphblas-dev`, as `tools/setup --peers` does".to_owned()
        );
    };
    let mut compiled = Compilation::of_peer("GraphBLAS", "graphblas.c", folder);
    compiled.flags.push(with_path("-I", Path::new(headers)));
    compiled.libraries.push("-lgraphblas".into());
    compiled.program()
}

/// A source of a peer, compiled with the driver.
pub(super) struct Compilation<'a> {
    name: &'static str,
    pub(super) compiler: &'a str,
    folder: &'a Path,
    /// The file's name.
    program: &'a str,
    pub(super) flags: Vec<OsString>,
    pub(super) inputs: Vec<PathBuf>,
    libraries: Vec<OsString>,
}

impl<'a> Compilation<'a> {
    /// The same flags for all peers.
    pub(super) fn of_peer(name: &'static str, source: &str, folder: &'a Path) -> Self {
        Self {
            name,
            compiler: CLANG,
            folder,
            program: name,
            flags: vec!["-O3".into(), "-march=native".into()],
            inputs: vec![sources().join(source)],
            libraries: Vec::new(),
        }
    }

    /// With another name for its file.
    pub(super) fn named(mut self, program: &'a str) -> Self {
        self.program = program;
        self
    }

    /// With OpenMP, where its library is there.
    pub(super) fn with_openmp(mut self) -> Self {
        if peers::openmp().is_ok() {
            self.flags.push("-fopenmp".into());
        }
        self
    }

    pub(super) fn program(self) -> Outcome<Program> {
        let failed = |error: String| format!("{}: {error}", self.name);
        let driver = self.folder.join("driver.o");
        let c_driver = sources().join("driver.c");
        let compile = ["-O2", "-c", "-o"].map(OsStr::new);
        output(Path::new("cc"), &[&compile[..], &[driver.as_os_str(), c_driver.as_os_str()]].concat())
            .map_err(failed)?;
        let path = self.folder.join(format!("peer-{}", self.program));
        let mut arguments = self.flags;
        arguments.extend(self.inputs.into_iter().map(PathBuf::into_os_string));
        arguments.extend([driver.into_os_string(), "-o".into(), path.clone().into_os_string()]);
        arguments.extend(self.libraries);
        output(Path::new(self.compiler), &arguments).map_err(failed)?;
        Ok(Program { name: self.name, path, moved: Vec::new(), arguments: Vec::new(), variables: Vec::new() })
    }
}

fn with_path(flag: &str, path: &Path) -> OsString {
    let mut text = OsString::from(flag);
    text.push(path);
    text
}
