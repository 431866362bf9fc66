//! Tiles of one size along all indices: those that are sure to fit, and the largest ones of which something
//! holds, found by trying.

use crate::footprints::footprints;
use crate::machine::{Footprint, Machine, longest};
use crate::memory::Memory;
use crate::statement::{Access, Pattern, Statement, Tiles, Var};

/// Tiles that fit however they are filled: the largest cube. Of dense operands only the values take room.
/// Along indices that only operands of fewer modes have, tiles go on as long as these fit.
///
/// ```
/// use comet_tiling::{Access, Expr, Machine, Pattern, Points, Statement, Target, Var, Variable, conservative};
/// use std::sync::Arc;
/// # let variable = |name: &str| Variable { name: name.to_owned(), extent: 2000 };
/// # let points = |rank: usize| Pattern::Points(Arc::new(Points::new(&vec![2000; rank], &vec![vec![]; rank]).unwrap()));
/// # let access = |name: &str, indices: &[usize], pattern| Access {
/// #     name: name.to_owned(), indices: indices.iter().map(|&place| Var(place)).collect(), pattern };
/// // D[i,j] = A[i,k,l] * B[l,j] in the order i, k, l, j, with a dense B.
/// let statement = Statement {
///     variables: ["i", "k", "l", "j"].map(variable).into(),
///     accesses: vec![access("A", &[0, 1, 2], points(3)), access("B", &[2, 3], Pattern::Dense)],
///     target: Target { name: "D".to_owned(), indices: vec![Var(0), Var(3)], is_dense: false },
///     value: Expr::All(vec![Expr::Access(0), Expr::Access(1)]),
/// };
/// let tiles = conservative(&statement, &Machine::of_buffer(128 << 10));
/// assert_eq!(tiles.0, [21, 21, 21, 780]);
/// ```
pub fn conservative(statement: &Statement, machine: &Machine) -> Tiles {
    conservative_in(statement, &Memory::of(*machine, statement))
}

/// The same in a level of memory.
pub(crate) fn conservative_in(statement: &Statement, memory: &Memory) -> Tiles {
    let fits = |tiles: &Tiles| memory.is_sure(statement, tiles);
    let cube = |side: u64| memory.around.with_single(Tiles::cube(statement, side));
    let mut tiles = cube(longest(extent(statement), |side| fits(&cube(side))));
    let rank = statement.rank();
    let inside = memory.around.variables();
    for (place, variable) in statement.variables.iter().enumerate().skip(inside) {
        let has_it = |access: &&Access| access.indices.contains(&Var(place));
        if statement.accesses.iter().filter(has_it).all(|access| access.indices.len() < rank) {
            let with = |size: u64| {
                let mut other = tiles.clone();
                other.0[place] = size;
                other
            };
            tiles = with(longest(variable.extent, |size| fits(&with(size))).max(tiles.0[place]));
        }
    }
    tiles
}

fn extent(statement: &Statement) -> u64 {
    statement.variables.iter().map(|variable| variable.extent).max().unwrap_or(1)
}

/// By what share lengths that are tried differ, and into how many steps the last one is divided.
const STEP: f64 = 0.04;
const STEPS: u64 = 16;

/// The longest cubes of which something holds, which need not hold of all that are shorter: lengths are tried
/// from the largest on in steps of 4 %, and between the first one that does and the one before in steps of a
/// quarter of a per cent.
pub(crate) fn largest(statement: &Statement, memory: &Memory, holds: impl Fn(&Tiles) -> bool) -> Tiles {
    let cube = |side: u64| memory.around.with_single(Tiles::cube(statement, side));
    let inside = memory.around.variables();
    let least = conservative_in(statement, memory).0[inside..].iter().copied().min().unwrap_or(1);
    let is_good = |side: u64| holds(&cube(side));
    let extents = statement.variables[inside..].iter().map(|variable| variable.extent);
    let mut above = extents.max().unwrap_or(1).max(1);
    if is_good(above) {
        return cube(above);
    }
    while above > least {
        let side = ((above as f64 * (1.0 - STEP)) as u64).clamp(least, above - 1);
        if side == least || is_good(side) {
            let step = (above - side).div_ceil(STEPS).max(1);
            let between = (1..STEPS).rev().map(|times| side + times * step).filter(|&side| side < above);
            let longest = between.into_iter().find(|&side| is_good(side));
            return cube(longest.unwrap_or(side));
        }
        above = side;
    }
    cube(least)
}

/// The largest share of the tiles of an input that do not fit.
pub(crate) fn overbooked(statement: &Statement, tiles: &Tiles, memory: &Memory) -> f64 {
    let of = |(access, machine): (&Access, &Machine)| {
        let sizes = tiles.of_all(&access.indices);
        let Pattern::Points(points) = &access.pattern else {
            return f64::from(u8::from(!machine.fits(Footprint::full(&sizes))));
        };
        let (mut all, mut beyond) = (0u64, 0u64);
        footprints(
            points,
            &sizes,
            |_| true,
            |tile| {
                all += 1;
                beyond += u64::from(!machine.fits(tile));
            },
        );
        beyond as f64 / all.max(1) as f64
    };
    statement.accesses.iter().zip(&memory.inputs).map(of).fold(0.0, f64::max)
}
