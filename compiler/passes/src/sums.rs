//! `sums=ordered`: floating-point sums that add up in the order of the loops, to the last bit.

use comet_ir::pass::{OptionValues, PassOption};
use comet_ir::{Result, cin, types};
use comet_notation::Operator;
use melior::ir::ValueLike;

/// In which order the values of a sum are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sums {
    /// In the order that is fastest, the same in each run.
    #[default]
    AnyOrder,
    /// One after another, as the loops come to them.
    Ordered,
}

pub const OPTION: PassOption = PassOption {
    name: "sums",
    default: "any-order",
    description: "The order of sums: `ordered`, that of the loops, or `any-order`",
};

/// Whether a reduction combines values one after another, in the order of their coordinates.
pub fn keeps_order(reduction: cin::Reduction) -> bool {
    matches!(reduction, cin::Reduction::Own(own) if Operator::Own(own).keeps_order())
}

impl Sums {
    pub fn of<'c>(options: &OptionValues<'_>) -> Result<'c, Self> {
        options.choice(OPTION.name, &[("any-order", Self::AnyOrder), ("ordered", Self::Ordered)])
    }

    /// Whether the order of what an assignment combines is to be kept: that of integers never shows, but for
    /// operators of the file.
    pub fn keeps_order(self, assign: cin::Assign<'_>) -> bool {
        keeps_order(assign.reduction()) || self == Self::Ordered && types::is_inexact(assign.value().r#type())
    }
}
