//! Level scanners.

use super::{Behaviour, Io, SimulationFault, Step, Stepped, Token};
use crate::graph::{Port, Scanner};
use crate::storage::{BitVectors, StoredTensor};
use std::collections::VecDeque;

const REFERENCES: usize = 0;
const SKIP: usize = Port::SKIP.0;

enum ScannerState {
    /// It needs a reference.
    Between,
    /// It has put the coordinates of a fiber in front of this position.
    Inside { next: u64, end: u64 },
    /// All of a fiber has been put but its stop.
    Behind,
}

trait LevelFibers {
    /// Whether the scanner goes on inside a fiber only when it sees what comes behind the fiber's reference.
    const LOOKS_AHEAD: bool;

    fn positions(&self, reference: u64) -> Option<(u64, u64)>;

    /// What goes out at a position: the coordinate, or the word, and the reference.
    fn at(&self, position: u64) -> [u64; 2];

    fn not_before(&self, positions: (u64, u64), coordinate: u64) -> u64;
}

struct Dense {
    size: u64,
}

impl LevelFibers for Dense {
    const LOOKS_AHEAD: bool = false;

    fn positions(&self, reference: u64) -> Option<(u64, u64)> {
        let start = reference.checked_mul(self.size)?;
        Some((start, start.checked_add(self.size)?))
    }

    fn at(&self, position: u64) -> [u64; 2] {
        [position % self.size, position]
    }

    fn not_before(&self, (next, end): (u64, u64), coordinate: u64) -> u64 {
        (end - self.size).saturating_add(coordinate).clamp(next, end)
    }
}

struct Compressed<'a> {
    seg: &'a [usize],
    crd: &'a [usize],
}

impl LevelFibers for Compressed<'_> {
    const LOOKS_AHEAD: bool = true;

    fn positions(&self, reference: u64) -> Option<(u64, u64)> {
        let reference = usize::try_from(reference).ok()?;
        Some((*self.seg.get(reference)? as u64, *self.seg.get(reference + 1)? as u64))
    }

    fn at(&self, position: u64) -> [u64; 2] {
        [self.crd[position as usize] as u64, position]
    }

    fn not_before(&self, (next, end): (u64, u64), coordinate: u64) -> u64 {
        let left = &self.crd[next as usize..end as usize];
        next + left.partition_point(|other| (*other as u64) < coordinate) as u64
    }
}

/// Words, with the position of the first bit in each that is set (section 4.3).
struct WordFibers<'a> {
    bits: &'a BitVectors,
    firsts: Vec<u64>,
}

impl<'a> WordFibers<'a> {
    fn new(bits: &'a BitVectors) -> Self {
        let first = |set: &mut u64, word: &u64| {
            let first = *set;
            *set += u64::from(word.count_ones());
            Some(first)
        };
        Self { bits, firsts: bits.words.iter().scan(0, first).collect() }
    }
}

impl LevelFibers for WordFibers<'_> {
    const LOOKS_AHEAD: bool = false;

    fn positions(&self, reference: u64) -> Option<(u64, u64)> {
        let each = self.bits.words_each() as u64;
        let start = reference.checked_mul(each)?;
        (start + each <= self.bits.words.len() as u64).then_some((start, start + each))
    }

    fn at(&self, position: u64) -> [u64; 2] {
        [self.bits.words[position as usize], self.firsts[position as usize]]
    }

    fn not_before(&self, (next, _): (u64, u64), _: u64) -> u64 {
        next
    }
}

struct LevelScanner<F> {
    fibers: F,
    state: ScannerState,
    /// An empty root fiber takes a cycle more than an empty fiber elsewhere.
    is_root: bool,
    skips: Option<Skips>,
    name: String,
}

/// What a scanner knows of the intersecter that reads it (section 4.2), by the rules of SAM's own blocks. The
/// numbers of stops on either side say which fiber is meant by a coordinate to go on with.
#[derive(Default)]
struct Skips {
    told: VecDeque<Token>,
    pending: Option<Token>,
    put: u64,
    seen: u64,
    /// The coordinate that the scanner has put last, in this fiber or another.
    last: u64,
}

impl Skips {
    /// Receives what the intersecter has sent. A stop takes the place of coordinates that nobody has looked
    /// at, behind an earlier stop.
    fn receive(&mut self, io: &mut Io<'_>) {
        while let Some(token) = io.front(SKIP) {
            io.take(SKIP);
            let is_stop = |token: &Token| matches!(token, Token::Stop(_));
            if is_stop(&token)
                && let Some(stop) = self.told.iter().rposition(is_stop)
            {
                self.told.truncate(stop + 1);
            }
            self.told.push_back(token);
        }
    }

    /// Looks at the next thing that has come, one a cycle. What is behind the scanner means nothing any more.
    /// `false`: there is none, or one is pending.
    fn look(&mut self) -> bool {
        if self.pending.is_some() {
            return false;
        }
        let Some(token) = self.told.pop_front() else { return false };
        let is_behind = match token {
            Token::Data(coordinate) if self.seen == self.put => coordinate < self.last,
            _ => self.seen < self.put,
        };
        self.pending = (!is_behind).then_some(token);
        self.seen += u64::from(matches!(token, Token::Stop(_)));
        true
    }

