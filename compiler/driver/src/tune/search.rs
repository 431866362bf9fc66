//! Which candidates are measured, and how often.
//!
//! Each is compiled and run once at first, to see that it leaves the result as it is and to warm up. Then all
//! of a stage run in turns, [`SHORT`] times; one that is clearly slower than the best is dropped as soon as
//! that shows. The one with the lowest median is what the next stage goes on from. At last the fastest
//! [`FINALISTS`] of all and the program as it is run in turns as often as was asked for.

use super::bench::{Benchmark, CandidateBench, Compiled};
use super::candidates;
use super::candidates::Candidate;
use super::statistics::Times;
use super::target::{AssignedTensor, Plain};
use super::worker::PLAIN;
use crate::failure::Result;
use std::time::Duration;

/// How often the candidates of a stage run.
const SHORT: u32 = 3;
/// How many are measured in the last stage, beside the program as it is.
const FINALISTS: usize = 4;
/// One that takes so many times as long as the best when both have run for the first time is dropped,
const SLOW_AT_FIRST: f64 = 5.0;
/// but not where it takes no more than so many seconds: that much may come from elsewhere.
const CHANCE: f64 = 0.02;
/// One whose fastest run, of at least two, takes so many times as long as the best in the median is dropped.
const SLOW: f64 = 1.5;
/// What a schedule has to gain to be worth writing down.
pub(crate) const GAIN: f64 = 0.03;

#[derive(Clone, Debug)]
pub(crate) struct Tried {
    /// By which the bench knows it.
    pub(crate) number: usize,
    pub(crate) candidate: Candidate,
    pub(crate) schedule: String,
    pub(crate) state: CandidateState,
    /// Of the target's statements, without the first run.
    pub(crate) times: Times,
    first: f64,
}

