//! Figure 6a: whether less traffic is less time. Cycles are simulated, of A·Aᵀ by inner products in the
//! tiles of several schemes, from a DRAM of finite rate and with nothing between it and the buffers of one
//! processing element; traffic is that of the model.

use super::fit::Fit;
use crate::data;
use crate::figures::Shown;
use crate::figures::chart::{Chart, Style};
use crate::figures::program::{cycles, folder, simulate_with};
use crate::setting::{Outcome, Setting};
use crate::tiling::inputs::{Input, uniform};
use crate::tiling::kernels::TiledKernel;
use crate::tiling::parallel::each;
use crate::tiling::row::{Contest, Row};
use comet_gen::{Amount, Banded, Kind, Rmat, Stencil};
use comet_tiling::{Contender, Machine, Scheme, Tiles};
use std::path::Path;

/// Conservative tiles are 32 by 32, so that matrices that are simulated in seconds have many.
const BUFFER: u64 = 8 << 10;

/// What DRAM delivers in all, the share of one of 128 processing elements in it, and a tenth of that, with
/// which hardly anything but memory counts.
const RATES: [&str; 3] = ["68.256GB/s", "0.533GB/s", "0.053GB/s"];

const PLACES: [usize; 3] = [0, 1, 2];

/// What prescient tiles are compared with.
const SCHEMES: [Scheme; 2] = [Scheme::Conservative, Scheme::D2t2];

/// Files of the shared data that are simulated in seconds.
const FILES: [&str; 3] = ["lp_scsd1.mtx.gz", "bcsstk13.mtx.gz", "rajat01.mtx.gz"];

pub(super) fn show(setting: &Setting) -> Outcome<Vec<Shown>> {
    let dots: Vec<Dot> = each(&matrices(), |input| simulated(setting, input))?.concat();
    let improvements: Vec<f64> = dots.iter().map(|dot| dot.improvement).collect();
    let speedups = |rate: usize| dots.iter().map(|dot| dot.speedups[rate]).collect::<Vec<f64>>();
    let fits = PLACES.map(|rate| Fit::of(&improvements, &speedups(rate)));
    let moved: Vec<f64> = dots.iter().map(|dot| dot.moved).collect();
    let report = fits.iter().zip(RATES).map(|(fit, rate)| format!("with {rate} {}", fit.description()));
    let here = format!(
        "{}; improvement of the simulated memory's bytes against the model's: {}",
        report.collect::<Vec<_>>().join("; "),
        Fit::of(&improvements, &moved).description()
    );
    let by_rate = RATES.iter().enumerate().map(|(place, rate)| ((*rate).to_owned(), speedups(place)));
    let series =
        std::iter::once(("improvement of traffic over prescient tiles".to_owned(), improvements.clone()));
    let chart = Chart {
        style: Style::Scatter,
        title: "A·Aᵀ in the order i, j, k: cycles and traffic next to prescient tiles".to_owned(),
        of: "matrix and scheme",
        measure: "times as fast as prescient tiles",
        categories: dots.iter().map(|dot| dot.name.clone()).collect(),
        series: series.chain(by_rate).collect(),
        references: Vec::new(),
    };
    let found = "speedup is linear in the improvement of traffic";
    Ok(vec![Shown { number: "d2t2-6a", chart, found, holds: fits[0].is_linear(), here }])
}

/// A scheme on a matrix, next to prescient tiles.
#[derive(Clone, Debug)]
struct Dot {
    name: String,
    /// Of traffic, as the model counts it.
    improvement: f64,
    /// Of what the simulated memory moved.
    moved: f64,
    /// By the rate of the memory.
    speedups: [f64; 3],
}

