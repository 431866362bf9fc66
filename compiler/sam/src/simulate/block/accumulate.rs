//! The reducer that keeps points: a vector, a matrix, and so on.

use super::super::fault::Fault;
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::graph::Accumulate;
use std::collections::{BTreeMap, VecDeque};

/// Coordinates, the outermost first.
type Path = Vec<u64>;

/// Adds up points that agree in all coordinates, as long as the outer ones stay as they are.
///
/// Points go through three stages, a cycle each: stops are left out, values are added up, points become streams
/// again.
pub(super) struct Accumulator {
    /// How many coordinates, from the outermost one on, give away the points when they change.
    outer: usize,
    /// The coordinates of a point, the outermost last, and its value, without stops.
    arrived: Vec<VecDeque<Token>>,
    /// Which inputs have ended.
    ended: Vec<bool>,
    sums: BTreeMap<Path, f64>,
    has_summed_all: bool,
    emitter: Emitter,
}

impl Accumulator {
    pub(super) fn new(accumulate: &Accumulate) -> Self {
        let indices = accumulate.indices.len();
        Self {
            outer: indices.saturating_sub(accumulate.order),
            arrived: vec![VecDeque::new(); indices + 1],
            ended: vec![false; indices + 1],
            sums: BTreeMap::new(),
            has_summed_all: false,
            emitter: Emitter { open: Path::new(), points: VecDeque::new(), indices, has_stopped: false },
        }
    }

    /// Takes a token of each input that has one, and keeps it unless it is a stop.
    fn arrive(&mut self, io: &mut Io<'_>) -> bool {
        let mut has_moved = false;
        for input in 0..self.arrived.len() {
            if self.ended[input] {
                continue;
            }
            if let Some(token) = io.front(input) {
                io.take(input);
                has_moved = true;
                self.ended[input] = token == Token::Done;
                if !matches!(token, Token::Stop(_)) {
                    self.arrived[input].push_back(token);
                }
            }
        }
        has_moved
    }

    fn sum(&mut self) -> Result<bool, Fault> {
        if self.has_summed_all || self.arrived.iter().any(VecDeque::is_empty) {
            return Ok(false);
        }
        let mut tokens: Vec<Token> = self.arrived.iter_mut().filter_map(VecDeque::pop_front).collect();
        let value = tokens.pop();
        match value {
            Some(Token::Data(bits)) => {
                let path = path(&tokens)?;
                self.flush_unless_below(&path);
                *self.sums.entry(path).or_insert(0.0) += f64::from_bits(bits);
            }
            Some(Token::Done) => {
                self.flush();
                self.has_summed_all = true;
            }
            _ => {}
        }
        Ok(true)
    }

    fn flush_unless_below(&mut self, path: &[u64]) {
        let outer = self.outer;
        if self.sums.first_key_value().is_some_and(|(first, _)| first[..outer] != path[..outer]) {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.emitter.points.extend(std::mem::take(&mut self.sums));
    }
}

fn path(tokens: &[Token]) -> Result<Path, Fault> {
    let coordinate = |token: &Token| match token {
        Token::Data(coordinate) => Ok(*coordinate),
        other => Err(Fault::new(format!("expected the coordinate of a value, found {other:?}"))),
    };
    tokens.iter().rev().map(coordinate).collect()
}

impl Behaviour for Accumulator {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        // The last stage first: what a stage gets in this cycle it has in the next one.
        let emitted = self.emitter.emit(io, self.has_summed_all);
        if emitted == Step::Ends {
            return Ok(Step::Ends);
        }
        let has_summed = self.sum()?;
        let has_arrived = self.arrive(io);
        Ok(if has_summed || has_arrived { Step::Moved } else { emitted })
    }
}

/// Turns points into streams.
struct Emitter {
    /// The coordinates of the fibers that are open.
    open: Path,
    points: VecDeque<(Path, f64)>,
    indices: usize,
    has_stopped: bool,
}

impl Emitter {
    fn emit(&mut self, io: &mut Io<'_>, is_all: bool) -> Step {
        let Some((path, value)) = self.points.front() else {
            return if is_all { self.end(io) } else { Step::Waits };
        };
        let common = self.open.iter().zip(path).take_while(|(a, b)| a == b).count();
        if self.open.len() == self.indices && common + 1 < self.indices {
            self.open.truncate(common);
            self.stop_below(io, common);
            return Step::Moved;
        }
        for (depth, coordinate) in path.iter().enumerate().skip(common) {
            io.put(self.indices - 1 - depth, Token::Data(*coordinate));
        }
        io.put(self.indices, Token::value(*value));
        self.open.clone_from(path);
        self.points.pop_front();
        Step::Moved
    }

    /// Ends the fibers below a coordinate that changes.
    fn stop_below(&self, io: &mut Io<'_>, depth: usize) {
        let innermost = self.indices - 1;
        for inside in depth + 1..self.indices {
            io.put(innermost - inside, Token::Stop((inside - depth - 1) as u32));
        }
        io.put(self.indices, Token::Stop((innermost - depth - 1) as u32));
    }

    fn end(&mut self, io: &mut Io<'_>) -> Step {
        if std::mem::replace(&mut self.has_stopped, true) {
            io.put_all(Token::Done);
            return Step::Ends;
        }
        for depth in 0..self.indices {
            io.put(self.indices - 1 - depth, Token::Stop(depth as u32));
        }
        io.put(self.indices, Token::Stop((self.indices - 1) as u32));
        Step::Moved
    }
}
