//! Runs kernels through the compiler and the oracle.

use std::io;
use std::path::{Path, PathBuf};

use crate::compiler::{self, End, Finished};
use crate::oracle;
use crate::program::agrees;

use super::kernel::Kernel;
use super::{TOLERANCE, focus, own_operators, padded, source};

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

impl Verdict {
    /// What was found; nothing where both agree.
    pub fn report(&self) -> &str {
        match self {
            Self::Agrees => "",
            Self::Unsupported(report)
            | Self::Refused(report)
            | Self::Fails(_, report)
            | Self::Invalid(report) => report,
        }
    }
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
    /// Whether programs are only run on the processor.
    pub processor: bool,
    /// Whether programs are also run with formats that do not pad, and have to print the same.
    pub twins: bool,
    /// The processes that programs are run on, as code and in no other way.
    pub ranks: Option<u64>,
}

impl Runner {
    /// The ways to run programs: as code, with new numbers for indices, as graphs on the simulator, and as
    /// Spatial applications on the interpreter. Of a program under a watcher only the code is of interest.
    fn ways(&self) -> &'static [Way] {
        let ways = &[Way::Code, Way::Reordered, Way::Graphs, Way::Patterns];
        if self.ranks.is_some() {
            return &ways[..1];
        }
        match (self.patterns, self.under.is_empty() && !self.processor) {
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
            let ranks = self.ranks.map_or_else(Vec::new, compiler::on_ranks);
            let variables = if ranks.is_empty() { Vec::new() } else { compiler::dividing_everything() };
            let arguments = [&run[..], &flags, &ranks, inputs].concat();
            return compiler::run(&self.comet, &arguments, &variables, folder);
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

/// Runs kernels as one program, and where the runner says so, with other formats as well.
///
/// # Errors
/// What keeps the compiler from being run at all.
pub fn check(runner: &Runner, kernels: &[Kernel], level: &str) -> Result<Verdict, String> {
    let reads_nan = kernels.iter().any(padded::reads_nan);
    // An application multiplies by the zeros of what is absent, which is NaN then.
    let is_run = |way: &&Way| !(reads_nan && matches!(way, Way::Patterns));
    let ways: &[Way] = &runner.ways().iter().filter(is_run).copied().collect::<Vec<_>>();
    let (verdict, expected) = check_apart(runner, kernels, level, ways)?;
    if !runner.twins || !matches!(verdict, Verdict::Agrees | Verdict::Refused(_)) {
        return Ok(verdict);
    }
    let twins: Vec<[Kernel; 2]> = kernels.iter().map(padded::twins).collect();
    for which in 0..2 {
        let twins: Vec<Kernel> = twins.iter().map(|twins| twins[which].clone()).collect();
        let formats: Vec<String> = twins.iter().map(formats_of).collect();
        let with_formats = |report: &str| format!("with the formats {}: {report}", formats.join("; "));
        match check_in(runner, &twins, level, &ways[..1])? {
            (Verdict::Agrees, of_twin) if of_twin == expected => {}
            (Verdict::Agrees, of_twin) => {
                let report = format!("the oracle prints\n{of_twin}and not\n{expected}");
                return Ok(Verdict::Fails(Failure::Output, with_formats(&report)));
            }
            (Verdict::Fails(failure, report), _) => {
                return Ok(Verdict::Fails(failure, with_formats(&report)));
            }
            (other, _) => return Ok(other),
        }
    }
    Ok(verdict)
}

/// Runs kernels as one program. Those that reduce by operators of their own, or by others than `+` into
/// elements of a narrow type, are left out of graphs and applications, which refuse them.
fn check_apart(
    runner: &Runner,
    kernels: &[Kernel],
    level: &str,
    ways: &[Way],
) -> Result<(Verdict, String), String> {
    let reduces_so = |kernel: &Kernel| {
        kernel.value.any_operator(own_operators::reduces) || focus::reduces_into_narrow(kernel)
    };
    let others: Vec<Kernel> = kernels.iter().filter(|kernel| !reduces_so(kernel)).cloned().collect();
    if others.len() == kernels.len() {
        return check_in(runner, kernels, level, ways);
    }
    let (code, machines): (Vec<Way>, Vec<Way>) = ways.iter().partition(|way| way.command() == "run");
    let (verdict, expected) = check_in(runner, kernels, level, &code)?;
    // Some schedules are only for graphs.
    if others.is_empty() || !matches!(verdict, Verdict::Agrees | Verdict::Refused(_)) {
        return Ok((verdict, expected));
    }
    Ok((check_in(runner, &others, level, &machines)?.0, expected))
}

fn formats_of(kernel: &Kernel) -> String {
    kernel.operands.iter().map(|operand| operand.format.text()).collect::<Vec<_>>().join(", ")
}

/// Runs kernels as one program, in a folder of its own. Beside the verdict stands what the oracle prints.
fn check_in(
    runner: &Runner,
    kernels: &[Kernel],
    level: &str,
    ways: &[Way],
) -> Result<(Verdict, String), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (text, arguments) = source::write(folder.path(), kernels).map_err(|error| error.to_string())?;
    let expected = match oracle::output(&text, &arguments, &[], folder.path()) {
        Ok(expected) => expected,
        Err(error) => return Ok((Verdict::Invalid(error), String::new())),
    };
    let (mut last, mut refused) = (Verdict::Agrees, None);
    for way in ways {
        let finished = runner.run(*way, folder.path(), level, &arguments);
        let finished = finished.map_err(|error| error.to_string())?;
        last = match agrees(&finished, &expected, TOLERANCE) {
            Ok(()) => Verdict::Agrees,
            Err(report) => {
                let flags: String = way.flags(level).iter().map(|flag| format!(" {flag}")).collect();
                verdict(&text, &finished, format!("comet {}{flags}: {report}", way.command()))
            }
        };
        // Applications are not there for every statement yet, and say so.
        let is_passed = match (way, &last) {
            (Way::Patterns, Verdict::Unsupported(_)) => !runner.patterns,
            _ => false,
        };
        if is_passed {
            last = Verdict::Agrees;
        }
        // Some schedules are only for graphs.
        match &last {
            Verdict::Agrees => {}
            Verdict::Refused(report) => refused = refused.or_else(|| Some(report.clone())),
            _ => break,
        }
    }
    // The others of several kernels have not been run that way.
    match refused {
        Some(report) if kernels.len() > 1 && last == Verdict::Agrees => {
            Ok((Verdict::Refused(report), expected))
        }
        _ => Ok((last, expected)),
    }
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

/// Whether the place that the first error names is in a schedule; notes may stand in front of it.
fn is_about_schedule(program: &str, stderr: &str) -> bool {
    let mut lines = stderr.lines().skip_while(|line| !line.starts_with("error: "));
    let place = lines.find_map(|line| line.trim_start().strip_prefix("--> "));
    let mut numbers = place.unwrap_or_default().rsplit(':').map(str::parse::<usize>);
    let (Some(Ok(column)), Some(Ok(line))) = (numbers.next(), numbers.next()) else { return false };
    let text = program.lines().nth(line.saturating_sub(1)).unwrap_or_default();
    text.find(" schedule { ").is_some_and(|start| column > start)
}

#[cfg(test)]
mod tests {
    use super::super::focus::Focus;
    use super::super::generate::{Shape, kernel};
    use super::super::rng::Rng;
    use super::*;

    /// A note about the statement is no error about its schedule.
    #[test]
    fn errors_about_schedules_are_found_behind_notes() {
        let program = "A[i] = 1 schedule { order(i); };";
        let note = "note: filled\n --> a.ta:1:1\n";
        assert!(is_about_schedule(program, &format!("{note}error: no loop\n --> a.ta:1:25\n")));
        assert!(!is_about_schedule(program, &format!("{note}error: no loop\n --> a.ta:1:5\n")));
        assert!(!is_about_schedule(program, "note: filled\n --> a.ta:1:25\n"));
    }

    fn assert_meaning(shape: Shape, number: u64) {
        let folder = tempfile::tempdir().unwrap();
        let kernel = kernel(&mut Rng::numbered(7, number), shape);
        let (text, arguments) = source::write(folder.path(), &[kernel]).unwrap();
        let output = oracle::output(&text, &arguments, &[], &crate::test_folder());
        assert!(output.is_ok(), "{text}\n{output:?}");
    }

    /// Programs without a meaning would only test how they are refused.
    #[test]
    fn what_is_generated_has_a_meaning() {
        let kinds = [(false, false, false), (true, false, false), (false, true, false), (false, false, true)];
        let cases = (0..400_u64).flat_map(|number| kinds.map(|kind| (number, kind)));
        for (number, (patterns, padded, complex)) in cases {
            let focus = Focus::default();
            let shape = Shape {
                most_sparse: 2,
                sparse_results: true,
                scheduled: 50,
                patterns,
                padded,
                complex,
                repeats: number.is_multiple_of(5),
                focus,
            };
            assert_meaning(shape, number);
        }
    }

    /// The same of every element type and every function.
    #[test]
    fn what_has_a_focus_has_a_meaning() {
        for complex in [true, false] {
            for focus in Focus::all(complex) {
                let (patterns, padded) = (false, false);
                let shape = Shape {
                    most_sparse: 2,
                    sparse_results: true,
                    scheduled: 0,
                    patterns,
                    padded,
                    complex,
                    repeats: false,
                    focus,
                };
                (0..30).for_each(|number| assert_meaning(shape, number));
            }
        }
    }
}
