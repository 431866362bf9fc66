//! `cin-order`: says of every assignment to a sparse tensor whether the loops bring points in the order of
//! its levels.
//!
//! Before:
//! ```mlir
//! // given %A, %C : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %B : tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
//! // given %n, %m : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   cin.forall %i {
//!     cin.forall %j {
//!       %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       cin.assign %0 to %B[%i, %j] set : f64, tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
//!       cin.assign %0 to %C[%i, %j] set : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
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
//!     cin.forall %j {
//!       %0 = cin.access %A[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!       cin.assign %0 to %B[%i, %j] order [%j, %i] set discordant header [i, j] -> [j, i]
//!         : f64, tensor<?x?xf64, #ta.format<[d1 : D, d0 : CU]>>
//!       cin.assign %0 to %C[%i, %j] set concordant : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
//!     }
//!   }
//! }
//! ```
//! The discordant assignment and its header of sparse-workspace.txt section 2. The verifier holds assignments
//! to what they say, so every pass on `cin` that runs later says it again of the loops that it leaves.

use crate::order::Class;
use comet_ir::pass::{OptionValues, Pass};
use comet_ir::{Op, Result, cin, format};

pub const PASS: Pass = Pass {
    name: "cin-order",
    description: "Records for each assignment to a sparse tensor whether its coordinates arrive in the order of the levels",
    options: &[],
    dialects: &["cin"],
    run,
};

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    let assigns = module.walk::<cin::Assign>().into_iter();
    for assign in assigns.filter(|assign| !format::of(assign.tensor()).is_dense()) {
        Class::of(assign).claim(assign);
    }
    Ok(())
}

/// Makes the assignments that make a claim claim what holds of the loops around them now.
pub(super) fn refresh_claims(compute: cin::Compute<'_>) {
    let assigns = compute.walk::<cin::Assign>().into_iter();
    for assign in assigns.filter(|assign| assign.claim().is_some()) {
        Class::of(assign).claim(assign);
    }
}
