//! `cin-workspace`: puts workspaces where the coordinates of a sparse result do not come once each, in the
//! order of its levels.
//!
//! Before:
//! ```mlir
//! // given %A, %B, %C : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %n, %m, %o : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %k = cin.index_var "k" size %m
//!   %j = cin.index_var "j" size %o
//!   cin.forall %i {
//!     cin.forall %k {
//!       cin.forall %j {
//!         %0 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!         %1 = cin.access %B[%k, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!         %2 = cin.combine mul %0, %1 : f64
//!         cin.assign %2 to %C[%i, %j] add : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
//!       }
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %k = cin.index_var "k" size %m
//!   %j = cin.index_var "j" size %o
//!   cin.forall %i {
//!     %w = cin.temporary "w" dense : tensor<?xf64>
//!     cin.where {
//!       cin.forall %j {
//!         %3 = cin.access %w[%j] : tensor<?xf64> -> f64
//!         cin.assign %3 to %C[%i, %j] set concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
//!       }
//!     } producer {
//!       cin.forall %k {
//!         cin.forall %j {
//!           %0 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!           %1 = cin.access %B[%k, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!           %2 = cin.combine mul %0, %1 : f64
//!           cin.assign %2 to %w[%j] add : f64, tensor<?xf64>
//!         }
//!       }
//!     }
//!   }
//! }
//! ```
//! The precompute of Kjolstad 2019 and sparse-workspace.txt section 1, where the outer loops are those of the
//! result's levels but for the last. Where they are those but for the last few, the workspace is over all of
//! these (the paper's Fig. 3), if the product of their extents is known and small. Everywhere else all of the
//! compute becomes the producer of a sparse workspace in the result's own format (sparse-workspace.txt
//! section 5): a hash table where values accumulate, a list where each element comes once.
//!
//! Tensors without dense levels may have rows of any extent: both ways are there then, and an `scf.if` takes
//! that for dense rows where an operand stores as many entries.

mod room;

use super::change_each_compute;
use super::order;
use super::sparse_workspace::{SparseWorkspace, is_pack};
use crate::assembly::appended_groups;
use crate::nest::{self, WorkspaceKind, is_statement, point};
use crate::order::Class;
use comet_format::LevelExpr;
use comet_ir::cin::{self, Claim, Reduction};
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::{Block, Builder, Op, Result, Val, format, types};
use melior::ir::ValueLike;
use room::{Demand, Room};

pub const PASS: Pass = Pass {
    name: "cin-workspace",
    description: "Adds a dense workspace, a hash table or a list where a sparse result is scattered into",
    options: &[],
    dialects: &["cin", "arith", "complex", "scf", "memref", "ta"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    change_each_compute(module, |compute| match Rows::of(compute) {
        Some(rows) => into_rows(compute, rows),
        None => collect_points(compute),
    })
}

/// Puts workspaces in front of a result whose rows are scattered into.
fn into_rows<'c>(compute: cin::Compute<'c>, rows: Rows<'c>) -> Result<'c, ()> {
    match Room::of(compute, &rows.inner) {
        Room::ForAll => {
            pass::decided(rows.assigns[0].location(), || rows.remark(""));
            rows.insert_workspace()
        }
        Room::Depends(demand) if !scattered(compute).is_empty() => {
            pass::decided(rows.assigns[0].location(), || rows.remark(OR_POINTS));
            either(compute, &demand)
        }
        _ => collect_points(compute),
    }
}

/// When rows get a dense workspace that need not have room for one.
const OR_POINTS: &str =
    " where an operand stores as many entries as that has elements, otherwise through a hash table of points";

/// A dense workspace for rows where the demand holds when the program runs, and a workspace of points
/// elsewhere.
fn either<'c>(compute: cin::Compute<'c>, demand: &Demand<'c>) -> Result<'c, ()> {
    let b = Builder::before(compute);
    let has_room = demand.ask(b)?;
    let by_rows = |b: Builder<'c>| {
        let copy = b.copy(*compute, |value| value);
        let copy = copy.cast::<cin::Compute>().expect("it is a copy of a compute");
        Rows::of(copy).expect("it is a copy of one that has rows").insert_workspace()?;
        order::refresh_claims(copy);
        Ok(())
    };
    let by_points = |b: Builder<'c>| {
        compute.move_to_end(b.block());
        let scattered = scattered(compute);
        chosen(&scattered).insert(compute.body(), &scattered)?;
        Ok(())
    };
    b.branch(has_room, by_rows, by_points)
}

