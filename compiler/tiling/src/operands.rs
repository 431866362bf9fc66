//! The operands of a statement in tiles of one size: what statistics are made of.

use crate::machine::Machine;
use crate::memory::Memory;
use crate::statement::{Access, Pattern, Statement, Tiles};
use crate::tiled::Tiled;

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
    match &access.pattern {
        Pattern::Dense => None,
        Pattern::Points(points) => Some(Tiled::new(points, sizes)),
    }
}