impl Tried {
    /// The time of the fastest run so far, the first among them.
    pub(crate) fn fastest(&self) -> f64 {
        self.times.fastest().min(self.first)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CandidateState {
    /// It is measured, or can still be.
    Alive,
    /// It has the code of the candidate with that number.
    Same(usize),
    /// The compiler does not carry it out.
    Refused(String),
    /// It was clearly slower than another one.
    Dropped,
    /// It was ended, or has failed.
    Ended(String),
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchSettings {
    pub(crate) rounds: u32,
    /// How many candidates are run at most, beside the program as it is.
    pub(crate) candidates: usize,
    pub(crate) threads: usize,
}

pub(crate) struct CandidateSearch<'a> {
    bench: &'a mut CandidateBench,
    settings: SearchSettings,
    pub(crate) target: &'a AssignedTensor<'a>,
    /// How long a run may take.
    limit: Duration,
    /// The program as it is comes first.
    pub(crate) tried: Vec<Tried>,
    /// How many candidates have run, to an end or not.
    pub(crate) has_run: usize,
    /// Those of the last stage, the program as it is first.
    pub(crate) finalists: Vec<usize>,
}

impl<'a> CandidateSearch<'a> {
    pub(crate) fn new(
        bench: &'a mut CandidateBench,
        settings: SearchSettings,
        target: &'a AssignedTensor<'a>,
        plain: &Plain,
    ) -> Self {
        let as_it_is = Tried {
            number: PLAIN,
            candidate: candidates::plain(target.statement),
            schedule: String::new(),
            state: CandidateState::Alive,
            times: Times::default(),
            first: target.time(&plain.times),
        };
        Self {
            bench,
            settings,
            target,
            limit: plain.limit,
            tried: vec![as_it_is],
            has_run: 0,
            finalists: Vec::new(),
        }
    }

    /// Searches, stage by stage.
    ///
    /// # Errors
    /// Mistakes of the compiler: results that differ, and code that ends where the program as it is does not.
    pub(crate) fn run(&mut self) -> Result<()> {
        let statement = self.target.statement;
        // Half of what may be run is for the first stage, half of the rest for the second.
        self.stage(candidates::structures(statement), self.settings.candidates.div_ceil(2))?;
        let rest = self.rest().div_ceil(2);
        self.stage(candidates::blocks(statement, &self.best().candidate), rest)?;
        let rest = self.rest();
        self.stage(candidates::tasks(&self.best().candidate, self.settings.threads), rest)?;
        self.finish()
    }

    fn rest(&self) -> usize {
        self.settings.candidates - self.has_run
    }

    fn best(&self) -> &Tried {
        let alive = self.tried.iter().filter(|tried| tried.state == CandidateState::Alive);
        let best = alive.min_by(|left, right| left.times.median().total_cmp(&right.times.median()));
        best.unwrap_or(&self.tried[PLAIN])
    }

    /// The one to be written down: the program as it is, unless another one is clearly faster.
    pub(crate) fn winner(&self) -> usize {
        let plain = &self.tried[PLAIN].times;
        let median = |place: &usize| self.tried[*place].times.median();
        let alive =
            self.finalists.iter().copied().filter(|place| self.tried[*place].state == CandidateState::Alive);
        let best = alive.min_by(|left, right| median(left).total_cmp(&median(right)));
        best.filter(|place| self.tried[*place].times.is_clearly_below(plain, GAIN)).unwrap_or(PLAIN)
    }

    /// Measures candidates that were not tried yet beside the best so far. No more than `share` of them run,
    /// those included that are ended in their first run.
    fn stage(&mut self, candidates: Vec<Candidate>, share: usize) -> Result<()> {
        let mut stage = vec![PLAIN];
        let most = self.has_run + share;
        for candidate in candidates {
            if self.has_run == most {
                break;
            }
            stage.extend(self.first_run(candidate)?);
        }
        if stage.len() == 1 {
            return Ok(());
        }
        let first_times = stage.iter().map(|place| self.tried[*place].first);
        let best = first_times.fold(f64::INFINITY, f64::min);
        for place in &stage[1..] {
            let tried = &mut self.tried[*place];
            if tried.first > SLOW_AT_FIRST * best && tried.first > CHANCE {
                tried.state = CandidateState::Dropped;
            }
        }
        self.rounds(&stage, SHORT)
    }

    /// Compiles and runs a candidate; its place, where it is one to be measured.
    fn first_run(&mut self, candidate: Candidate) -> Result<Option<usize>> {
        let schedule = self.target.schedule(&candidate);
        if self.tried.iter().any(|tried| tried.schedule == schedule) {
            return Ok(None);
        }
        let (number, compiled) = self.bench.compile(&schedule)?;
        let state = match compiled {
            Compiled::Done => CandidateState::Alive,
            Compiled::Same(other) => CandidateState::Same(other),
            Compiled::Refused(why) => CandidateState::Refused(why),
        };
        let is_alive = state == CandidateState::Alive;
        let (place, times, first) = (self.tried.len(), Times::default(), f64::INFINITY);
        self.tried.push(Tried { number, candidate, schedule, state, times, first });
        if !is_alive {
            return Ok(None);
        }
        self.has_run += 1;
        let run = self.bench.check(number, self.limit)?;
        let time = self.time(place, run);
        self.tried[place].first = time.unwrap_or(f64::INFINITY);
        Ok(time.map(|_| place))
    }

    /// Runs those of some candidates that are alive in turns.
    fn rounds(&mut self, some: &[usize], rounds: u32) -> Result<()> {
        for _ in 0..rounds {
            for place in some.iter().copied() {
                if self.tried[place].state != CandidateState::Alive {
                    continue;
                }
                let run = self.bench.run(self.tried[place].number, self.limit)?;
                if let Some(time) = self.time(place, run) {
                    self.tried[place].times.add(time);
                }
            }
            self.drop_slow(some);
        }
        Ok(())
    }

    fn drop_slow(&mut self, some: &[usize]) {
        let alive = self.tried.iter().filter(|tried| tried.state == CandidateState::Alive);
        let best = alive.map(|tried| tried.times.median()).fold(f64::INFINITY, f64::min);
        for place in some.iter().copied().filter(|place| *place != PLAIN) {
            let tried = &mut self.tried[place];
            if tried.state == CandidateState::Alive && tried.fastest() > SLOW * best {
                tried.state = CandidateState::Dropped;
            }
        }
    }

    /// The time of the target's statements; a candidate that has none is none.
    fn time(&mut self, place: usize, run: Benchmark) -> Option<f64> {
        let why = match run {
            Benchmark::Times(times) => return Some(self.target.time(&times)),
            Benchmark::TooLong => format!("longer than {:.1} s", self.limit.as_secs_f64()),
            Benchmark::Failed(why) => why,
        };
        self.tried[place].state = CandidateState::Ended(why);
        None
    }

    /// The last stage, in which only the fastest take part.
    fn finish(&mut self) -> Result<()> {
        let mut alive: Vec<usize> =
            (1..self.tried.len()).filter(|place| self.tried[*place].state == CandidateState::Alive).collect();
        let median = |place: &usize| self.tried[*place].times.median();
        alive.sort_by(|left, right| median(left).total_cmp(&median(right)));
        alive.truncate(FINALISTS);
        let finalists: Vec<usize> = std::iter::once(PLAIN).chain(alive).collect();
        self.finalists.clone_from(&finalists);
        finalists.iter().for_each(|place| self.tried[*place].times = Times::default());
        self.rounds(&finalists, self.settings.rounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::bench::tests::bench;
    use crate::tune::candidates::tests::statement;
    use crate::tune::target::WholeTime;

    /// Candidates that are ended in their first run count among those that may run.
    #[test]
    fn ended_candidates_have_run() {
        let statement = [statement("C[i,j] = A[i,k] * B[k,j]", ["Dense", "CSR", "Dense"])];
        let never =
            "'{\"check\":0}') kept=1; echo 0; echo 1.5; echo '\"done\"';;\n'{\"check\":'*) sleep 60;;";
        let mut bench = bench(never);
        let plain = Plain::run(&mut bench).expect("the program runs as it is");
        let plain = Plain { limit: Duration::from_millis(20), ..plain };
        let targets = AssignedTensor::all(&statement, &plain, WholeTime::Program);
        let settings = SearchSettings { rounds: 1, candidates: 4, threads: 2 };
        let mut search = CandidateSearch::new(&mut bench, settings, &targets[0], &plain);
        search.run().expect("the worker is started again");
        assert_eq!(search.has_run, 4);
        let ended =
            search.tried.iter().filter(|tried| matches!(tried.state, CandidateState::Ended(_))).count();
        assert_eq!(ended, 4);
    }
}
