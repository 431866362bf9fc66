//! Temporaries of whole tensors whose rows are used one at a time: each row is computed where it is used, and
//! never leaves the chip.
//!
//! Before: `(∀i ∀j A[i,j] = B[i,j] + ws[i,j]) where ∀i' ∀j' ws[i',j'] = C[i',j'] + D[i',j']`. After:
//! `∀i ((∀j A[i,j] = B[i,j] + ws[j]) where ∀j' ws[j'] = C[i,j'] + D[i,j'])`, with `ws` on chip: its
//! coordinates in a FIFO, its values by their number in an SRAM (`row`).

use super::nest::{Home, Nest, NestAccess, NestAssign, NestStmt, Parallelism, Value, Var};
use super::plan::Planner;
use crate::app::{mode_of, whole};
use comet_format::LevelKind;

/// The statement with such rows in their places.
pub(super) fn with_rows(nest: &Nest) -> Nest {
    let mut fused = nest.clone();
    let body = std::mem::take(&mut fused.body);
    fused.body = body.into_iter().map(|stmt| row_by_row(nest, &mut fused, stmt)).collect();
    fused
}

fn row_by_row(nest: &Nest, fused: &mut Nest, stmt: NestStmt) -> NestStmt {
    let Some(rows) = Rows::of(nest, &stmt) else { return stmt };
    let NestStmt::Where { consumer, producer, temporary } = stmt else {
        unreachable!("rows are of a `Where`")
    };
    let tensor = &mut fused.tensors[temporary];
    tensor.levels = vec![whole(0, LevelKind::CompressedUnique)];
    tensor.home = Home::OnChip;
    let Some(NestStmt::Forall { var, par, body }) = consumer.into_iter().next() else {
        unreachable!("rows are used in one loop")
    };
    let Some(NestStmt::Forall { body: row, .. }) = producer.into_iter().next() else {
        unreachable!("rows are computed in one loop")
    };
    let body = body.into_iter().map(|stmt| rows.renamed(stmt, var)).collect();
    let producer = row.into_iter().map(|stmt| rows.renamed(stmt, var)).collect();
    NestStmt::Forall { var, par, body: vec![NestStmt::Where { consumer: body, producer, temporary }] }
}

struct Rows {
    temporary: usize,
    /// The mode of the rows' coordinates.
    mode: usize,
    /// The variable over rows where they are computed.
    computed: Var,
}

impl Rows {
    fn of(nest: &Nest, stmt: &NestStmt) -> Option<Self> {
        let NestStmt::Where { consumer, producer, temporary } = stmt else { return None };
        let tensor = &nest.tensors[*temporary];
        let is_matrix = tensor.levels.len() == 2;
        let has_sparse_rows = || tensor.levels[0].is_full() && !tensor.levels[1].is_full();
        let ([consumer], [producer]) = (&consumer[..], &producer[..]) else { return None };
        if tensor.home != Home::OffChip || !is_matrix || !has_sparse_rows() {
            return None;
        }
        let (
            NestStmt::Forall { var: used, body: used_in, .. },
            NestStmt::Forall { var: computed, par: Parallelism::Usual, body },
        ) = (consumer, producer)
        else {
            return None;
        };
        let [NestStmt::Forall { var: inner, body: assigns, .. }] = &body[..] else { return None };
        let [NestStmt::Assign(assign)] = &assigns[..] else { return None };
        let is_computed = assign.target.tensor == *temporary
            && assign.reduction.is_none()
            && nest.var_at(&assign.target, 0) == *computed
            && nest.var_at(&assign.target, 1) == *inner;
        let mut reads = Vec::new();
        for assign in consumer.assigns() {
            reads.extend(assign.value.accesses().into_iter().filter(|access| access.tensor == *temporary));
        }
        reads.dedup();
        let [read] = reads[..] else { return None };
        let is_used = nest.var_at(read, 0) == *used
            && nest.var_at(read, 1) != *used
            && is_iterated_once(used_in, nest.var_at(read, 1));
        let appends_all = || Planner::new(nest).keeps_all_of(producer, *temporary);
        (is_computed && is_used && appends_all()).then_some(Self {
            temporary: *temporary,
            mode: mode_of(&tensor.levels[1]),
            computed: *computed,
        })
    }

    /// The same over the rows of the loop over a variable.
    fn renamed(&self, stmt: NestStmt, row: Var) -> NestStmt {
        match stmt {
            NestStmt::Assign(NestAssign { target, reduction, value }) => NestStmt::Assign(NestAssign {
                target: self.access(target, row),
                reduction,
                value: self.value(value, row),
            }),
            stmt => stmt.map_inner(|stmt| self.renamed(stmt, row)),
        }
    }

    fn access(&self, access: NestAccess, row: Var) -> NestAccess {
        if access.tensor == self.temporary {
            return NestAccess { indices: vec![access.indices[self.mode]], ..access };
        }
        let indices = access.indices.into_iter().map(|var| if var == self.computed { row } else { var });
        NestAccess { indices: indices.collect(), ..access }
    }

    fn value(&self, value: Value, row: Var) -> Value {
        let inner = |value: Box<Value>| Box::new(self.value(*value, row));
        match value {
            Value::Access(access) => Value::Access(self.access(access, row)),
            Value::Int(..) | Value::Float(..) | Value::Number(_) => value,
            Value::Negate(of) => Value::Negate(inner(of)),
            Value::To(element, of) => Value::To(element, inner(of)),
            Value::Apply(function, of) => Value::Apply(function, inner(of)),
            Value::Combine(how, operation, left, right) => {
                Value::Combine(how, operation, inner(left), inner(right))
            }
            Value::Mask { value, mask, complement } => {
                Value::Mask { value: inner(value), mask: self.access(mask, row), complement }
            }
        }
    }
}

/// Whether no loop is around those over a variable: what they take from a FIFO is gone.
fn is_iterated_once(stmts: &[NestStmt], var: Var) -> bool {
    stmts.iter().all(|stmt| match stmt {
        NestStmt::Forall { var: outer, body, .. } => *outer == var || !has_loop(body, var),
        NestStmt::Where { consumer, producer, .. } => {
            is_iterated_once(consumer, var) && is_iterated_once(producer, var)
        }
        NestStmt::Assign(_) => true,
    })
}

fn has_loop(stmts: &[NestStmt], var: Var) -> bool {
    stmts.iter().any(|stmt| match stmt {
        NestStmt::Forall { var: outer, body, .. } => *outer == var || has_loop(body, var),
        NestStmt::Where { consumer, producer, .. } => has_loop(consumer, var) || has_loop(producer, var),
        NestStmt::Assign(_) => false,
    })
}
