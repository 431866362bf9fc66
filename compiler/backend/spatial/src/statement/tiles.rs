//! Index variables that `split`, `divide` and `tile` divide into tiles, where an application has a loop over
//! tiles and one over what is in a tile.
//!
//! Tensors are stored tile by tile then: a mode that is divided has two levels. The last tile is as large as
//! the others; what is behind the extent is 0, and nothing that a sparse tensor stores.

use super::{ComputeReader, format};
use comet_format::Format;
use comet_ir::{Op, Val, cin};
use comet_passes::nest::{self, Relations, Split};
use comet_spatial::lower::Tiles;
use melior::ir::ValueLike;

#[derive(Clone, Copy)]
pub(super) struct Tiled<'c> {
    /// The variable over tiles.
    pub(super) tile: Val<'c>,
    /// The variable over the coordinates in a tile.
    pub(super) within: Val<'c>,
    /// The variable that is divided.
    pub(super) root: Val<'c>,
    /// How many coordinates a tile has.
    pub(super) size: u64,
    /// The extent of what is divided, where it is a constant.
    extent: Option<i64>,
}

impl Tiled<'_> {
    fn count(&self) -> Option<i64> {
        self.extent.map(|extent| (extent as u64).div_ceil(self.size) as i64)
    }

    fn is_even(&self) -> bool {
        self.extent.is_some_and(|extent| (extent as u64).is_multiple_of(self.size))
    }
}

/// The index variables that are divided, and for others that a command divides why they are not.
pub(super) fn of<'c>(
    compute: Op<'c>,
    relations: &Relations<'c>,
) -> (Vec<Tiled<'c>>, Vec<(Val<'c>, &'static str)>) {
    let (mut divided, mut whole) = (Vec::new(), Vec::new());
    for split in &relations.splits {
        match tiled(compute, relations, split) {
            Ok(tiled) => divided.push(tiled),
            Err(why) => whole.push((split.var, why)),
        }
    }
    (divided, whole)
}

fn tiled<'c>(
    compute: Op<'c>,
    relations: &Relations<'c>,
    split: &Split<'c>,
) -> Result<Tiled<'c>, &'static str> {
    let Split { var: root, outer: tile, inner: within, .. } = *split;
    let is_divided = |var| relations.splits_of(var).next().is_some();
    let is_fused = |var| relations.fusions_of(var).next().is_some();
    let has_positions = |var| relations.positions.iter().any(|positions| positions.var == var);
    let is_declared = cin::IndexVar::defining(root).is_some();
    let is_single = relations.splits_of(root).count() == 1;
    if !is_declared || !is_single || is_divided(tile) || is_divided(within) {
        return Err("applications have one loop over tiles of a variable");
    }
    if [root, tile, within].into_iter().any(|var| is_fused(var) || has_positions(var)) {
        return Err("applications have no tiles of variables that are fused, or that go over positions");
    }
    let extent = nest::constant_extent(root);
    let blocks = match split.blocks {
        nest::Blocks::OfSize(size) => Some(size),
        nest::Blocks::InNumber(count) => extent.map(|extent| (extent as u64).div_ceil(count.max(1)).max(1)),
    };
    let size = blocks.filter(|size| i32::try_from(*size).is_ok());
    let size = size.ok_or("applications have tiles of a size that is known when compiling")?;
    let tiled = Tiled { tile, within, root, size, extent };
    check_loops(compute, relations, &tiled)?;
    check_padding(compute, &tiled)?;
    Ok(tiled)
}

/// Each tensor that has the variable is in a loop over tiles and, further inside, one over what is in a tile.
fn check_loops<'c>(
    compute: Op<'c>,
    relations: &Relations<'c>,
    tiled: &Tiled<'c>,
) -> Result<(), &'static str> {
    let accesses = accesses(compute);
    for op in &accesses {
        let (tensor, indices) = nest::point(*op);
        let uses = indices.iter().filter(|index| relations.unbounded(**index) == tiled.root).count();
        let around = nest::loops_around(*op, compute).into_iter();
        let around: Vec<Val<'c>> = around.map(|var| relations.unbounded(var)).collect();
        let place = |var| around.iter().position(|other| *other == var);
        let is_in_order = place(tiled.tile).is_some_and(|tile| place(tiled.within) > Some(tile));
        match uses {
            0 => continue,
            1 if is_in_order && place(tiled.root).is_none() => {}
            1 => return Err("it is not in a loop over tiles, and that over what is in a tile, everywhere"),
            _ => return Err("one label is there for several modes of a tensor"),
        }
        let has_other_label = |other: &Op<'c>| {
            let (other, at) = nest::point(*other);
            let mode = indices.iter().position(|index| relations.unbounded(*index) == tiled.root);
            other == tensor && mode.is_some_and(|mode| relations.unbounded(at[mode]) != tiled.root)
        };
        if nest::is_temporary(tensor) && accesses.iter().any(has_other_label) {
            return Err("a workspace has the mode under another label, too");
        }
    }
    Ok(())
}

