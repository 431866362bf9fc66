//! Bit vectors: joiners of words, and the converter of coordinates to words (sam.txt section 4.3).

use super::{Behaviour, Io, SimulationFault, Step, Stepped, Token, not_ascending};
use crate::graph::{Join, Merge, Port, ToWords};

/// Merges the words of its operands, a word of each in a cycle, and puts the coordinates of the bits that
/// are left with a reference for each, as many in a cycle as its bus has wires.
pub(super) struct WordJoiner {
    how: Merge,
    width: u32,
    lanes: usize,
    operands: Vec<WordInput>,
    /// The bits whose coordinates are to be put.
    left: u64,
    words: u64,
}

/// The word of an operand that is at hand, and the position of the first bit in it that is set.
#[derive(Clone, Copy, Default)]
struct WordInput {
    word: u64,
    first: u64,
}

impl WordInput {
    fn reference(self, bit: u32) -> Token {
        let below = self.word & ((1 << bit) - 1);
        let is_set = self.word >> bit & 1 == 1;
        if is_set { Token::Data(self.first + u64::from(below.count_ones())) } else { Token::Empty }
    }
}

impl WordJoiner {
    pub(super) fn new(join: &Join, width: u32, lanes: usize) -> Self {
        let operands = vec![WordInput::default(); join.operands.len()];
        Self { how: join.how, width, lanes, operands, left: 0, words: 0 }
    }

    /// The next word of each operand; one whose fiber has none is as if no bits were set. `None`: a word has
    /// not come.
    fn next(&mut self, io: &mut Io<'_>) -> Result<Option<Step>, SimulationFault> {
        let fronts: Option<Vec<Token>> =
            (0..self.operands.len()).map(|operand| io.front(Port::operand_crd(operand).0)).collect();
        let Some(fronts) = fronts else { return Ok(None) };
        let has_come = |operand: usize| io.front(Port::operand_ref(operand).0).is_some();
        if !(0..self.operands.len()).all(has_come) {
            return Ok(None);
        }
        if fronts.iter().any(|token| matches!(token, Token::Data(_) | Token::Empty)) {
            self.take_words(io, &fronts)?;
            return Ok(Some(Step::Moved));
        }
        if fronts.iter().any(|token| *token != fronts[0]) {
            return Err(super::reduce::apart(&fronts));
        }
        (0..self.operands.len()).for_each(|operand| Self::take(io, operand));
        (0..=self.operands.len()).for_each(|output| io.put(output, fronts[0]));
        self.words = 0;
        Ok(Some(if fronts[0] == Token::Done { Step::Ends } else { Step::Moved }))
    }

    fn take(io: &mut Io<'_>, operand: usize) {
        io.take(Port::operand_crd(operand).0);
        io.take(Port::operand_ref(operand).0);
    }

    /// Takes the words that have come. Those of a fiber that is not there, and stops, are no words.
    fn take_words(&mut self, io: &mut Io<'_>, fronts: &[Token]) -> Result<(), SimulationFault> {
        self.words += u64::from(fronts.iter().any(|token| matches!(token, Token::Data(_))));
        for (number, token) in fronts.iter().enumerate() {
            let first = io.front(Port::operand_ref(number).0);
            self.operands[number] = match (token, first) {
                (Token::Data(word), Some(Token::Data(first))) => WordInput { word: *word, first },
                (Token::Data(_), Some(other)) => {
                    return Err(fault!("expected the reference of a word, found `{other}`"));
                }
                _ => WordInput::default(),
            };
            if !matches!(token, Token::Stop(_) | Token::Done) {
                Self::take(io, number);
            }
        }
        let words = self.operands.iter().map(|operand| operand.word);
        self.left = match self.how {
            Merge::Intersect => words.fold(u64::MAX, |left, word| left & word),
            Merge::Union => words.fold(0, |left, word| left | word),
        };
        Ok(())
    }

    /// Puts the coordinates of the lowest bits.
    fn put(&mut self, io: &mut Io<'_>) {
        for _ in 0..self.lanes {
            if self.left == 0 {
                return;
            }
            let bit = self.left.trailing_zeros();
            self.left &= self.left - 1;
            let lowest = (self.words - 1) * u64::from(self.width);
            io.put(0, Token::Data(lowest + u64::from(bit)));
            for (number, operand) in self.operands.iter().enumerate() {
                io.put(Port::joined_ref(number).0, operand.reference(bit));
            }
        }
    }
}

