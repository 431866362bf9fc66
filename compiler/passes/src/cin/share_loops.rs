//! `cin-share-loops`: statements one after the other that go over the rows of one sparse tensor become
//! one loop over them, so that a row is in the cache when the next statement needs it.
//!
//! Before:
//! ```mlir
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %s : tensor<?xf64>
//! // given %n, %m : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i {
//!     %t = cin.temporary "t" scalar : tensor<f64>
//!     cin.where {
//!       %1 = cin.access %t[] : tensor<f64> -> f64
//!       cin.assign %1 to %s[%i] set : f64, tensor<?xf64>
//!     } producer {
//!       cin.forall %j {
//!         %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!         cin.assign %0 to %t[] add : f64, tensor<f64>
//!       }
//!     }
//!   }
//! }
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i {
//!     cin.forall %j {
//!       %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %s[%i] : tensor<?xf64> -> f64
//!       %2 = cin.combine div %0, %1 : f64
//!       cin.assign %2 to %A[%i, %j] set in_place concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i {
//!     %t = cin.temporary "t" scalar : tensor<f64>
//!     cin.where {
//!       %1 = cin.access %t[] : tensor<f64> -> f64
//!       cin.assign %1 to %s[%i] set : f64, tensor<?xf64>
//!     } producer {
//!       cin.forall %j {
//!         %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!         cin.assign %0 to %t[] add : f64, tensor<f64>
//!       }
//!     }
//!     cin.forall %j {
//!       %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %s[%i] : tensor<?xf64> -> f64
//!       %2 = cin.combine div %0, %1 : f64
//!       cin.assign %2 to %A[%i, %j] set in_place concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
//!     }
//!   }
//! }
//! ```
//! Such statements have one outermost loop, whose iterations are independent, over a full level of what is
//! sparse. What one writes and another one reads or writes has the loop's variable at the same place in both,
//! so that an iteration finds what it found before. A sparse result must have the coordinates of an operand
//! ([`patterns`](crate::patterns)), since those are there before the loop. Where a statement reads the values
//! that the one before assigns, entry by entry, their loops over the entries of a row become one, too
//! (`share_loops/entries.rs`). Statements that are blocked for vectors, that a schedule changes, or that
//! divide integers, which ends the program at the statement where it fails, stay apart. Statements in front
//! of others that share a sparse tensor, and between them, are taken along.

mod entries;

use crate::assembly::appended_groups;
use crate::cin::parallelize::{obstacle, shared_sum};
use crate::concrete;
use crate::nest::{self, is_sparse_at, point};
use crate::patterns::Surrounding;
use comet_ir::cin::{self, WorkspaceKind};
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::{Effects, Op, Result, Val, format, ta};
use comet_notation::distinct;

pub const PASS: Pass = Pass {
    name: "cin-share-loops",
    description: "Lets statements one after the other that go over the rows of one sparse tensor share a loop",
    options: &[],
    dialects: &["cin", "ta"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    let statements: Vec<Statement<'c>> =
        module.walk::<cin::Compute>().into_iter().filter_map(Statement::of).collect();
    let mut left = &statements[..];
    while !left.is_empty() {
        let mut count = 1;
        while count < left.len() && may_join(&left[..count], &left[count]) {
            count += 1;
        }
        left = &left[share(&left[..count])..];
    }
    Ok(())
}

/// Returns whether a statement right behind a run of others may share a loop with all of them.
fn may_join<'c>(run: &[Statement<'c>], next: &Statement<'c>) -> bool {
    run.iter().all(|earlier| earlier.may_share_loop(next))
        && follows(run[run.len() - 1].compute, next.compute)
}

/// A tensor and the index variables of an access to it.
type Point<'c> = (Val<'c>, Vec<Val<'c>>);

/// A compute that may share its outermost loop.
struct Statement<'c> {
    compute: cin::Compute<'c>,
    forall: cin::Forall<'c>,
    size: Val<'c>,
    /// What it reads and assigns to of the tensors of the program.
    reads: Vec<Point<'c>>,
    writes: Vec<Point<'c>>,
    /// The sparse tensors that get an operand's coordinates in front of the loop.
    assembled: Vec<Val<'c>>,
}

impl<'c> Statement<'c> {
    fn of(compute: cin::Compute<'c>) -> Option<Self> {
        let has_schedule =
            compute.counted() || compute.appended() || compute.dense_rows() || compute.located().is_some();
        let ops = compute.body().ops().into_iter();
        let ops: Vec<Op<'c>> = ops.filter(|op| !op.is::<cin::IndexVar>()).collect();
        let [only] = ops[..] else { return None };
        let forall = only.cast::<cin::Forall>()?;
        let relations = nest::relations(compute);
        let is_scalar = |temporary: &cin::Temporary<'c>| temporary.kind() == WorkspaceKind::Scalar;
        let is_fit = !has_schedule
            && !is_scheduled(&forall)
            && compute.walk::<cin::Temporary>().iter().all(is_scalar)
            && !nest::divides_integers(compute)
            && !is_sparse_at(&relations, compute, forall.var())
            && obstacle(&relations, forall).is_none()
            && shared_sum(&relations, forall).is_none();
        if !is_fit {
            return None;
        }
        let size = cin::IndexVar::defining(forall.var())?.size();
        let is_of_program = |(tensor, _): &Point<'c>| !nest::is_temporary(*tensor);
        let reads = compute.walk::<cin::Access>().into_iter().map(point).filter(is_of_program).collect();
        let writes = compute.walk::<cin::Assign>().into_iter().map(point).filter(is_of_program).collect();
        let assembled = assembled(compute, &relations)?;
        Some(Self { compute, forall, size, reads, writes, assembled })
    }

