//! `cin-parallelize`: the outermost loop of a compute runs in parallel where its iterations are independent.
//!
//! Before:
//! ```mlir
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %x, %y : tensor<?xf64>
//! // given %n, %m : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i {
//!     cin.forall %j {
//!       %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %x[%j] : tensor<?xf64> -> f64
//!       %2 = cin.combine mul %0, %1 : f64
//!       cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i parallel cpu {
//!     cin.forall %j {
//!       %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %x[%j] : tensor<?xf64> -> f64
//!       %2 = cin.combine mul %0, %1 : f64
//!       cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
//!     }
//!   }
//! }
//! ```
//! Iterations are independent where each assigns to elements of its own: of dense tensors, of a sparse one in
//! place, or of a sparse one that they append to in the order of the loop, so that those of some iterations
//! lie side by side.
//! Workspaces inside are values that a loop carries, or dense ones that only go on into the sparse result.
//! Sums into a dense tensor, or into a scalar that the compute begins with, may come from all iterations:
//! tasks add to copies of it, which are added up in the end. With `sums=ordered` those of floating point stay
//! in the order of the iterations. A compute with an outermost loop that a schedule marks is left as it is.
//! Where a marked loop cannot run so, because it is inside of another one too, a remark says so.

use super::vectorize_sums::sums_lanes;
use crate::assembly::appended_groups;
use crate::drain::drained;
use crate::nest::{self, Relations, WorkspaceKind, point};
use crate::schedule::ParallelUnit;
use crate::sums::{self, Sums};
use comet_ir::cin::Reduction;
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::{Op, Result, Val, cin, format};

pub const PASS: Pass = Pass {
    name: "cin-parallelize",
    description: "Marks the outermost loop as parallel where its iterations are independent",
    options: &[sums::OPTION],
    dialects: &["cin"],
    run,
};

fn run<'c>(module: Op<'c>, options: &OptionValues<'_>) -> Result<'c, ()> {
    let sums = Sums::of(options)?;
    module.walk::<cin::Compute>().into_iter().for_each(|compute| parallelize(compute, sums));
    Ok(())
}

fn parallelize(compute: cin::Compute<'_>, sums: Sums) {
    let relations = nest::relations(compute);
    let loops = compute.walk::<cin::Forall>();
    let outermost = outermost_loops(compute);
    let (marked, inner): (Vec<cin::Forall<'_>>, Vec<cin::Forall<'_>>) = loops
        .into_iter()
        .filter(|forall| forall.parallel().is_some())
        .partition(|forall| outermost.contains(forall));
    for forall in inner {
        report(forall, "it is inside of another one, and tasks share the iterations of outermost loops");
    }
    if !marked.is_empty() {
        for forall in marked {
            if let Some(obstacle) = obstacle_in_order(&relations, forall, sums) {
                report(forall, &obstacle);
            }
        }
        return;
    }
    for forall in outermost {
        match obstacle_in_order(&relations, forall, sums) {
            Some(obstacle) => report(forall, &obstacle),
            None => {
                report_independent(&relations, forall);
                forall.set_parallel(Some(ParallelUnit::Cpu));
            }
        }
    }
}

/// The loops that no other is around, where results or scalars are computed.
fn outermost_loops(compute: cin::Compute<'_>) -> Vec<cin::Forall<'_>> {
    let ops = compute.body().ops().into_iter().flat_map(|op| match op.cast::<cin::Where>() {
        Some(where_op) => where_op.producer().ops(),
        None => vec![op],
    });
    ops.filter_map(|op| op.cast::<cin::Forall>()).collect()
}

fn report(forall: cin::Forall<'_>, obstacle: &str) {
    // Nobody asks about the loops that only clear a result.
    if !forall.walk::<cin::Access>().is_empty() {
        pass::decided(forall.location(), || {
            let name = nest::name(whole(forall.var()));
            format!("the loop over `{name}` is sequential: {obstacle}")
        });
    }
}

/// The variable that is cut into blocks of vector registers, which no program names.
fn whole(var: Val<'_>) -> Val<'_> {
    let split = cin::Split::defining(var);
    match split.filter(|split| !split.commanded()) {
        Some(split) => split.var(),
        None => var,
    }
}

fn report_independent<'c>(relations: &Relations<'c>, forall: cin::Forall<'c>) {
    if !forall.walk::<cin::Access>().is_empty() {
        pass::decided(forall.location(), || {
            let assigns = forall.walk::<cin::Assign>().into_iter();
            let is_sparse =
                |assign: cin::Assign<'c>| !format::of(assign.tensor()).is_dense() && !assign.in_place();
            let is_sparse = assigns.into_iter().any(is_sparse);
            let name = nest::name(forall.var());
            let why = match shared_sum(relations, forall) {
                Some(sum) => format!("each task adds to a copy of `{}`", nest::name(sum)),
                None if is_sparse => "each iteration appends in order".to_owned(),
                None => "each iteration writes to elements of its own".to_owned(),
            };
            format!("the loop over `{name}` is parallel: {why}")
        });
    }
}

/// The same where sums add up in some order: copies of tasks change it.
fn obstacle_in_order<'c>(relations: &Relations<'c>, forall: cin::Forall<'c>, sums: Sums) -> Option<String> {
    obstacle(relations, forall).or_else(|| {
        let sum = shared_sum(relations, forall)?;
        let mut assigns = forall.walk::<cin::Assign>().into_iter();
        let keeps_order = assigns.any(|assign| assign.tensor() == sum && sums.keeps_order(assign));
        keeps_order.then(|| format!("each iteration adds to `{}`, and sums are ordered", nest::name(sum)))
    })
}

