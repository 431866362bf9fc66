//! Locators.

use super::super::fault::SimulationFault;
use super::super::network::Io;
use super::super::token::Token;
use super::{Behaviour, Step, Stepped};
use crate::graph::{GraphLevel, Locate};
use crate::storage::{BitVectors, StoredLevel, StoredTensor};

const COORDINATES: usize = 0;
const REFERENCES: usize = 1;

/// The level that is looked in.
enum LocatedFibers<'a> {
    Dense { size: u64 },
    Compressed { seg: &'a [usize], crd: &'a [usize] },
    BitVector(&'a BitVectors),
}

impl LocatedFibers<'_> {
    /// The position of a coordinate in a fiber. `None`: there is no such fiber.
    fn find(&self, fiber: u64, coordinate: u64) -> Option<Token> {
        let found = match self {
            Self::Dense { size } => {
                let position = fiber.checked_mul(*size)?.checked_add(coordinate)?;
                (coordinate < *size).then_some(position)
            }
            Self::Compressed { seg, crd } => {
                let fiber = usize::try_from(fiber).ok()?;
                let (start, end) = (*seg.get(fiber)?, *seg.get(fiber + 1)?);
                let place = crd[start..end].binary_search(&usize::try_from(coordinate).ok()?);
                place.ok().map(|place| (start + place) as u64)
            }
            Self::BitVector(bits) => {
                let found = bits.find(usize::try_from(fiber).ok()?, usize::try_from(coordinate).ok()?)?;
                found.map(|place| place as u64)
            }
        };
        Some(found.map_or(Token::Empty, Token::Data))
    }
}

/// Puts a reference for each coordinate, a cycle for each.
pub(super) struct Locator<'a> {
    fibers: LocatedFibers<'a>,
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
        let fibers = match stored {
            None => result.get(locate.mode).map(|&size| LocatedFibers::Dense { size: size as u64 }),
            Some(storage) => {
                let level = storage.order.iter().position(|&mode| mode == locate.mode);
                match (level.and_then(|level| storage.levels.get(level)), locate.level) {
                    (Some(StoredLevel::Dense { size }), GraphLevel::Dense) => {
                        Some(LocatedFibers::Dense { size: *size as u64 })
                    }
                    (Some(StoredLevel::Compressed { seg, crd }), GraphLevel::Compressed) => {
                        Some(LocatedFibers::Compressed { seg, crd })
                    }
                    (Some(StoredLevel::BitVector(bits)), GraphLevel::BitVector(_)) => {
                        Some(LocatedFibers::BitVector(bits))
                    }
                    _ => None,
                }
            }
        };
        let missing =
            || SimulationFault::new(format!("a locator reads mode {name}, which is not stored that way"));
        Ok(Self { fibers: fibers.ok_or_else(missing)?, is_root: locate.root, name: name.clone() })
    }

    fn locate(&self, fiber: Token, coordinate: u64) -> Result<Token, SimulationFault> {
        match fiber {
            Token::Empty => Ok(Token::Empty),
            Token::Data(fiber) => self.fibers.find(fiber, coordinate).ok_or_else(|| {
                SimulationFault::new(format!("reference {fiber} leads to no fiber of level {}", self.name))
            }),
            other => Err(SimulationFault::new(format!(
                "expected a fiber to look for {coordinate} in, found `{other}`"
            ))),
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
                return Err(SimulationFault::new(format!(
                    "a coordinate is `{coordinate}`, and its fiber `{fiber}`"
                )));
            }
        };
        io.take(COORDINATES);
        if !self.is_root {
            io.take(REFERENCES);
        }
        io.put(COORDINATES, coordinate);
        io.put(REFERENCES, reference);
        Ok(if coordinate == Token::Done { Step::Ends } else { Step::Moved })
    }
}
