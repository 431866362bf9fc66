//! What moves on a stream.

use std::fmt;

/// A token (sam.txt section 3.2). A stream is a nested list of data: stops are its parentheses. Levels are as
/// wide as data, so that a token is two words that are passed in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// A coordinate, a reference, a signal, or the bits of a value.
    Data(u64),
    /// `S0` ends a fiber, `S1` a fiber of fibers, and so on.
    Stop(u64),
    /// `N`: an operand has nothing at a coordinate that another one has.
    Empty,
    /// `D`: the stream is over.
    Done,
}

impl fmt::Display for Token {
    /// As the paper writes them; data as its number or bits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Data(data) => write!(f, "{data}"),
            Self::Stop(level) => write!(f, "S{level}"),
            Self::Empty => f.write_str("N"),
            Self::Done => f.write_str("D"),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct TokenCounts {
    pub value: u64,
    pub stop: u64,
    pub empty: u64,
    /// One, if the stream has ended.
    pub done: u64,
}

impl TokenCounts {
    pub fn total(self) -> u64 {
        self.value + self.stop + self.empty + self.done
    }

    pub(super) fn add(&mut self, token: Token) {
        match token {
            Token::Data(_) => self.value += 1,
            Token::Stop(_) => self.stop += 1,
            Token::Empty => self.empty += 1,
            Token::Done => self.done += 1,
        }
    }
}
