//! The operands of a statement in tiles of one size: what statistics are made of.

use crate::machine::{Footprint, Machine};
use crate::memory::Memory;
use crate::statement::{Access, Pattern, Statement, Tiles, Var, position};
use crate::tiled::Tiled;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct TiledOperands {
    /// The sizes; along a variable that operands are cut to several sizes, the shortest one.
    pub tiles: Tiles,
    pub tiled: Vec<Option<Tiled>>,
}

impl TiledOperands {
    /// Cuts them to the same size along each variable.
    pub fn new(statement: &Statement, tiles: Tiles) -> Self {
        let tiled = statement.accesses.iter().map(|access| cut(access, &tiles.of_all(&access.indices)));
        Self { tiled: tiled.collect(), tiles }
    }

    /// Cuts each to about a quarter of the conservative tiles of operands of its rank, which statistics are
    /// made of: what tiling costs. Sizes are powers of two, so that tiles of others are made of them or they
    /// of these. Along an index of many coordinates they are longer, so that there are a few million.
    ///
    /// ```
    /// use comet_tiling::{Access, Expr, Machine, Pattern, Points, Statement, Target, TiledOperands, Var, Variable};
    /// use std::sync::Arc;
    /// # let variable = |name: &str| Variable { name: name.to_owned(), extent: 2000 };
    /// # let points = |rank: usize| Pattern::Points(Arc::new(Points::new(&vec![2000; rank], &vec![vec![1]; rank]).unwrap()));
    /// # let access = |name: &str, indices: &[usize]| Access {
    /// #     name: name.to_owned(), indices: indices.iter().map(|&place| Var(place)).collect(), pattern: points(indices.len()) };
    /// // D[i,j] = A[i,k,l] * B[l,j]
    /// let statement = Statement {
    ///     variables: ["i", "k", "l", "j"].map(variable).into(),
    ///     accesses: vec![access("A", &[0, 1, 2]), access("B", &[2, 3])],
    ///     target: Target { name: "D".to_owned(), indices: vec![Var(0), Var(3)], is_dense: false },
    ///     value: Expr::All(vec![Expr::Access(0), Expr::Access(1)]),
    /// };
    /// let small = TiledOperands::small(&statement, &Machine::of_buffer(128 << 10));
    /// let sizes = |access: usize| small.tiled[access].as_ref().unwrap().sizes();
    /// assert_eq!((sizes(0), sizes(1)), (&[4, 4, 4][..], &[32, 32][..]));
    /// assert_eq!(small.tiles.0, [4, 4, 4, 32]);
    /// ```
    pub fn small(statement: &Statement, machine: &Machine) -> Self {
        Self::small_in(statement, &Memory::of(*machine, statement))
    }

    /// The same for a level of memory.
    pub fn small_in(statement: &Statement, memory: &Memory) -> Self {
        let of = |(number, access): (usize, &Access)| {
            cut(access, &Tiles::small(statement, memory, number).of_all(&access.indices))
        };
        let tiled = statement.accesses.iter().enumerate().map(of).collect();
        Self { tiled, tiles: Tiles::base_in(statement, memory) }
    }
}

fn cut(access: &Access, sizes: &[u64]) -> Option<Tiled> {
    Some(Tiled::new(access.points()?, sizes))
}

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
        let modes: Vec<usize> = inner.iter().map(|&var| position(&access.indices, var)).collect();
        let outer: Vec<usize> = access.indices.iter().map(|&var| position(inner, var)).collect();
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
