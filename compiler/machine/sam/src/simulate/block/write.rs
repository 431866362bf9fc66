//! Level and value writers.

use super::{Behaviour, EmptyCoordinates, Io, SimulationFault, Step, Stepped, Token, not_ascending};
use crate::arithmetic::Combine;
use crate::graph::{FiberNesting, GraphLevel, ValuePlacement, WriteLevel, WriteValues};
use crate::storage::StoredTensor;

#[derive(Debug)]
pub(in super::super) enum WrittenPart {
    /// The fibers of the level that stores a mode, empty ones too.
    Level {
        mode: usize,
        level: GraphLevel,
        seg: Vec<usize>,
        crd: Vec<usize>,
    },
    Values(Vec<u64>),
    /// Those of a result whose levels are dense, and not written.
    Scattered(Vec<u64>),
}

pub(super) struct LevelWriter {
    mode: usize,
    level: GraphLevel,
    fibers: FiberNesting,
    /// How many levels of fibers the stream has, if that is known.
    depth: Option<u64>,
    extent: Option<usize>,
    seg: Vec<usize>,
    crd: Vec<usize>,
    /// How many words of this fiber have come, of a level of bit vectors.
    words: usize,
    last: Token,
    empty_coordinates: EmptyCoordinates,
}

impl LevelWriter {
    /// The writer of the level at a place from the outermost on.
    pub(super) fn new(
        level: &WriteLevel,
        place: Option<usize>,
        extent: Option<usize>,
        empty_coordinates: EmptyCoordinates,
    ) -> Self {
        let WriteLevel { mode, level, fibers, .. } = *level;
        let depth = place.filter(|_| fibers == FiberNesting::Nested).map(|place| place as u64 + 1);
        Self {
            mode,
            level,
            fibers,
            depth,
            extent,
            seg: vec![0],
            crd: Vec::new(),
            words: 0,
            last: Token::Empty,
            empty_coordinates,
        }
    }

    /// Whether the stream is a nested list of ascending coordinates, as deep as the level is.
    fn check(&self, token: Token) -> Result<(), SimulationFault> {
        match (self.last, token, self.depth) {
            (Token::Data(last), Token::Data(next), Some(_))
                if next <= last && !matches!(self.level, GraphLevel::BitVector(_)) =>
            {
                Err(not_ascending(self.last, token))
            }
            (_, Token::Stop(level), Some(depth)) if level >= depth => Err(fault!(
                "`{token}` ends more than there is: expected stops up to `S{}`, since the level is at depth {depth}",
                depth - 1
            )),
            (Token::Data(_), Token::Done, _) => {
                Err(fault!("the stream of coordinates is over, and its last fiber has not ended"))
            }
            _ => Ok(()),
        }
    }
}

impl LevelWriter {
    fn push_word(&mut self, word: u64, width: u32) {
        let lowest = self.words * width as usize;
        let is_set = |bit: &usize| word >> bit & 1 == 1;
        self.crd.extend((0..width as usize).filter(is_set).map(|bit| lowest + bit));
        self.words += 1;
    }

    /// What has come last is a coordinate of the mode.
    fn check_extent(&self) -> Result<(), SimulationFault> {
        match (self.crd.last(), self.extent) {
            (Some(coordinate), Some(extent)) if *coordinate >= extent => Err(fault!(
                "found the coordinate {coordinate}, expected one below the extent {extent} of mode {}",
                self.mode
            )),
            _ => Ok(()),
        }
    }
}

