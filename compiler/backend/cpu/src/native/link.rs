//! Objects to executables, with the system's linker and the runtime's archive.

use super::{NativeError, Processes};
use comet_runtime::distributed;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The runtime for generated programs, optimized in every build of the compiler: build.rs says why it is
/// embedded.
static RUNTIME: &[u8] = include_bytes!(env!("COMET_RUNTIME_ARCHIVE"));

/// What the Rust standard library inside the archive needs (`rustc --print native-static-libs`).
const SYSTEM_LIBRARIES: [&str; 7] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"];

/// A linker's or an archiver's command line.
pub struct LinkCommand {
    tool: Tool,
    program: OsString,
    arguments: Vec<OsString>,
}

/// What a program of the system is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    /// The C compiler, as the driver of the linker.
    Linker,
    /// The C compiler of MPI, which also drives the linker.
    MpiCompiler,
    Archiver,
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Self::Linker => "linker",
            Self::MpiCompiler => "compiler of MPI",
            Self::Archiver => "archiver",
        }
    }

    /// How a user gets one.
    fn hint(self) -> &'static str {
        match self {
            Self::Linker => {
                "install a C compiler, `apt-get install gcc` on Debian and Ubuntu, or name one in the environment variable `CC`"
            }
            Self::MpiCompiler => {
                "install MPI, `apt-get install openmpi-bin libopenmpi-dev` on Debian and Ubuntu, or name its compiler in the \
                 environment variable `COMET_MPICC`"
            }
            Self::Archiver => {
                "install an archiver, `apt-get install binutils` on Debian and Ubuntu, or name one in the environment variable `AR`"
            }
        }
    }
}

/// What an object becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// A program.
    Executable,
    /// A library with the runtime in it, whose symbols are hidden.
    SharedLibrary,
    /// An archive with the runtime's members.
    StaticLibrary,
}

/// How an object is linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkOptions {
    pub product: Product,
    /// Whether the object has line tables, which are then kept.
    pub has_lines: bool,
    /// What is for several processes has functions of MPI, which the compiler of MPI compiles.
    pub processes: Processes,
}

/// Links an object with the runtime into a file in `folder`, which takes the inputs, too, and is the
/// caller's to remove.
///
/// # Errors
/// The user's where there is no linker or archiver, or where it fails.
pub fn link(object: &[u8], folder: &Path, options: LinkOptions) -> Result<PathBuf, NativeError> {
    let (object_path, runtime_path) = (folder.join("program.o"), folder.join("libcomet_runtime.a"));
    write(&object_path, object)?;
    write(&runtime_path, RUNTIME)?;
    if options.product == Product::StaticLibrary {
        let mut objects = vec![object_path];
        if options.processes == Processes::Several {
            objects.push(compile_process_functions(folder, "comet_mpi.o", &["-c"])?);
        }
        LinkCommand::archive(&objects, &runtime_path)?.run()?;
        return Ok(runtime_path);
    }
    let output = folder.join("linked");
    let mut command = LinkCommand::new(&object_path, &runtime_path, &output, options)?;
    if options.processes == Processes::Several {
        let functions = folder.join("comet_mpi.c");
        write(&functions, distributed::SOURCE.as_bytes())?;
        command.arguments.insert(0, functions.into());
        if options.product == Product::SharedLibrary {
            // The table is the library's own, like the run time.
            command.arguments.extend(["-fPIC", "-fvisibility=hidden"].map(OsString::from));
        }
    }
    command.run()?;
    Ok(output)
}

/// Compiles the functions of MPI to a library in `folder`, by `COMET_MPICC` or `mpicc`.
///
/// # Errors
/// The user's where there is no such compiler, or where it fails.
pub fn link_process_functions(folder: &Path) -> Result<PathBuf, NativeError> {
    compile_process_functions(folder, "comet_mpi.so", &["-shared"])
}

