//! Programs on several processes: they print what they print on one.

use std::path::{Path, PathBuf};

use crate::compiler::{self, End, Finished};
use crate::directives::Expected;
use crate::oracle;
use crate::program::{Inputs, Program, agrees, not_started, refused, split};

/// Whether a program runs in memory or as an executable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// `comet run --ranks N`.
    InMemory,
    /// `comet build --distributed`, and `mpirun -n N`.
    Executable,
}

/// Whether there is an MPI that compiles and starts programs.
pub fn has_mpi() -> bool {
    let answers = |program: String| {
        let asked = std::process::Command::new(program).arg("--version").output();
        asked.is_ok_and(|output| output.status.success())
    };
    answers(mpirun()) && answers(from_environment("COMET_MPICC", "mpicc"))
}

fn mpirun() -> String {
    from_environment("COMET_MPIRUN", "mpirun")
}

fn from_environment(variable: &str, usual: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| usual.to_owned())
}

/// One run of a program, whose modes are divided however short they are.
struct ProcessesRun<'a> {
    program: &'a Program,
    number: usize,
    comet: PathBuf,
}

impl Program {
    /// Does one of the runs with sums in order on one process and on each of several numbers of them, and
    /// compares every byte of standard output and exit codes. In memory, it also runs with sums in any order,
    /// and is compared with the oracle.
    ///
    /// # Errors
    /// How what happened differs from what was expected.
    pub fn check_on_processes(&self, run: usize, code: Code, counts: &[u64]) -> Result<(), String> {
        let run = ProcessesRun { program: self, number: run, comet: compiler::locate()? };
        match code {
            Code::InMemory => run.check_in_memory(counts),
            Code::Executable => run.check_executable(counts),
        }
    }
}

impl ProcessesRun<'_> {
    fn check_in_memory(&self, counts: &[u64]) -> Result<(), String> {
        let ordered = ["--ordered-sums".to_owned()];
        let alone = self.in_memory(&ordered)?;
        for count in counts {
            let ranks = compiler::on_ranks(*count);
            let on_processes = self.in_memory(&[&ordered[..], &ranks].concat())?;
            self.compare(&alone, &on_processes, *count)?;
            if self.program.directives.expected == Expected::Output {
                let inputs = self.inputs()?;
                let finished = self.in_memory_with(&ranks, &inputs)?;
                self.compare_with_oracle(&finished, &inputs)
                    .map_err(|error| format!("{count} processes, sums in any order: {error}"))?;
            }
        }
        Ok(())
    }

    fn in_memory(&self, flags: &[String]) -> Result<Finished, String> {
        self.in_memory_with(flags, &self.inputs()?)
    }

    fn in_memory_with(&self, flags: &[String], inputs: &Inputs) -> Result<Finished, String> {
        let own = ["run", &self.program.path.to_string_lossy(), "--print=exact"].map(String::from);
        self.start(&self.comet, &[&own[..], flags, &inputs.args].concat(), &inputs.home)
    }

    fn check_executable(&self, counts: &[u64]) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let executable = folder.path().join("program").to_string_lossy().into_owned();
        let inputs = self.inputs()?;
        let (_, for_build) = split(&inputs.args);
        let path = self.program.path.to_string_lossy();
        let own = ["build", &path, "--distributed", "--ordered-sums", "-o", &executable].map(String::from);
        let built = self.start(&self.comet, &[&own[..], &for_build].concat(), &inputs.home)?;
        if built.end != End::Exit(0) {
            return match &self.program.directives.expected {
                Expected::Error(text) | Expected::NotSupported(text) => refused(&built, text),
                _ => Err(format!("the executable is not built: {}", built.stderr)),
            };
        }
        let alone = self.executed(&executable, 1)?;
        counts.iter().try_for_each(|count| self.compare(&alone, &self.executed(&executable, *count)?, *count))
    }

    fn executed(&self, executable: &str, count: u64) -> Result<Finished, String> {
        let inputs = self.inputs()?;
        let (for_run, _) = split(&inputs.args);
        let own = ["-q", "-n", &count.to_string(), executable, "--print=exact"].map(String::from);
        self.start(Path::new(&mpirun()), &[&own[..], &for_run].concat(), &inputs.home)
    }

    fn inputs(&self) -> Result<Inputs, String> {
        self.program.inputs(&self.comet, self.number)
    }

    fn start(&self, program: &Path, args: &[String], home: &Path) -> Result<Finished, String> {
        let mut variables = compiler::dividing_everything();
        variables.extend(self.program.directives.variables.iter().cloned());
        // More processes than cores, and as root, as `comet run --ranks` does it.
        for name in ["ALLOW_RUN_AS_ROOT", "ALLOW_RUN_AS_ROOT_CONFIRM", "MCA_rmaps_base_oversubscribe"] {
            variables.push((format!("OMPI_{name}"), "1".to_owned()));
        }
        compiler::run(program, args, &variables, home).map_err(not_started)
    }

    fn compare(&self, alone: &Finished, others: &Finished, count: u64) -> Result<(), String> {
        let is_compared = self.program.directives.expected != Expected::Success;
        if alone.end != others.end || is_compared && untimed(&alone.stdout) != untimed(&others.stdout) {
            return Err(format!(
                "one process: {:?}\n{}{}{count} processes: {:?}\n{}{}",
                alone.end, alone.stdout, alone.stderr, others.end, others.stdout, others.stderr
            ));
        }
        match &self.program.directives.expected {
            Expected::Error(text) | Expected::NotSupported(text) => refused(others, text),
            _ => Ok(()),
        }
    }

    /// The oracle reads what the program has written.
    fn compare_with_oracle(&self, finished: &Finished, inputs: &Inputs) -> Result<(), String> {
        let program = self.program;
        let variables = &program.directives.variables;
        let expected = oracle::output(&program.text, &inputs.args, variables, &inputs.home)?;
        agrees(finished, &expected, program.directives.tolerance)
    }
}

/// What a program has printed, without times.
fn untimed(printed: &str) -> Vec<&str> {
    printed.lines().filter(|line| !line.starts_with("ELAPSED_TIME = ")).collect()
}
