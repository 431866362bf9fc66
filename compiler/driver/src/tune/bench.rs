//! The worker as seen from the process that decides: what it answers, and its end where that takes too long.
//!
//! A worker that follows one that has ended runs the program as it is first, so that it knows what the
//! results of candidates are compared with; a candidate that is to run is compiled where it was not.

use super::worker::{Answer, Order, PLAIN};
use crate::failure::{Failure, Result};
use crate::own;
use serde_json::json;
use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::FileExt as _;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Compiling a candidate takes no longer, nor does the program as it is.
const LONG: Duration = Duration::from_secs(24 * 60 * 60);

/// A worker, which is started when there is something to do.
pub(crate) struct CandidateBench {
    /// For it, in front of `--worker`.
    command: Vec<OsString>,
    running: Option<Running>,
    /// The schedules of all candidates, so that another worker can go on after the end of one.
    schedules: Vec<String>,
}

struct Running {
    process: Child,
    orders: ChildStdin,
    answers: Receiver<String>,
    /// What it writes to standard error.
    report: File,
    /// The candidates that it can run.
    compiled: HashSet<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Compiled {
    Done,
    Same(usize),
    /// The compiler does not carry the schedule out, for a reason.
    Refused(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Benchmark {
    /// The time in seconds of each statement that has run, by its number, each time that it has.
    Times(Vec<(usize, f64)>),
    /// It took longer than it was given.
    TooLong,
    /// The program has failed where it does not as it is: it takes too much memory, most likely.
    Failed(String),
}

/// The end of an order.
enum OrderOutcome {
    /// What the program has printed, and the answer.
    Answered(Vec<String>, Answer),
    TooLong,
    Ended,
}

impl CandidateBench {
    /// For the command line of `comet tune`, the program in front.
    pub(crate) fn new(command: Vec<OsString>) -> Self {
        Self { command, running: None, schedules: Vec::new() }
    }

    /// Compiles a candidate, and numbers it; the program as it is comes first.
    ///
    /// # Errors
    /// The compiler fails, which is a mistake of ours.
    pub(crate) fn compile(&mut self, schedule: &str) -> Result<(usize, Compiled)> {
        let number = self.schedules.len();
        self.schedules.push(schedule.to_owned());
        Ok((number, self.compile_in_worker(number)?))
    }

    /// Runs a candidate for the first time: its results are compared with those of the program as it is,
    /// which has to be the first.
    ///
    /// # Errors
    /// Results that differ, and programs that fail as they are.
    pub(crate) fn check(&mut self, number: usize, limit: Duration) -> Result<Benchmark> {
        self.run_for(&Order::Check(number), number, limit)
    }

    /// Runs a candidate.
    pub(crate) fn run(&mut self, number: usize, limit: Duration) -> Result<Benchmark> {
        self.run_for(&Order::Run(number), number, limit)
    }

    /// What the run time reports of the program's inputs, each once.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for line in self.report().lines().filter(|line| line.starts_with("note: ")) {
            if !notes.iter().any(|note| note == line) {
                notes.push(line.to_owned());
            }
        }
        notes
    }

    fn report(&self) -> String {
        self.running.as_ref().map_or_else(String::new, Running::report)
    }

    fn run_for(&mut self, order: &Order, number: usize, limit: Duration) -> Result<Benchmark> {
        self.prepare(number)?;
        match self.order(order, limit)? {
            OrderOutcome::Answered(printed, Answer::Done) => {
                times(&printed).map(Benchmark::Times).ok_or_else(|| unexpected(&printed.join(" ")))
            }
            OrderOutcome::Answered(_, Answer::Differs(how)) => {
                let schedule = self.schedule(number);
                let message = format!("with the schedule `{schedule}` the result differs: {how}");
                Err(Failure::internal(message))
            }
            OrderOutcome::Answered(_, answer) => Err(unexpected(&json!(answer).to_string())),
            OrderOutcome::TooLong => {
                self.end();
                Ok(Benchmark::TooLong)
            }
            OrderOutcome::Ended => self.failed(number),
        }
    }

    /// Has the worker know a candidate that the one before knew.
    fn prepare(&mut self, number: usize) -> Result<()> {
        if self.running()?.compiled.contains(&number) {
            return Ok(());
        }
        match self.compile_in_worker(number)? {
            Compiled::Done | Compiled::Same(_) => Ok(()),
            Compiled::Refused(why) => {
                let schedule = self.schedule(number);
                Err(Failure::internal(format!("the schedule `{schedule}` is refused the second time: {why}")))
            }
        }
    }

    fn compile_in_worker(&mut self, number: usize) -> Result<Compiled> {
        let schedule = self.schedule(number);
        let compiled = match self.order(&Order::Compile(number, schedule.clone()), LONG)? {
            OrderOutcome::Answered(_, Answer::Done) => Compiled::Done,
            OrderOutcome::Answered(_, Answer::Same(other)) => Compiled::Same(other),
            OrderOutcome::Answered(_, Answer::Refused(why)) => return Ok(Compiled::Refused(why)),
            OrderOutcome::Answered(_, Answer::Failed(why)) => {
                let message = format!("compiling with the schedule `{schedule}` fails: {why}");
                return Err(Failure::internal(message));
            }
            OrderOutcome::Answered(_, answer) => return Err(unexpected(&json!(answer).to_string())),
            OrderOutcome::TooLong | OrderOutcome::Ended => return Err(self.crashed(&schedule)),
        };
        self.running()?.compiled.insert(number);
        Ok(compiled)
    }

    fn schedule(&self, number: usize) -> String {
        self.schedules[number].clone()
    }

    fn order(&mut self, order: &Order, limit: Duration) -> Result<OrderOutcome> {
        let running = self.running()?;
        if writeln!(running.orders, "{}", json!(order)).and_then(|()| running.orders.flush()).is_err() {
            return Ok(OrderOutcome::Ended);
        }
        let start = Instant::now();
        let mut printed = Vec::new();
        loop {
            match running.answers.recv_timeout(limit.saturating_sub(start.elapsed())) {
                Ok(line) => match serde_json::from_str(&line) {
                    Ok(answer) => return Ok(OrderOutcome::Answered(printed, answer)),
                    Err(_) => printed.push(line),
                },
                Err(RecvTimeoutError::Timeout) => return Ok(OrderOutcome::TooLong),
                Err(RecvTimeoutError::Disconnected) => return Ok(OrderOutcome::Ended),
            }
        }
    }

    fn running(&mut self) -> Result<&mut Running> {
        if self.running.is_none() {
            self.running = Some(Running::start(&self.command)?);
            // The first worker is asked for the program as it is before anything else.
            if self.schedules.len() > 1 {
                self.keep_results()?;
            }
        }
        Ok(self.running.as_mut().expect("it was started"))
    }

    /// Has a new worker run the program as it is, whose results those of candidates are compared with.
    fn keep_results(&mut self) -> Result<()> {
        match self.check(PLAIN, LONG)? {
            Benchmark::Times(_) => Ok(()),
            other => Err(Failure::internal(format!("the program as it is cannot be run again: {other:?}"))),
        }
    }

    /// The worker has ended while it ran a candidate.
    fn failed(&mut self, number: usize) -> Result<Benchmark> {
        let Some(mut running) = self.running.take() else { return Err(self.crashed(&self.schedule(number))) };
        let code = running.process.wait().ok().and_then(|status| status.code());
        let report = running.report();
        let message = report.lines().rev().find_map(|line| line.strip_prefix("error: "));
        match (code, message) {
            (Some(1), Some(message)) if number == PLAIN => Err(Failure::plain(message)),
            (Some(1), Some(message)) => Ok(Benchmark::Failed(message.to_owned())),
            _ => {
                let schedule = self.schedule(number);
                Err(Failure::internal(format!("the program ends with the schedule `{schedule}`: {report}")))
            }
        }
    }

    fn crashed(&self, schedule: &str) -> Failure {
        Failure::internal(format!("the compiler ends with the schedule `{schedule}`: {}", self.report()))
    }

    /// Ends the worker, whatever it does.
    fn end(&mut self) {
        if let Some(mut running) = self.running.take() {
            // One that has ended by itself is as good.
            let _ = running.process.kill();
            let _ = running.process.wait();
        }
    }
}

impl Drop for CandidateBench {
    fn drop(&mut self) {
        self.end();
    }
}

impl Running {
    fn start(words: &[OsString]) -> Result<Self> {
        let cannot = |error: &std::io::Error| Failure::internal(format!("the worker cannot start: {error}"));
        // It has no name, so that nothing is left of it.
        let report = tempfile::tempfile().map_err(|error| cannot(&error))?;
        let standard_error = report.try_clone().map_err(|error| cannot(&error))?;
        let mut command = own::command(words);
        // Messages are read in this form, whatever the user has asked for.
        command.args(["--message-format=human", "--worker"]).env("NO_COLOR", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(standard_error);
        let mut process = command.spawn().map_err(|error| cannot(&error))?;
        let orders = process.stdin.take().expect("standard input is a pipe");
        let output = process.stdout.take().expect("standard output is a pipe");
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(std::result::Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self { process, orders, answers, report, compiled: HashSet::new() })
    }

    fn report(&self) -> String {
        // The worker goes on writing where it was: reading must not move the position that both share.
        let mut bytes = vec![0; self.report.metadata().map_or(0, |about| about.len() as usize)];
        let read = self.report.read_exact_at(&mut bytes, 0);
        read.map_or_else(|_| String::new(), |()| String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// What `timed` has a program print: the number of a statement, then its time, each as an array of one
/// element or bare.
fn times(lines: &[String]) -> Option<Vec<(usize, f64)>> {
    let is_number = |line: &&String| !line.starts_with("data =");
    let numbers: Vec<&str> = lines.iter().filter(is_number).map(|line| line.trim_end_matches(',')).collect();
    let pairs = numbers.chunks(2).map(|pair| match pair {
        [number, time] => Some((number.parse().ok()?, time.parse().ok()?)),
        _ => None,
    });
    pairs.collect()
}

fn unexpected(answer: &str) -> Failure {
    Failure::internal(format!("the worker answers `{answer}`"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::failure::FaultClass;

    /// A bench whose worker is a program of the shell: it answers `compile` and `check`, as far as `commands`
    /// does not, with `"done"`, and knows by `$kept` whether the program as it is was checked.
    pub(in crate::tune) fn bench(commands: &str) -> CandidateBench {
        let script = format!(
            "while read -r order; do
                case \"$order\" in
                    {commands}
                    '{{\"check\":0}}') kept=1; echo '\"done\"';;
                    *) echo '\"done\"';;
                esac
            done"
        );
        CandidateBench::new(vec!["/bin/sh".into(), "-c".into(), script.into()])
    }

    const MOMENT: Duration = Duration::from_millis(100);

    fn compiled(bench: &mut CandidateBench, schedules: [&str; 3]) -> [Compiled; 3] {
        schedules.map(|schedule| bench.compile(schedule).expect("the worker compiles").1)
    }

    /// A worker that follows one that was ended compares results as well, also where a candidate is compiled
    /// in it for the first time.
    #[test]
    fn results_are_compared_after_an_end() {
        let differs = r#"'{"check":2}') test "$kept" && echo '{"differs":"it is 1"}' || echo '"done"';;"#;
        let mut bench = bench(&format!("'{{\"check\":1}}') sleep 60;;\n{differs}"));
        bench.compile("").expect("the worker compiles");
        assert_eq!(bench.check(PLAIN, LONG).expect("it runs"), Benchmark::Times(Vec::new()));
        bench.compile("order(i, k)").expect("the worker compiles");
        assert_eq!(bench.check(1, MOMENT).expect("it runs"), Benchmark::TooLong);
        bench.compile("order(k, i)").expect("the worker compiles");
        let failure = bench.check(2, LONG).expect_err("the result differs");
        assert!(failure.first_message().ends_with("`order(k, i)` the result differs: it is 1"));
    }

    /// A new worker is not taken to know what it has refused.
    #[test]
    fn compiling_again_may_fail() {
        let refuses =
            r#"'{"compile":[1,'*) if test "$kept"; then echo '{"refused":"no"}'; else echo '"done"'; fi;;"#;
        let mut bench = bench(&format!("{refuses}\n'{{\"check\":2}}') sleep 60;;"));
        assert_eq!(compiled(&mut bench, ["", "order(i, k)", "order(k, i)"]), [const { Compiled::Done }; 3]);
        assert_eq!(bench.check(2, MOMENT).expect("it runs"), Benchmark::TooLong);
        let failure = bench.run(1, LONG).expect_err("the candidate is refused");
        assert_eq!(failure.fault, FaultClass::Compiler);
        assert!(failure.first_message().ends_with("is refused the second time: no"));
    }

    /// Times come in arrays of one element, numbers of statements in another form perhaps.
    #[test]
    fn times_are_read() {
        let lines = ["data = ", "0,", "data = ", "0.25,", "1", "1.5e-7"].map(str::to_owned);
        assert_eq!(times(&lines), Some(vec![(0, 0.25), (1, 1.5e-7)]));
        assert_eq!(times(&lines[..2]), None, "a time is missing");
    }
}
