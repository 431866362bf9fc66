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

use crate::arguments::{Cli, CliCommand};
use crate::failure::Result;
use crate::session::Session;
use comet_runtime::output::tell;

pub(crate) fn run(cli: &Cli, session: Session) -> Result<()> {
    let session = Session { given: cli.given.clone(), ..session };
    cli.notes.iter().for_each(|note| tell(format_args!("{note}")));
    match &cli.command {
        CliCommand::Run(arguments) => run::run(arguments, session),
        CliCommand::Build(arguments) => build::build(arguments, session),
        CliCommand::Fmt(arguments) => format::format(arguments),
        CliCommand::Gen(arguments) => generate::generate(arguments),
        CliCommand::Info(arguments) => info::info(arguments),
        CliCommand::Reorder(arguments) => reorder::run(arguments),
        CliCommand::Cache(arguments) => cache::cache(arguments),
        CliCommand::Completions(arguments) => completions::print(arguments),
        CliCommand::Expr(arguments) => expr::expr(arguments, session),
        CliCommand::Sim(arguments) => simulate::simulate(arguments, session),
        CliCommand::Sweep(arguments) => sweep::sweep(arguments, &session),
        CliCommand::Tile(arguments) => tile::tile(arguments, session),
        CliCommand::Tune(arguments) => tune::tune(arguments, session),
    }
}
