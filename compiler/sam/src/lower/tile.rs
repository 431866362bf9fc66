//! Tiles (sam.txt section 4.1): what is below a reference into one is brought from memory before it is read.

use super::node::{Leaf, Rest};
use super::walk::Walk;
use crate::graph::{Fetch, Kind};

impl Walk<'_> {
    /// Brings the tiles that a leaf's references lead into, if its next level is the outermost one inside of
    /// them.
    pub(super) fn fetch(&mut self, leaf: &mut Leaf) {
        let Some(fetch) = self.tile(leaf) else { return };
        leaf.stream = leaf.stream.map(|tile| self.build.value(Kind::Fetch(fetch), &[tile]));
    }

    fn tile(&self, leaf: &Leaf) -> Option<Fetch> {
        let Rest::Levels { access, level } = &leaf.rest else { return None };
        let format = &self.statement.tensors[access.tensor];
        let mode = *format.order.get(*level)?;
        let above = format.order[level.checked_sub(1)?];
        let is_tile = self.is_in_tile(&access.indices[mode]) && !self.is_in_tile(&access.indices[above]);
        is_tile.then(|| Fetch { tensor: format.name.clone(), mode })
    }

    /// Whether a variable is walked inside of tiles.
    fn is_in_tile(&self, var: &str) -> bool {
        let place = |var: &str| self.statement.order.iter().position(|other| other == var);
        let first = self.choices.tiled_from.as_deref().and_then(place);
        first.is_some_and(|first| place(var).is_some_and(|place| place >= first))
    }
}