    /// Returns whether an iteration of a later statement may run before the next iteration of this one.
    fn may_share_loop(&self, later: &Self) -> bool {
        let is_begun_too_soon = |tensor: &Val<'c>| self.points().any(|(other, _)| other == tensor);
        self.size == later.size
            && !later.assembled.iter().any(is_begun_too_soon)
            && self.writes.iter().all(|(tensor, _)| self.is_same_slice(later, *tensor))
            && later.writes.iter().all(|(tensor, _)| self.is_same_slice(later, *tensor))
    }

    /// Returns whether the outermost loops' variables are at the same place wherever both statements name a
    /// tensor.
    fn is_same_slice(&self, later: &Self, tensor: Val<'c>) -> bool {
        let is_at = |statement: &Self, mode: usize| {
            let own = statement.forall.var();
            let mut points = statement.points().filter(|(other, _)| *other == tensor);
            points.all(|(_, indices)| indices.get(mode) == Some(&own))
        };
        let is_named = |statement: &Self| statement.points().any(|(other, _)| *other == tensor);
        !(is_named(self) && is_named(later))
            || (0..format::of(tensor).rank).any(|mode| is_at(self, mode) && is_at(later, mode))
    }

    fn points(&self) -> impl Iterator<Item = &Point<'c>> {
        self.reads.iter().chain(&self.writes)
    }

    /// Returns the sparse tensors that it goes over or assigns to.
    fn sparse(&self) -> Vec<Val<'c>> {
        let tensors = distinct(self.points().map(|(tensor, _)| *tensor));
        tensors.into_iter().filter(|tensor| !format::of(*tensor).is_dense()).collect()
    }
}

/// Returns the sparse results of a compute that get the coordinates of an operand; `None` where one has
/// coordinates of its own.
fn assembled<'c>(compute: cin::Compute<'c>, relations: &nest::Relations<'c>) -> Option<Vec<Val<'c>>> {
    let (data, handles, _) = concrete::read(*compute);
    let is_assembled = |assign: &cin::Assign<'c>| {
        !format::of(assign.tensor()).is_dense() && !nest::is_temporary(assign.tensor()) && !assign.in_place()
    };
    let assigns = compute.walk::<cin::Assign>().into_iter().filter(is_assembled);
    assigns
        .map(|assign| {
            let groups = appended_groups(compute, assign.tensor(), relations)?;
            let own = handles.assign(*assign)?;
            Surrounding::of(&data, own).pattern(&groups).map(|_| assign.tensor())
        })
        .collect()
}

/// Returns whether nothing between two computes prevents the second from running where the first does:
/// declarations and values without effects can be moved to the front.
fn follows<'c>(first: cin::Compute<'c>, second: cin::Compute<'c>) -> bool {
    first.block() == second.block() && between(first, second).into_iter().all(|op| can_move(op))
}

fn between<'c>(first: cin::Compute<'c>, second: cin::Compute<'c>) -> Vec<Op<'c>> {
    first.following().take_while(|op| *op != *second).collect()
}

fn can_move(op: Op<'_>) -> bool {
    op.is::<ta::TensorDecl>() || op.region_count() == 0 && op.effects() == Effects::None
}

/// Makes one loop of a run of statements, up to the last one that goes over a sparse tensor which an earlier
/// one has in the cache. Returns how many statements are done with.
fn share(run: &[Statement<'_>]) -> usize {
    let pays = |number: usize| {
        let earlier: Vec<Val<'_>> = run[..number].iter().flat_map(Statement::sparse).collect();
        run[number].sparse().iter().any(|tensor| earlier.contains(tensor))
    };
    let Some(last) = (1..run.len()).rev().find(|number| pays(*number)) else { return 1 };
    let (first, others) = (&run[0], &run[1..=last]);
    report(&run[..=last]);
    for other in others {
        between(first.compute, other.compute).into_iter().for_each(|op| op.move_before(*first.compute));
        append(first, other);
    }
    entries::share_loops(first.compute, first.forall);
    super::order::refresh_claims(first.compute);
    last + 1
}

fn report(run: &[Statement<'_>]) {
    let first = &run[0];
    pass::decided(first.compute.location(), || {
        let targets = distinct(run.iter().flat_map(|statement| &statement.writes).map(|(tensor, _)| *tensor));
        let names: Vec<String> =
            targets.into_iter().map(|tensor| format!("`{}`", nest::name(tensor))).collect();
        format!("one loop over `{}` computes {}", nest::name(first.forall.var()), names.join(", "))
    });
}

/// Moves what the outermost loop of a statement does to the end of another one's.
fn append<'c>(first: &Statement<'c>, other: &Statement<'c>) {
    for op in other.forall.body().ops() {
        op.move_to_end(first.forall.body());
    }
    let var = other.forall.var();
    other.forall.erase();
    for declared in other.compute.walk::<cin::IndexVar>() {
        let own = first.compute.walk::<cin::IndexVar>().into_iter();
        let shared = first.forall.var();
        let same = own.into_iter().find(|own| match declared.var() == var {
            true => own.var() == shared,
            false => own.var() != shared && own.name() == declared.name() && own.size() == declared.size(),
        });
        match same {
            Some(same) => declared.replace(&[same.var()]),
            None => declared.move_before(*first.forall),
        }
    }
    other.compute.erase();
}

/// Returns whether a schedule or a pass says how a loop runs.
fn is_scheduled(forall: &cin::Forall<'_>) -> bool {
    forall.parallel().is_some()
        || forall.tasks().is_some()
        || forall.unroll().is_some()
        || forall.vectorize().is_some()
}
