//! Fetchers of tiles (sam.txt sections 4.1 and 6.4).

use super::super::fault::Fault;
use super::super::memory::{Stored, Tile};
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::graph::Fetch;
use std::collections::VecDeque;

/// Lets references through when what is below them is there. With a memory of any size and rate that is at
/// once. As many tiles as there are buffers are on their way to the reader, the one that it works on
/// included; a tile that is one of these needs no other buffer.
pub(super) struct Fetcher<'a> {
    tensor: &'a str,
    stored: Stored<'a>,
    /// The outermost level that is brought.
    level: usize,
    /// What has been asked for, in its order, and when it is there.
    asked: VecDeque<(Token, u64)>,
    /// The tiles from the one that the reader works on to the last one that was asked for.
    ahead: Ahead,
    /// The tiles that are where they are worked on, the latest last.
    kept: VecDeque<u64>,
}

impl<'a> Fetcher<'a> {
    pub(super) fn new(fetch: &'a Fetch, stored: Stored<'a>) -> Result<Self, Fault> {
        let level = stored.storage.order.iter().position(|mode| *mode == fetch.mode);
        let missing = || Fault::new(format!("`{}` has no mode {}", fetch.tensor, fetch.mode));
        let level = level.ok_or_else(missing)?;
        let (asked, ahead, kept) = (VecDeque::new(), Ahead::default(), VecDeque::new());
        Ok(Self { tensor: &fetch.tensor, stored, level, asked, ahead, kept })
    }

    /// Asks for what comes next, if there is room for it. `false`: nothing has come, or there is none.
    fn ask(&mut self, io: &mut Io<'_>) -> Result<bool, Fault> {
        let Some(token) = io.front(0) else { return Ok(false) };
        let there = match io.memory().map(|memory| memory.memory.buffers) {
            Some(buffers) if !self.has_room(io, token, buffers) => return Ok(false),
            Some(buffers) => {
                self.ahead.add(token);
                match token {
                    Token::Data(tile) => self.load(io, tile, buffers)?,
                    _ => io.cycle(),
                }
            }
            None => io.cycle(),
        };
        io.take(0);
        self.asked.push_back((token, there));
        Ok(true)
    }

    /// Whether a token can wait here, and one of the buffers is free for its tile.
    fn has_room(&mut self, io: &Io<'_>, token: Token, buffers: usize) -> bool {
        self.ahead.forget(self.asked.len() + io.waiting(0));
        let has_buffer = match token {
            Token::Data(tile) => self.ahead.has(tile) || self.ahead.tiles.len() < buffers,
            _ => true,
        };
        has_buffer && io.has_room(self.asked.len())
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
        let bytes = self.stored.bytes_below(self.level, tile)?;
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

/// The tiles of tokens that have been asked for, and the one that the reader works on.
#[derive(Default)]
struct Ahead {
    /// A tile, and how many tokens have come from its reference to the next one's.
    runs: VecDeque<(u64, usize)>,
    /// The tokens of all runs.
    tokens: usize,
    /// The tiles, and of how many runs each one is.
    tiles: Vec<(u64, usize)>,
}

impl Ahead {
    fn has(&self, tile: u64) -> bool {
        self.tiles.iter().any(|(other, _)| *other == tile)
    }

    fn add(&mut self, token: Token) {
        match (token, self.runs.back_mut()) {
            (Token::Data(tile), Some((last, count))) if *last == tile => *count += 1,
            (Token::Data(tile), _) => {
                self.runs.push_back((tile, 1));
                match self.tiles.iter_mut().find(|(other, _)| *other == tile) {
                    Some((_, runs)) => *runs += 1,
                    None => self.tiles.push((tile, 1)),
                }
            }
            (_, Some((_, count))) => *count += 1,
            (_, None) => return,
        }
        self.tokens += 1;
    }

    /// Leaves out what is behind the reader, which has so many tokens in front of it.
    fn forget(&mut self, waiting: usize) {
        while let Some(&(tile, count)) = self.runs.front()
            && self.tokens - count > waiting
        {
            self.runs.pop_front();
            self.tokens -= count;
            if let Some(place) = self.tiles.iter().position(|(other, _)| *other == tile) {
                self.tiles[place].1 -= 1;
                if self.tiles[place].1 == 0 {
                    self.tiles.swap_remove(place);
                }
            }
        }
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
