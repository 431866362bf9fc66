//! Adds up fibers: the coordinates come level by level (sam.txt definition 3.7).

use super::super::reduce::apart;
use super::super::{Behaviour, Io, SimulationFault, Step, Stepped, Token};
use super::emit::Emitter;
use super::sums::Sums;
use crate::graph::{Accumulate, EmptyFiber};

/// Adds up all points inside one fiber of the variable that is reduced.
pub(in super::super) struct FiberAccumulator {
    order: usize,
    empty: EmptyFiber,
    tensors: Vec<InputTensor>,
    emitter: Emitter,
    has_summed_all: bool,
}

struct InputTensor {
    /// Where its innermost coordinates come in; the outer ones do behind them, and then its values.
    first: usize,
    /// The coordinate of each level that is open, from the innermost on; that is not kept.
    open: Vec<Option<u64>>,
    path: Vec<u64>,
    /// What has come of it. Those of all tensors become one in their order, whenever they have come.
    sums: Sums,
}

enum Front {
    Nothing,
    /// It has been added up, or ends a fiber inside of that of the variable.
    Taken,
    /// The fiber of the variable ends, or the stream does.
    Ends(Token),
}

impl InputTensor {
    /// Takes the outer coordinates of the next inner one. Without them: `false`.
    fn open(&mut self, io: &mut Io<'_>) -> bool {
        for level in 1..self.open.len() {
            if self.open[level].is_some() {
                continue;
            }
            let Some(Token::Data(coordinate)) = io.front(self.first + level) else { return false };
            io.take(self.first + level);
            self.open[level] = Some(coordinate);
        }
        true
    }

    /// Whether the outer streams end with the innermost one. `false`: one is not there yet.
    fn end_together(&self, io: &Io<'_>, level: u64) -> Result<bool, SimulationFault> {
        for outer in 1..self.open.len() {
            let Some(expected) = level.checked_sub(outer as u64) else { break };
            let input = self.first + outer;
            match io.front(input) {
                None => return Ok(false),
                Some(Token::Stop(found)) if found == expected => {}
                Some(other) => {
                    return Err(fault!("expected `S{expected}` at input {input}, found `{other}`"));
                }
            }
        }
        Ok(true)
    }

    /// Ends the innermost fiber, and those around it that end with it.
    fn take_stop(&mut self, io: &mut Io<'_>, level: u64) {
        for outer in 1..self.open.len() {
            if level + 1 >= outer as u64 {
                self.open[outer] = None;
            }
            if level >= outer as u64 {
                io.take(self.first + outer);
            }
        }
        self.take(io);
    }

    fn take(&self, io: &mut Io<'_>) {
        io.take(self.first);
        io.take(self.first + self.open.len());
    }

    fn sum(&mut self, io: &mut Io<'_>) -> Result<Front, SimulationFault> {
        let (crd, value) = (io.front(self.first), io.front(self.first + self.open.len()));
        let (Some(crd), Some(value)) = (crd, value) else { return Ok(Front::Nothing) };
        match (crd, value) {
            (Token::Data(coordinate), Token::Data(bits)) => {
                if !self.open(io) {
                    return Ok(Front::Nothing);
                }
                self.path.clear();
                self.path.extend(self.open[1..].iter().rev().flatten());
                self.path.push(coordinate);
                self.sums.add(&self.path, bits);
                self.take(io);
            }
            (Token::Data(_), Token::Empty) => self.take(io),
            (Token::Stop(level), Token::Stop(_)) => {
                if !self.end_together(io, level)? {
                    return Ok(Front::Nothing);
                }
                if level as usize >= self.open.len() {
                    return Ok(Front::Ends(crd));
                }
                self.take_stop(io, level);
            }
            (Token::Done, Token::Done) => return Ok(Front::Ends(crd)),
            (crd, value) => {
                return Err(fault!("coordinate `{crd}` has value `{value}`"));
            }
        }
        Ok(Front::Taken)
    }
}

impl FiberAccumulator {
    pub(in super::super) fn new(accumulate: &Accumulate) -> Self {
        let (order, empty) = (accumulate.order, accumulate.empty);
        let tensor = |number| InputTensor {
            first: number * (order + 1),
            open: vec![None; order],
            path: Vec::new(),
            sums: Sums::new(accumulate),
        };
        Self {
            order,
            empty,
            tensors: (0..accumulate.inputs).map(tensor).collect(),
            emitter: Emitter::new(order),
            has_summed_all: false,
        }
    }

    /// A fiber of the variable that is reduced is over.
    fn give(&mut self, level: u64) {
        let Some((first, others)) = self.tensors.split_first_mut() else { return };
        others.iter_mut().for_each(|other| first.sums.absorb(&mut other.sums));
        let is_left = !first.sums.is_empty() || self.empty != EmptyFiber::Removed;
        self.emitter.points(first.sums.take());
        if is_left || level as usize > self.order {
            self.emitter.end(level - 1);
        }
    }

    /// A point of each tensor that has one. `false`: there is none.
    fn sum(&mut self, io: &mut Io<'_>) -> Result<bool, SimulationFault> {
        let (mut has_summed, mut waits, mut end) = (false, false, None);
        for tensor in &mut self.tensors {
            match tensor.sum(io)? {
                Front::Nothing => waits = true,
                Front::Taken => has_summed = true,
                Front::Ends(found) => match end.replace(found) {
                    Some(other) if other != found => return Err(apart(&[other, found])),
                    _ => {}
                },
            }
        }
        let Some(end) = end.filter(|_| !has_summed && !waits) else { return Ok(has_summed) };
        if let Token::Stop(level) = end {
            self.tensors.iter_mut().for_each(|tensor| tensor.take_stop(io, level));
            self.give(level);
        } else {
            self.tensors.iter().for_each(|tensor| tensor.take(io));
            self.emitter.done();
            self.has_summed_all = true;
        }
        Ok(true)
    }
}

impl Behaviour for FiberAccumulator {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let emitted = self.emitter.emit(io);
        if emitted == Step::Ends || self.has_summed_all {
            return Ok(emitted);
        }
        Ok(if io.has_room(self.emitter.behind()) && self.sum(io)? { Step::Moved } else { emitted })
    }
}
