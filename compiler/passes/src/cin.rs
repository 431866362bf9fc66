//! Passes on the cin dialect.

pub mod clear;
pub mod locate;
pub mod order;
pub mod parallelize;
pub mod scalar_promote;
pub mod schedule;
pub mod sparse_workspace;
pub mod vectorize;
pub mod vectorize_sums;
pub mod workspace;

use crate::nest::optional_integer;
use comet_ir::pass::Changed;
use comet_ir::{Loc, Op, Result, cin, location};
use melior::ir::attribute::{ArrayAttribute, StringAttribute};

/// Marks a compute whose sparse result is counted before it is stored: `assemble(T, insert)`.
const COUNTED: &str = "cin.counted";

/// Whether the sparse result of a compute is counted before it is stored.
pub fn is_counted(compute: Op<'_>) -> bool {
    compute.attribute(COUNTED).is_some()
}

/// `assemble(T, append)`: set on a compute whose sparse result is appended to, whatever its operands store.
const APPENDED: &str = "cin.appended";

/// Whether the schedule wants the sparse result of a compute appended to.
pub fn is_appended_on_request(compute: Op<'_>) -> bool {
    compute.attribute(APPENDED).is_some()
}

/// The tensors that graphs look for coordinates in: `locate(x)`.
const LOCATED: &str = "cin.located";

/// The names of the operands of a compute that bring no coordinates of their own to graphs.
pub fn located(compute: Op<'_>) -> Vec<String> {
    let names = compute.attribute(LOCATED).and_then(|names| ArrayAttribute::try_from(names).ok());
    let name = |names: &ArrayAttribute<'_>, index| {
        let name = names.element(index).ok().and_then(|name| StringAttribute::try_from(name).ok());
        name.map(|name| name.value().to_owned())
    };
    names.map_or_else(Vec::new, |names| (0..names.len()).filter_map(|index| name(&names, index)).collect())
}

/// Marks a loop at whose intersections graphs skip coordinates: `skip(k)`.
const SKIP: &str = "cin.skip";

/// Marks a loop whose coordinates graphs have as words of so many bits: `bitvector(j, b)`.
const BIT_VECTOR: &str = "cin.bitvector";

/// Whether graphs skip coordinates that an intersection at a loop has no use for.
pub fn skips(forall: Op<'_>) -> bool {
    forall.attribute(SKIP).is_some()
}

/// How many bits the words have that graphs have the coordinates of a loop in.
pub fn bit_vector(forall: Op<'_>) -> Option<u32> {
    optional_integer(forall, BIT_VECTOR).and_then(|bits| u32::try_from(bits).ok())
}

/// The name of the setting that says how many rounds of a loop, or of what is mapped, run at once.
const SETTING: &str = "cin.setting";

/// The setting of the environment that says how many rounds run at once, where it is one.
pub fn setting(op: Op<'_>) -> Option<String> {
    let name = op.attribute(SETTING).and_then(|name| StringAttribute::try_from(name).ok());
    name.map(|name| name.value().to_owned())
}

/// Where a command stands that says how many rounds of a loop run at once.
const SAID_AT: &str = "cin.said_at";

/// The place of the command that says how many rounds of a loop run at once.
pub fn said_at(op: Op<'_>) -> Option<Loc<'_>> {
    op.attribute(SAID_AT).and_then(location::of_attribute)
}

/// The tensor that is stored behind a loop: `communicate(A, j)`.
const COMMUNICATED: &str = "cin.communicated";

/// The name of the tensor that is stored behind a loop, where a command says so.
pub fn communicated(forall: Op<'_>) -> Option<String> {
    let name = forall.attribute(COMMUNICATED).and_then(|name| StringAttribute::try_from(name).ok());
    name.map(|name| name.value().to_owned())
}

/// Marks what cuts an index variable because a command says so, and not a format.
const COMMANDED: &str = "cin.commanded";

/// Whether a command cuts an index variable in this way.
pub fn is_commanded(cut: Op<'_>) -> bool {
    cut.attribute(COMMANDED).is_some()
}

/// Works on every `cin.compute` of a module; `change` says whether it changed the one it was given. What
/// assignments claim about their loops is brought up to date.
fn change_each_compute<'c>(
    module: Op<'c>,
    change: impl Fn(Op<'c>) -> Result<'c, bool>,
) -> Result<'c, Changed> {
    let mut changed = Changed::No;
    for compute in module.descendants::<cin::Compute>() {
        if change(compute)? {
            order::say_again(compute);
            changed = Changed::Yes;
        }
    }
    Ok(changed)
}
