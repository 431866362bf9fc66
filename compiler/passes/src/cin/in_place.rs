//! `cin-in-place`: a result that is to take the place of a tensor is written to that tensor, where each
//! element is computed from no other element of it.
//!
//! Before:
//! ```mlir
//! // given %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %d : tensor<?xf64>
//! // given %li, %lj : !ta.range
//! // given %n, %m : index
//! %new = ta.tensor_decl "A.new"[%li, %lj] : tensor<?x?xf64, #ta.format<[D, CU]>>
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i {
//!     cin.forall %j {
//!       %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %d[%i] : tensor<?xf64> -> f64
//!       %2 = cin.combine mul %0, %1 : f64
//!       cin.assign %2 to %new[%i, %j] set concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
//!     }
//!   }
//! }
//! ta.move %new to %A : tensor<?x?xf64, #ta.format<[D, CU]>>
//! ta.release %new : tensor<?x?xf64, #ta.format<[D, CU]>>
//! ```
//! After:
//! ```mlir
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i {
//!     cin.forall %j {
//!       %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       %1 = cin.access %d[%i] : tensor<?xf64> -> f64
//!       %2 = cin.combine mul %0, %1 : f64
//!       cin.assign %2 to %A[%i, %j] set in_place concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
//!     }
//!   }
//! }
//! ```
//! A sparse tensor must be given a value wherever it stores one, and nowhere else, so that it keeps its
//! coordinates ([`patterns`](crate::patterns)). A dense one must be set by loops over all of its own indices
//! and no others: then no element is read after it has been written. Nor may integers be divided: where that
//! fails, the tensor keeps what it held. Where a schedule states how a sparse result is assembled, it stays a
//! tensor of its own.

use crate::concrete;
use crate::nest::{self, loops_around, point};
use crate::patterns::Surrounding;
use comet_ir::cin::Reduction;
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::{Op, Result, Val, cin, format, ta};

pub const PASS: Pass = Pass {
    name: "cin-in-place",
    description: "Writes a result that takes the place of a tensor to that tensor, where that changes nothing else",
    options: &[],
    dialects: &["cin", "ta"],
    run,
};

/// A result, the tensor whose place it takes behind a compute, and the operations that see to that.
struct Replacement<'c> {
    compute: cin::Compute<'c>,
    assign: cin::Assign<'c>,
    declaration: ta::TensorDecl<'c>,
    moved: ta::Move<'c>,
    released: ta::Release<'c>,
}

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    for compute in module.walk::<cin::Compute>() {
        if let Some(replacement) = Replacement::behind(compute).filter(Replacement::is_in_place) {
            replacement.apply();
        }
    }
    Ok(())
}

impl<'c> Replacement<'c> {
    /// Looks for a result of a compute that is only declared, assigned to once, moved and released.
    fn behind(compute: cin::Compute<'c>) -> Option<Self> {
        let mut behind = compute.following().skip_while(|op| op.is::<ta::Release>());
        let moved = behind.next()?.cast::<ta::Move>()?;
        let result = moved.source();
        let released = behind.next()?.cast::<ta::Release>().filter(|released| released.tensor() == result)?;
        let declaration = ta::TensorDecl::defining(result)?;
        let uses: Vec<Op<'c>> = declaration.following().filter(|op| op.names(result)).collect();
        if uses != [*compute, *moved, *released] {
            return None;
        }
        let assigns = compute.walk::<cin::Assign>().into_iter();
        let assigns: Vec<cin::Assign<'c>> = assigns.filter(|assign| assign.tensor() == result).collect();
        let [assign] = assigns[..] else { return None };
        Some(Self { compute, assign, declaration, moved, released })
    }

    fn is_in_place(&self) -> bool {
        let (result, replaced) = (self.moved.source(), self.moved.target());
        if format::of(result) != format::of(replaced) {
            return false;
        }
        if format::of(result).is_dense() {
            return self.sets_each_element_once() && !nest::divides_integers(self.compute);
        }
        !self.compute.counted() && !self.compute.appended() && self.keeps_coordinates()
    }

    /// Returns whether a value comes to each position that the replaced tensor stores, and to no other.
    fn keeps_coordinates(&self) -> bool {
        let (compute, handles, _) = concrete::read(*self.compute);
        let (Some(assign), Some(replaced)) =
            (handles.assign(*self.assign), handles.tensor(self.moved.target()))
        else {
            return false;
        };
        Surrounding::of(&compute, assign).replaces(replaced)
    }

    /// Returns whether the loops around the assignment are those over the target's indices, all of which
    /// differ, nothing sparse and no mask leaves elements out, and the replaced tensor is read nowhere else.
    fn sets_each_element_once(&self) -> bool {
        let relations = nest::relations(self.compute);
        let (_, indices) = point(self.assign);
        let is_new = |(number, var): (usize, &Val<'c>)| !indices[..number].contains(var);
        let is_own = |var: &Val<'c>| relations.roots(*var).iter().all(|root| indices.contains(root));
        let mut reads = self.compute.walk::<cin::Access>().into_iter().map(point);
        self.assign.reduction() == Reduction::Set
            && indices.iter().enumerate().all(is_new)
            && loops_around(self.assign, self.compute).iter().all(is_own)
            && self.compute.walk::<cin::Mask>().is_empty()
            && self.compute.walk::<cin::Drop>().is_empty()
            && reads.all(|(tensor, at)| {
                format::of(tensor).is_dense() && (tensor != self.moved.target() || at == indices)
            })
    }

    fn apply(self) {
        let replaced = self.moved.target();
        let is_dense = format::of(replaced).is_dense();
        pass::decided(self.compute.location(), || match (nest::name(replaced), is_dense) {
            (name, true) => format!("`{name}` is computed in place"),
            (name, false) => format!("`{name}` keeps its coordinates: values are replaced in place"),
        });
        self.assign.set_in_place(!is_dense);
        self.assign.set_tensor(replaced);
        self.moved.erase();
        self.released.erase();
        self.declaration.erase();
    }
}
