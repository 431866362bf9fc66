//! Asks Scala's own compiler whether the types in applications are right.

use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler::{self, End};

/// Scala's compiler, where it is installed.
pub fn scala_compiler() -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join("scalac")).find(|path| path.is_file())
}

/// All texts at once against the library in `library`: starting the compiler takes longest.
///
/// # Errors
/// What it says of the texts; that it is not there.
pub fn check_types(library: &Path, texts: &[PathBuf]) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    let scalac = scala_compiler().ok_or("there is no `scalac`: tools/setup installs it")?;
    let folder = tempfile::tempdir().map_err(failed)?;
    let mut args = ["-Ystop-after:refchecks".to_owned(), library.to_string_lossy().into_owned()].to_vec();
    for text in texts {
        let copy = folder.path().join(text.file_name().unwrap_or_default());
        fs::write(&copy, in_a_package(text).map_err(failed)?).map_err(failed)?;
        args.push(copy.to_string_lossy().into_owned());
    }
    // The texts of all programs at once do not fit the heap that Java takes by default.
    let heap = ("JAVA_OPTS".to_owned(), "-Xmx4g".to_owned());
    let finished = compiler::run(&scalac, &args, &[heap], folder.path()).map_err(failed)?;
    match finished.end {
        End::Exit(0) => Ok(()),
        end => Err(format!("scalac ended with {end:?}:\n{}{}", finished.stdout, finished.stderr)),
    }
}

/// Of its own, as classes of several texts have the same name; the lines keep their numbers.
fn in_a_package(text: &Path) -> std::io::Result<String> {
    Ok(format!("package kernel_{}; {}", name(text), fs::read_to_string(text)?))
}

/// The file's name without its extension.
fn name(text: &Path) -> String {
    text.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
