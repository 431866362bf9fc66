//! The subcommands, one file each.

mod build;
mod cache;
mod completions;
mod expr;
mod format;
mod generate;
mod info;
pub(crate) mod output;
mod reorder;
pub(crate) mod run;
mod simulate;
mod sweep;
mod tile;
mod tune;

use crate::arguments::{Cli, Command};
use crate::failure::Result;
use crate::session::Session;

/// Returns the first flag that is given, of flags that are refused.
fn first_given<'f>(flags: impl IntoIterator<Item = (&'f str, bool)>) -> Option<&'f str> {
    flags.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
}

pub(crate) fn run(cli: &Cli, session: Session) -> Result<()> {
    match &cli.command {
        Command::Run(arguments) => run::run(arguments, session),
        Command::Build(arguments) => build::build(arguments, session),
        Command::Fmt(arguments) => format::format(arguments),
        Command::Gen(arguments) => generate::generate(arguments),
        Command::Info(arguments) => info::info(arguments),
        Command::Reorder(arguments) => reorder::run(arguments),
        Command::Cache(arguments) => cache::cache(arguments),
        Command::Completions(arguments) => completions::print(arguments),
        Command::Expr(arguments) => expr::expr(arguments, session),
        Command::Sim(arguments) => simulate::simulate(arguments, session),
        Command::Sweep(arguments) => sweep::sweep(arguments, &session),
        Command::Tile(arguments) => tile::tile(arguments, session),
        Command::Tune(arguments) => tune::tune(arguments, session),
    }
}
