//! Which candidates are measured, and how often.
//!
//! Each is compiled and run once at first, to see that it leaves the result as it is and to warm up. Then all
//! of a stage run in turns, [`SHORT`] rounds; one that is clearly slower than the best is dropped as soon as
//! that shows. The one with the fastest run of a stage is what the next stage goes on from. At last the
//! fastest [`FINALISTS`] of all and the program as it is run in turns as often as was asked for.

use super::bench::{Bench, Compiled, Run};
use super::candidate::Candidate;
use super::candidates;
use super::statement::Statement;
use super::statistics::Times;
use super::worker::PLAIN;
use crate::failure::Result;
use std::time::{Duration, Instant};

/// The rounds of a stage.
const SHORT: u32 = 3;
/// How many are measured in the last rounds, beside the program as it is.
const FINALISTS: usize = 4;
/// One that takes so many times as long as the best when both have run for the first time is dropped,
const SLOW_AT_FIRST: f64 = 3.0;
/// but not where it takes no more than so many seconds: that much may come from elsewhere.
const CHANCE: f64 = 0.02;
/// One whose fastest run, of at least two, takes so many times as long as the best's is dropped.
const SLOW: f64 = 1.5;
/// A run is ended after that many times the program's own, and [`PATIENCE`] more.
const FAR_SLOWER: u32 = 4;
const PATIENCE: Duration = Duration::from_secs(1);
/// What a schedule has to gain to be worth writing down.
pub(crate) const GAIN: f64 = 0.03;

/// A candidate, and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Tried {
    pub(crate) candidate: Candidate,
    pub(crate) schedule: String,
    pub(crate) state: State,
    /// Of all statements of the program together, without the first run.
    pub(crate) times: Times,
    /// Of the first run.
    first: f64,
}

impl Tried {
    fn new(candidate: Candidate, state: State) -> Self {
        Self { schedule: candidate.text(), candidate, state, times: Times::default(), first: f64::INFINITY }
    }

    /// The time of the fastest run so far, the first among them.
    pub(crate) fn fastest(&self) -> f64 {
        self.times.fastest().min(self.first)
    }
}

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum State {
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

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) rounds: u32,
    /// How many candidates are run at most, beside the program as it is.
    pub(crate) candidates: usize,
    pub(crate) threads: usize,
}

/// A search over the schedules of one statement.
pub(crate) struct Search<'a> {
    bench: &'a mut Bench,
    settings: Settings,
    /// The program as it is comes first.
    pub(crate) tried: Vec<Tried>,
    /// The time in seconds of each statement of the program as it is, in its first run.
    pub(crate) statements: Vec<(usize, f64)>,
    /// How long a run of a candidate may take, reading included.
    limit: Duration,
    has_run: usize,
    /// Those of the last rounds, the program as it is first.
    pub(crate) finalists: Vec<usize>,
}

impl<'a> Search<'a> {
    /// Runs the program as it is.
    pub(crate) fn begin(bench: &'a mut Bench, settings: Settings) -> Result<Self> {
        let mut search = Self {
            bench,
            settings,
            tried: Vec::new(),
            statements: Vec::new(),
            limit: Duration::from_secs(u64::from(u32::MAX)),
            has_run: 0,
            finalists: Vec::new(),
        };
        let start = Instant::now();
        search.bench.compile(PLAIN, "")?;
        let run = search.bench.check(PLAIN, search.limit)?;
        search.limit = start.elapsed() * FAR_SLOWER + PATIENCE;
        if let Run::Times(times) = &run {
            for (number, time) in times {
                match search.statements.iter_mut().find(|(other, _)| other == number) {
                    Some((_, sum)) => *sum += time,
                    None => search.statements.push((*number, *time)),
                }
            }
        }
        let first = search.statements.iter().map(|(_, time)| time).sum();
        search.tried.push(Tried { first, ..Tried::new(Candidate::default(), State::Alive) });
        Ok(search)
    }

    /// Searches the schedules of a statement, stage by stage.
    pub(crate) fn run(&mut self, statement: &Statement) -> Result<()> {
        self.tried[PLAIN].candidate = candidates::plain(statement);
        // Half of what may be run is for the first stage, half of the rest for the second.
        let mut share = self.settings.candidates.div_ceil(2);
        self.stage(candidates::structures(statement), share)?;
        share = (self.settings.candidates - self.has_run).div_ceil(2);
        self.stage(candidates::blocks(statement, &self.best().candidate), share)?;
        share = self.settings.candidates - self.has_run;
        self.stage(candidates::tasks(&self.best().candidate, self.settings.threads), share)?;
        self.finish()
    }

    /// The fastest so far.
    fn best(&self) -> &Tried {
        let alive = self.tried.iter().filter(|tried| tried.state == State::Alive);
        let best = alive.min_by(|left, right| left.fastest().total_cmp(&right.fastest()));
        best.unwrap_or(&self.tried[PLAIN])
    }

