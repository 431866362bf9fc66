//! Sparse results that store what an operand stores.
//!
//! Where the levels of a result are the outermost ones of an operand, and each of the operand's coordinates
//! in them gets a value and no other one does, as in SDDMM or in products of a tensor with vectors and
//! matrices, nothing is appended: the coordinates are copied as a whole, and each value goes where the
//! operand's position says. Rounds are then as independent as those into dense results. `assemble(T, append)`
//! appends anyway.
//!
//! An operand whose labels repeat never qualifies: a diagonal reaches only some of the stored coordinates,
//! and an outer coordinate may have nothing below it that lies on the diagonal.

use super::Lowering;
use super::gaps;
use super::point::Point;
use super::value::Presence;
use super::workspace::is_temporary;
use comet_dialects::cin::{
    AccessOperation, AssignOperation, ForallOperation, MaskOperation, TemporaryOperation,
};
use comet_format::LevelKind;
use comet_ir::pass;
use comet_ir::{Builder, IrError, Op, Result, Val, types};
use comet_passes::assembly::appended_groups;
use comet_passes::cin::{is_appended_on_request, is_counted};
use comet_passes::nest::{self, WorkspaceKind};
use comet_passes::operator::Reduction;
use melior::ir::ValueLike;

/// A result that stores what an operand stores in its outermost levels.
#[derive(Clone)]
pub(super) struct SamePattern<'c> {
    result: Point<'c>,
    operand: Point<'c>,
    /// How many levels of the two are the same.
    levels: usize,
    /// The array of the result's values, once it has its pattern.
    values: Option<Val<'c>>,
}

impl<'c> SamePattern<'c> {
    /// `None` where the result of a compute has a pattern of its own.
    pub(super) fn of(lowering: &Lowering<'c>, compute: Op<'c>) -> Option<Self> {
        if is_counted(compute) || is_appended_on_request(compute) {
            return None;
        }
        let assigns = compute.descendants::<AssignOperation>().into_iter();
        let mut results = assigns.map(Point::of).filter(is_sparse);
        let (result, None) = (results.next()?, results.next()) else { return None };
        let operand = only_sparse_operand(compute)?;
        let levels = same_levels(lowering, &result, &operand);
        let groups = appended_groups(compute, result.tensor, &lowering.relations)?;
        let compressed = groups.last().map_or(0, |last| last.levels.end);
        let below = compressed..result.format().levels.len();
        let has_gaps = gaps::are_left(compute, &result, below, &lowering.relations);
        let is_it = result.tensor != operand.tensor
            && has_distinct_indices(&operand)
            && levels >= compressed
            && result.format().index_width == operand.format().index_width
            && !has_gaps
            && has_plain_loops(lowering, compute)
            && compute.descendants::<ForallOperation>().into_iter().all(|forall| {
                let roots = lowering.relations.roots(forall.operand(0));
                roots.into_iter().all(|var| has_values(lowering, &result, &operand, var))
            })
            && !lowering.is_live_without(compute, std::slice::from_ref(&operand));
        is_it.then_some(Self { result, operand, levels, values: None })
    }

    /// The position of a value: that of the operand, and from there on through dense levels.
    fn position(&self, lowering: &mut Lowering<'c>, b: Builder<'c>) -> Result<'c, Val<'c>> {
        let at = lowering.positions(&self.operand);
        if at.levels != self.levels {
            let what = "a result with an operand's coordinates, where loops have not come to them";
            return Err(IrError::not_supported(b.location(), what).hint("`assemble(T, append)`"));
        }
        let end = self.result.format().levels.len();
        let at = lowering.position_below(b, &self.result, at, end)?;
        Ok(at.last.expect("a sparse tensor has levels"))
    }
}

