//! Solving an extent: what the text, files and parameters say about it, and whether they agree.

use crate::distributed;
use crate::error::Error;
use crate::options;
use crate::source::resolve;
use std::fmt::{self, Display};

/// An extent that is being solved.
pub struct SolvedSize {
    label: String,
    exact: Option<Fact>,
    at_least: Option<Fact>,
}

/// How a source bounds the extent.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
}

/// What one source says.
struct Fact {
    extent: i64,
    origin: ExtentSource,
}

/// Where an extent comes from, for the message of a contradiction.
pub enum ExtentSource {
    /// In words.
    Words(String),
    /// The mode of a tensor that exists.
    Mode { tensor: String, mode: usize },
}

impl Display for ExtentSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(words) => out.write_str(words),
            Self::Mode { tensor, mode } => write!(out, "mode {mode} of `{tensor}`"),
        }
    }
}

impl SolvedSize {
    /// Begins with the extent in the text, −1 if it has none; messages call the text `origin`.
    pub fn new(label: &str, known: i64, origin: &str) -> Self {
        let exact =
            (known >= 0).then(|| Fact { extent: known, origin: ExtentSource::Words(origin.to_owned()) });
        Self { label: label.to_owned(), exact, at_least: None }
    }

    /// Adds what a file says that is read into a mode of a tensor of some rank.
    ///
    /// # Errors
    /// The file cannot be read, or contradicts what was added before.
    pub fn add_read(
        &mut self,
        source: &str,
        tensor: &str,
        (rank, mode): (usize, usize),
        place: &str,
    ) -> Result<(), Error> {
        let path = resolve(source, tensor)?;
        let extents = distributed::file_extents(&path, rank, options::current().tns)?;
        let origin = ExtentSource::Words(format!("mode {mode} of `{}`, read at {place}", path.display()));
        let Some(&extent) = extents.dims.get(mode) else {
            return Err(Error::Internal(format!("`{tensor}` of rank {rank} has no mode {mode}")));
        };
        let bound = if extents.at_least { Bound::AtLeast } else { Bound::Exact };
        self.add(Fact { extent, origin }, bound)
    }

    /// Adds the extent of a tensor that exists.
    pub(crate) fn add_extent(&mut self, extent: i64, origin: ExtentSource) -> Result<(), Error> {
        self.add(Fact { extent, origin }, Bound::Exact)
    }

    fn add(&mut self, fact: Fact, bound: Bound) -> Result<(), Error> {
        if bound == Bound::AtLeast {
            if self.at_least.as_ref().is_none_or(|other| other.extent < fact.extent) {
                self.at_least = Some(fact);
            }
        } else if let Some(other) = &self.exact {
            if other.extent != fact.extent {
                return Err(self.contradiction(other, "", &fact));
            }
        } else {
            self.exact = Some(fact);
        }
        match (&self.exact, &self.at_least) {
            (Some(exact), Some(least)) if least.extent > exact.extent => {
                Err(self.contradiction(exact, "at least ", least))
            }
            _ => Ok(()),
        }
    }

    fn contradiction(&self, one: &Fact, bound: &str, other: &Fact) -> Error {
        Error::Shape(format!(
            "the size of `{}` is {} by {}, but {bound}{} by {}",
            self.label, one.extent, one.origin, other.extent, other.origin
        ))
    }

    /// The extent; an error where nothing says what it is.
    pub fn solved(&self) -> Result<i64, Error> {
        let fact = self.exact.as_ref().or(self.at_least.as_ref());
        let unknown = || Error::Shape(format!("nothing says what the size of `{}` is", self.label));
        fact.map(|fact| fact.extent).ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fact(extent: i64, origin: &str) -> Fact {
        Fact { extent, origin: ExtentSource::Words(origin.into()) }
    }

    #[test]
    fn lower_bounds_give_way_to_exact_extents() {
        let mut size = SolvedSize::new("i", -1, "");
        assert!(size.solved().is_err());
        size.add(fact(5, "a"), Bound::AtLeast).unwrap();
        size.add(fact(7, "b"), Bound::AtLeast).unwrap();
        assert_eq!(size.solved().unwrap(), 7);
        size.add(fact(9, "c"), Bound::Exact).unwrap();
        assert_eq!(size.solved().unwrap(), 9);
    }

    #[test]
    fn contradictions_show_both_sources() {
        let mut size = SolvedSize::new("i", 4, "the text at p.ta:1:1");
        let message = size.add(fact(5, "mode 0 of `x.mtx`"), Bound::Exact).unwrap_err().to_string();
        assert_eq!(message, "the size of `i` is 4 by the text at p.ta:1:1, but 5 by mode 0 of `x.mtx`");
        let message = size.add(fact(6, "mode 0 of `x.tns`"), Bound::AtLeast).unwrap_err().to_string();
        assert_eq!(
            message,
            "the size of `i` is 4 by the text at p.ta:1:1, but at least 6 by mode 0 of `x.tns`"
        );
    }
}
