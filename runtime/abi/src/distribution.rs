//! A statement whose tensors are divided among processes, as the compiler passes it to the run time:
//! `A(0,1) x(1) y(0)` for `y[i] = A[i,j] * x[j]`.

use crate::TextError;
use std::fmt;
use std::str::FromStr;

/// The tensors of a statement in their places, the one that is assigned last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DividedStatement {
    pub tensors: Vec<LabeledTensor>,
}

/// A tensor under labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabeledTensor {
    pub name: String,
    /// The number of the label of each mode.
    pub labels: Vec<usize>,
}

impl DividedStatement {
    /// Returns the place and the mode of a tensor that has a label.
    pub fn mode_of(&self, label: usize) -> Option<(usize, usize)> {
        let mode = |tensor: &LabeledTensor| tensor.labels.iter().position(|other| *other == label);
        self.tensors.iter().enumerate().find_map(|(place, tensor)| Some((place, mode(tensor)?)))
    }
}

impl fmt::Display for DividedStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, LabeledTensor { name, labels }) in self.tensors.iter().enumerate() {
            let labels: Vec<String> = labels.iter().map(usize::to_string).collect();
            write!(f, "{}{name}({})", if place > 0 { " " } else { "" }, labels.join(","))?;
        }
        Ok(())
    }
}

impl FromStr for DividedStatement {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let tensor = |part: &str| {
            let (name, list) = part.strip_suffix(')')?.split_once('(')?;
            let labels = list.split(',').filter(|label| !label.is_empty());
            let labels = labels.map(|label| label.parse().ok()).collect::<Option<_>>()?;
            Some(LabeledTensor { name: name.to_owned(), labels })
        };
        let tensors = text.split_whitespace().map(tensor).collect::<Option<_>>();
        Ok(Self { tensors: tensors.ok_or_else(|| TextError(format!("`{text}` is no statement")))? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_read_as_they_are_written() {
        for text in ["A(0,1) x(1) y(0)", "s()", ""] {
            assert_eq!(
                text.parse::<DividedStatement>().map(|statement| statement.to_string()),
                Ok(text.to_owned())
            );
        }
        assert_eq!("A(0,1) x(1)".parse::<DividedStatement>().unwrap().mode_of(1), Some((0, 1)));
        assert!("A(0".parse::<DividedStatement>().is_err());
    }
}