impl Behaviour for WordJoiner {
    fn is_wide(&self) -> bool {
        true
    }

    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let step = match self.left {
            0 => self.next(io)?.unwrap_or(Step::Waits),
            _ => Step::Moved,
        };
        self.put(io);
        Ok(step)
    }
}

const COORDINATES: usize = 0;
const REFERENCES: usize = 1;

/// Makes words of coordinates: one is put when a coordinate behind it has come, or the end of the fiber.
pub(super) struct Converter {
    width: u64,
    extent: u64,
    each: u64,
    has_refs: bool,
    lanes: usize,
    put: u64,
    word: u64,
    /// The reference of the word's first bit; of a word without bits that of the next one.
    first: u64,
    /// The position behind the last reference that has come. It stays when a fiber ends, since the references
    /// of the next fiber go on with it.
    next: u64,
    last: Option<u64>,
}

impl Converter {
    pub(super) fn new(words: &ToWords, extent: usize, lanes: usize) -> Self {
        let (width, extent) = (u64::from(words.width), extent as u64);
        Self {
            width,
            extent,
            each: extent.div_ceil(width),
            has_refs: words.refs,
            lanes,
            put: 0,
            word: 0,
            first: 0,
            next: 0,
            last: None,
        }
    }

    fn front(&self, io: &Io<'_>) -> Option<(Token, Token)> {
        let crd = io.front(COORDINATES)?;
        let reference = if self.has_refs { io.front(REFERENCES)? } else { Token::Empty };
        Some((crd, reference))
    }

    fn word_of(&self, coordinate: u64) -> Result<u64, SimulationFault> {
        if let Some(last) = self.last.filter(|last| coordinate <= *last) {
            return Err(not_ascending(Token::Data(last), Token::Data(coordinate)));
        }
        if coordinate < self.extent {
            return Ok(coordinate / self.width);
        }
        let extent = self.extent;
        Err(fault!("found the coordinate {coordinate}, expected one below the extent {extent}"))
    }

    fn take(&self, io: &mut Io<'_>) {
        io.take(COORDINATES);
        if self.has_refs {
            io.take(REFERENCES);
        }
    }

    /// Takes the coordinates that belong to the word.
    fn fill(&mut self, io: &mut Io<'_>) -> Result<(), SimulationFault> {
        for _ in 0..self.lanes {
            let Some((Token::Data(coordinate), reference)) = self.front(io) else { return Ok(()) };
            if self.word_of(coordinate)? != self.put {
                return Ok(());
            }
            self.take(io);
            self.last = Some(coordinate);
            if let Token::Data(reference) = reference {
                if self.word == 0 {
                    self.first = reference;
                }
                self.next = reference + 1;
            }
            self.word |= 1 << (coordinate % self.width);
        }
        Ok(())
    }

    fn put_word(&mut self, io: &mut Io<'_>) {
        let first = if self.word == 0 { self.next } else { self.first };
        io.put(0, Token::Data(std::mem::take(&mut self.word)));
        if self.has_refs {
            io.put(1, Token::Data(first));
        }
        self.put += 1;
    }
}

impl Behaviour for Converter {
    fn is_wide(&self) -> bool {
        true
    }

    /// A word goes out in the cycle in which those behind it come in.
    fn step(&mut self, io: &mut Io<'_>) -> Stepped {
        let Some((crd, reference)) = self.front(io) else { return Ok(Step::Waits) };
        if crd == Token::Empty {
            return Err(fault!("expected coordinates to make words of, found an empty token"));
        }
        let is_reference = matches!(reference, Token::Data(_) | Token::Empty);
        if self.has_refs && is_reference != matches!(crd, Token::Data(_)) {
            return Err(fault!("a coordinate is `{crd}`, and its reference `{reference}`"));
        }
        match crd {
            Token::Data(coordinate) => {
                if self.word_of(coordinate)? != self.put {
                    self.put_word(io);
                }
                self.fill(io)?;
            }
            Token::Stop(_) if self.put < self.each => self.put_word(io),
            end => {
                self.take(io);
                (self.put, self.last) = (0, None);
                io.put_all(end);
                return Ok(Step::behind(end));
            }
        }
        Ok(Step::Moved)
    }
}