fn matrices() -> Vec<Input> {
    let shared = FILES.iter().filter_map(|name| match data::shared(name) {
        Ok(path) => Some(Input::file(path)),
        Err(reason) => {
            eprintln!("WARNING: WITHOUT {name}: {reason}");
            None
        }
    });
    let grid = |points, grid: &[u64]| Kind::Stencil(Stencil { points, grid: grid.to_vec() });
    let kinds = [
        ("banded900", Kind::Banded(Banded { rows: 900, columns: 900, below: 5, above: 5 })),
        ("grid5-900", grid(comet_gen::Points::Five, &[30, 30])),
        ("fem9-900", grid(comet_gen::Points::TwentySeven, &[30, 30, 1])),
        ("fem27-729", grid(comet_gen::Points::TwentySeven, &[9, 9, 9])),
        ("rmat1024", Kind::Rmat(Rmat { entries: Amount::Entries(8192), ..Rmat::graph500(10) })),
        ("uniform1000", uniform(1000, 8000)),
        ("uniform2000", uniform(2000, 6000)),
    ];
    let generated = kinds.into_iter().map(|(name, kind)| Input::generated(name, kind));
    // Those that take longest are the last.
    generated.chain(shared).collect()
}

fn simulated(setting: &Setting, input: &Input) -> Outcome<Vec<Dot>> {
    let schemes = SCHEMES.into_iter().chain([Scheme::Prescient]).map(Contender::Scheme);
    let contest = Contest { machine: Machine::of_buffer(BUFFER), contenders: schemes.collect() };
    let row = contest.row(input, TiledKernel::Ijk, &input.points()?)?;
    let folder = folder(setting, &format!("figure-d2t2-6a/{}", input.name))?;
    let file = input.written(setting, &folder)?;
    let run = |scheme: Scheme| {
        let tiles = row.tiles(scheme.name()).ok_or_else(|| format!("no tiles of {}", scheme.name()))?;
        eprintln!("{}: cycles in tiles of {tiles}", input.name);
        Run::of(setting, &folder, (&file, tiles))
    };
    let prescient = run(Scheme::Prescient)?;
    SCHEMES.iter().map(|&scheme| Ok(dot(&row, scheme, &prescient, &run(scheme)?))).collect()
}

fn dot(row: &Row, scheme: Scheme, prescient: &Run, own: &Run) -> Dot {
    Dot {
        name: format!("{} {}", row.name, scheme.name()),
        improvement: row.improvement(scheme.name(), Scheme::Prescient.name()).unwrap_or(f64::NAN),
        moved: prescient.moved / own.moved,
        speedups: PLACES.map(|rate| prescient.cycles[rate] / own.cycles[rate]),
    }
}

/// What the simulator says of some tiles.
struct Run {
    cycles: [f64; 3],
    /// Bytes from and to memory.
    moved: f64,
}

impl Run {
    fn of(setting: &Setting, folder: &Path, (file, tiles): (&Path, &Tiles)) -> Outcome<Self> {
        let mut run = Self { cycles: [0.0; 3], moved: 0.0 };
        for (place, rate) in RATES.iter().enumerate() {
            let memory = format!("--memory=dram={rate},last-level=0,element={BUFFER}B");
            let report =
                simulate_with(setting, folder, &program(tiles), &[file], &[&memory, "--skip-depth=2"])?;
            run.cycles[place] = cycles(&report, &["C"])?;
            let graphs = report["graphs"].as_array().map(Vec::as_slice).unwrap_or_default();
            let product = graphs.iter().find(|graph| graph["name"] == "C");
            let bytes = |what: &str| product.and_then(|graph| graph["memory"][what].as_f64());
            run.moved = bytes("dram_read").unwrap_or(0.0) + bytes("dram_written").unwrap_or(0.0);
        }
        Ok(run)
    }
}

fn program(tiles: &Tiles) -> String {
    let [i, j, k] = [0, 1, 2].map(|place| tiles.0[place]);
    format!(
        "def main() {{
  IndexLabel [i, j, k] = [?];
  Tensor<double> A([i, k], DCSR);
  Tensor<double> B([j, k], DCSR);
  Tensor<double> C([i, j], DCSR);
  A[i,k] = comet_read(0);
  B[j,k] = A[j,k];
  C[i,j] = A[i,k] * B[j,k] schedule {{ order(i, j, k); tile(i: {i}, j: {j}, k: {k}); skip(k); }};
}}
"
    )
}