/// Returns why iterations of a loop cannot run at the same time.
pub fn obstacle<'c>(relations: &Relations<'c>, forall: cin::Forall<'c>) -> Option<String> {
    let var = relations.unbounded(forall.var());
    let is_in_registers =
        relations.remainder_of(forall.var()).is_some() || sums_lanes(forall, relations).is_some();
    if forall.vectorize().is_some() && is_in_registers {
        return Some("its values go through vector registers".to_owned());
    }
    if !relations.positions.is_empty() || relations.has_fusions() {
        return Some("a loop goes over positions or pairs".to_owned());
    }
    for assign in forall.walk::<cin::Assign>() {
        let (tensor, indices) = point(assign);
        let reads = forall.walk::<cin::Access>().into_iter().map(point);
        let is_elsewhere = |at: &[Val<'c>]| at != indices && !is_in_slice(relations, var, [at, &indices]);
        if reads.into_iter().any(|(read, at)| read == tensor && is_elsewhere(&at)) {
            return Some(format!("`{}` is read elsewhere than where it is assigned", nest::name(tensor)));
        }
        let is_inside = is_declared_in(tensor, *forall);
        match nest::temporary(tensor).map(|temporary| (temporary.kind(), temporary)) {
            Some((WorkspaceKind::Scalar | WorkspaceKind::Registers, _)) if is_inside => {}
            Some((WorkspaceKind::Scalar, _)) if adds_to_one(forall, assign) => {}
            Some((WorkspaceKind::Dense, temporary)) if is_inside && goes_into_parts(temporary) => {}
            Some((WorkspaceKind::Hash, _)) => return Some("all go into one hash table of points".to_owned()),
            Some((WorkspaceKind::List, _)) => return Some("all go into one list of points".to_owned()),
            Some(_) => return Some(format!("`{}` is a workspace", nest::name(tensor))),
            None if !format::of(tensor).is_dense() && !assign.in_place() => {
                if let Some(obstacle) = obstacle_to_parts(relations, forall, assign) {
                    return Some(obstacle);
                }
            }
            None if is_of_one_iteration(relations, var, &indices) || adds_to_one(forall, assign) => {}
            None => return Some(format!("it is reduced into `{}`", nest::name(tensor))),
        }
    }
    None
}

/// The dense tensor or scalar workspace that all iterations of a loop add to, if there is one.
pub fn shared_sum<'c>(relations: &Relations<'c>, forall: cin::Forall<'c>) -> Option<Val<'c>> {
    let var = relations.unbounded(forall.var());
    let assigns = forall.walk::<cin::Assign>();
    let mut targets = assigns.into_iter().filter(|assign| adds_to_one(forall, *assign)).map(point);
    targets.find(|(_, indices)| !is_of_one_iteration(relations, var, indices)).map(|(tensor, _)| tensor)
}

/// Whether elements with these indices are assigned in one iteration of a loop only.
fn is_of_one_iteration<'c>(relations: &Relations<'c>, var: Val<'c>, indices: &[Val<'c>]) -> bool {
    relations.roots(var).iter().all(|root| indices.contains(root))
}

/// Returns whether two points of one tensor are in the slice that an iteration of a loop has to itself: they
/// have its variable in the same modes.
fn is_in_slice<'c>(relations: &Relations<'c>, var: Val<'c>, [one, other]: [&[Val<'c>]; 2]) -> bool {
    let is_shared = |root: &Val<'c>| one.iter().zip(other).any(|(one, other)| one == root && other == root);
    relations.roots(var).iter().all(is_shared)
}

/// Whether an assignment adds to something dense, and is the only one in a loop that is to nothing inside it.
fn adds_to_one<'c>(forall: cin::Forall<'c>, assign: cin::Assign<'c>) -> bool {
    let tensor = assign.tensor();
    let is_other = |other: &cin::Assign<'c>| *other != assign && !is_declared_in(other.tensor(), *forall);
    let reads = forall.walk::<cin::Access>().into_iter().map(point);
    !is_declared_in(tensor, *forall)
        && format::of(tensor).is_dense()
        && assign.reduction() == Reduction::Add
        && !forall.walk::<cin::Assign>().iter().any(is_other)
        && reads.into_iter().all(|(read, _)| read != tensor)
}

/// Why a sparse tensor cannot be put together of parts, one for some iterations of a loop each.
fn obstacle_to_parts<'c>(
    relations: &Relations<'c>,
    forall: cin::Forall<'c>,
    assign: cin::Assign<'c>,
) -> Option<String> {
    let (tensor, indices) = point(assign);
    let name = nest::name(tensor);
    let Some(compute) = forall.parent().and_then(|op| op.cast::<cin::Compute>()) else {
        return Some(format!("`{name}` is sparse, and other loops are around"));
    };
    if compute.counted() {
        return Some(format!("the coordinates of `{name}` are counted first"));
    }
    if appended_groups(*compute, tensor, relations).is_none() {
        return Some(format!("entries come to `{name}` in any order"));
    }
    let first = format::of(tensor).levels[0];
    let is_first = relations.level_var(first, &indices) == Some(relations.unbounded(forall.var()));
    (!is_first).then(|| format!("`{name}` is not stored by it first"))
}

/// Whether a dense workspace only goes on into a sparse tensor.
fn goes_into_parts(temporary: cin::Temporary<'_>) -> bool {
    drained(temporary).is_some_and(|drained| !format::of(drained.target).is_dense())
}

fn is_declared_in<'c>(value: Val<'c>, outer: Op<'c>) -> bool {
    Op::defining(value).is_some_and(|op| op.is_inside(outer))
}