fn compile_process_functions(
    folder: &Path,
    name: &str,
    flags: &[&'static str],
) -> Result<PathBuf, NativeError> {
    let (source, output) = (folder.join("comet_mpi.c"), folder.join(name));
    write(&source, distributed::SOURCE.as_bytes())?;
    let (program, mut arguments) = mpi_compiler()?;
    arguments.extend(["-O2", "-fPIC"].iter().chain(flags).map(OsString::from));
    arguments.extend([source.into(), "-o".into(), output.clone().into()]);
    LinkCommand { tool: Tool::MpiCompiler, program, arguments }.run()?;
    Ok(output)
}

/// The compiler that MPI comes with, with its arguments: `COMET_MPICC`, or `CC` where that is one of MPI by
/// its name (`mpicc`, `smpicc`), or `mpicc`.
///
/// # Errors
/// The user's where a variable cannot be read as a command line.
pub fn mpi_compiler() -> Result<(OsString, Vec<OsString>), NativeError> {
    let (program, arguments) = command("CC", "cc".into())?;
    let name = Path::new(&program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    match std::env::var_os("COMET_MPICC") {
        None if name.contains("mpi") => Ok((program, arguments)),
        _ => command("COMET_MPICC", "mpicc".into()),
    }
}

fn write(path: &Path, content: &[u8]) -> Result<(), NativeError> {
    fs::write(path, content).map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> NativeError {
    NativeError::user(format!("cannot write `{}`: {error}", path.display()))
}

impl LinkCommand {
    /// The C compiler in `CC`, or `cc`, as the driver of the linker: it knows where the C library's start
    /// files are.
    pub fn new(
        object: &Path,
        runtime: &Path,
        output: &Path,
        options: LinkOptions,
    ) -> Result<Self, NativeError> {
        let (tool, (program, mut arguments)) = match options.processes {
            Processes::One => (Tool::Linker, command("CC", "cc".into())?),
            Processes::Several => (Tool::MpiCompiler, mpi_compiler()?),
        };
        arguments.extend([object.into(), runtime.into(), "-o".into(), output.into()]);
        if let Some(folder) = lld_folder() {
            // LLVM's linker takes a third of the time of GNU's on the archive.
            arguments.push(["-B".as_ref(), folder.as_os_str()].into_iter().collect());
            arguments.push("-fuse-ld=lld".into());
        }
        let of_product: &[&str] = match options.product {
            // The runtime's threads outlive `dlclose`, and its symbols are nobody's but the kernels'.
            Product::SharedLibrary => {
                &["-shared", "-Wl,--exclude-libs,ALL", "-Wl,-z,nodelete", "-Wl,--no-undefined"]
            }
            _ => &["-pie"],
        };
        arguments.extend(of_product.iter().map(OsString::from));
        arguments.push("-Wl,--gc-sections".into());
        if !options.has_lines {
            arguments.push("-Wl,--strip-debug".into());
        }
        arguments.extend(SYSTEM_LIBRARIES.map(OsString::from));
        Ok(Self { tool, program, arguments })
    }

    /// The archiver in `AR`, LLVM's or the system's, which adds objects to the runtime's archive.
    pub fn archive(objects: &[PathBuf], runtime: &Path) -> Result<Self, NativeError> {
        let of_llvm = lld_folder().map(|folder| folder.join("llvm-ar")).filter(|path| path.exists());
        let (program, mut arguments) = command("AR", of_llvm.map_or_else(|| "ar".into(), OsString::from))?;
        arguments.extend(["rs".into(), runtime.into()]);
        arguments.extend(objects.iter().map(OsString::from));
        Ok(Self { tool: Tool::Archiver, program, arguments })
    }

    fn run(&self) -> Result<(), NativeError> {
        tracing::info!(program = ?self.program, arguments = ?self.arguments, "link");
        match Command::new(&self.program).args(&self.arguments).output() {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(self.failed(&output)),
            Err(error) => {
                let (tool, program) = (self.tool.name(), self.program.display());
                let message = format!("cannot run the {tool} `{program}`: {error}");
                Err(NativeError::user(message).hint(self.tool.hint()))
            }
        }
    }

    fn failed(&self, output: &Output) -> NativeError {
        let text = String::from_utf8_lossy(&output.stderr);
        NativeError::user(format!(
            "the {} `{}` failed ({}):\n{}",
            self.tool.name(),
            self.program.display(),
            output.status,
            text.trim_end()
        ))
    }
}

/// A program of the environment with the arguments that stand behind it, `ccache gcc` or `gcc -O2`, as a
/// shell reads them; a variable that is empty counts as not set.
fn command(variable: &str, usual: OsString) -> Result<(OsString, Vec<OsString>), NativeError> {
    let Some(value) = std::env::var_os(variable).filter(|value| !value.is_empty()) else {
        return Ok((usual, Vec::new()));
    };
    // What is no text is a path.
    let Some(text) = value.to_str() else { return Ok((value, Vec::new())) };
    let words = shell_words::split(text)
        .map_err(|error| NativeError::user(format!("`{variable}` is `{}`: {error}", text.escape_debug())))?;
    let mut words = words.into_iter().map(OsString::from);
    Ok(match words.next() {
        Some(program) => (program, words.collect()),
        None => (usual, Vec::new()),
    })
}

/// The folder of the LLVM that this compiler was built with, where it is still there and has a linker.
fn lld_folder() -> Option<PathBuf> {
    let folder = Path::new(env!("COMET_LLVM_PREFIX")).join("bin");
    folder.join("ld.lld").exists().then_some(folder)
}