    /// The one to be written down: the program as it is, unless another one is clearly faster.
    pub(crate) fn winner(&self) -> usize {
        let plain = &self.tried[PLAIN].times;
        let median = |number: &usize| self.tried[*number].times.median();
        let alive = self.finalists.iter().copied().filter(|number| self.tried[*number].state == State::Alive);
        let best = alive.min_by(|left, right| median(left).total_cmp(&median(right)));
        best.filter(|number| self.tried[*number].times.is_clearly_below(plain, GAIN)).unwrap_or(PLAIN)
    }

    /// What the run time tells of the program's inputs, each once.
    pub(crate) fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = Vec::new();
        for line in self.bench.told().lines().filter(|line| line.starts_with("note: ")) {
            if !notes.iter().any(|note| note == line) {
                notes.push(line.to_owned());
            }
        }
        notes
    }

    /// Measures candidates that were not tried yet beside the best so far, as many as `share` of them.
    fn stage(&mut self, candidates: Vec<Candidate>, share: usize) -> Result<()> {
        let mut stage = vec![PLAIN];
        for candidate in candidates {
            if stage.len() > share {
                break;
            }
            stage.extend(self.first_run(candidate)?);
        }
        if stage.len() == 1 {
            return Ok(());
        }
        let first_times = stage.iter().map(|number| self.tried[*number].first);
        let best = first_times.fold(f64::INFINITY, f64::min);
        for number in &stage[1..] {
            let tried = &mut self.tried[*number];
            if tried.first > SLOW_AT_FIRST * best && tried.first > CHANCE {
                tried.state = State::Dropped;
            }
        }
        self.rounds(&stage, SHORT)
    }

    /// Compiles and runs a candidate; its number, where it is one to be measured.
    fn first_run(&mut self, candidate: Candidate) -> Result<Option<usize>> {
        let schedule = candidate.text();
        if self.tried.iter().any(|tried| tried.schedule == schedule) {
            return Ok(None);
        }
        let number = self.tried.len();
        let state = match self.bench.compile(number, &schedule)? {
            Compiled::Done => State::Alive,
            Compiled::Same(other) => State::Same(other),
            Compiled::Refused(why) => State::Refused(why),
        };
        let is_alive = state == State::Alive;
        self.tried.push(Tried::new(candidate, state));
        if !is_alive {
            return Ok(None);
        }
        self.has_run += 1;
        let run = self.bench.check(number, self.limit)?;
        let time = self.time(number, run);
        self.tried[number].first = time.unwrap_or(f64::INFINITY);
        Ok(time.map(|_| number))
    }

    /// Runs those of some candidates that are alive in turns.
    fn rounds(&mut self, some: &[usize], rounds: u32) -> Result<()> {
        for _ in 0..rounds {
            for number in some.iter().copied() {
                if self.tried[number].state != State::Alive {
                    continue;
                }
                let run = self.bench.run(number, self.limit)?;
                if let Some(time) = self.time(number, run) {
                    self.tried[number].times.add(time);
                }
            }
            self.drop_slow(some);
        }
        Ok(())
    }

    fn drop_slow(&mut self, some: &[usize]) {
        let alive = self.tried.iter().filter(|tried| tried.state == State::Alive);
        let best = alive.map(Tried::fastest).fold(f64::INFINITY, f64::min);
        for number in some.iter().copied().filter(|number| *number != PLAIN) {
            let tried = &mut self.tried[number];
            if tried.state == State::Alive && tried.fastest() > SLOW * best {
                tried.state = State::Dropped;
            }
        }
    }

    /// The time of all statements together; a candidate that has none is none.
    fn time(&mut self, number: usize, run: Run) -> Option<f64> {
        let why = match run {
            Run::Times(times) => return Some(times.into_iter().map(|(_, time)| time).sum()),
            Run::TooLong => format!("ended after {:.1} s", self.limit.as_secs_f64()),
            Run::Failed(why) => why,
        };
        self.tried[number].state = State::Ended(why);
        None
    }

    /// The last rounds, in which only the fastest take part.
    fn finish(&mut self) -> Result<()> {
        let mut alive: Vec<usize> =
            (1..self.tried.len()).filter(|number| self.tried[*number].state == State::Alive).collect();
        let fastest = |number: &usize| self.tried[*number].fastest();
        alive.sort_by(|left, right| fastest(left).total_cmp(&fastest(right)));
        alive.truncate(FINALISTS);
        let finalists: Vec<usize> = std::iter::once(PLAIN).chain(alive).collect();
        self.finalists.clone_from(&finalists);
        finalists.iter().for_each(|number| self.tried[*number].times = Times::default());
        self.rounds(&finalists, self.settings.rounds)
    }
}
