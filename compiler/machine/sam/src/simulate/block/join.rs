//! Intersecters and unioners.

use super::{Behaviour, EmptyCoordinates, Io, SimulationFault, Step, Stepped, Token, not_ascending};
use crate::graph::{Join, Merge, Port};

/// Where an operand's next coordinate is, and what comes with it.
#[derive(Clone, Copy)]
struct Held {
    place: Place,
    carried: Token,
}

/// Where a coordinate is among those of a fiber: an operand that has nothing comes first, and the end of
/// the fiber last.
type Place = u64;

const NOTHING: Place = 0;
/// The place of an empty token that is kept: behind all coordinates.
const PHANTOM: Place = 1 << 63;
const ENDS: Place = PHANTOM + 1;
const DONE: Place = Place::MAX;

/// Extents are below 2^63, so that no coordinate comes near to an end.
fn place(crd: Token, nothing: Place) -> Place {
    match crd {
        Token::Empty => nothing,
        Token::Data(coordinate) => coordinate + 1,
        Token::Stop(level) => ENDS + level,
        Token::Done => DONE,
    }
}

fn token(place: Place) -> Token {
    match place {
        NOTHING | PHANTOM => Token::Empty,
        DONE => Token::Done,
        ENDS.. => Token::Stop(place - ENDS),
        _ => Token::Data(place - 1),
    }
}

/// Merges the fibers of its operands. It holds the next coordinate of each, and goes on when behind those
/// of all operands another one has come.
struct Joiner<H> {
    how: Merge,
    nothing: Place,
    held: H,
    /// The scanners that skip to the coordinate that is needed next.
    skips: Vec<Skip>,
    has_begun: bool,
}

/// The way back to an operand's scanner (section 4.2).
struct Skip {
    operand: usize,
    output: usize,
    /// What was sent to it last, in this fiber.
    told: Place,
}

impl Skip {
    fn tell(&mut self, io: &mut Io<'_>, place: Place) {
        if self.told < place {
            self.told = place;
            io.put(self.output, token(place));
        }
    }
}

fn skips(join: &Join) -> Vec<Skip> {
    let skip = |operand| join.skip(operand).map(|Port(output)| Skip { operand, output, told: NOTHING });
    (0..join.operands.len()).filter_map(skip).collect()
}

/// A joiner at its start. Most have two operands, whose number is known to the compiler then.
pub(super) fn start(join: &Join, empty_coordinates: EmptyCoordinates) -> Box<dyn Behaviour> {
    let (how, skips, has_begun) = (join.how, skips(join), false);
    let nothing = match (how, empty_coordinates) {
        (Merge::Union, EmptyCoordinates::Kept) => PHANTOM,
        _ => NOTHING,
    };
    let none = Held { place: NOTHING, carried: Token::Empty };
    match join.operands.len() {
        2 => Box::new(Joiner { how, nothing, held: [none; 2], skips, has_begun }),
        count => Box::new(Joiner { how, nothing, held: vec![none; count], skips, has_begun }),
    }
}

impl<H: AsRef<[Held]> + AsMut<[Held]>> Joiner<H> {
    fn has_come(&self, io: &Io<'_>) -> bool {
        (0..2 * self.held.as_ref().len()).all(|input| io.front(input).is_some())
    }

    #[inline(always)]
    fn next(io: &mut Io<'_>, operand: usize, nothing: Place) -> Held {
        let place = place(io.take(Port::operand_crd(operand).0), nothing);
        Held { place, carried: io.take(Port::operand_ref(operand).0) }
    }

    /// Goes on with the operands that are at these places. Coordinates ascend in a fiber.
    fn advance(&mut self, io: &mut Io<'_>, is_taken: impl Fn(Place) -> bool) -> Result<(), SimulationFault> {
        let nothing = self.nothing;
        for (operand, held) in self.held.as_mut().iter_mut().enumerate() {
            if is_taken(held.place) {
                let next = Self::next(io, operand, nothing);
                if next.place <= held.place && NOTHING < held.place && held.place < PHANTOM {
                    return Err(not_ascending(token(held.place), token(next.place)));
                }
                *held = next;
            }
        }
        Ok(())
    }

    /// Puts the coordinate or the end at a place, with what the operands that are there carry.
    fn put(&self, io: &mut Io<'_>, place: Place) {
        let crd = token(place);
        for (operand, held) in self.held.as_ref().iter().enumerate() {
            let carried = match (held.place == place, place < ENDS) {
                (true, true) => held.carried,
                (true, false) => crd,
                (false, _) => Token::Empty,
            };
            io.put(Port::joined_ref(operand).0, carried);
        }
        io.put(0, crd);
    }

    /// The first and the last of the places that the operands are at.
    fn places(&self) -> (Place, Place) {
        let places = self.held.as_ref().iter().map(|held| held.place);
        places.fold((DONE, NOTHING), |(first, last), place| (first.min(place), last.max(place)))
    }

    fn intersect(&mut self, io: &mut Io<'_>, first: Place, last: Place) -> Result<(), SimulationFault> {
        if first == last {
            if first != NOTHING {
                self.put(io, first);
            }
            if !self.skips.is_empty() {
                self.tell_end(io, first);
            }
            self.advance(io, |_| true)
        } else {
            if !self.skips.is_empty() && first != NOTHING {
                self.tell(io, last);
            }
            // Of an operand that has nothing, the other one's coordinate is taken in the same cycle.
            self.advance(io, |place| place < last || first == NOTHING && last < ENDS)
        }
    }

    /// Sends the scanners of operands that are behind the coordinate that is needed next, or the stop, where
    /// none is in this fiber.
    fn tell(&mut self, io: &mut Io<'_>, last: Place) {
        for skip in &mut self.skips {
            if self.held.as_ref()[skip.operand].place < last {
                skip.tell(io, last);
            }
        }
    }

    /// All operands are at the same place. Its stop is sent to scanners that do not know it.
    fn tell_end(&mut self, io: &mut Io<'_>, place: Place) {
        for skip in &mut self.skips {
            if (ENDS..DONE).contains(&place) {
                skip.tell(io, place);
            }
            skip.told = NOTHING;
        }
    }

    fn unite(&mut self, io: &mut Io<'_>, first: Place) -> Result<(), SimulationFault> {
        if first != NOTHING {
            self.put(io, first);
        }
        self.advance(io, |place| place == first)
    }

    fn ends(&self) -> SimulationFault {
        let ends: Vec<String> =
            self.held.as_ref().iter().map(|held| format!("`{}`", token(held.place))).collect();
        fault!("the operands end with {} at the same place", ends.join(" and "))
    }
}

impl<H: AsRef<[Held]> + AsMut<[Held]>> Behaviour for Joiner<H> {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let (first, last) = self.places();
        if self.has_begun {
            if first == DONE {
                io.put_all(Token::Done);
                return Ok(Step::Ends);
            }
            if first != last && first >= ENDS {
                return Err(self.ends());
            }
        }
        if !self.has_come(io) {
            return Ok(Step::Waits);
        }
        if !self.has_begun {
            self.advance(io, |_| true)?;
            self.has_begun = true;
            return Ok(Step::Moved);
        }
        match self.how {
            Merge::Intersect => self.intersect(io, first, last)?,
            Merge::Union => self.unite(io, first)?,
        }
        Ok(Step::Moved)
    }
}
