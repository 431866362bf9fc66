//! Level scanners.

use super::super::fault::Fault;
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::graph::{Level, Scanner};
use crate::storage::{Storage, StoredLevel};

const REFERENCES: usize = 0;

/// Where a scanner is in its level.
enum State {
    /// It needs a reference.
    Between,
    /// It has put the coordinates of a fiber in front of this position.
    Inside { next: u64, end: u64 },
    /// All of a fiber has been put but its stop.
    Behind,
}

/// What a level's fibers are.
trait Fibers {
    /// Whether the scanner goes on inside a fiber only when it sees what comes behind the fiber's reference.
    const LOOKS_AHEAD: bool;

    /// The positions of a fiber, if there is such a fiber.
    fn positions(&self, reference: u64) -> Option<(u64, u64)>;

    /// The coordinate at a position.
    fn coordinate(&self, position: u64) -> u64;
}

struct Dense {
    size: u64,
}

impl Fibers for Dense {
    const LOOKS_AHEAD: bool = false;

    fn positions(&self, reference: u64) -> Option<(u64, u64)> {
        let start = reference.checked_mul(self.size)?;
        Some((start, start.checked_add(self.size)?))
    }

    fn coordinate(&self, position: u64) -> u64 {
        position % self.size
    }
}

struct Compressed<'a> {
    seg: &'a [usize],
    crd: &'a [usize],
}

impl Fibers for Compressed<'_> {
    const LOOKS_AHEAD: bool = true;

    fn positions(&self, reference: u64) -> Option<(u64, u64)> {
        let reference = usize::try_from(reference).ok()?;
        Some((*self.seg.get(reference)? as u64, *self.seg.get(reference + 1)? as u64))
    }

    fn coordinate(&self, position: u64) -> u64 {
        self.crd[position as usize] as u64
    }
}

struct LevelScanner<F> {
    fibers: F,
    state: State,
    /// An empty root fiber takes a cycle more than an empty fiber elsewhere.
    is_root: bool,
    name: String,
}

/// The scanner of the level that stores the mode.
pub(super) fn start<'a>(scanner: &Scanner, storage: &'a Storage) -> Result<Box<dyn Behaviour + 'a>, Fault> {
    let name = format!("{}{}", scanner.tensor, scanner.mode);
    let level = storage.order.iter().position(|&mode| mode == scanner.mode);
    let stored = level.and_then(|level| storage.levels.get(level));
    let (state, is_root) = (State::Between, scanner.root);
    match (stored, scanner.level) {
        (Some(StoredLevel::Dense { size }), Level::Dense) => {
            let fibers = Dense { size: *size as u64 };
            Ok(Box::new(LevelScanner { fibers, state, is_root, name }))
        }
        (Some(StoredLevel::Compressed { seg, crd }), Level::Compressed) => {
            Ok(Box::new(LevelScanner { fibers: Compressed { seg, crd }, state, is_root, name }))
        }
        (Some(_), level) => Err(Fault::new(format!(
            "a scanner reads mode {name} as {}, and it is stored otherwise",
            level.name()
        ))),
        (None, _) => Err(Fault::new(format!(
            "a scanner reads mode {name}, and the tensor has {} modes",
            storage.dims.len()
        ))),
    }
}

impl<F: Fibers> LevelScanner<F> {
    fn begin(&mut self, io: &mut Io<'_>, reference: u64) -> Stepped {
        let (start, end) = self.fibers.positions(reference).ok_or_else(|| {
            Fault::new(format!("reference {reference} leads to no fiber of level {}", self.name))
        })?;
        io.take(REFERENCES);
        if start < end {
            return Ok(self.put(io, start, end));
        }
        self.state = State::Behind;
        if !self.is_root {
            self.end(io);
        }
        Ok(Step::Moved)
    }

    fn put(&mut self, io: &mut Io<'_>, position: u64, end: u64) -> Step {
        io.put(0, Token::Data(self.fibers.coordinate(position)));
        io.put(1, Token::Data(position));
        self.state =
            if position + 1 < end { State::Inside { next: position + 1, end } } else { State::Behind };
        Step::Moved
    }

    fn end(&mut self, io: &mut Io<'_>) -> Step {
        let Some(stop) = io.stop_of_fiber(REFERENCES) else { return Step::Waits };
        io.put_all(stop);
        self.state = State::Between;
        Step::Moved
    }

    fn next(&mut self, io: &mut Io<'_>, token: Token) -> Stepped {
        match token {
            Token::Data(reference) => return self.begin(io, reference),
            Token::Empty => self.state = State::Behind,
            Token::Stop(_) | Token::Done => {}
        }
        io.take(REFERENCES);
        let is_done = token == Token::Done;
        io.put_all(if let Token::Stop(level) = token { Token::Stop(level + 1) } else { token });
        Ok(if is_done { Step::Ends } else { Step::Moved })
    }
}

impl<F: Fibers> Behaviour for LevelScanner<F> {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let front = io.front(REFERENCES);
        match (&self.state, front) {
            (&State::Inside { next, end }, front) if front.is_some() || !F::LOOKS_AHEAD => {
                Ok(self.put(io, next, end))
            }
            (_, None) => Ok(Step::Waits),
            (State::Between, Some(token)) => self.next(io, token),
            (_, Some(_)) => Ok(self.end(io)),
        }
    }
}
