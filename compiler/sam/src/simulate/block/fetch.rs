//! Fetchers of tiles (sam.txt sections 4.1 and 6.4).

use super::super::fault::Fault;
use super::super::memory::{Tile, bytes_below};
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::graph::Fetch;
use crate::storage::Storage;
use std::collections::VecDeque;

/// Lets references through when what is below them is there. With a memory of any size and rate that is at
/// once.
pub(super) struct Fetcher<'a> {
    tensor: &'a str,
    storage: &'a Storage,
    /// The outermost level that is brought.
    level: usize,
    /// What has been asked for, in its order, and when it is there.
    asked: VecDeque<(Token, u64)>,
    /// The tiles that are where they are worked on, the latest last.
    kept: VecDeque<u64>,
}

impl<'a> Fetcher<'a> {
    pub(super) fn new(fetch: &'a Fetch, storage: &'a Storage) -> Result<Self, Fault> {
        let level = storage.order.iter().position(|mode| *mode == fetch.mode);
        let missing = || Fault::new(format!("`{}` has no mode {}", fetch.tensor, fetch.mode));
        let level = level.ok_or_else(missing)?;
        let (asked, kept) = (VecDeque::new(), VecDeque::new());
        Ok(Self { tensor: &fetch.tensor, storage, level, asked, kept })
    }

    /// Asks for what comes next, if there is room for it. `false`: nothing has come, or there is none.
    fn ask(&mut self, io: &mut Io<'_>) -> Result<bool, Fault> {
        let Some(token) = io.front(0) else { return Ok(false) };
        let there = match token {
            Token::Data(tile) => match io.memory().map(|memory| memory.memory.buffers) {
                Some(buffers) if !self.has_room(io, buffers) => return Ok(false),
                Some(buffers) => self.load(io, tile, buffers)?,
                None => io.cycle(),
            },
            _ => io.cycle(),
        };
        io.take(0);
        self.asked.push_back((token, there));
        Ok(true)
    }

    /// Whether one of the buffers is free: the reader works on one that it has taken, others have been asked
    /// for.
    fn has_room(&self, io: &Io<'_>, buffers: usize) -> bool {
        let ahead = self.asked.iter().filter(|(token, _)| matches!(token, Token::Data(_))).count();
        ahead + io.waiting(0) + 1 < buffers
    }

    /// The cycle in which a tile is there.
    fn load(&mut self, io: &mut Io<'_>, tile: u64, buffers: usize) -> Result<u64, Fault> {
        let cycle = io.cycle();
        let Some(memory) = io.memory() else { return Ok(cycle) };
        if let Some(place) = self.kept.iter().position(|kept| *kept == tile) {
            self.kept.remove(place);
            self.kept.push_back(tile);
            memory.report.kept += 1;
            return Ok(cycle);
        }
        let bytes = bytes_below(self.storage, self.level, tile)?;
        let room = memory.memory.element / buffers as u64;
        if bytes > room {
            let name = self.tensor;
            return Err(Fault::of_options(format!(
                "a tile of `{name}` has {bytes} bytes, and there is room for {room}"
            ))
            .hint("make tiles smaller, or the buffer of the processing element larger"));
        }
        self.kept.push_back(tile);
        if self.kept.len() > buffers {
            self.kept.pop_front();
        }
        let operand = memory.operand(self.tensor);
        Ok(memory.load(cycle, Tile { operand, level: self.level, position: tile }, bytes))
    }
}

impl Behaviour for Fetcher<'_> {
    /// A reference that needs not be waited for passes in a cycle, like through any block.
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let has_asked = self.ask(io)?;
        match self.asked.front() {
            Some(&(token, there)) if there <= io.cycle() => {
                self.asked.pop_front();
                io.put(0, token);
                Ok(if token == Token::Done { Step::Ends } else { Step::Moved })
            }
            Some(&(_, there)) => {
                io.wake_at(there);
                Ok(if has_asked { Step::Moved } else { Step::Waits })
            }
            None => Ok(if has_asked { Step::Moved } else { Step::Waits }),
        }
    }
}
