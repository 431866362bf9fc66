//! Tiles (sam.txt section 4.1): behind the loops over tiles what is below a reference is brought from memory,
//! once for all of the loops inside.

use super::node::{Leaf, Rest};
use super::walk::VariableWalk;
use crate::graph::{BlockKind, Fetch};

impl VariableWalk<'_> {
    /// Brings the tile that a leaf's references lead into, where the loops inside of tiles begin. What no
    /// loop over tiles is around has no references yet: it is one tile.
    pub(super) fn fetch(&mut self, leaf: &mut Leaf) {
        let fetch = if std::mem::replace(&mut leaf.is_in_tile, true) { None } else { self.tile(leaf) };
        let Some((fetch, tile)) = fetch.zip(leaf.stream) else { return };
        leaf.stream = Some(self.build.value(BlockKind::Fetch(fetch), &[tile]));
    }

    /// None of a temporary, which is part of the result: it was written when it was computed, and is added up
    /// where it is.
    fn tile(&self, leaf: &Leaf) -> Option<Fetch> {
        let Rest::Levels { access, level } = &leaf.rest else { return None };
        let format = &self.statement.tensors[access.tensor];
        let mode = *format.order.get(*level)?;
        (access.tensor < self.given).then(|| Fetch { tensor: format.name.clone(), mode })
    }

    pub(super) fn is_in_tile(&self, var: &str) -> bool {
        let place = |var: &str| self.statement.order.iter().position(|other| other == var);
        let first = self.choices.tiled_from.as_deref().and_then(place);
        first.is_some_and(|first| place(var).is_some_and(|place| place >= first))
    }
}
