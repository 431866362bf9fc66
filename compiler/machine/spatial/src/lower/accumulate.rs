//! Accumulators in front of sparse results that points do not come to in order, once each.
//!
//! Before: `∀i ∀k ∀j C[i,j] += A[i,k] B[k,j]`, C in CSR. After: `∀i (∀j C[i,j] = w[j] where ∀k ∀j w[j] +=
//! A[i,k] B[k,j])`, with a dense w on chip. The levels of C whose loops are the outermost stay as they are; w
//! has the others. Where none is left, w is a register.

use super::nest::{Home, Nest, NestAccess, NestAssign, NestStmt, NestTensor, Parallelism, Value, Var};
use crate::app::whole;
use comet_format::LevelKind;
use comet_notation::free_name;

/// The statement with its accumulators.
pub(super) fn with_accumulators(nest: &Nest) -> Nest {
    let mut nest = nest.clone();
    let body = std::mem::take(&mut nest.body);
    nest.body = body.into_iter().map(|stmt| rewritten(&mut nest, stmt)).collect();
    nest
}

fn rewritten(nest: &mut Nest, stmt: NestStmt) -> NestStmt {
    if let NestStmt::Where { .. } = stmt {
        return stmt.map_inner(|stmt| rewritten(nest, stmt));
    }
    let Some(scattered) = Scattered::of(nest, &stmt) else { return stmt };
    let accumulator = scattered.accumulator(nest);
    scattered.split(nest, stmt, accumulator)
}

/// A sparse result that is scattered into.
struct Scattered {
    target: NestAccess,
    /// How many of its levels have the outermost loops.
    outer: usize,
}

impl Scattered {
    fn of(nest: &Nest, stmt: &NestStmt) -> Option<Self> {
        let (loops, assign) = plain_nest(stmt)?;
        let tensor = &nest.tensors[assign.target.tensor];
        let is_sparse = tensor.home == Home::OffChip && tensor.last_compressed().is_some();
        let count = tensor.levels.len();
        let vars: Vec<Var> = (0..count).map(|level| nest.var_at(&assign.target, level)).collect();
        let outer = vars.iter().zip(&loops).take_while(|(var, other)| var == other).count();
        // Dense levels behind the compressed ones are accumulated in their own part of the result.
        let is_scattered = match outer == count {
            true => loops.len() > count && tensor.trailing().is_empty(),
            false => outer < tensor.trailing().start,
        };
        (is_sparse && is_scattered).then(|| Self { target: assign.target.clone(), outer })
    }

    fn vars(&self, nest: &Nest) -> Vec<Var> {
        (self.outer..self.target.indices.len()).map(|level| nest.var_at(&self.target, level)).collect()
    }

    fn accumulator(&self, nest: &mut Nest) -> NestAccess {
        let indices = self.vars(nest);
        let target = &nest.tensors[self.target.tensor];
        let levels = (0..indices.len()).map(|mode| whole(mode, LevelKind::Dense)).collect();
        let modes = (0..indices.len()).collect();
        let home = if indices.is_empty() { Home::Scalar } else { Home::OnChip };
        let is_taken = |name: &str| nest.tensors.iter().any(|tensor| tensor.name == name);
        let name = free_name(&format!("{}_w", target.name), is_taken);
        let element = target.element;
        nest.tensors.push(NestTensor {
            name,
            element,
            levels,
            modes,
            home,
            is_resident: false,
            is_temporary: true,
        });
        NestAccess { tensor: nest.tensors.len() - 1, indices }
    }

    /// The outer loops stay; inside, what was there goes to the accumulator, and that to the result.
    fn split(&self, nest: &Nest, stmt: NestStmt, accumulator: NestAccess) -> NestStmt {
        self.split_inside(nest, stmt, &accumulator, self.outer)
    }

    fn split_inside(&self, nest: &Nest, stmt: NestStmt, accumulator: &NestAccess, outer: usize) -> NestStmt {
        match stmt {
            NestStmt::Forall { .. } if outer > 0 => {
                stmt.map_inner(|stmt| self.split_inside(nest, stmt, accumulator, outer - 1))
            }
            NestStmt::Where { consumer, producer, temporary } if outer > 0 => {
                let consumer = consumer
                    .into_iter()
                    .map(|stmt| self.split_inside(nest, stmt, accumulator, outer))
                    .collect();
                NestStmt::Where { consumer, producer, temporary }
            }
            stmt => {
                let value = Value::Access(accumulator.clone());
                let assign = NestAssign { target: self.target.clone(), reduction: None, value };
                let consumer =
                    self.vars(nest).into_iter().rev().fold(NestStmt::Assign(assign), |body, var| {
                        NestStmt::Forall { var, par: Parallelism::Usual, body: vec![body] }
                    });
                NestStmt::Where {
                    consumer: vec![consumer],
                    producer: vec![redirected(stmt, &self.target, accumulator)],
                    temporary: accumulator.tensor,
                }
            }
        }
    }
}

/// The loops around an assignment that nothing else stands between but producers of temporaries.
fn plain_nest(stmt: &NestStmt) -> Option<(Vec<Var>, &NestAssign)> {
    let mut loops = Vec::new();
    let mut stmt = stmt;
    loop {
        match stmt {
            NestStmt::Forall { var, body, .. } => {
                let [inner] = &body[..] else { return None };
                loops.push(*var);
                stmt = inner;
            }
            NestStmt::Where { consumer, .. } => {
                let [inner] = &consumer[..] else { return None };
                stmt = inner;
            }
            NestStmt::Assign(assign) => return Some((loops, assign)),
        }
    }
}

/// The same with another target.
fn redirected(stmt: NestStmt, from: &NestAccess, to: &NestAccess) -> NestStmt {
    match stmt {
        NestStmt::Assign(assign) if assign.target == *from => {
            NestStmt::Assign(NestAssign { target: to.clone(), ..assign })
        }
        stmt => stmt.map_inner(|stmt| redirected(stmt, from, to)),
    }
}
