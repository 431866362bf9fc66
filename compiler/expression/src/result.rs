//! What a result is stored as where the caller does not state it.
//!
//! **Format.** A result of rank 0 is dense. One of rank 2 and more is sparse if every one of its labels is a
//! label of a sparse operand in each term of a sum: nothing can be where that operand has no entry in the
//! whole row. A vector is sparse only if the operands that have its label are vectors, too: sums of rows and
//! diagonals are dense, as SciPy returns them. A sparse result has the format of the operands with all of its
//! labels if these agree: `A[i,j] * d[j]` is stored as `A` is. Otherwise it is a CSF tensor, a CSR matrix, or
//! a CSC matrix where all sparse operands are stored by columns.
//!
//! **Elements.** The type that the value is computed in; `bool` for a comparison. Where that is the type
//! which elements of the operands are computed in, and all tensors are of one type, the result is as well: a
//! product of `int32` matrices is `int32`.

use comet_format::{Format, IndexWidth, Level, LevelExpr, ValueType};
use comet_sema::program::{Access, Assign, Function, LabelId, Tensor, TensorExpr, TensorExprKind, TensorOp};
use std::collections::BTreeSet;

/// How a result is stored, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub format: Format,
    pub element: ValueType,
    /// Words on the format, for `--explain`.
    pub reason: String,
}

/// Chooses for the target of an assignment in a checked function.
pub(crate) fn choose(function: &Function, assign: &Assign) -> Choice {
    let target = &assign.target;
    let mut accesses = assign.value.accesses();
    let mask = assign.mask.as_ref().filter(|mask| !mask.complement);
    let mask = mask.map(|mask| Access { tensor: mask.tensor, ..target.clone() });
    accesses.splice(0..0, &mask);
    let tensor = |access: &Access| &function.tensors[access.tensor.0];
    let sparse: Vec<&Access> = accesses.iter().copied().filter(|access| is_sparse(tensor(access))).collect();
    let mut restricted = restricted(function, &assign.value);
    restricted.extend(
        sparse.iter().filter(|access| mask.as_ref() == Some(access)).flat_map(|access| &access.labels),
    );
    let wanted: BTreeSet<LabelId> = target.labels.iter().copied().collect();
    let is_of_vectors = || sparse.iter().all(|access| access.labels.len() < 2);
    let is_distinct = wanted.len() == target.labels.len();
    let is_sparse = match target.labels.len() {
        0 => false,
        1 => restricted.is_superset(&wanted) && is_of_vectors(),
        _ => is_distinct && restricted.is_superset(&wanted),
    };
    let (format, reason) = match is_sparse {
        false => (Format::dense(target.labels.len()), "dense: it has no pattern of an operand".to_owned()),
        true => sparse_format(function, target, &sparse),
    };
    let tensors: Vec<ValueType> = accesses.iter().map(|access| tensor(access).element).collect();
    Choice { format, element: element(&assign.value, &tensors), reason }
}

fn is_sparse(tensor: &Tensor) -> bool {
    !tensor.format.is_dense()
}

/// The labels at whose coordinates a value can only be where a sparse operand has entries.
fn restricted(function: &Function, value: &TensorExpr) -> BTreeSet<LabelId> {
    match &value.kind {
        TensorExprKind::Access(access) if is_sparse(&function.tensors[access.tensor.0]) => {
            access.labels.iter().copied().collect()
        }
        TensorExprKind::Access(_) | TensorExprKind::Number(_) | TensorExprKind::Scalar(_) => BTreeSet::new(),
        TensorExprKind::Neg(operand)
        | TensorExprKind::Convert { value: operand, .. }
        | TensorExprKind::Apply { operand, .. }
        | TensorExprKind::Drop { value: operand, .. }
        | TensorExprKind::Elementwise(operand)
        | TensorExprKind::Reduce { body: operand, .. } => restricted(function, operand),
        TensorExprKind::Binary { op, left, right, .. } => {
            let (left, right) = (restricted(function, left), restricted(function, right));
            match op {
                TensorOp::Add | TensorOp::Sub | TensorOp::Unite(_) => &left & &right,
                TensorOp::Mul | TensorOp::Div | TensorOp::Combine(_) => &left | &right,
            }
        }
    }
}

