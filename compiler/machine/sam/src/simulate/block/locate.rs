//! Locators.

use super::{Behaviour, Io, SimulationFault, Step, Stepped, Token};
use crate::graph::Locate;
use crate::storage::{StoredLevel, StoredTensor};
use std::borrow::Cow;

const COORDINATES: usize = 0;
const REFERENCES: usize = 1;

/// Puts a reference for each coordinate, a cycle for each.
pub(super) struct Locator<'a> {
    level: Cow<'a, StoredLevel>,
    is_root: bool,
    name: String,
}

impl<'a> Locator<'a> {
    /// Looks in a stored tensor, or in a result, whose levels are dense and of these extents.
    pub(super) fn new(
        locate: &Locate,
        stored: Option<&'a StoredTensor>,
        result: &[usize],
    ) -> Result<Self, SimulationFault> {
        let name = format!("{}{}", locate.tensor, locate.mode);
        let level = match stored {
            None => result.get(locate.mode).map(|&size| Cow::Owned(StoredLevel::Dense { size })),
            Some(stored) => stored.level_of(locate.mode).map(Cow::Borrowed),
        };
        let level =
            level.filter(|level| level.is_dense() && stored.is_none() || level.is_stored_as(locate.level));
        let missing = || fault!("a locator reads mode {name}, which is not stored that way");
        Ok(Self { level: level.ok_or_else(missing)?, is_root: locate.root, name: name.clone() })
    }

    fn find(&self, fiber: u64, coordinate: u64) -> Option<Token> {
        let found = self.level.locate(usize::try_from(fiber).ok()?, usize::try_from(coordinate).ok()?)?;
        Some(found.map_or(Token::Empty, |position| Token::Data(position as u64)))
    }

    fn locate(&self, fiber: Token, coordinate: u64) -> Result<Token, SimulationFault> {
        match fiber {
            Token::Empty => Ok(Token::Empty),
            Token::Data(fiber) => self
                .find(fiber, coordinate)
                .ok_or_else(|| fault!("reference {fiber} leads to no fiber of level {}", self.name)),
            other => Err(fault!("expected a fiber to look for {coordinate} in, found `{other}`")),
        }
    }
}

impl Behaviour for Locator<'_> {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(coordinate) = io.front(COORDINATES) else { return Ok(Step::Waits) };
        let fiber = match (self.is_root, coordinate) {
            (true, Token::Data(_)) => Token::Data(0),
            (true, _) => coordinate,
            (false, _) => match io.front(REFERENCES) {
                None => return Ok(Step::Waits),
                Some(fiber) => fiber,
            },
        };
        let reference = match coordinate {
            Token::Data(coordinate) => self.locate(fiber, coordinate)?,
            _ if coordinate == fiber => coordinate,
            _ => {
                return Err(fault!("a coordinate is `{coordinate}`, and its fiber `{fiber}`"));
            }
        };
        io.take(COORDINATES);
        if !self.is_root {
            io.take(REFERENCES);
        }
        io.put(COORDINATES, coordinate);
        io.put(REFERENCES, reference);
        Ok(Step::behind(coordinate))
    }
}
