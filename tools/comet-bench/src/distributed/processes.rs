//! Programs that MPI starts: how they are built, started, and what they print.

use crate::peers::{ONE_THREAD, Peer, sources};
use crate::setting::{Outcome, Setting, output, output_with};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Open MPI refuses to run as root, and more processes than cores, without these.
const OPEN_MPI: [(&str, &str); 3] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
];

/// What one start of a program prints.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Printed {
    /// The seconds of a repetition, a number for each block of repetitions.
    pub(super) seconds: Vec<f64>,
    /// The sum of squares of the result.
    pub(super) sum: f64,
}

impl Printed {
    /// # Errors
    /// Another number of times than a program has blocks.
    pub(super) fn parse(text: &str, blocks: usize) -> Outcome<Self> {
        // comet prints scalars as arrays of one element, between lines that name them.
        let numbers = text.lines().filter_map(|line| line.trim_end_matches(',').trim().parse().ok());
        let mut seconds: Vec<f64> = numbers.collect();
        match seconds.pop() {
            Some(sum) if seconds.len() == blocks => Ok(Self { seconds, sum }),
            _ => Err(format!("expected {blocks} times and a sum, found {text:?}")),
        }
    }
}

/// Runs a program on so many processes of one thread each, and returns what it prints.
pub(super) fn on_processes<A: AsRef<OsStr>>(count: u32, program: &Path, arguments: &[A]) -> Outcome<String> {
    let count = count.to_string();
    let mut words: Vec<&OsStr> = vec!["-q".as_ref(), "-n".as_ref(), count.as_ref(), program.as_os_str()];
    words.extend(arguments.iter().map(AsRef::as_ref));
    output_with(Path::new("mpirun"), &words, &[&OPEN_MPI[..], &ONE_THREAD[..]].concat())
        .map_err(|error| format!("{}: {error}", program.display()))
}

/// Builds a program of `peers/distributed` for several processes, with options and variables of its own.
pub(super) fn comet_program(
    setting: &Setting,
    name: &str,
    folder: &Path,
    options: &[&str],
    variables: &[(&str, &str)],
) -> Outcome<PathBuf> {
    let source = source(name, "ta");
    let program = folder.join(name);
    let mut arguments: Vec<&OsStr> = vec!["build".as_ref(), source.as_os_str(), "--distributed".as_ref()];
    arguments.extend(options.iter().map(AsRef::<OsStr>::as_ref));
    arguments.extend(["-o".as_ref(), program.as_os_str()]);
    output_with(&setting.comet, &arguments, variables)?;
    Ok(program)
}

/// PETSc's products.
pub(super) fn petsc(folder: &Path) -> Peer {
    let missing =
        |error: String| format!("PETSc: install `petsc-dev`, as `tools/setup --peers` does ({error})");
    let flags = output(Path::new("pkg-config"), &["--cflags", "--libs", "petsc"]).map_err(missing)?;
    let program = folder.join("petsc");
    let mut arguments = compilation(&source("petsc", "c"), &program);
    arguments.extend(flags.split_whitespace().map(OsString::from));
    output(Path::new("mpicc"), &arguments).map_err(missing)?;
    Ok(program)
}

/// CombBLAS's product.
pub(super) fn combblas(folder: &Path) -> Peer {
    let missing = |error: String| {
        let reason = error.lines().next().unwrap_or_default().to_owned();
        format!("CombBLAS: install `libcombblas-dev`, as `tools/setup --peers` does ({reason})")
    };
    let program = folder.join("combblas");
    let mut arguments = compilation(&source("combblas", "cpp"), &program);
    let flags = ["-w", "-fopenmp", "-DTHREADED", "-I/usr/include/CombBLAS", "-lCombBLAS"];
    arguments.extend(flags.map(OsString::from));
    output(Path::new("mpicxx"), &arguments).map_err(missing)?;
    Ok(program)
}

fn compilation(source: &Path, program: &Path) -> Vec<OsString> {
    vec!["-O3".into(), "-march=native".into(), source.into(), "-o".into(), program.into()]
}

/// A file of `peers/distributed`.
pub(super) fn source(name: &str, ending: &str) -> PathBuf {
    sources().join("distributed").join(name).with_extension(ending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_before_the_sum() {
        let expected = Printed { seconds: vec![0.25, 0.5], sum: 1e9 };
        assert_eq!(Printed::parse("0.25\n0.5\n1e+09\n", 2), Ok(expected.clone()));
        assert_eq!(Printed::parse("data = \n0.25,\ndata = \n0.5,\n1e+09\n", 2), Ok(expected));
        assert!(Printed::parse("0.25\n1e+09\n", 2).is_err());
        assert!(Printed::parse("", 0).is_err());
    }
}
