//! Programs that wait for their turns: each keeps its operands in memory, and measures on request, as
//! `peers/run/driver.c` says.

use super::programs::Program;
use crate::setting::Outcome;
use crate::timing::shortest;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// What a program is started for.
#[derive(Clone)]
pub(super) struct Entrant<'a> {
    /// What it is called in the table.
    pub(super) name: String,
    pub(super) program: &'a Program,
    pub(super) operation: &'static str,
    pub(super) threads: u32,
    /// `sparse`, or the extents of a dense result.
    pub(super) result: String,
    pub(super) operands: Vec<PathBuf>,
}

/// How long a turn is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) repetitions: u32,
    pub(super) seconds: f64,
}

/// A program that waits for its turn.
pub(super) struct Running {
    pub(super) name: String,
    /// One for each address of its code.
    processes: Vec<Process>,
}

struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// For how many milliseconds OpenMP's threads spin for the next loop, and how long everybody waits until they
/// surely sleep.
const SPINNING: u64 = 10;
const PAUSE: Duration = Duration::from_millis(2 * SPINNING);

impl Running {
    /// Starts a program; nothing where it has no such operation.
    pub(super) fn start(entrant: &Entrant) -> Outcome<Option<Self>> {
        let Entrant { name, program, operation, threads, result, operands } = entrant;
        let mut running = Self { name: name.clone(), processes: Vec::new() };
        for path in std::iter::once(&program.path).chain(&program.moved) {
            let mut command = Command::new(path);
            command.args(&program.arguments).arg(operation).arg(result).args(operands);
            command.envs(variables(*threads)).envs(program.variables.iter().cloned());
            let mut process = Process::start(&mut command).map_err(|error| format!("{name} {error}"))?;
            match process.line().map_err(|error| format!("{name} {error}"))?.as_str() {
                "ready" => running.processes.push(process),
                "none" => return Ok(None),
                said => return Err(format!("{name} said {said:?}, and not that it is ready")),
            }
        }
        Ok(Some(running))
    }

    /// The shortest of some repetitions, in seconds.
    pub(super) fn time(&mut self, turn: Turn) -> Outcome<f64> {
        let wanted = format!("time {} {}", turn.repetitions, turn.seconds);
        let times = self.processes.iter_mut().map(|process| {
            std::thread::sleep(PAUSE);
            let said = process.ask(&wanted).map_err(|error| format!("{} {error}", self.name))?;
            said.parse().map_err(|_| format!("{} said {said:?}, expected seconds", self.name))
        });
        times.collect::<Outcome<Vec<f64>>>().map(|times| shortest(&times))
    }

    /// Has the result written.
    pub(super) fn save(&mut self, stem: &Path) -> Outcome<()> {
        let said = self.processes[0].ask(&format!("save {}", stem.display()));
        said.map(|_| ()).map_err(|error| format!("{} {error}", self.name))
    }
}

impl Process {
    fn start(command: &mut Command) -> Outcome<Self> {
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|error| format!("cannot be started: {error}"))?;
        let input = child.stdin.take().expect("the input is piped");
        let output = BufReader::new(child.stdout.take().expect("the output is piped"));
        Ok(Self { child, input, output })
    }

    fn ask(&mut self, wanted: &str) -> Outcome<String> {
        let asked = writeln!(self.input, "{wanted}").and_then(|()| self.input.flush());
        asked.map_err(|error| format!("does not listen: {error}"))?;
        self.line()
    }

    fn line(&mut self) -> Outcome<String> {
        let mut line = String::new();
        match self.output.read_line(&mut line) {
            Ok(count) if count > 0 => Ok(line.trim().to_owned()),
            _ => Err("has ended without an answer".to_owned()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What makes programs use so many threads, and no more.
fn variables(threads: u32) -> Vec<(&'static str, String)> {
    let counts = [
        "COMET_NUM_THREADS",
        "MKL_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "OMP_NUM_THREADS",
        "OPENBLAS_NUM_THREADS",
        "RAYON_NUM_THREADS",
    ];
    let mut variables: Vec<_> = counts.map(|name| (name, threads.to_string())).to_vec();
    let layer = if threads == 1 { "SEQUENTIAL" } else { "INTEL" };
    variables.push(("MKL_THREADING_LAYER", layer.to_owned()));
    variables.push(("KMP_BLOCKTIME", SPINNING.to_string()));
    variables
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data;
    use crate::run::programs::Compilation;
    use comet_format::Format;

    /// Folders may have blanks in their names.
    #[test]
    fn results_are_saved_where_they_are_wanted() {
        let folder = tempfile::Builder::new().prefix("with blank ").tempdir().unwrap();
        let mut compiled = Compilation::of_peer("C", "loops_product.c", folder.path());
        compiled.compiler = "cc";
        let program = compiled.program().unwrap();
        let file = folder.path().join("a.mtx");
        let text = "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1.5\n1 2 -2\n2 2 3\n";
        std::fs::write(&file, text).unwrap();
        let stem = folder.path().join("a");
        data::write_operand(&data::packed(&file, Format::csr()).unwrap(), &stem).unwrap();
        let (operation, result, operands) = ("spgemm", "sparse".to_owned(), vec![stem.clone(), stem]);
        let entrant =
            Entrant { name: "C".to_owned(), program: &program, operation, threads: 1, result, operands };
        let mut running = Running::start(&entrant).unwrap().expect("it has the operation");
        let product = folder.path().join("product");
        running.save(&product).unwrap();
        assert_eq!(data::read_doubles(&product.with_extension("val")).unwrap(), [2.25, -9.0, 9.0]);
    }
}
