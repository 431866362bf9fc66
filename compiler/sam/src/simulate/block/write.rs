//! Level and value writers.

use super::super::fault::Fault;
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::graph::{Level, WriteLevel};

/// What a writer has stored.
#[derive(Debug)]
pub(in super::super) enum Written {
    /// The fibers of the level that stores a mode, empty ones too.
    Level { mode: usize, level: Level, seg: Vec<usize>, crd: Vec<usize> },
    /// The values.
    Values(Vec<f64>),
}

/// Stores the coordinates of one level.
pub(super) struct LevelWriter {
    mode: usize,
    level: Level,
    seg: Vec<usize>,
    crd: Vec<usize>,
}

impl LevelWriter {
    pub(super) fn new(level: &WriteLevel) -> Self {
        Self { mode: level.mode, level: level.level, seg: vec![0], crd: Vec::new() }
    }
}

impl Behaviour for LevelWriter {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(token) = io.front(0) else { return Ok(Step::Waits) };
        io.take(0);
        match token {
            Token::Data(coordinate) => self.crd.push(coordinate as usize),
            Token::Stop(_) => self.seg.push(self.crd.len()),
            Token::Empty => return Err(Fault::new("expected coordinates to write, found an empty token")),
            Token::Done => return Ok(Step::Ends),
        }
        Ok(Step::Moved)
    }

    fn written(&mut self) -> Option<Written> {
        let (seg, crd) = (std::mem::take(&mut self.seg), std::mem::take(&mut self.crd));
        Some(Written::Level { mode: self.mode, level: self.level, seg, crd })
    }
}

/// Stores the values; stops are of no interest.
#[derive(Default)]
pub(super) struct ValueWriter {
    values: Vec<f64>,
}

impl Behaviour for ValueWriter {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(token) = io.front(0) else { return Ok(Step::Waits) };
        io.take(0);
        match token {
            Token::Data(bits) => self.values.push(f64::from_bits(bits)),
            Token::Empty => self.values.push(0.0),
            Token::Stop(_) => {}
            Token::Done => return Ok(Step::Ends),
        }
        Ok(Step::Moved)
    }

    fn written(&mut self) -> Option<Written> {
        Some(Written::Values(std::mem::take(&mut self.values)))
    }
}
