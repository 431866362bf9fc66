//! `tiling`: the tiles that d2t2.txt chooses, beside those of other schemes, on real and generated data.

mod kernels;

use crate::setting::{Outcome, Setting};
use clap::Args;
use comet_tiling::{Machine, Observed, Scheme, Tiles, compare, fullest};
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
        for kernel in [Kernel::Ikj] {
            let statement = kernel.statement(file)?;
            let start = Instant::now();
            let base = Tiles::cube(&statement, 32);
            let tiled = Observed::tiled(&statement, &base);
            let tiling = start.elapsed().as_secs_f64();
            let start = Instant::now();
            let observed = Observed::new(&statement, machine, base, &tiled, 1);
            let statistics = start.elapsed().as_secs_f64();
            println!("{} {kernel:?}: tiling {tiling:.3} s, statistics {statistics:.3} s", file.display());
            let mut of_conservative = 0.0;
            for scheme in Scheme::ALL {
                let start = Instant::now();
                let comet_tiling::Outcome { tiles, predicted, measured: traffic, .. } =
                    compare(&observed, scheme);
                if of_conservative == 0.0 {
                    of_conservative = traffic.total() as f64;
                }
                println!(
                    "  {:12} {}: full {:.2}; predicted/measured A {:.3} B {:.3} C {:.3} total {:.3}; in {:.1} out {:.1} MB, {:.2} times ({:.1} s)",
                    scheme.name(),
                    tiles.text(&statement),
                    fullest(&statement, &tiles, &machine),
                    predicted.inputs[0] / traffic.inputs[0].bytes as f64,
                    predicted.inputs[1] / traffic.inputs[1].bytes as f64,
                    predicted.output / traffic.output.bytes as f64,
                    predicted.total() / traffic.total() as f64,
                    traffic.input() as f64 / 1e6,
                    traffic.output.bytes as f64 / 1e6,
                    of_conservative / traffic.total() as f64,
                    start.elapsed().as_secs_f64(),
                );
            }
        }
    }
    Ok(())
}
