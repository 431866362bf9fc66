//! `instrument=workspace`: generated code that counts what workspaces and conversions cost.

use comet_ir::Result;
use comet_ir::pass::{OptionValues, PassOption};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Instrument {
    /// Nothing: the code is what it is without the option.
    #[default]
    Nothing,
    /// Workspaces and conversions between formats.
    Workspaces,
}

/// The option of the passes that make the code.
pub(crate) const OPTION: PassOption = PassOption {
    name: "instrument",
    default: "nothing",
    description: "What the code counts: `workspace` or `nothing`",
};

impl Instrument {
    pub(crate) fn of<'c>(options: &OptionValues<'_>) -> Result<'c, Self> {
        options.choice(OPTION.name, &[("workspace", Self::Workspaces), ("nothing", Self::Nothing)])
    }
}
