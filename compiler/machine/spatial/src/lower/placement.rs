//! Copies of dense operands on chip: in front of all loops where they depend on none, and with the operand's
//! order of levels, so that they are one transfer (stardust.txt, Fig. 7b).
//!
//! Before: `∀i (∀j ∀k … where ∀k ∀j D_on[k,j] = D[k,j])`. After: `(∀i ∀j ∀k …) where ∀k ∀j D_on[k,j] =
//! D[k,j]`, where `D_on` has its levels in the order of those of `D`.

use super::nest::{Home, Nest, NestAccess, NestAssign, NestStmt, Value, Var};
use crate::app::whole;
use comet_format::Level;

/// The statement with such copies in their places.
pub(super) fn with_placement(nest: &Nest) -> Nest {
    let mut nest = nest.clone();
    let body = std::mem::take(&mut nest.body);
    let mut placed = Vec::new();
    for stmt in body {
        let mut copies = Vec::new();
        let stmt = without_copies(&mut nest, stmt, &mut copies);
        let around =
            |stmt, (producer, temporary)| NestStmt::Where { consumer: vec![stmt], producer, temporary };
        placed.push(copies.into_iter().rev().fold(stmt, around));
    }
    nest.body = placed;
    nest
}

type Copied = (Vec<NestStmt>, usize);

/// The same without copies that depend on no loop around, which are given away.
fn without_copies(nest: &mut Nest, stmt: NestStmt, copies: &mut Vec<Copied>) -> NestStmt {
    match stmt {
        NestStmt::Where { consumer, producer, temporary } => {
            let mut consumer: Vec<NestStmt> =
                consumer.into_iter().map(|stmt| without_copies(nest, stmt, copies)).collect();
            let copy = copied(nest, &producer, temporary).filter(|(source, _)| {
                nest.tensors[source.tensor].last_compressed().is_none()
                    && nest.tensors[temporary].home == Home::OnChip
            });
            if let Some((source, target)) = copy {
                nest.tensors[temporary].levels = levels_of(nest, &source, &target);
                if source.indices.len() == target.indices.len() && consumer.len() == 1 {
                    copies.push((producer, temporary));
                    return consumer.remove(0);
                }
            }
            let producer = producer.into_iter().map(|stmt| without_copies(nest, stmt, copies)).collect();
            NestStmt::Where { consumer, producer, temporary }
        }
        stmt => stmt.map_inner(|stmt| without_copies(nest, stmt, copies)),
    }
}

/// What a producer copies to a temporary, if that is all it does: the innermost levels of an operand, under
/// variables that its other levels do not have.
pub(super) fn copied(
    nest: &Nest,
    producer: &[NestStmt],
    temporary: usize,
) -> Option<(NestAccess, NestAccess)> {
    let [first] = producer else { return None };
    let (mut stmt, mut vars) = (first, Vec::new());
    while let NestStmt::Forall { var, body, .. } = stmt {
        let [inner] = &body[..] else { return None };
        vars.push(*var);
        stmt = inner;
    }
    let NestStmt::Assign(NestAssign { target, value: Value::Access(source), .. }) = stmt else { return None };
    let first = source.indices.len().checked_sub(target.indices.len())?;
    let levels: Vec<Var> = (0..source.indices.len()).map(|level| nest.var_at(source, level)).collect();
    let (outer, inner) = levels.split_at(first);
    // A label that is there twice is no copy of levels.
    let are_inner = |vars: &[Var]| {
        vars.len() == inner.len()
            && inner.iter().all(|var| vars.contains(var))
            && vars.iter().all(|var| inner.contains(var))
    };
    let is_copy = nest.tensors[source.tensor].home == Home::OffChip
        && target.tensor == temporary
        && are_inner(&target.indices)
        && are_inner(&vars)
        && outer.iter().all(|var| !inner.contains(var));
    is_copy.then(|| (source.clone(), target.clone()))
}

/// The levels of a temporary in the order of those that are copied to it.
fn levels_of(nest: &Nest, source: &NestAccess, target: &NestAccess) -> Vec<Level> {
    let inner = source.indices.len() - target.indices.len();
    let levels = (inner..source.indices.len()).map(|level| {
        let var = nest.var_at(source, level);
        let mode = target.indices.iter().position(|other| *other == var);
        let kind = nest.tensors[source.tensor].levels[level].kind;
        whole(mode.expect("a copy has the variables of what it copies"), kind)
    });
    levels.collect()
}
