//! Objects to executables, with the system's linker and the runtime's archive.

use super::NativeError;
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
    Archiver,
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Self::Linker => "linker",
            Self::Archiver => "archiver",
        }
    }

    /// How a user gets one.
    fn hint(self) -> &'static str {
        match self {
            Self::Linker => {
                "install a C compiler, `apt-get install gcc` on Debian and Ubuntu, or name one in the environment variable `CC`"
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

/// Links an object with the runtime into `output`. `folder` takes the input files and is the caller's to
/// remove.
///
/// # Errors
/// The user's where there is no linker or archiver, or where it fails.
pub fn link(object: &[u8], folder: &Path, output: &Path, product: Product) -> Result<(), NativeError> {
    let (object_path, runtime_path) = (folder.join("program.o"), folder.join("libcomet_runtime.a"));
    write(&object_path, object)?;
    write(&runtime_path, RUNTIME)?;
    match product {
        Product::StaticLibrary => {
            LinkCommand::archive(&object_path, &runtime_path).run()?;
            let copied = fs::copy(&runtime_path, output);
            copied.map(|_| ()).map_err(|error| cannot_write(output, &error))
        }
        _ => LinkCommand::new(&object_path, &runtime_path, output, product).run(),
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
    pub fn new(object: &Path, runtime: &Path, output: &Path, product: Product) -> Self {
        let program = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
        let mut arguments: Vec<OsString> = vec![object.into(), runtime.into(), "-o".into(), output.into()];
        if let Some(folder) = lld_folder() {
            // LLVM's linker takes a third of the time of GNU's on the archive.
            arguments.push(["-B".as_ref(), folder.as_os_str()].into_iter().collect());
            arguments.push("-fuse-ld=lld".into());
        }
        let of_product: &[&str] = match product {
            // The runtime's threads outlive `dlclose`, and its symbols are nobody's but the kernels'.
            Product::SharedLibrary => {
                &["-shared", "-Wl,--exclude-libs,ALL", "-Wl,-z,nodelete", "-Wl,--no-undefined"]
            }
            _ => &["-pie"],
        };
        arguments.extend(of_product.iter().map(OsString::from));
        arguments.extend(["-Wl,--gc-sections", "-Wl,--strip-debug"].map(OsString::from));
        arguments.extend(SYSTEM_LIBRARIES.map(OsString::from));
        Self { tool: Tool::Linker, program, arguments }
    }

    /// The archiver in `AR`, LLVM's or the system's, which adds the object to the runtime's archive.
    pub fn archive(object: &Path, runtime: &Path) -> Self {
        let of_llvm = lld_folder().map(|folder| folder.join("llvm-ar")).filter(|path| path.exists());
        let program = std::env::var_os("AR").or_else(|| of_llvm.map(OsString::from));
        let arguments = vec!["rs".into(), runtime.into(), object.into()];
        Self { tool: Tool::Archiver, program: program.unwrap_or_else(|| "ar".into()), arguments }
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

/// The folder of the LLVM that this compiler was built with, where it is still there and has a linker.
fn lld_folder() -> Option<PathBuf> {
    let folder = Path::new(env!("COMET_LLVM_PREFIX")).join("bin");
    folder.join("ld.lld").exists().then_some(folder)
}
