//! A statement that processes divide among them, as the compiler passes it to the run time: for
//! `y[i] += A[i,j] * x[j]`
//! ```text
//! A(0,1) x(1) y(0); labels i,j; from 64; divides 0; add over 1; 1 within 0; accumulates
//! ```
//! `along 0`, `replicates 1`, `rows 0`, and `pieces of 100` or `pieces 8` follow where a schedule or a
//! declaration says so.

use crate::TextError;
use std::fmt;
use std::str::FromStr;

/// The fewest coordinates of a label that processes divide, where nothing else is said.
pub const SHORTEST: &str = "64";

/// What the run time knows of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatementDescription {
    /// The tensors in their places, the one that is assigned last.
    pub tensors: Vec<LabeledTensor>,
    /// The names of the labels, for messages; two may have one.
    pub names: Vec<String>,
    /// The fewest coordinates of a label that processes divide, unless a tensor with that label in its
    /// outermost level is declared to be divided.
    pub shortest: i64,
    /// The labels of the result that divide the statement: each process can compute the result for a range of
    /// coordinates.
    pub divides: Vec<usize>,
    /// What combines the results of ranges along other labels.
    pub reduction: Option<OuterReduction>,
    /// Which coordinates along a label matter.
    pub bounds: Vec<LabelBound>,
    /// Whether what is computed is added to the result.
    pub accumulates: bool,
    /// The label that a schedule has the statement be divided along.
    pub chosen: Option<usize>,
    /// The places of tensors that every process is to have all of.
    pub replicated: Vec<usize>,
    /// The places of tensors whose outermost level is to be divided.
    pub rows: Vec<usize>,
    /// The pieces of the range of a process, for each of which rows of other processes are received.
    pub pieces: Option<PieceSize>,
}

/// How long the pieces of a range are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceSize {
    /// So many coordinates, the last piece aside.
    Coordinates(i64),
    /// As long that there are so many pieces.
    Share(i64),
}

impl PieceSize {
    /// Returns the coordinates of a piece of a range that has so many.
    pub fn of_range(self, len: i64) -> i64 {
        match self {
            Self::Coordinates(size) => size.max(1),
            Self::Share(count) => len.div_euclid(count.max(1)) + i64::from(len.rem_euclid(count.max(1)) > 0),
        }
    }
}

/// A tensor under labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabeledTensor {
    pub name: String,
    /// The number of the label of each mode.
    pub labels: Vec<usize>,
}

/// The reduction that a statement ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OuterReduction {
    /// The name of the operator.
    pub operator: String,
    pub labels: Vec<usize>,
}

/// Only coordinates matter along a label that some tensors store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelBound {
    pub label: usize,
    /// Each by itself names all that matter: the places of tensors, which do so together.
    pub alternatives: Vec<Vec<usize>>,
}

impl StatementDescription {
    /// Returns the number of labels.
    pub fn label_count(&self) -> usize {
        self.tensors.iter().flat_map(|tensor| &tensor.labels).max().map_or(0, |last| last + 1)
    }

    /// Returns the name of a label, or its number.
    pub fn name_of(&self, label: usize) -> String {
        self.names.get(label).map_or_else(|| label.to_string(), Clone::clone)
    }

    /// Returns the place and the mode of each tensor that has a label.
    pub fn modes_of(&self, label: usize) -> impl Iterator<Item = (usize, usize)> {
        self.tensors
            .iter()
            .enumerate()
            .filter_map(move |(place, tensor)| Some((place, tensor.mode_of(label)?)))
    }

    /// Returns the tensors that together name the coordinates of a label, for each way to do so.
    pub fn bounds_of(&self, label: usize) -> &[Vec<usize>] {
        let bound = self.bounds.iter().find(|bound| bound.label == label);
        bound.map_or(&[], |bound| &bound.alternatives)
    }
}

impl LabeledTensor {
    /// Returns the mode that has a label.
    pub fn mode_of(&self, label: usize) -> Option<usize> {
        self.labels.iter().position(|other| *other == label)
    }
}

fn joined(numbers: &[usize], separator: &str) -> String {
    let texts: Vec<String> = numbers.iter().map(usize::to_string).collect();
    texts.join(separator)
}

