//! Files of numbers: what the host reads and writes.

use super::scalar::Word;
use crate::app::Scalar;
use comet_notation::fortran;
use std::fmt::Write as _;

/// The numbers of a file, one a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Numbers without a fraction, and bits.
    Integers(Vec<i64>),
    Singles(Vec<f32>),
    Doubles(Vec<f64>),
}

impl Column {
    /// Reads numbers that stand on lines of their own or behind commas: integers, if all of them are.
    ///
    /// # Errors
    /// What is no number, with its line.
    pub fn read(text: &str) -> Result<Self, String> {
        let items = || {
            let lines = text.lines().enumerate();
            lines.flat_map(|(line, items)| items.split(',').map(move |item| (line + 1, item.trim())))
        };
        let items = || items().filter(|(_, item)| !item.is_empty());
        if let Ok(integers) = items().map(|(_, item)| item.parse()).collect() {
            return Ok(Self::Integers(integers));
        }
        let number = |(line, item): (usize, &str)| {
            real(item).ok_or_else(|| format!("line {line} has `{item}`, which is no number"))
        };
        items().map(number).collect::<Result<_, _>>().map(Self::Doubles)
    }

    /// The numbers as text, one a line, such that they read back the same.
    pub fn text(&self) -> String {
        match self {
            Self::Integers(numbers) => lines(numbers),
            Self::Singles(numbers) => lines(numbers),
            Self::Doubles(numbers) => lines(numbers),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Integers(numbers) => numbers.len(),
            Self::Singles(numbers) => numbers.len(),
            Self::Doubles(numbers) => numbers.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Passes on the word of each number, up to the first that the type does not have.
    pub(super) fn each_word(&self, of: Scalar, mut take: impl FnMut(u64)) -> Result<(), String> {
        match self {
            Self::Integers(numbers) => numbers.iter().try_for_each(|&number| {
                of.word_of_integer(number).map(&mut take).ok_or_else(|| number.to_string())
            }),
            Self::Singles(numbers) => numbers.iter().try_for_each(|&number| {
                word_of(f64::from(number), of).map(&mut take).ok_or_else(|| number.to_string())
            }),
            Self::Doubles(numbers) => numbers
                .iter()
                .try_for_each(|&number| word_of(number, of).map(&mut take).ok_or_else(|| number.to_string())),
        }
    }

    pub(super) fn from_words(of: Scalar, words: impl Iterator<Item = u64>) -> Self {
        match of {
            Scalar::Float => Self::Singles(words.map(f32::from_word).collect()),
            Scalar::Double => Self::Doubles(words.map(f64::from_word).collect()),
            Scalar::Int | Scalar::Long | Scalar::U32 | Scalar::Bit => {
                Self::Integers(words.map(|word| word as i64).collect())
            }
        }
    }
}

/// The word of a number, of integers too where it has no fraction.
fn word_of(number: f64, of: Scalar) -> Option<u64> {
    match of.is_integer() && number.fract() == 0.0 && number.abs() <= LARGEST_EXACT {
        true => of.word_of_integer(number as i64),
        false => of.word_of_real(number),
    }
}

/// Up to here every integer is a number of double precision.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// A number, which Fortran may have written.
fn real(text: &str) -> Option<f64> {
    text.parse().ok().or_else(|| fortran::with_plain_exponent(text)?.parse().ok())
}

fn lines<N: std::fmt::Display>(numbers: &[N]) -> String {
    numbers.iter().fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "{number}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers may stand on lines or behind commas; one with a fraction makes all of them reals.
    #[test]
    fn numbers_are_read() {
        assert_eq!(Column::read("1\n-2\n\n3"), Ok(Column::Integers(vec![1, -2, 3])));
        assert_eq!(Column::read("1, 2.5\n3e2,"), Ok(Column::Doubles(vec![1.0, 2.5, 300.0])));
        assert_eq!(Column::read("1.5D+01\n-2d0\n"), Ok(Column::Doubles(vec![15.0, -2.0])));
        assert_eq!(Column::read(""), Ok(Column::Integers(Vec::new())));
        assert_eq!(Column::read("1\nx"), Err("line 2 has `x`, which is no number".to_owned()));
    }

    /// What is written is read back.
    #[test]
    fn numbers_are_written() {
        let column = Column::Doubles(vec![0.1, -2.5]);
        assert_eq!(column.text(), "0.1\n-2.5\n");
        assert_eq!(Column::read(&column.text()), Ok(column));
    }
}