impl Behaviour for LevelWriter {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(token) = io.front(0) else { return Ok(Step::Waits) };
        io.take(0);
        self.check(token)?;
        self.last = token;
        match token {
            Token::Data(word) if let GraphLevel::BitVector(width) = self.level => self.push_word(word, width),
            Token::Data(coordinate) => {
                self.crd.push(coordinate as usize);
                if self.fibers == FiberNesting::Single {
                    self.seg.push(self.crd.len());
                }
            }
            Token::Stop(_) if self.fibers == FiberNesting::Single => {}
            Token::Stop(_) => {
                self.words = 0;
                self.seg.push(self.crd.len());
            }
            // A phantom has no place among the coordinates, and its values have none, which `unfit` reports.
            Token::Empty if self.empty_coordinates == EmptyCoordinates::Kept => {}
            Token::Empty => {
                return Err(fault!("expected coordinates to write, found an empty token"));
            }
            Token::Done => return Ok(Step::Ends),
        }
        self.check_extent()?;
        Ok(Step::Moved)
    }

    fn written(&mut self) -> Option<WrittenPart> {
        let (seg, crd) = (std::mem::take(&mut self.seg), std::mem::take(&mut self.crd));
        Some(WrittenPart::Level { mode: self.mode, level: self.level, seg, crd })
    }
}

/// A writer of values at its start. The result has these extents, and is what it was before where that is
/// given.
pub(super) fn values(
    write: &WriteValues,
    before: Option<&StoredTensor>,
    result: &[usize],
) -> Result<Box<dyn Behaviour>, SimulationFault> {
    let fill = Combine::nothing(write.fill, write.element).bits();
    let values = match (write.places, before) {
        (ValuePlacement::InOrder, _) => return Ok(Box::new(ValueWriter { values: Vec::new(), fill })),
        (ValuePlacement::Scattered, _) => filled(write, fill, result)?,
        (ValuePlacement::Kept, Some(before)) => before.values.bits.clone(),
        (ValuePlacement::Kept, None) => {
            let name = &write.tensor;
            let fault = fault!("elements of `{name}` are to be kept, and it is not given");
            return Err(fault.hint("give it like an operand"));
        }
    };
    Ok(Box::new(ScatteringWriter { values }))
}

/// The elements of a dense result. Its extents come from elsewhere, and memory need not suffice for them.
fn filled(write: &WriteValues, fill: u64, extents: &[usize]) -> Result<Vec<u64>, SimulationFault> {
    let count = extents.iter().try_fold(1_usize, |count, extent| count.checked_mul(*extent));
    let mut values = Vec::new();
    match count {
        Some(count) if values.try_reserve_exact(count).is_ok() => {
            values.resize(count, fill);
            Ok(values)
        }
        _ => {
            let name = &write.tensor;
            let fault = fault!("no memory for the elements of `{name}`, which are {extents:?}");
            Err(fault.hint("store the result in compressed levels"))
        }
    }
}

/// Stores the values; stops are of no interest.
struct ValueWriter {
    values: Vec<u64>,
    /// What is stored for an empty token.
    fill: u64,
}

impl Behaviour for ValueWriter {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some(token) = io.front(0) else { return Ok(Step::Waits) };
        io.take(0);
        match token {
            Token::Data(bits) => self.values.push(bits),
            Token::Empty => self.values.push(self.fill),
            Token::Stop(_) => {}
            Token::Done => return Ok(Step::Ends),
        }
        Ok(Step::Moved)
    }

    fn written(&mut self) -> Option<WrittenPart> {
        Some(WrittenPart::Values(std::mem::take(&mut self.values)))
    }
}

struct ScatteringWriter {
    values: Vec<u64>,
}

impl Behaviour for ScatteringWriter {
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let (Some(reference), Some(value)) = (io.front(0), io.front(1)) else { return Ok(Step::Waits) };
        io.take(0);
        io.take(1);
        match (reference, value) {
            (Token::Data(place), Token::Data(bits)) => {
                let element = usize::try_from(place).ok().and_then(|place| self.values.get_mut(place));
                let missing = || fault!("reference {place} leads to no element of the result");
                *element.ok_or_else(missing)? = bits;
            }
            (Token::Data(_), Token::Empty) => {}
            (Token::Done, Token::Done) => return Ok(Step::Ends),
            _ if reference == value => {}
            _ => {
                return Err(fault!("a value is `{value}`, and its reference `{reference}`"));
            }
        }
        Ok(Step::Moved)
    }

    fn written(&mut self) -> Option<WrittenPart> {
        Some(WrittenPart::Scattered(std::mem::take(&mut self.values)))
    }
}
