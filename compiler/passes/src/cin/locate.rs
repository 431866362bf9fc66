//! `cin-locate`: graphs look for coordinates in dense operands, where others of a product bring theirs.
//!
//! Before:
//! ```mlir
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %n, %m : index
//! // given %l : !ta.range
//! %x = ta.tensor_decl "x" [%l] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%l] : tensor<?xf64>
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %k = cin.index_var "k" size %m
//!   cin.forall %i {
//!     cin.forall %k {
//!       %0 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %x[%k] : tensor<?xf64> -> f64
//!       %2 = cin.combine mul %0, %1 : f64
//!       cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %n, %m : index
//! // given %l : !ta.range
//! %x = ta.tensor_decl "x" [%l] : tensor<?xf64>
//! %y = ta.tensor_decl "y" [%l] : tensor<?xf64>
//! cin.compute attributes {located = ["x"]} {
//!   %i = cin.index_var "i" size %n
//!   %k = cin.index_var "k" size %m
//!   cin.forall %i {
//!     cin.forall %k {
//!       %0 = cin.access %A[%i, %k] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %x[%k] : tensor<?xf64> -> f64
//!       %2 = cin.combine mul %0, %1 : f64
//!       cin.assign %2 to %y[%i] add : f64, tensor<?xf64>
//!     }
//!   }
//! }
//! ```
//! An operand is located where its levels over every variable that another factor has as well are dense, and
//! that factor stores only some coordinates of one of them: a dense level finds each of these in a step, and
//! would bring all (sam.txt section 4.2). Schedules say the same by `locate(x)`.
//!
//! Requires the loops that schedules leave. No result changes, and code does not either.

use crate::nest::{self, point};
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::{Op, Result, Val, cin, format, ta};

pub const PASS: Pass = Pass {
    name: "cin-locate",
    description: "On request, has dataflow graphs locate coordinates in dense factors instead of scanning them",
    options: &[],
    dialects: &["cin"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    for compute in module.walk::<cin::Compute>() {
        let mut names = compute.located().unwrap_or_default();
        let before = names.len();
        for product in compute.walk::<cin::Assign>().into_iter().flat_map(products) {
            locate(compute, &product, &mut names);
        }
        if names.len() > before {
            compute.set_located(Some(&names));
        }
    }
    Ok(())
}

/// A tensor at a point.
struct LocatedFactor<'c> {
    tensor: Val<'c>,
    indices: Vec<Val<'c>>,
}

impl<'c> LocatedFactor<'c> {
    fn of(access: Op<'c>) -> Self {
        let (tensor, indices) = point(access);
        Self { tensor, indices }
    }

    /// The variables under which it stores only some coordinates.
    fn sparse(&self) -> Vec<Val<'c>> {
        let levels = format::of(self.tensor).levels.into_iter();
        let sparse = levels.filter(|level| !level.kind.is_full());
        sparse.filter_map(|level| level.expr.mode()).map(|mode| self.indices[mode]).collect()
    }

    /// Whether this factor finds each of the coordinates that another one brings, which are not all.
    fn is_located_by(&self, other: &Self) -> bool {
        let shares = |var: &Val<'c>| other.indices.contains(var);
        self.tensor != other.tensor
            && !self.sparse().iter().any(shares)
            && other.sparse().iter().any(|var| self.indices.contains(var))
    }
}

/// Names the factors of a product that are located.
fn locate<'c>(compute: cin::Compute<'c>, product: &[LocatedFactor<'c>], names: &mut Vec<String>) {
    for factor in product {
        let is_variable = ta::TensorDecl::defining(factor.tensor).is_some();
        let other = product.iter().find(|other| factor.is_located_by(other)).filter(|_| is_variable);
        let Some(other) = other else { continue };
        let name = nest::name(factor.tensor);
        if names.contains(&name) {
            continue;
        }
        pass::decided(compute.location(), || {
            let other = nest::name(other.tensor);
            format!("`{name}` is located: its levels have all coordinates, and `{other}` brings only some")
        });
        names.push(name);
    }
}

/// The products in the value of an assignment, outermost ones: what is combined intersects.
fn products(assign: cin::Assign<'_>) -> Vec<Vec<LocatedFactor<'_>>> {
    let mut found = Vec::new();
    collect(assign.value(), &mut found);
    found
}

fn collect<'c>(value: Val<'c>, found: &mut Vec<Vec<LocatedFactor<'c>>>) {
    let Some(op) = Op::defining(value) else { return };
    if op.is::<cin::Combine>() {
        let mut factors = Vec::new();
        self::factors(value, &mut factors, found);
        found.push(factors);
    } else if crate::schedule::is_value(op) && !op.is::<cin::Access>() {
        op.operands().into_iter().for_each(|operand| collect(operand, found));
    }
}

/// The tensors that a product multiplies; what is in them otherwise has products of its own.
fn factors<'c>(
    value: Val<'c>,
    factors: &mut Vec<LocatedFactor<'c>>,
    found: &mut Vec<Vec<LocatedFactor<'c>>>,
) {
    let Some(op) = Op::defining(value) else { return };
    if op.is::<cin::Access>() {
        factors.push(LocatedFactor::of(op));
    } else if op.is::<cin::Combine>() || op.is::<cin::Neg>() || op.is::<cin::Cast>() {
        op.operands().into_iter().for_each(|operand| self::factors(operand, factors, found));
    } else {
        collect(value, found);
    }
}