    fn has_put(&mut self, token: Token) {
        match token {
            Token::Data(coordinate) => self.last = coordinate,
            Token::Stop(_) => (self.put, self.pending) = (self.put + 1, None),
            Token::Empty | Token::Done => {}
        }
    }
}

pub(super) fn start<'a>(
    scanner: &Scanner,
    storage: &'a StoredTensor,
) -> Result<Box<dyn Behaviour + 'a>, SimulationFault> {
    let name = format!("{}{}", scanner.tensor, scanner.mode);
    let Some(stored) = storage.level_of(scanner.mode) else {
        let modes = storage.dims.len();
        let message = format!("a scanner reads mode {name}, and the tensor has {modes} modes");
        return Err(SimulationFault::new(message));
    };
    if !stored.is_stored_as(scanner.level) {
        let level = scanner.level.name();
        let message = format!("a scanner reads mode {name} as {level}, and it is stored otherwise");
        return Err(SimulationFault::new(message));
    }
    Ok(match (stored.bit_vectors(), stored.segments(), stored.extent()) {
        (Some(bits), ..) => LevelScanner::boxed(WordFibers::new(bits), scanner, name),
        (None, Some(seg), _) => {
            let crd = stored.coordinates();
            LevelScanner::boxed(Compressed { seg, crd }, scanner, name)
        }
        (None, None, size) => {
            LevelScanner::boxed(Dense { size: size.unwrap_or_default() as u64 }, scanner, name)
        }
    })
}

impl<'a, F: LevelFibers + 'a> LevelScanner<F> {
    fn boxed(fibers: F, scanner: &Scanner, name: String) -> Box<dyn Behaviour + 'a> {
        let (state, is_root) = (ScannerState::Between, scanner.root);
        let skips = scanner.skips.then(Skips::default);
        Box::new(Self { fibers, state, is_root, skips, name })
    }
}

impl<F: LevelFibers> LevelScanner<F> {
    fn put_stop(&mut self, io: &mut Io<'_>, stop: Token) {
        io.put_all(stop);
        self.state = ScannerState::Between;
        if let Some(skips) = &mut self.skips {
            skips.has_put(stop);
        }
    }

    fn begin(&mut self, io: &mut Io<'_>, reference: u64) -> Stepped {
        let (start, end) = self
            .fibers
            .positions(reference)
            .ok_or_else(|| fault!("reference {reference} leads to no fiber of level {}", self.name))?;
        io.take(REFERENCES);
        if start < end {
            return Ok(self.go_on(io, start, end));
        }
        self.state = ScannerState::Behind;
        if !self.is_root {
            self.end(io);
        }
        Ok(Step::Moved)
    }

    /// Goes on in a fiber: with the next coordinate, or with what the intersecter needs next.
    fn go_on(&mut self, io: &mut Io<'_>, next: u64, end: u64) -> Step {
        let pending = self.skips.as_mut().and_then(|skips| Some((skips.pending.take()?, skips.last)));
        let position = match pending {
            Some((Token::Data(coordinate), last)) if coordinate > last => {
                self.fibers.not_before((next, end), coordinate)
            }
            Some((Token::Stop(_), _)) => end,
            _ => next,
        };
        if position < end {
            return self.put(io, position, end);
        }
        self.state = ScannerState::Behind;
        self.end(io);
        Step::Moved
    }

    fn put(&mut self, io: &mut Io<'_>, position: u64, end: u64) -> Step {
        let [coordinate, reference] = self.fibers.at(position);
        io.put(0, Token::Data(coordinate));
        io.put(1, Token::Data(reference));
        if let Some(skips) = &mut self.skips {
            skips.has_put(Token::Data(coordinate));
        }
        self.state = if position + 1 < end {
            ScannerState::Inside { next: position + 1, end }
        } else {
            ScannerState::Behind
        };
        Step::Moved
    }

    fn end(&mut self, io: &mut Io<'_>) -> Step {
        let Some(stop) = io.stop_of_fiber(REFERENCES) else { return Step::Waits };
        self.put_stop(io, stop);
        Step::Moved
    }

    fn next(&mut self, io: &mut Io<'_>, token: Token) -> Stepped {
        match token {
            Token::Data(reference) => return self.begin(io, reference),
            Token::Empty => self.state = ScannerState::Behind,
            Token::Stop(_) | Token::Done => {}
        }
        io.take(REFERENCES);
        match token {
            Token::Stop(level) => self.put_stop(io, Token::Stop(level + 1)),
            _ => io.put_all(token),
        }
        Ok(Step::behind(token))
    }

    fn scan(&mut self, io: &mut Io<'_>) -> Stepped {
        let front = io.front(REFERENCES);
        match (&self.state, front) {
            (&ScannerState::Inside { next, end }, front) if front.is_some() || !F::LOOKS_AHEAD => {
                Ok(self.go_on(io, next, end))
            }
            (_, None) => Ok(Step::Waits),
            (ScannerState::Between, Some(token)) => self.next(io, token),
            (_, Some(_)) => Ok(self.end(io)),
        }
    }
}

impl<F: LevelFibers> Behaviour for LevelScanner<F> {
    /// What the intersecter sends counts in the same cycle.
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let looks = self.skips.as_mut().is_some_and(|skips| {
            skips.receive(io);
            skips.look()
        });
        match self.scan(io)? {
            Step::Waits if looks => Ok(Step::Moved),
            step => Ok(step),
        }
    }
}