impl<'c> Lowering<'c> {
    /// Gives the result of a compute the coordinates of an operand, where it stores what that stores.
    pub(super) fn begin_same_pattern(&mut self, b: Builder<'c>, compute: Op<'c>) -> Result<'c, ()> {
        let Some(mut pattern) = SamePattern::of(self, compute) else { return Ok(()) };
        let (result, operand) = (pattern.result.tensor, pattern.operand.tensor);
        pass::decided(compute.location(), || {
            let (result, operand) = (nest::name(result), nest::name(operand));
            format!("`{result}` stores what `{operand}` stores: its coordinates are copied as a whole")
        });
        let levels = [("levels", b.i64_attribute(pattern.levels as i64))];
        b.op("ta.same_pattern", &[result, operand], &[], &levels)?;
        let array = types::memref(types::element(result.r#type()));
        pattern.values = Some(b.value("ta.values", &[result], array)?);
        self.same_pattern = Some(pattern);
        Ok(())
    }

    /// Whether a tensor stores what an operand stores.
    pub(super) fn has_same_pattern(&self, tensor: Val<'c>) -> bool {
        self.same_pattern.as_ref().is_some_and(|pattern| pattern.result.tensor == tensor)
    }

    /// An assignment to a tensor that stores what an operand stores; says whether it is one. A sum of nothing
    /// is stored as 0.
    pub(super) fn assign_same_pattern(
        &mut self,
        b: Builder<'c>,
        point: &Point<'c>,
        presence: Presence<'c>,
    ) -> Result<'c, bool> {
        let Some(pattern) = self.same_pattern.clone().filter(|own| own.result == *point) else {
            return Ok(false);
        };
        let position = pattern.position(self, b)?;
        let values = pattern.values.expect("the result has its pattern");
        let has_lanes = self.lanes.is_some_and(|lanes| point.indices.contains(&lanes.var));
        let value = match presence {
            Presence::Present(value) => value,
            Presence::Maybe { value, reached } => {
                let zero =
                    b.broadcast(b.number(types::element(point.tensor.r#type()), 0.0, 0)?, value.r#type())?;
                b.select(reached, value, zero)?
            }
            Presence::Absent => {
                return Err(IrError::not_supported(
                    b.location(),
                    "a value that is absent where it is stored",
                ));
            }
        };
        match has_lanes {
            true => self.store_lanes(b, value, [values, position], Reduction::Set)?,
            false => b.store(value, values, position)?,
        }
        Ok(true)
    }
}

fn is_sparse(point: &Point<'_>) -> bool {
    !is_temporary(point.tensor) && !point.format().is_dense()
}

/// The sparse operand of a compute, where there is one only.
fn only_sparse_operand<'c>(compute: Op<'c>) -> Option<Point<'c>> {
    let mut operands = compute.descendants::<AccessOperation>().into_iter().map(Point::of).filter(is_sparse);
    let first = operands.next()?;
    operands.all(|other| other == first).then_some(first)
}

/// Whether no label of an access repeats, so that a loop nest reaches everything that the tensor stores.
fn has_distinct_indices(point: &Point<'_>) -> bool {
    let is_new = |(number, var)| !point.indices[..number].contains(var);
    point.indices.iter().enumerate().all(is_new)
}

/// How many outermost levels of two points are D or CU and the same ones, of the same variables.
fn same_levels<'c>(lowering: &Lowering<'c>, result: &Point<'c>, operand: &Point<'c>) -> usize {
    let (own, others) = (result.format().levels, operand.format().levels);
    let pairs = own.iter().zip(&others);
    let are_same = pairs.map(|(own, other)| {
        let var = lowering.relations.level_var(*own, &result.indices);
        own.kind == other.kind
            && matches!(own.kind, LevelKind::Dense | LevelKind::CompressedUnique)
            && var.is_some()
            && var == lowering.relations.level_var(*other, &operand.indices)
            && var.is_some_and(|var| lowering.relations.unbounded(var) == var)
    });
    are_same.take_while(|is_same| *is_same).count()
}

/// Whether a loop over a variable comes to something wherever the operand stores a coordinate: it is one of
/// the result's, what the operand stores below, or has values at all. A sum of nothing is not stored.
fn has_values<'c>(lowering: &Lowering<'c>, result: &Point<'c>, operand: &Point<'c>, var: Val<'c>) -> bool {
    let levels = operand.format().levels;
    let mut compressed = levels.iter().filter(|level| level.kind == LevelKind::CompressedUnique);
    result.indices.contains(&var)
        || compressed.any(|level| lowering.relations.level_var(*level, &operand.indices) == Some(var))
        || nest::constant_extent(var).is_some_and(|extent| extent > 0)
}

/// Whether loops go over whole variables, and what they compute stays in registers until it is stored.
fn has_plain_loops<'c>(lowering: &Lowering<'c>, compute: Op<'c>) -> bool {
    let relations = &lowering.relations;
    let in_registers = |temporary: Op<'c>| {
        matches!(WorkspaceKind::of(temporary), WorkspaceKind::Scalar | WorkspaceKind::Registers)
    };
    let is_whole = |forall: Op<'c>| relations.unbounded(forall.operand(0)) == forall.operand(0);
    relations.positions().is_empty()
        && !relations.has_pairs()
        && compute.descendants::<MaskOperation>().is_empty()
        && compute.descendants::<TemporaryOperation>().into_iter().all(in_registers)
        && compute.descendants::<ForallOperation>().into_iter().all(is_whole)
}