impl fmt::Display for StatementDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, LabeledTensor { name, labels }) in self.tensors.iter().enumerate() {
            write!(f, "{}{name}({})", if place > 0 { " " } else { "" }, joined(labels, ","))?;
        }
        if !self.names.is_empty() {
            write!(f, "; labels {}", self.names.join(","))?;
        }
        if self.shortest > 0 {
            write!(f, "; from {}", self.shortest)?;
        }
        if !self.divides.is_empty() {
            write!(f, "; divides {}", joined(&self.divides, ","))?;
        }
        if let Some(OuterReduction { operator, labels }) = &self.reduction {
            write!(f, "; {operator} over {}", joined(labels, ","))?;
        }
        for LabelBound { label, alternatives } in &self.bounds {
            let alternatives: Vec<String> = alternatives.iter().map(|places| joined(places, "+")).collect();
            write!(f, "; {label} within {}", alternatives.join("|"))?;
        }
        if self.accumulates {
            write!(f, "; accumulates")?;
        }
        if let Some(label) = self.chosen {
            write!(f, "; along {label}")?;
        }
        if !self.replicated.is_empty() {
            write!(f, "; replicates {}", joined(&self.replicated, ","))?;
        }
        if !self.rows.is_empty() {
            write!(f, "; rows {}", joined(&self.rows, ","))?;
        }
        match self.pieces {
            Some(PieceSize::Coordinates(size)) => write!(f, "; pieces of {size}")?,
            Some(PieceSize::Share(count)) => write!(f, "; pieces {count}")?,
            None => {}
        }
        Ok(())
    }
}

/// Reads numbers between separators; none of an empty text.
fn numbers(text: &str, separator: char) -> Option<Vec<usize>> {
    text.split(separator).filter(|number| !number.is_empty()).map(|number| number.parse().ok()).collect()
}

impl LabeledTensor {
    fn parsed(text: &str) -> Option<Self> {
        let (name, list) = text.strip_suffix(')')?.split_once('(')?;
        Some(Self { name: name.to_owned(), labels: numbers(list, ',')? })
    }
}

impl StatementDescription {
    fn parsed(text: &str) -> Option<Self> {
        let mut clauses = text.split("; ");
        let tensors = clauses.next()?.split_whitespace().map(LabeledTensor::parsed).collect::<Option<_>>()?;
        let mut statement = Self { tensors, ..Self::default() };
        for clause in clauses {
            let words: Vec<&str> = clause.split(' ').collect();
            match words[..] {
                ["accumulates"] => statement.accumulates = true,
                ["labels", names] => statement.names = names.split(',').map(str::to_owned).collect(),
                ["from", shortest] => statement.shortest = shortest.parse().ok()?,
                ["along", label] => statement.chosen = Some(label.parse().ok()?),
                ["replicates", places] => statement.replicated = numbers(places, ',')?,
                ["rows", places] => statement.rows = numbers(places, ',')?,
                ["pieces", "of", size] => {
                    statement.pieces = Some(PieceSize::Coordinates(size.parse().ok()?));
                }
                ["pieces", count] => statement.pieces = Some(PieceSize::Share(count.parse().ok()?)),
                ["divides", labels] => statement.divides = numbers(labels, ',')?,
                [operator, "over", labels] => {
                    let (operator, labels) = (operator.to_owned(), numbers(labels, ',')?);
                    statement.reduction = Some(OuterReduction { operator, labels });
                }
                [label, "within", alternatives] => {
                    let alternatives = alternatives.split('|').map(|places| numbers(places, '+'));
                    let alternatives = alternatives.collect::<Option<_>>()?;
                    statement.bounds.push(LabelBound { label: label.parse().ok()?, alternatives });
                }
                _ => return None,
            }
        }
        Some(statement)
    }
}

impl FromStr for StatementDescription {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::parsed(text).ok_or_else(|| TextError(format!("`{text}` is no statement")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_read_as_they_are_written() {
        let all = [
            "A(0,1) x(1) y(0); labels i,j; from 64; divides 0; add over 1; 1 within 0|1+2; accumulates; along 1; replicates 0,1; rows 2",
            "s()",
            "x(0) s(); min over 0",
            "x(0) y(0); divides 0; pieces of 100",
            "x(0) y(0); divides 0; pieces 8",
        ];
        for text in all {
            let statement = text.parse::<StatementDescription>();
            assert_eq!(statement.map(|statement| statement.to_string()), Ok(text.to_owned()));
        }
        for wrong in ["A(0", "A(0) B(1", "A(0); adds", "A(0); 0 within x"] {
            assert!(wrong.parse::<StatementDescription>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn labels_are_found() {
        let statement: StatementDescription = "A(0,1) x(1) y(0); 1 within 0".parse().unwrap();
        assert_eq!(statement.label_count(), 2);
        assert_eq!(statement.modes_of(1).collect::<Vec<_>>(), [(0, 1), (1, 0)]);
        assert_eq!((statement.bounds_of(1), statement.bounds_of(0)), (&[vec![0]][..], &[][..]));
    }
}
