//! `tiling`: the tiles that d2t2.txt chooses, beside those of other schemes, on real and generated data.

mod kernels;

use crate::setting::{Outcome, Setting};
use clap::Args;
use comet_tiling::{Count, Machine, Tiles, measure};
use kernels::Kernel;
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct TilingArguments {
    /// Matrices and tensors; by default those of the shared data
    files: Vec<std::path::PathBuf>,
    /// Sizes, for trying
    #[arg(long, value_delimiter = ',')]
    tiles: Vec<u64>,
}

pub(crate) fn run(_setting: &Setting, arguments: &TilingArguments) -> Outcome<()> {
    let machine = Machine::of_buffer(128 << 10);
    for file in &arguments.files {
        for kernel in [Kernel::Ikj, Kernel::Ijk] {
            let statement = kernel.statement(file)?;
            let tiles = if arguments.tiles.is_empty() {
                Tiles::cube(&statement, machine.conservative(statement.rank()))
            } else {
                Tiles(arguments.tiles.clone())
            };
            for count in [Count::Inputs, Count::All] {
                let start = Instant::now();
                let traffic = measure(&statement, &tiles, &machine, count);
                println!(
                    "{} {kernel:?} {count:?} {}: {:.3} s, inputs {:?}, output {:?}, {} rounds",
                    file.display(),
                    tiles.text(&statement),
                    start.elapsed().as_secs_f64(),
                    traffic.inputs,
                    traffic.output,
                    traffic.iterations
                );
            }
        }
    }
    Ok(())
}