/// Computes nothing behind the extent that the result would store, and no quotient of integers.
fn check_padding<'c>(compute: Op<'c>, tiled: &Tiled<'c>) -> Result<(), &'static str> {
    let has = |op: &Op<'c>| nest::point(*op).1.contains(&tiled.root);
    let assigns = compute.descendants::<cin::Assign>().into_iter().filter(has);
    let targets = assigns.map(|assign| comet_ir::format::of_type(nest::point(assign).0.r#type()));
    let targets: Vec<Format> = targets.collect();
    if tiled.is_even() || targets.is_empty() {
        return Ok(());
    }
    if nest::divides_integers(compute) {
        return Err("integers are divided, which zeros behind the extent would be, too");
    }
    let stores = |op: &Op<'c>| {
        let (tensor, indices) = nest::point(*op);
        let levels = comet_ir::format::of_type(tensor.r#type()).levels;
        let own =
            levels.iter().position(|level| level.expr.mode().is_some_and(|mode| indices[mode] == tiled.root));
        own.is_some_and(|own| levels[own..].iter().any(|level| !level.kind.is_full()))
    };
    let operands = compute.descendants::<cin::Access>();
    let is_stored = operands.iter().any(stores) && format::is_product(compute);
    if targets.iter().any(|format| !format.is_dense()) && !is_stored {
        return Err("the last tile may have coordinates behind the extent, which the result would store");
    }
    Ok(())
}

fn accesses(compute: Op<'_>) -> Vec<Op<'_>> {
    let assigns = compute.descendants::<cin::Assign>();
    compute.descendants::<cin::Access>().into_iter().chain(assigns).collect()
}

impl<'c> ComputeReader<'c> {
    /// The variables that the loops over a variable go over, without a range that the program states: parts
    /// of divided ones, and whole others.
    pub(super) fn looped(&self, var: Val<'c>) -> Vec<Val<'c>> {
        let var = self.relations.unbounded(var);
        match self.part_of(var) {
            Some(_) => vec![var],
            None => self.relations.roots(var),
        }
    }

    pub(super) fn tiles_of(&self, root: Val<'c>) -> Option<&Tiled<'c>> {
        self.tiled.iter().find(|tiled| tiled.root == root)
    }

    /// How many values a variable has, where it is known.
    pub(super) fn size_of(&self, var: Val<'c>) -> Option<i64> {
        match self.part_of(var) {
            Some(tiled) if tiled.tile == var => tiled.count(),
            Some(tiled) => Some(tiled.size as i64),
            None => nest::constant_extent(var),
        }
    }

    /// The extent of a variable, which equals that of another if both have as many values for sure.
    pub(super) fn extent_of(&self, var: Val<'c>) -> TiledExtent<'c> {
        match self.part_of(var) {
            Some(tiled) if tiled.tile == var => TiledExtent::Tiles(super::extent(tiled.root), tiled.size),
            Some(tiled) => TiledExtent::Tile(tiled.size),
            None => TiledExtent::Whole(super::extent(var)),
        }
    }

    /// The tiles that a variable is over, or over what is in one of.
    pub(super) fn part_of(&self, var: Val<'c>) -> Option<&Tiled<'c>> {
        self.tiled.iter().find(|tiled| tiled.tile == var || tiled.within == var)
    }

    pub(super) fn tiles(&mut self) -> Vec<Tiles> {
        let tiled = self.tiled.clone().into_iter();
        let tiles = tiled.map(|tiled| Tiles {
            tile: self.var(tiled.tile),
            within: self.var(tiled.within),
            size: tiled.size as i64,
            is_even: tiled.is_even(),
        });
        tiles.collect()
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum TiledExtent<'c> {
    /// As many as a value says.
    Whole(Val<'c>),
    /// As many as there are tiles of that size of so many.
    Tiles(Val<'c>, u64),
    /// As many as a tile has.
    Tile(u64),
}