fn sparse_format(function: &Function, target: &Access, sparse: &[&Access]) -> (Format, String) {
    let tensor = |access: &Access| &function.tensors[access.tensor.0];
    let rank = target.labels.len();
    let is_wide = |access: &&Access| tensor(access).format.index_width == IndexWidth::I64;
    let index_width = if sparse.iter().any(is_wide) { IndexWidth::I64 } else { IndexWidth::I32 };
    let covering: Vec<(&Access, Format)> = sparse
        .iter()
        .filter_map(|access| Some((*access, seen_from(tensor(access), access, target)?)))
        .collect();
    if let Some((first, format)) = covering.first()
        && covering.iter().all(|(_, other)| other.levels == format.levels)
    {
        let reason = format!("stored as `{}` is, which has all of its labels", tensor(first).name);
        return (Format { index_width, ..format.clone() }, reason);
    }
    let is_by_columns = |access: &&Access| {
        tensor(access).format.levels.first().and_then(|level| level.expr.mode()) == Some(1)
    };
    let (levels, reason) = match rank {
        1 => (Format::sparse_vector().levels, "a sparse vector, as its operands are"),
        2 if sparse.iter().all(is_by_columns) => {
            (Format::csc().levels, "CSC: its labels are those of sparse operands, all stored by columns")
        }
        2 => (Format::csr().levels, "CSR: its labels are those of several sparse operands"),
        _ => (Format::csf(rank).levels, "CSF: its labels are those of several sparse operands"),
    };
    (Format { rank, levels, index_width }, reason.to_owned())
}

/// The format of an operand with the labels of the target, by the modes of that.
fn seen_from(tensor: &Tensor, access: &Access, target: &Access) -> Option<Format> {
    if access.labels.len() != target.labels.len() {
        return None;
    }
    let mode_of = |mode: usize| target.labels.iter().position(|label| *label == access.labels[mode]);
    let modes: Vec<usize> = (0..access.labels.len()).map(mode_of).collect::<Option<_>>()?;
    if modes.iter().collect::<BTreeSet<_>>().len() < modes.len() {
        return None;
    }
    let format = &tensor.format;
    // Coordinates are listed by rows, as others expect it.
    let is_list = format.levels.first().is_some_and(|level| !level.kind.is_unique());
    if is_list && modes.iter().enumerate().any(|(mode, to)| mode != *to) {
        return Some(Format { index_width: format.index_width, ..Format::coo(format.rank) });
    }
    let is_slotted = format.levels.iter().any(|level| level.expr == LevelExpr::Slot);
    if is_slotted && modes.iter().enumerate().any(|(mode, to)| mode != *to) {
        return None;
    }
    let levels = format.levels.iter().map(|level| {
        let expr = level.expr.mode().map_or(level.expr, |mode| level.expr.with_mode(modes[mode]));
        Level { expr, ..*level }
    });
    Some(Format { levels: levels.collect(), ..format.clone() })
}

fn element(value: &TensorExpr, tensors: &[ValueType]) -> ValueType {
    if is_truth(value) {
        return ValueType::Bool;
    }
    match tensors {
        [first, others @ ..]
            if others.iter().all(|other| other == first) && first.computed() == value.element =>
        {
            *first
        }
        _ => value.element,
    }
}

/// Whether the value is 0 or 1 by its outermost operation.
fn is_truth(value: &TensorExpr) -> bool {
    match &value.kind {
        TensorExprKind::Elementwise(inner) => is_truth(inner),
        TensorExprKind::Binary { op: TensorOp::Unite(op) | TensorOp::Combine(op), reduce: None, .. } => {
            op.is_condition()
        }
        _ => false,
    }
}
