//! The operands of a statement in tiles of one size: what statistics are made of.

use crate::statement::{Access, Pattern, Statement, Tiles};
use crate::tiled::Tiled;

/// All operands in tiles.
#[derive(Clone, Debug)]
pub struct TiledOperands {
    /// The sizes.
    pub tiles: Tiles,
    /// Of each access; none is dense.
    pub tiled: Vec<Option<Tiled>>,
}

impl TiledOperands {
    /// Cuts them: what tiling costs.
    pub fn new(statement: &Statement, tiles: Tiles) -> Self {
        let of = |access: &Access| match &access.pattern {
            Pattern::Dense => None,
            Pattern::Points(points) => Some(Tiled::new(points, &tiles.of_all(&access.indices))),
        };
        let tiled = statement.accesses.iter().map(of).collect();
        Self { tiles, tiled }
    }
}