/// Puts a workspace of points in front of a sparse result that is scattered into.
fn collect_points<'c>(compute: cin::Compute<'c>) -> Result<'c, ()> {
    let scattered = scattered(compute);
    if scattered.is_empty() {
        return Ok(());
    }
    let workspace = chosen(&scattered);
    pass::decided(scattered[0].location(), || remark(workspace, &Class::of(scattered[0])));
    workspace.insert(compute.body(), &scattered)
}

/// The assignments to a sparse result whose coordinates do not come once each in the order of its levels, if
/// they combine in one way.
fn scattered(compute: cin::Compute<'_>) -> Vec<cin::Assign<'_>> {
    let assigns = sparse_assigns(compute);
    let Some(first) = assigns.first() else { return Vec::new() };
    let tensor = first.tensor();
    let is_alike = |assign: &cin::Assign<'_>| {
        assign.tensor() == tensor && assign.reduction() == first.reduction() && !is_pack(*assign)
    };
    let comes_in_order = appended_groups(*compute, tensor, &nest::relations(compute)).is_some();
    if comes_in_order || !assigns.iter().all(is_alike) { Vec::new() } else { assigns }
}

/// What is assigned once to each element, in another order, is listed; what accumulates is looked up.
fn chosen(assigns: &[cin::Assign<'_>]) -> SparseWorkspace {
    let accumulates = assigns.len() > 1 || assigns[0].reduction() != Reduction::Set;
    let kind = if accumulates { WorkspaceKind::Hash } else { WorkspaceKind::List };
    SparseWorkspace { kind, capacity: None }
}

fn remark(workspace: SparseWorkspace, class: &Class) -> String {
    let (what, why) = match workspace.kind {
        WorkspaceKind::Hash => ("a hash table of points", "an element may get several values, in any order"),
        _ => ("a list of points", "each element comes once, in another order than that of its levels"),
    };
    format!("{class}, through {what}: {why}")
}

/// Asks for a dense workspace where the rows of a result are scattered into; says whether there are such.
pub(super) fn demand_dense_rows(compute: cin::Compute<'_>) -> bool {
    let has_rows = Rows::of(compute).is_some();
    if has_rows {
        compute.set_dense_rows(true);
    }
    has_rows
}

/// A sparse result whose rows are scattered into, or its slices of several levels.
struct Rows<'c> {
    /// What runs for each row.
    body: Block<'c>,
    assigns: Vec<cin::Assign<'c>>,
    reduction: Reduction,
    /// The variables of the last levels.
    inner: Vec<Val<'c>>,
}

impl<'c> Rows<'c> {
    /// The smallest parts of a result that the loops finish one after the other.
    fn of(compute: cin::Compute<'c>) -> Option<Self> {
        let target = *sparse_assigns(compute).first()?;
        let count = format::of(target.tensor()).levels.len();
        (1..=count).find_map(|levels| Self::of_levels(compute, levels))
    }

