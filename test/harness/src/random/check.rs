//! Runs kernels through the compiler and the oracle.

use std::io;
use std::path::{Path, PathBuf};

use crate::compiler::{self, End, Finished};
use crate::oracle;
use crate::program::agrees;

use super::kernel::Kernel;
use super::source;

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both print the same.
    Agrees,
    /// The compiler refuses the program as not supported.
    Unsupported(String),
    /// The compiler says where a schedule cannot be carried out.
    Refused(String),
    /// They differ.
    Fails(Failure, String),
    /// The oracle refuses the program: the generator or the reducer made something without a meaning.
    Invalid(String),
}

/// The kinds of differences, which reduction keeps apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Another output.
    Output,
    /// Not the exit code 0.
    End(End),
}

/// How programs are run.
#[derive(Clone, Debug)]
pub struct Runner {
    /// The compiler.
    pub comet: PathBuf,
    /// A program that looks at what executables do, with its arguments; without it the compiler runs programs
    /// itself.
    pub under: Vec<String>,
    /// Whether programs are only run as applications of parallel patterns.
    pub patterns: bool,
}

impl Runner {
    /// The ways to run programs: as code, with new numbers for indices, as graphs on the simulator, and as
    /// Spatial applications on the interpreter. Of a program under a watcher only the code is of interest.
    fn ways(&self) -> &'static [Way] {
        let ways = &[Way::Code, Way::Reordered, Way::Graphs, Way::Patterns];
        match (self.patterns, self.under.is_empty()) {
            (true, _) => &ways[3..],
            (false, true) => ways,
            (false, false) => &ways[..2],
        }
    }

    /// Compiles a program and runs it on those inputs, in its folder.
    fn run(&self, way: Way, folder: &Path, level: &str, inputs: &[String]) -> io::Result<Finished> {
        let flags = way.flags(level);
        let Some((watcher, own)) = self.under.split_first() else {
            let run = [way.command(), "program.ta", level, "--print=exact"].map(String::from);
            return compiler::run(&self.comet, &[&run[..], &flags, inputs].concat(), &[], folder);
        };
        let build = [&["build", "program.ta", level, "-o", "program"].map(String::from)[..], &flags].concat();
        let built = compiler::run(&self.comet, &build, &[], folder)?;
        if built.end != End::Exit(0) {
            return Ok(built);
        }
        let program = ["./program", "--print=exact"].map(String::from);
        compiler::run(Path::new(watcher), &[own, &program, inputs].concat(), &[], folder)
    }
}

/// How a program is run.
#[derive(Clone, Copy)]
enum Way {
    Code,
    Reordered,
    Graphs,
    Patterns,
}

impl Way {
    fn command(self) -> &'static str {
        match self {
            Self::Code | Self::Reordered => "run",
            Self::Graphs | Self::Patterns => "sim",
        }
    }

    /// The methods take turns with the levels: one has the same numbers for rows and columns, one has not.
    fn flags(self, level: &str) -> Vec<String> {
        match (self, level) {
            (Self::Reordered, "-O0") => vec!["--reorder=lexi".to_owned()],
            (Self::Reordered, _) => vec!["--reorder=rcm".to_owned()],
            (Self::Patterns, _) => vec!["--target=spatial".to_owned()],
            _ => Vec::new(),
        }
    }
}

/// Runs kernels as one program, in a folder of its own.
///
/// # Errors
/// What keeps the compiler from being run at all.
pub fn check(runner: &Runner, kernels: &[Kernel], level: &str) -> Result<Verdict, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (text, arguments) = source::write(folder.path(), kernels).map_err(|error| error.to_string())?;
    let expected = match oracle::output(&text, &arguments, &[], folder.path()) {
        Ok(expected) => expected,
        Err(error) => return Ok(Verdict::Invalid(error)),
    };
    let mut last = Verdict::Agrees;
    for way in runner.ways() {
        let finished = runner.run(*way, folder.path(), level, &arguments);
        let finished = finished.map_err(|error| error.to_string())?;
        last = match agrees(&finished, &expected, 1e-9) {
            Ok(()) => Verdict::Agrees,
            Err(report) => {
                let flags: String = way.flags(level).iter().map(|flag| format!(" {flag}")).collect();
                verdict(&text, &finished, format!("comet {}{flags}: {report}", way.command()))
            }
        };
        // Applications are not there for every statement yet, and say so.
        if !runner.patterns && matches!((way, &last), (Way::Patterns, Verdict::Unsupported(_))) {
            last = Verdict::Agrees;
        }
        // Some schedules are only for graphs.
        if !matches!(last, Verdict::Agrees | Verdict::Refused(_)) {
            break;
        }
    }
    Ok(last)
}

/// Of a run that does not agree.
fn verdict(program: &str, finished: &Finished, report: String) -> Verdict {
    match finished.end {
        End::Exit(1) if is_about_schedule(program, &finished.stderr) => Verdict::Refused(report),
        End::Exit(1) if finished.stderr.contains("not supported yet") => Verdict::Unsupported(report),
        End::Exit(0) => Verdict::Fails(Failure::Output, report),
        end => Verdict::Fails(Failure::End(end), report),
    }
}

/// Whether the place that the first error names is in a schedule.
fn is_about_schedule(program: &str, stderr: &str) -> bool {
    let place = stderr.lines().find_map(|line| line.trim_start().strip_prefix("--> "));
    let mut numbers = place.unwrap_or_default().rsplit(':').map(str::parse::<usize>);
    let (Some(Ok(column)), Some(Ok(line))) = (numbers.next(), numbers.next()) else { return false };
    let text = program.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    text.find(" schedule { ").is_some_and(|start| column > start)
}

#[cfg(test)]
mod tests {
    use super::super::generate::{Shape, kernel};
    use super::super::rng::Rng;
    use super::*;

    /// Programs without a meaning would only test how they are refused.
    #[test]
    fn what_is_generated_has_a_meaning() {
        for (number, patterns) in (0..400).flat_map(|number| [(number, false), (number, true)]) {
            let shape = Shape { most_sparse: 2, sparse_results: true, scheduled: 50, patterns };
            let folder = tempfile::tempdir().unwrap();
            let kernel = kernel(&mut Rng::numbered(7, number), shape);
            let (text, arguments) = source::write(folder.path(), &[kernel]).unwrap();
            let output = oracle::output(&text, &arguments, &[], &crate::test_folder());
            assert!(output.is_ok(), "{text}\n{output:?}");
        }
    }
}
