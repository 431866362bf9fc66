//! Operands in tiles, as traffic is measured on them.

use crate::machine::Footprint;
use crate::statement::{Access, Pattern, Tiles, Var};
use crate::tiled::Tiled;
use std::collections::HashMap;
use std::sync::Arc;

/// Where points are kept, the sizes of tiles, and the orders of the modes inside of tiles and of tiles.
type CutKey = (usize, Vec<u64>, Vec<usize>, Vec<usize>);

/// Tensors that were cut into tiles; a tensor that is read twice in the same way is cut once.
#[derive(Default)]
pub(crate) struct TiledTensors {
    known: HashMap<CutKey, Arc<Tiled>>,
}

pub(crate) struct TiledInput {
    /// Levels of tiles and what is in them in dataflow order; none is dense.
    pub(crate) tiled: Option<Arc<Tiled>>,
    /// The same tiles, what is in them in the order in which results are counted.
    pub(crate) counted: Option<Arc<Tiled>>,
    pub(crate) footprints: Vec<Footprint>,
    /// Its indices in that order.
    pub(crate) counting: Vec<Var>,
}

impl TiledTensors {
    pub(crate) fn input(&mut self, access: &Access, tiles: &Tiles, order: &[Var]) -> TiledInput {
        let place = |var: &Var| order.iter().position(|other| other == var).unwrap_or(usize::MAX);
        let mut counting = access.indices.clone();
        counting.sort_by_key(place);
        if access.pattern == Pattern::Dense {
            return TiledInput { tiled: None, counted: None, footprints: Vec::new(), counting };
        }
        let tiled = self.tiled(access, &access.indices, tiles);
        let counted = self.tiled(access, &counting, tiles);
        let footprints = tiled.footprints();
        TiledInput { tiled: Some(tiled), counted: Some(counted), footprints, counting }
    }

    /// With what is in tiles in an order of the indices.
    fn tiled(&mut self, access: &Access, inner: &[Var], tiles: &Tiles) -> Arc<Tiled> {
        let Pattern::Points(points) = &access.pattern else { unreachable!("dense operands are not cut") };
        let mode = |var: &Var| {
            access.indices.iter().position(|other| other == var).expect("an order of its indices")
        };
        let modes: Vec<usize> = inner.iter().map(mode).collect();
        let outer = |var: &Var| inner.iter().position(|other| other == var).expect("an order of its indices");
        let outer: Vec<usize> = access.indices.iter().map(outer).collect();
        let key = (Arc::as_ptr(points) as usize, tiles.of_all(inner), modes.clone(), outer.clone());
        let make = || {
            let sizes = tiles.of_all(inner);
            let is_same = modes.iter().copied().eq(0..modes.len());
            Arc::new(if is_same {
                Tiled::new(points, &sizes)
            } else {
                Tiled::in_order(&points.permuted(&modes), &sizes, &outer)
            })
        };
        Arc::clone(self.known.entry(key).or_insert_with(make))
    }
}
