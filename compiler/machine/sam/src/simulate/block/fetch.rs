//! Fetchers of tiles (sam.txt sections 4.1 and 6.4).

use super::super::memory::{StoredTiles, Tile};
use super::{Behaviour, Io, SimulationFault, Step, Stepped, Token};
use crate::graph::Fetch;
use crate::graph::sources::Loop;
use std::collections::{HashMap, VecDeque};

/// Lets references through when what is below them is there. With a memory of any size and rate that is at
/// once. A tile is pushed once in each iteration of the loops over tiles around the last index that it has,
/// also where the iteration before had the same one; inside of an iteration its reference is only repeated.
/// As many tiles as there are buffers are on their way to the reader, the one that it works on included.
pub(super) struct Fetcher<'a> {
    tensor: &'a str,
    tiles: StoredTiles<'a>,
    level: usize,
    /// How many of the innermost loops around only repeat the reference.
    repeats: u64,
    bytes: HashMap<u64, u64>,
    /// The tile of the iteration, if it has been asked for.
    fetched: Option<u64>,
    /// What has been asked for, in its order, and when it is there.
    asked: VecDeque<(Token, u64)>,
    /// The tiles from the one that the reader works on to the last one that was asked for.
    ahead: Ahead,
}

impl<'a> Fetcher<'a> {
    pub(super) fn new(
        fetch: &'a Fetch,
        tiles: StoredTiles<'a>,
        around: &[Loop<'_>],
    ) -> Result<Self, SimulationFault> {
        let level = tiles.storage.order.iter().position(|mode| *mode == fetch.mode);
        let missing = || fault!("`{}` has no mode {}", fetch.tensor, fetch.mode);
        let level = level.ok_or_else(missing)?;
        // A loop of one tile is none.
        let moves = |own: &&Loop<'_>| {
            own.mode.is_some_and(|mode| tiles.storage.dims.get(mode).is_none_or(|count| *count > 1))
        };
        let repeats = around.iter().rev().take_while(|own| !moves(own)).count() as u64;
        let (bytes, asked, ahead) = (HashMap::new(), VecDeque::new(), Ahead::default());
        Ok(Self { tensor: &fetch.tensor, tiles, level, repeats, bytes, fetched: None, asked, ahead })
    }

    /// Asks for what comes next, if there is room for it. `false`: nothing has come, or there is none.
    fn ask(&mut self, io: &mut Io<'_>) -> Result<bool, SimulationFault> {
        let Some(token) = io.front(0) else { return Ok(false) };
        let there = match io.memory().map(|memory| memory.memory.buffers) {
            Some(buffers) if !self.has_room(io, token, buffers) => return Ok(false),
            Some(_) => {
                let tile_use = self.tile_use(token);
                self.ahead.add(token, tile_use);
                self.go_on(token);
                match token {
                    Token::Data(tile) => self.load(io, tile, tile_use)?,
                    _ => io.cycle(),
                }
            }
            None => io.cycle(),
        };
        io.take(0);
        self.asked.push_back((token, there));
        Ok(true)
    }

    fn tile_use(&self, token: Token) -> TileUse {
        match token {
            Token::Data(tile) if self.fetched == Some(tile) => TileUse::Kept,
            _ => TileUse::New,
        }
    }

    /// A stop of the loops that repeat a reference ends the iteration; without such loops each reference
    /// does.
    fn go_on(&mut self, token: Token) {
        match token {
            Token::Data(tile) if self.repeats > 0 => self.fetched = Some(tile),
            Token::Stop(stop) if stop + 1 >= self.repeats => self.fetched = None,
            _ => {}
        }
    }

    /// Whether a token can wait here, and one of the buffers is free for its tile.
    fn has_room(&mut self, io: &Io<'_>, token: Token, buffers: usize) -> bool {
        self.ahead.forget(self.asked.len() + io.waiting(0));
        let is_new = matches!(token, Token::Data(_)) && self.tile_use(token) == TileUse::New;
        (!is_new || self.ahead.tiles.len() < buffers) && io.has_room(self.asked.len())
    }

    fn load(&mut self, io: &mut Io<'_>, tile: u64, tile_use: TileUse) -> Result<u64, SimulationFault> {
        let cycle = io.cycle();
        let Some(memory) = io.memory() else { return Ok(cycle) };
        if tile_use == TileUse::Kept {
            memory.report.kept += 1;
            return Ok(cycle);
        }
        let bytes = match self.bytes.get(&tile) {
            Some(known) => *known,
            None => self.tiles.bytes(self.level, tile)?,
        };
        self.bytes.insert(tile, bytes);
        let room = memory.memory.element;
        if bytes > room {
            let name = self.tensor;
            return Err(SimulationFault::of_options(format!(
                "a tile of `{name}` takes {bytes} bytes, and a buffer of the processing element has room for {room}"
            ))
            .hint("make tiles smaller, or `element` of the memory larger"));
        }
        let operand = memory.operand(self.tensor);
        Ok(memory.load(cycle, Tile { operand, level: self.level, position: tile }, bytes))
    }
}

/// Whether a token leads to a new tile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TileUse {
    New,
    Kept,
}

/// The tiles of tokens that have been asked for, and the one that the reader works on.
#[derive(Default)]
struct Ahead {
    /// For each tile how many tokens have come from its first reference to that of the next tile.
    tiles: VecDeque<usize>,
    tokens: usize,
}

impl Ahead {
    /// Adds a token; one that leads to a kept tile leads to the last of the tiles.
    fn add(&mut self, token: Token, tile_use: TileUse) {
        match (token, self.tiles.back_mut()) {
            (Token::Data(_), _) if tile_use == TileUse::New => self.tiles.push_back(1),
            (_, Some(count)) => *count += 1,
            (_, None) => return,
        }
        self.tokens += 1;
    }

    /// Leaves out what is behind the reader, which has so many tokens in front of it.
    fn forget(&mut self, waiting: usize) {
        while let Some(&count) = self.tiles.front()
            && self.tokens - count > waiting
        {
            self.tiles.pop_front();
            self.tokens -= count;
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
                Ok(Step::behind(token))
            }
            Some(&(_, there)) => {
                io.wake_at(there);
                Ok(if has_asked { Step::Moved } else { Step::Waits })
            }
            None => Ok(if has_asked { Step::Moved } else { Step::Waits }),
        }
    }
}
