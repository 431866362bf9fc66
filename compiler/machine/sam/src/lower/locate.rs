//! Levels whose variables have come already (sam.txt section 4.2).

use super::build::Out;
use super::node::{Leaf, Rest};
use super::walk::VariableWalk;
use crate::graph::{BlockKind, Locate};

impl VariableWalk<'_> {
    /// The locator of a leaf's next level, if its variable has come already: one that it repeats, or one of a
    /// mask that brings no coordinates.
    pub(super) fn located(&self, leaf: &Leaf) -> Option<Locate> {
        let Rest::Levels { access, level } = &leaf.rest else { return None };
        let format = &self.statement.tensors[access.tensor];
        let mode = *format.order.get(*level)?;
        let index = access.indices[mode].clone();
        self.around.iter().find(|around| around.var == index)?;
        let (tensor, root) = (format.name.clone(), leaf.stream.is_none());
        Some(Locate { index, tensor, mode, level: format.levels[*level], root })
    }

    pub(super) fn locate(&mut self, leaf: &mut Leaf, locate: Locate) {
        let crd = self.held(&locate.index);
        let (is_dense, stream) = (locate.level.is_dense(), leaf.stream);
        let outputs = self.build.block(BlockKind::Locate(locate), &[Some(crd), stream]);
        leaf.goes_in(outputs[1]);
        leaf.may_lack |= !is_dense;
    }

    pub(super) fn held(&mut self, var: &str) -> Out {
        let place = self.around.iter().position(|around| around.var == var).expect("the variable has come");
        let mut held = self.around[place].crd;
        for inner in &self.around[place + 1..] {
            held = self.build.hold((var, held), (&inner.var, inner.crd));
        }
        held
    }
}
