//! The extents of a kernel's call: what the text and the caller's tensors say of them.

use crate::error::Error;
use comet_abi::kernel::{Extent, Size};

/// One for each of the signature's sizes.
pub(crate) struct Extents {
    facts: Vec<Fact>,
}

struct Fact {
    name: String,
    extent: Option<i64>,
    /// Where the extent comes from.
    origin: String,
}

impl Extents {
    /// What the text says.
    pub(crate) fn new(sizes: &[Size]) -> Self {
        let fact = |size: &Size| {
            let extent = match size.extent {
                Extent::Known(extent) => Some(extent as i64),
                Extent::Parameters | Extent::Files => None,
            };
            Fact { name: size.name.clone(), extent, origin: "the text".to_owned() }
        };
        Self { facts: sizes.iter().map(fact).collect() }
    }

    /// Adds the extent of a mode of the caller's.
    pub(crate) fn add(&mut self, size: usize, extent: i64, mode: usize, tensor: &str) -> Result<(), Error> {
        let origin = format!("mode {mode} of `{tensor}`");
        let Some(fact) = self.facts.get_mut(size) else {
            return Err(Error::Internal(format!("{origin} has no size in the signature")));
        };
        match fact.extent {
            None => (fact.extent, fact.origin) = (Some(extent), origin),
            Some(known) if known != extent => {
                return Err(Error::Shape(format!(
                    "the size of `{}` is {known} by {}, but {extent} by {origin}",
                    fact.name, fact.origin
                )));
            }
            Some(_) => {}
        }
        Ok(())
    }

    /// Returns all extents; −1 where nothing is known yet.
    pub(crate) fn known(&self) -> Vec<i64> {
        self.facts.iter().map(|fact| fact.extent.unwrap_or(-1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions_show_both_places() {
        let open = Size { name: "j".into(), extent: Extent::Parameters };
        let mut extents = Extents::new(&[open, Size { name: "i".into(), extent: Extent::Known(4) }]);
        extents.add(0, 3, 1, "A").unwrap();
        extents.add(0, 3, 0, "x").unwrap();
        assert_eq!(extents.known(), [3, 4]);
        let message = |result: Result<(), Error>| result.unwrap_err().to_string();
        assert_eq!(
            message(extents.add(0, 5, 0, "z")),
            "the size of `j` is 3 by mode 1 of `A`, but 5 by mode 0 of `z`"
        );
        assert_eq!(
            message(extents.add(1, 5, 0, "A")),
            "the size of `i` is 4 by the text, but 5 by mode 0 of `A`"
        );
    }
}
