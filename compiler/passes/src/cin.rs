//! Passes on the cin dialect.

pub mod clear;
pub mod in_place;
pub mod locate;
pub mod order;
pub mod parallelize;
pub mod scalar_promote;
pub mod schedule;
pub mod share_loops;
pub mod sparse_workspace;
pub mod vectorize;
pub mod vectorize_sums;
pub mod workspace;

use comet_ir::cin::{self, Cin};
use comet_ir::{Loc, Op, Result, location};

/// Returns the setting of the environment that says how many iterations of a loop, or of what is mapped, run
/// at once.
pub fn setting<'c>(op: impl Into<Op<'c>>) -> Option<String> {
    let setting = match Cin::of(op.into())? {
        Cin::Forall(forall) => forall.setting(),
        Cin::Map(map) => map.setting(),
        _ => None,
    };
    setting.map(str::to_owned)
}

/// Returns the place of the command that says how many iterations of a loop run at once.
pub fn said_at<'c>(op: impl Into<Op<'c>>) -> Option<Loc<'c>> {
    let command = match Cin::of(op.into())? {
        Cin::Forall(forall) => forall.command(),
        Cin::Map(map) => map.command(),
        _ => None,
    };
    command.and_then(location::of_attribute)
}

/// Returns whether a command splits an index variable in this way, and not a format.
pub fn is_commanded<'c>(split: impl Into<Op<'c>>) -> bool {
    match Cin::of(split.into()) {
        Some(Cin::Split(split)) => split.commanded(),
        Some(Cin::Divide(divide)) => divide.commanded(),
        _ => false,
    }
}

/// Changes every `cin.compute` of a module; what assignments claim about their loops is brought up to date.
fn change_each_compute<'c>(
    module: Op<'c>,
    change: impl Fn(cin::Compute<'c>) -> Result<'c, ()>,
) -> Result<'c, ()> {
    for compute in module.walk::<cin::Compute>() {
        change(compute)?;
        order::refresh_claims(compute);
    }
    Ok(())
}
