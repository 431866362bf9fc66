//! Names for values of the module that a Scala text can have, each different from all others.

use comet_ir::Val;
use comet_notation::free_name;
use comet_passes::nest;
use comet_spatial::names::is_free;
use std::collections::BTreeSet;

#[derive(Default)]
pub(super) struct ScalaNames<'c> {
    /// To values, in their order.
    given: Vec<(Val<'c>, String)>,
    /// All of them, also those of what is no value.
    taken: BTreeSet<String>,
}

impl<'c> ScalaNames<'c> {
    pub(super) fn besides(taken: impl IntoIterator<Item = String>) -> Self {
        Self { taken: taken.into_iter().collect(), ..Self::default() }
    }

    /// A name that nothing has yet.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let name = free_name(wanted, |name| !is_free(name) || self.taken.contains(name));
        self.taken.insert(name.clone());
        name
    }

    /// Its name, made from its own where it has none yet.
    pub(super) fn of(&mut self, value: Val<'c>) -> String {
        let place = self.place(value);
        self.given[place].1.clone()
    }

    /// Its number among those with names.
    pub(super) fn place(&mut self, value: Val<'c>) -> usize {
        if let Some(place) = self.given.iter().position(|(other, _)| *other == value) {
            return place;
        }
        let sign = |sign: char| if sign.is_ascii_alphanumeric() { sign } else { '_' };
        let wanted: String = nest::program_name(value).chars().map(sign).collect();
        let name = self.fresh(&wanted);
        self.given.push((value, name));
        self.given.len() - 1
    }

    pub(super) fn values(&self) -> impl Iterator<Item = &Val<'c>> {
        self.given.iter().map(|(value, _)| value)
    }

    pub(super) fn given(self) -> Vec<String> {
        self.given.into_iter().map(|(_, name)| name).collect()
    }
}
