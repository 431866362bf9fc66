//! `comet completions`.

use super::output;
use crate::arguments::{Cli, CompletionsArguments};
use crate::failure::Result;
use clap::CommandFactory;

pub(crate) fn print(arguments: &CompletionsArguments) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "comet", &mut script);
    output::print(&script)
}
