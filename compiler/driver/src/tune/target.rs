//! The program as it is, and what of it is worth a schedule.

use super::bench::{Benchmark, CandidateBench, Compiled};
use super::candidates::Candidate;
use super::statement::Statement;
use super::worker::PLAIN;
use crate::failure::{Failure, Result};
use itertools::Itertools as _;
use std::time::{Duration, Instant};

/// A run of a candidate is ended after that many times the program's own, and [`PATIENCE`] more.
const FAR_SLOWER: u32 = 4;
const PATIENCE: Duration = Duration::from_secs(1);
/// What takes less of the whole time is left as it is.
const LEAST: f64 = 0.05;
/// The program as it is takes as long as it takes.
const FOREVER: Duration = Duration::from_secs(u32::MAX as u64);

/// The first run of the program as it is.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    /// The times in seconds of its statements, by their numbers.
    pub(crate) times: Vec<(usize, f64)>,
    /// How long a run of a candidate may take, reading included.
    pub(crate) limit: Duration,
}

/// Of which time the time of a tensor's statements is a share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WholeTime {
    /// That of all statements.
    Program,
    /// That of the statements of one function: each is a kernel of its own.
    Function,
}

/// The statements that assign to one tensor, of a program or of a function.
#[derive(Clone, Debug)]
pub(crate) struct AssignedTensor<'a> {
    /// The one that takes the longest.
    pub(crate) statement: &'a Statement,
    numbers: Vec<usize>,
    /// What stands in front of its schedule, in words; nothing where there is no other tensor.
    target: String,
}

impl Plain {
    /// Runs the program.
    pub(crate) fn run(bench: &mut CandidateBench) -> Result<Self> {
        if let (_, Compiled::Refused(why)) = bench.compile("")? {
            let message = format!("the program cannot be measured: {why}");
            return Err(Failure::plain(message));
        }
        let start = Instant::now();
        let run = bench.check(PLAIN, FOREVER)?;
        let limit = start.elapsed() * FAR_SLOWER + PATIENCE;
        let times = if let Benchmark::Times(times) = run { times } else { Vec::new() };
        Ok(Self { times, limit })
    }
}

impl<'a> AssignedTensor<'a> {
    /// What has run and is worth a schedule, the longest first.
    pub(crate) fn all(statements: &'a [Statement], plain: &Plain, whole: WholeTime) -> Vec<Self> {
        let key = |statement: &'a Statement| match whole {
            WholeTime::Program => (statement.target.tensor.as_str(), None),
            WholeTime::Function => (statement.target.tensor.as_str(), Some(statement.function.as_str())),
        };
        let keys: Vec<(&str, Option<&str>)> = statements.iter().map(key).unique().collect();
        let mut targets: Vec<(f64, Self)> = Vec::new();
        for (tensor, function) in &keys {
            let own = || statements.iter().filter(|statement| key(statement) == (*tensor, *function));
            let numbers: Vec<usize> = own().map(|statement| statement.number).collect();
            let time = |statement: &&Statement| sum(&plain.times, &[statement.number]);
            let longest = own().max_by(|left, right| time(left).total_cmp(&time(right)));
            let statement = longest.expect("a key is that of a statement");
            let is_shared = keys.iter().filter(|(other, _)| other == tensor).count() > 1;
            let target = match function {
                _ if keys.len() == 1 => String::new(),
                Some(function) if is_shared => format!("{tensor} in {function}"),
                _ => (*tensor).to_owned(),
            };
            let time = sum(&plain.times, &numbers);
            let is_of_whole =
                |other: &&Statement| function.is_none_or(|function| function == other.function.as_str());
            let of_whole = statements.iter().filter(is_of_whole).map(|statement| statement.number);
            if time > 0.0 && time >= LEAST * sum(&plain.times, &Vec::from_iter(of_whole)) {
                targets.push((time, Self { statement, numbers, target }));
            }
        }
        targets.sort_by(|(left, _), (right, _)| right.total_cmp(left));
        targets.into_iter().map(|(_, target)| target).collect()
    }

    pub(crate) fn time(&self, times: &[(usize, f64)]) -> f64 {
        sum(times, &self.numbers)
    }

    /// What is measured, as reports call it.
    pub(crate) fn name(&self) -> String {
        let access = self.statement.target.text();
        match self.target.contains(' ') {
            true => format!("`{access}` in `{}`", self.statement.function),
            false => format!("`{access}`"),
        }
    }

    /// A candidate as text for `--schedule`; empty where it has no commands.
    pub(crate) fn schedule(&self, candidate: &Candidate) -> String {
        match candidate.text() {
            text if self.target.is_empty() || text.is_empty() => text,
            text => format!("{} {{ {text}; }}", self.target),
        }
    }
}

fn sum(times: &[(usize, f64)], numbers: &[usize]) -> f64 {
    times.iter().filter(|(number, _)| numbers.contains(number)).map(|(_, time)| time).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::FaultClass;
    use crate::tune::bench::tests::bench;
    use crate::tune::candidates::tests::statement;

    /// A program that is refused with clocks is reported with the reason.
    #[test]
    fn refused_programs_are_reported() {
        let mut bench = bench(r#"'{"compile":[0,'*) echo '{"refused":"no clock"}';;"#);
        let failure = Plain::run(&mut bench).expect_err("the program is refused");
        assert_eq!(failure.fault, FaultClass::User);
        assert_eq!(failure.first_message(), "the program cannot be measured: no clock");
    }

    /// What takes little time is left out; where there are several tensors, the one that is meant is named.
    #[test]
    fn longest_first() {
        let mut product = statement("C[i,j] = A[i,k] * B[k,j]", ["CSR", "CSR", "CSR"]);
        let ordered = Candidate::ordered(&["i".to_owned(), "k".to_owned()]);
        let plain = |times: &[(usize, f64)]| Plain { times: times.to_vec(), limit: PATIENCE };
        let only = [product.clone()];
        let targets = AssignedTensor::all(&only, &plain(&[(0, 1.0), (0, 2.0)]), WholeTime::Program);
        assert_eq!(targets[0].schedule(&ordered), "order(i, k)");
        assert_eq!(targets[0].time(&[(0, 1.0), (1, 5.0), (0, 2.0)]), 3.0);
        product.number = 1;
        product.function = "other".to_owned();
        product.target.tensor = "D".to_owned();
        let both = [only[0].clone(), product];
        let count = |times: &[(usize, f64)], whole| AssignedTensor::all(&both, &plain(times), whole).len();
        let targets = AssignedTensor::all(&both, &plain(&[(0, 1.0), (1, 2.0)]), WholeTime::Program);
        assert_eq!(targets[0].schedule(&ordered), "D { order(i, k); }");
        assert_eq!(targets.len(), 2);
        assert_eq!(count(&[(0, 0.01), (1, 2.0)], WholeTime::Program), 1);
        assert_eq!(count(&[(0, 0.01), (1, 2.0)], WholeTime::Function), 2, "each is a kernel");
        assert_eq!(count(&[], WholeTime::Program), 0, "nothing has run");
        let mut same = both.clone();
        same[1].target.tensor = "C".to_owned();
        let targets = AssignedTensor::all(&same, &plain(&[(0, 1.0), (1, 2.0)]), WholeTime::Function);
        assert_eq!(targets[0].schedule(&ordered), "C in other { order(i, k); }");
        assert_eq!(AssignedTensor::all(&same, &plain(&[(0, 1.0)]), WholeTime::Program).len(), 1);
    }
}
