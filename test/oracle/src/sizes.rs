//! Extents and their classes: everything that must be equal is one class, with what is known about it.

use std::collections::BTreeMap;

use crate::error::{OracleError, Result};

/// Something that has an extent. Scopes number the functions, each call on its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SizedThing {
    /// A label.
    Label(usize, String),
    /// A mode of a tensor.
    Mode(usize, String, usize),
}

/// The classes.
#[derive(Default)]
pub(crate) struct ExtentClasses {
    class_of: BTreeMap<SizedThing, usize>,
    classes: Vec<ExtentClass>,
}

#[derive(Clone, Copy, Default)]
struct ExtentClass {
    exact: Option<usize>,
    at_least: Option<usize>,
}

impl ExtentClasses {
    /// The class of an extent, which is new where nothing is known of it.
    fn class(&mut self, extent: SizedThing) -> usize {
        let next = self.classes.len();
        let class = *self.class_of.entry(extent).or_insert(next);
        if class == next {
            self.classes.push(ExtentClass::default());
        }
        class
    }

    /// Both have the same extent.
    pub(crate) fn unify(&mut self, left: SizedThing, right: SizedThing) -> Result<()> {
        let (left, right) = (self.class(left), self.class(right));
        for class in self.class_of.values_mut().filter(|class| **class == right) {
            *class = left;
        }
        let other = self.classes[right];
        self.learn(left, other)
    }

    /// The extent is `size`.
    pub(crate) fn fix(&mut self, extent: SizedThing, size: usize) -> Result<()> {
        let class = self.class(extent);
        self.learn(class, ExtentClass { exact: Some(size), at_least: None })
    }

    /// The extent is `size`, unless it is known to be larger.
    pub(crate) fn bound(&mut self, extent: SizedThing, size: usize) -> Result<()> {
        let class = self.class(extent);
        self.learn(class, ExtentClass { exact: None, at_least: Some(size) })
    }

    fn learn(&mut self, class: usize, other: ExtentClass) -> Result<()> {
        let class = &mut self.classes[class];
        class.at_least = class.at_least.max(other.at_least);
        match (class.exact, other.exact) {
            (Some(one), Some(two)) if one != two => {
                return Err(OracleError::new(format!("conflicting sizes: {one} and {two}")));
            }
            (one, two) => class.exact = one.or(two),
        }
        Ok(())
    }

    /// The extent, where it is known.
    pub(crate) fn get(&self, extent: &SizedThing) -> Result<Option<usize>> {
        let Some(&class) = self.class_of.get(extent) else { return Ok(None) };
        match self.classes[class] {
            ExtentClass { exact: Some(size), at_least: Some(least) } if least > size => {
                Err(OracleError::new(format!("conflicting sizes: {size}, and an index {least}")))
            }
            ExtentClass { exact, at_least } => Ok(exact.or(at_least)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(name: &str) -> SizedThing {
        SizedThing::Label(0, name.into())
    }

    #[test]
    fn unification_carries_sizes_both_ways() {
        let mut sizes = ExtentClasses::default();
        sizes.unify(label("i"), label("j")).unwrap();
        sizes.unify(label("k"), label("j")).unwrap();
        sizes.fix(label("i"), 4).unwrap();
        assert_eq!(sizes.get(&label("k")).unwrap(), Some(4));
        assert!(sizes.fix(label("k"), 5).is_err());
    }

    #[test]
    fn a_bound_gives_way_to_a_size() {
        let mut sizes = ExtentClasses::default();
        sizes.bound(label("i"), 3).unwrap();
        assert_eq!(sizes.get(&label("i")).unwrap(), Some(3));
        sizes.fix(label("i"), 7).unwrap();
        assert_eq!(sizes.get(&label("i")).unwrap(), Some(7));
        sizes.bound(label("i"), 9).unwrap();
        assert!(sizes.get(&label("i")).is_err());
    }
}