    /// Those of so many levels.
    fn of_levels(compute: cin::Compute<'c>, count: usize) -> Option<Self> {
        let assigns = sparse_assigns(compute);
        let first = *assigns.first()?;
        let (tensor, indices) = point(first);
        let reduction = first.reduction();
        let is_alike = |assign: &cin::Assign<'c>| {
            point(*assign) == (tensor, indices.clone()) && assign.reduction() == reduction
        };
        if reduction == Reduction::Set || !assigns.iter().all(is_alike) {
            return None;
        }
        let (outer, inner) = row_vars(compute, tensor, &indices, count)?;
        let body = inside(compute.body(), &outer)?;
        Some(Self { body, assigns, reduction, inner })
    }

    /// What becomes of them; `condition` says when.
    fn remark(&self, condition: &str) -> String {
        let names: Vec<String> = self.inner.iter().map(|var| nest::name(*var)).collect();
        let (class, names) = (Class::of(self.assigns[0]), names.join("`, `"));
        format!(
            "{class}, through a dense workspace over `{names}`{condition}: an element may get several values"
        )
    }

    fn insert_workspace(self) -> Result<'c, ()> {
        let moved: Vec<Op<'c>> = self.body.ops().into_iter().filter(is_statement).collect();
        let b = Builder::before(*moved.first().expect("the body holds the assignments"));
        let element = self.assigns[0].value().r#type();
        let ty = types::tensor(&vec![None; self.inner.len()], element, None);
        let (workspace, where_op) = cin::temporary(b, "w", WorkspaceKind::Dense, ty)?;
        self.consumer(b.inside(where_op.consumer()), workspace)?;
        for op in moved {
            op.move_to_end(where_op.producer());
        }
        for assign in self.assigns {
            cin::Assign::build(
                Builder::before(assign),
                assign.value(),
                workspace,
                &self.inner,
                self.reduction,
            )?;
            assign.erase();
        }
        Ok(())
    }

    /// Moves what came to the workspace into the result.
    fn consumer(&self, b: Builder<'c>, workspace: Val<'c>) -> Result<'c, ()> {
        let b = cin::loops(b, &self.inner)?;
        let value = cin::access(b, workspace, &self.inner)?;
        let (target, indices) = point(self.assigns[0]);
        let assign = cin::Assign::build(b, value, target, &indices, Reduction::Set)?;
        assign.set_claim(Some(Claim::Concordant));
        Ok(())
    }
}

/// The assignments to tensors in sparse formats, workspaces aside.
fn sparse_assigns(compute: cin::Compute<'_>) -> Vec<cin::Assign<'_>> {
    let is_sparse = |assign: &cin::Assign<'_>| {
        let tensor = assign.tensor();
        !format::of(tensor).is_dense() && !nest::is_temporary(tensor)
    };
    compute.walk::<cin::Assign>().into_iter().filter(is_sparse).collect()
}

/// The variables of a tensor's levels but for the last ones, and those of the last, which have whole indices
/// and end with one that is appended to; `None` where there are no such variables, or one comes twice.
fn row_vars<'c>(
    compute: cin::Compute<'c>,
    tensor: Val<'c>,
    indices: &[Val<'c>],
    count: usize,
) -> Option<(Vec<Val<'c>>, Vec<Val<'c>>)> {
    let levels = format::of(tensor).levels;
    let is_appended = format::of(tensor).appended_groups()?.last()?.levels.end == levels.len();
    let first = levels.len().checked_sub(count)?;
    let are_whole = levels[first..].iter().all(|level| matches!(level.expr, LevelExpr::Mode(_)));
    let relations = nest::relations(compute);
    let vars = levels.iter().map(|level| relations.level_var(*level, indices));
    let mut vars: Vec<Val<'c>> = vars.collect::<Option<_>>()?;
    let is_new = |(number, var): (usize, &Val<'c>)| !vars[..number].contains(var);
    if !is_appended || !are_whole || !vars.iter().enumerate().all(is_new) {
        return None;
    }
    let inner = vars.split_off(first);
    Some((vars, inner))
}

/// The block inside loops over those variables with nothing beside them.
fn inside<'c>(block: Block<'c>, vars: &[Val<'c>]) -> Option<Block<'c>> {
    let Some((var, rest)) = vars.split_first() else { return Some(block) };
    let statements: Vec<Op<'c>> = block.ops().into_iter().filter(is_statement).collect();
    match statements[..] {
        [only] => {
            let forall = only.cast::<cin::Forall>().filter(|forall| forall.var() == *var)?;
            inside(forall.body(), rest)
        }
        _ => None,
    }
}
