//! The operations of the cin dialect.

#[allow(clippy::all, reason = "it is generated")]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/cin.rs"));
}

pub use generated::*;

use crate::attribute::FromAttribute;
use crate::{Attr, Builder, Op, Result, Ty, Val, types};
use comet_dialects::ffi;
use melior::ir::attribute::ArrayAttribute;

/// Inserts the access to an element; returns its value.
pub fn access<'c>(b: Builder<'c>, tensor: Val<'c>, indices: &[Val<'c>]) -> Result<'c, Val<'c>> {
    Ok(Access::build(b, tensor, indices, types::element_of(tensor))?.value())
}

/// Inserts loops over variables, outermost first; returns the place inside the innermost one.
pub fn loops<'c>(b: Builder<'c>, vars: &[Val<'c>]) -> Result<'c, Builder<'c>> {
    vars.iter().try_fold(b, |b, var| Ok(b.inside(Forall::build(b, *var)?.body())))
}

/// Inserts a temporary and the where-statement that is about it.
pub fn temporary<'c>(
    b: Builder<'c>,
    name: &str,
    kind: WorkspaceKind,
    ty: Ty<'c>,
) -> Result<'c, (Val<'c>, Where<'c>)> {
    Ok((Temporary::build(b, name, kind, ty)?.tensor(), Where::build(b)?))
}

/// Returns whether an operation is a part of an expression.
pub fn is_value(op: Op<'_>) -> bool {
    matches!(
        Cin::of(op),
        Some(
            Cin::Access(_)
                | Cin::Unite(_)
                | Cin::Apply(_)
                | Cin::Drop(_)
                | Cin::Combine(_)
                | Cin::Neg(_)
                | Cin::Cast(_)
                | Cin::Mask(_)
        )
    )
}

impl<'c> Assign<'c> {
    /// Returns the claim that holds of the loops around, the names of those that bring points, and the names
    /// of what the target's levels store, both outermost first.
    pub fn derived_orders(self) -> (Claim, Vec<String>, Vec<String>) {
        let mut is_concordant = false;
        // SAFETY: it is a `cin.assign` that lives; the attribute does as long as the context.
        let orders =
            unsafe { Attr::from_raw(ffi::cometCinAssignOrders(self.to_raw(), &raw mut is_concordant)) };
        let orders = ArrayAttribute::try_from(orders).expect("the orders are a list");
        let names = |place| orders.element(place).ok().and_then(Vec::<String>::from_attribute);
        let [from, to] = [0, 1].map(|place| names(place).expect("an order is a list of names"));
        (if is_concordant { Claim::Concordant } else { Claim::Discordant }, from, to)
    }
}
