//! Points to streams.

use super::super::{Io, Step, Token};
use super::sums::SummedPoints;
use std::collections::VecDeque;

enum Event {
    Points(SummedPoints),
    /// The fiber around the points is over, with a stop of this level at the innermost coordinates.
    End(u64),
    Done,
}

/// Puts points as streams of levels, one innermost coordinate or stop a cycle.
pub(super) struct Emitter {
    events: VecDeque<Event>,
    put: usize,
    behind: usize,
    open: Vec<u64>,
    indices: usize,
}

impl Emitter {
    pub(super) fn new(indices: usize) -> Self {
        Self { events: VecDeque::new(), put: 0, behind: 0, open: Vec::new(), indices }
    }

    pub(super) fn behind(&self) -> usize {
        self.behind
    }

    pub(super) fn points(&mut self, points: SummedPoints) {
        if points.get(0).is_some() {
            if !self.events.is_empty() {
                self.behind += points.len();
            }
            self.events.push_back(Event::Points(points));
        }
    }

    pub(super) fn end(&mut self, level: u64) {
        self.events.push_back(Event::End(level));
    }

    pub(super) fn done(&mut self) {
        self.events.push_back(Event::Done);
    }

    pub(super) fn emit(&mut self, io: &mut Io<'_>) -> Step {
        match self.events.front() {
            None => return Step::Waits,
            Some(Event::Points(points)) => {
                let (path, value) = points.get(self.put).expect("points that have been put are left out");
                if !point(&mut self.open, self.indices, io, path, value) {
                    return Step::Moved;
                }
                self.put += 1;
                if points.get(self.put).is_some() {
                    return Step::Moved;
                }
                self.put = 0;
            }
            Some(&Event::End(level)) => {
                self.open.clear();
                stop_below(self.indices, io, 0, level);
            }
            Some(Event::Done) => {
                io.put_all(Token::Done);
                return Step::Ends;
            }
        }
        self.events.pop_front();
        if let Some(Event::Points(points)) = self.events.front() {
            self.behind -= points.len();
        }
        Step::Moved
    }
}

/// Puts a point. `false`: fibers have ended before it, which takes a cycle of its own.
fn point(open: &mut Vec<u64>, indices: usize, io: &mut Io<'_>, path: &[u64], value: u64) -> bool {
    let common = open.iter().zip(path).take_while(|(a, b)| a == b).count();
    if open.len() == indices && common + 1 < indices {
        open.truncate(common);
        stop_below(indices, io, common + 1, (indices - common - 2) as u64);
        return false;
    }
    for (depth, coordinate) in path.iter().enumerate().skip(common) {
        io.put(indices - 1 - depth, Token::Data(*coordinate));
    }
    io.put(indices, Token::Data(value));
    open.truncate(common);
    open.extend_from_slice(&path[common..]);
    true
}

/// Ends the fibers of the variables from `depth` on; the innermost with a stop of this level.
fn stop_below(indices: usize, io: &mut Io<'_>, depth: usize, level: u64) {
    for output in 0..indices - depth {
        io.put(output, Token::Stop(level - output as u64));
    }
    io.put(indices, Token::Stop(level));
}
