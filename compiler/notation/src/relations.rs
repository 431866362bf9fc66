//! How the index variables of a statement are related: split, fused, over positions, bounded.
//!
//! The same relations are asked for while a statement is operations of MLIR and when it is plain data, so
//! that a variable `V` is whatever stands for one there.

use comet_format::{Level, LevelExpr};

/// How long the blocks of a variable are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Blocks {
    /// That many values each.
    OfSize(u64),
    /// As long as that many blocks have to be to cover all values.
    InNumber(u64),
}

/// `var = outer * size of the blocks + inner`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split<V> {
    pub var: V,
    pub blocks: Blocks,
    pub outer: V,
    pub inner: V,
}

impl<V> Split<V> {
    /// Returns the size of the blocks, where it is a constant.
    pub fn factor(&self) -> Option<u64> {
        match self.blocks {
            Blocks::OfSize(factor) => Some(factor),
            Blocks::InNumber(_) => None,
        }
    }
}

/// `fused = outer * extent of inner + inner`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fusion<V> {
    pub outer: V,
    pub inner: V,
    pub fused: V,
}

/// A variable that counts the positions of a level instead of coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionVar<V, T> {
    /// The variable whose coordinates the positions store.
    pub var: V,
    /// The tensor that the level belongs to, with the index variables of its modes.
    pub tensor: T,
    pub indices: Vec<V>,
    /// The level, counted from the outermost.
    pub level: usize,
    /// The variable over the positions.
    pub position: V,
}

/// `bounded` is `whole` with a range that the compiler was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound<V> {
    pub bounded: V,
    pub whole: V,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relations<V, T> {
    pub splits: Vec<Split<V>>,
    pub fusions: Vec<Fusion<V>>,
    pub positions: Vec<PositionVar<V, T>>,
    pub bounds: Vec<Bound<V>>,
}

impl<V, T> Default for Relations<V, T> {
    fn default() -> Self {
        Self { splits: Vec::new(), fusions: Vec::new(), positions: Vec::new(), bounds: Vec::new() }
    }
}

impl<V: Copy + PartialEq, T> Relations<V, T> {
    /// Returns the variable that a bounded one stands for; any other variable is itself.
    pub fn unbounded(&self, var: V) -> V {
        let bound = self.bounds.iter().find(|bound| bound.bounded == var);
        bound.map_or(var, |bound| self.unbounded(bound.whole))
    }

    /// Returns the split of a variable into blocks of a size.
    pub fn split_of(&self, var: V, factor: u64) -> Option<Split<V>> {
        let var = self.unbounded(var);
        self.splits.iter().copied().find(|split| split.var == var && split.factor() == Some(factor))
    }

    /// Returns the split that has the variable as its outer part.
    pub fn quotient_of(&self, var: V) -> Option<Split<V>> {
        self.splits.iter().copied().find(|split| split.outer == var)
    }

    /// Returns the split that has the variable as its inner part.
    pub fn remainder_of(&self, var: V) -> Option<Split<V>> {
        self.splits.iter().copied().find(|split| split.inner == var)
    }

    /// Returns the split that has the variable as its outer or inner part.
    pub fn split_into(&self, var: V) -> Option<Split<V>> {
        self.quotient_of(var).or_else(|| self.remainder_of(var))
    }

    pub fn splits_of(&self, var: V) -> impl Iterator<Item = Split<V>> {
        self.splits.iter().copied().filter(move |split| split.var == var)
    }

    pub fn fusion_into(&self, var: V) -> Option<Fusion<V>> {
        self.fusions.iter().copied().find(|fusion| fusion.fused == var)
    }

    /// Returns the fusions that a variable is fused by.
    pub fn fusions_of(&self, var: V) -> impl Iterator<Item = Fusion<V>> {
        self.fusions.iter().copied().filter(move |fusion| fusion.outer == var || fusion.inner == var)
    }

    pub fn has_fusions(&self) -> bool {
        !self.fusions.is_empty()
    }

    /// Returns the level whose positions the variable counts.
    pub fn positions_at(&self, var: V) -> Option<&PositionVar<V, T>> {
        self.positions.iter().find(|positions| positions.position == var)
    }

    /// Returns the level whose positions the variable, or one that it is split from, counts.
    pub fn positions_under(&self, var: V) -> Option<&PositionVar<V, T>> {
        let split = self.split_into(var);
        self.positions_at(var).or_else(|| split.and_then(|split| self.positions_under(split.var)))
    }

    /// Returns whether the variable is fused of others, or is split from one that is.
    pub fn is_of_fusion(&self, var: V) -> bool {
        let split = self.split_into(var);
        self.fusion_into(var).is_some() || split.is_some_and(|split| self.is_of_fusion(split.var))
    }

    /// Returns the variables that a fused variable is made of, outermost first; any other is made of itself.
    pub fn components(&self, var: V) -> Vec<V> {
        match self.fusion_into(var) {
            Some(fusion) => [self.components(fusion.outer), self.components(fusion.inner)].concat(),
            None => vec![var],
        }
    }

    /// Returns the variables of the expression that the variable is, or is derived from.
    pub fn roots(&self, var: V) -> Vec<V> {
        let var = self.unbounded(var);
        if let Some(split) = self.split_into(var) {
            return self.roots(split.var);
        }
        if let Some(positions) = self.positions_at(var) {
            return self.roots(positions.var);
        }
        match self.fusion_into(var) {
            Some(fusion) => [self.roots(fusion.outer), self.roots(fusion.inner)].concat(),
            None => vec![var],
        }
    }

    /// Returns the variable whose loop visits the coordinates of a level of an access with these indices;
    /// `None` for a slot, and for a part of a mode that no variable stands for.
    pub fn level_var(&self, level: Level, indices: &[V]) -> Option<V> {
        match level.expr {
            LevelExpr::Mode(mode) => Some(indices[mode]),
            LevelExpr::Div(mode, factor) => self.split_of(indices[mode], factor).map(|split| split.outer),
            LevelExpr::Mod(mode, factor) => self.split_of(indices[mode], factor).map(|split| split.inner),
            LevelExpr::Slot => None,
        }
    }
}
