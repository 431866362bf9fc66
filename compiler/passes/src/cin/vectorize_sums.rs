//! `cin-vectorize-sums`: a dense innermost loop that adds up into a scalar does so in a vector register of
//! 512 bits, whose n lanes each add up every n-th value, and are added up themselves in the end.
//!
//! Before:
//! ```mlir
//! // given %A, %B : tensor<?x32xf64>
//! // given %S, %C : tensor<?x?xf64, #ta.format<[D, CU]>>
//! // given %n, %m, %c32 : index
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   %k = cin.index_var "k" size %c32
//!   cin.forall %i {
//!     cin.forall %j {
//!       %t = cin.temporary "t" scalar : tensor<f64>
//!       cin.where {
//!         %5 = cin.access %t[] : tensor<f64> -> f64
//!         cin.assign %5 to %C[%i, %j] set : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
//!       } producer {
//!         cin.forall %k {
//!           %0 = cin.access %S[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!           %1 = cin.access %A[%i, %k] : tensor<?x32xf64> -> f64
//!           %2 = cin.combine mul %0, %1 : f64
//!           %3 = cin.access %B[%j, %k] : tensor<?x32xf64> -> f64
//!           %4 = cin.combine mul %2, %3 : f64
//!           cin.assign %4 to %t[] add : f64, tensor<f64>
//!         }
//!       }
//!     }
//!   }
//! }
//! ```
//! After:
//! ```mlir
//! cin.compute {
//!   %i = cin.index_var "i" size %n
//!   %j = cin.index_var "j" size %m
//!   %k = cin.index_var "k" size %c32
//!   cin.forall %i {
//!     cin.forall %j {
//!       %t = cin.temporary "t" scalar : tensor<f64>
//!       cin.where {
//!         %5 = cin.access %t[] : tensor<f64> -> f64
//!         cin.assign %5 to %C[%i, %j] set : f64, tensor<?x?xf64, #ta.format<[D, CU]>>
//!       } producer {
//!         cin.forall %k vectorize 8 {
//!           %0 = cin.access %S[%i, %j] : tensor<?x?xf64, #ta.format<[D, CU]>> -> f64
//!           %1 = cin.access %A[%i, %k] : tensor<?x32xf64> -> f64
//!           %2 = cin.combine mul %0, %1 : f64
//!           %3 = cin.access %B[%j, %k] : tensor<?x32xf64> -> f64
//!           %4 = cin.combine mul %2, %3 : f64
//!           cin.assign %4 to %t[] add : f64, tensor<f64>
//!         }
//!       }
//!     }
//!   }
//! }
//! ```
//! The values are contiguous in dense tensors, or the same in all iterations. Sums are formed in another
//! order than that of the loop. `cin-to-scf` asks [`sums_lanes`] as well, and runs any other loop value by
//! value.

use crate::nest::{self, Relations, WorkspaceKind, divides_integers, is_contiguous};
use comet_ir::cin::Reduction;
use comet_ir::pass::{self, OptionValues, Pass};
use comet_ir::{Op, Result, Val, cin, format, types};

pub const PASS: Pass = Pass {
    name: "cin-vectorize-sums",
    description: "Reduces along dense innermost loops in vector registers",
    options: &[],
    dialects: &["cin"],
    run,
};

/// A cache line: one register, or two.
const BITS: u64 = 512;

fn run<'c>(module: Op<'c>, _options: &OptionValues<'_>) -> Result<'c, ()> {
    module.walk::<cin::Compute>().into_iter().for_each(vectorize);
    Ok(())
}

fn vectorize(compute: cin::Compute<'_>) {
    let relations = nest::relations(compute);
    for forall in compute.walk::<cin::Forall>() {
        let Some(sum) = sums_lanes(forall, &relations) else { continue };
        let lanes = BITS / u64::from(types::width(types::element_of(sum)));
        let var = forall.var();
        let is_short = nest::constant_extent(var).is_some_and(|extent| extent < lanes as i64);
        if is_short || forall.vectorize().is_some() {
            continue;
        }
        pass::decided(forall.location(), || {
            let name = nest::name(var);
            format!(
                "sums along `{name}` in vectors of {lanes}: it is innermost, and contiguous where it is used"
            )
        });
        forall.set_vectorize(Some(lanes as i64));
    }
}

/// The scalar that a loop adds to, where it can do so in the lanes of a vector: all that it does, and nothing
/// sparse decides which values it visits.
pub fn sums_lanes<'c>(forall: cin::Forall<'c>, relations: &Relations<'c>) -> Option<Val<'c>> {
    let var = forall.var();
    let is_own = cin::IndexVar::defining(var).is_some()
        && relations.splits_of(var).next().is_none()
        && relations.roots(var) == [var]
        && relations.positions.is_empty()
        && !relations.has_fusions();
    let assigns = forall.walk::<cin::Assign>();
    let [assign] = assigns[..] else { return None };
    let sum = assign.tensor();
    let temporary = nest::temporary(sum)?;
    let accesses = forall.walk::<cin::Access>();
    let is_simple = forall.walk::<cin::Forall>().is_empty()
        && forall.walk::<cin::Where>().is_empty()
        && forall.walk::<cin::Mask>().is_empty()
        && forall.walk::<cin::Drop>().is_empty()
        && !divides_integers(forall);
    let moves = |access: &cin::Access<'c>| access.indices().contains(&var);
    let is_stored = |access: &cin::Access<'c>| {
        let tensor = access.tensor();
        match nest::temporary(tensor).map(|temporary| temporary.kind()) {
            Some(kind) => kind == WorkspaceKind::Scalar,
            None => !moves(access) || format::of(tensor).is_dense(),
        }
    };
    (is_own
        && is_simple
        && temporary.kind() == WorkspaceKind::Scalar
        && assign.reduction() == Reduction::Add
        && accesses.iter().any(moves)
        && accesses.iter().all(|access| access.tensor() != sum && is_contiguous(*access, var))
        && accesses.iter().all(is_stored))
    .then_some(sum)
}
