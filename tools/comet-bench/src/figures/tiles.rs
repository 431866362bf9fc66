//! Figure 15: the product of two sparse matrices with a constant number of nonzeros, by their extent, in the
//! finite memory of section 6.4: tiles of 128 by 128, coordinates of tiles and in tiles skipped.

use super::Shown;
use super::chart::{Chart, Style};
use super::program::{cycles, folder, simulate_with};
use crate::data::write_uniform;
use crate::setting::{Outcome, Setting};

/// Those of the paper's appendix A.6.
const EXTENTS: [usize; 12] =
    [1024, 2360, 3696, 5032, 6368, 7704, 9040, 10_376, 11_712, 13_048, 14_384, 15_720];
const NONZEROS: [u64; 4] = [5000, 10_000, 25_000, 50_000];

pub(super) fn show(setting: &Setting) -> Outcome<Shown> {
    let folder = folder(setting, "figure15")?;
    let mut series = Vec::new();
    for nonzeros in NONZEROS {
        let mut counts = Vec::new();
        for extent in EXTENTS {
            let (b, c) = (folder.join("b.mtx"), folder.join("c.mtx"));
            write_uniform(&b, &[extent, extent], nonzeros, 1)?;
            write_uniform(&c, &[extent, extent], nonzeros, 2)?;
            let report = simulate_with(
                setting,
                &folder,
                &program(extent),
                &[&b, &c],
                &["--memory", "--skip-depth=2"],
            )?;
            counts.push(cycles(&report, &["X"])?);
        }
        series.push((format!("{nonzeros} nonzeros"), counts));
    }
    let regions: Vec<Regions> = series.iter().map(|(_, counts)| Regions::of(counts)).collect();
    let holds = regions.iter().all(Regions::hold) && regions[0].falls.len() > 1;
    let here = regions.iter().zip(NONZEROS).map(|(regions, nonzeros)| regions.description(nonzeros));
    let here = here.collect::<Vec<_>>().join("; ");
    let chart = Chart {
        style: Style::Plain,
        title: "Product of two matrices in tiles of 128 by 128, by their extent".to_owned(),
        of: "extent",
        measure: "cycles",
        categories: EXTENTS.iter().map(usize::to_string).collect(),
        series,
        references: Vec::new(),
    };
    let found = "run time grows with the number of tiles that are not empty, then shrinks as tiles are skipped, and then \
        shrinks ever more slowly";
    Ok(Shown { number: "15", chart, found, holds, here })
}

/// Where cycles rise, and how they change from there on.
struct Regions {
    /// The place of the extent with the most cycles.
    peak: usize,
    is_rising: bool,
    /// By how much cycles fall with each row from the peak on, extent by extent.
    falls: Vec<f64>,
}

impl Regions {
    fn of(counts: &[f64]) -> Self {
        let peak = (0..counts.len()).max_by(|a, b| counts[*a].total_cmp(&counts[*b])).unwrap_or(0);
        let fall = |place: usize| {
            let rows = (EXTENTS[place + 1] - EXTENTS[place]) as f64;
            (counts[place] - counts[place + 1]) / rows
        };
        let falls = (peak..counts.len() - 1).map(fall).collect();
        Self { peak, is_rising: counts[..=peak].is_sorted(), falls }
    }

    /// Whether cycles rise to the peak and fall behind it. Behind the steepest fall, those that follow are
    /// flatter.
    fn hold(&self) -> bool {
        let last = self.falls.last().copied().unwrap_or(0.0);
        self.is_rising && self.falls.iter().all(|fall| *fall > 0.0) && last <= self.steepest()
    }

    fn steepest(&self) -> f64 {
        self.falls.iter().copied().fold(0.0, f64::max)
    }

    fn description(&self, nonzeros: u64) -> String {
        match self.falls.last() {
            Some(last) => format!(
                "with {nonzeros} nonzeros cycles rise up to an extent of {}, fall by {:.0} for each row at most, and by {last:.0} \
                 at the end",
                EXTENTS[self.peak],
                self.steepest()
            ),
            None => format!("with {nonzeros} they rise throughout"),
        }
    }
}

fn program(extent: usize) -> String {
    format!(
        "def main() {{
  IndexLabel [i] = [{extent}];
  IndexLabel [j] = [{extent}];
  IndexLabel [k] = [{extent}];
  Tensor<double> B([i, k], DCSR);
  Tensor<double> C([k, j], DCSR);
  Tensor<double> X([i, j], DCSR);
  B[i,k] = comet_read(0);
  C[k,j] = comet_read(1);
  X[i,j] = B[i,k] * C[k,j] schedule {{ order(i, k, j); tile(i: 128, k: 128, j: 128); skip(k); }};
}}
"
    )
}
