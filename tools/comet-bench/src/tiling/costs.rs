//! What it costs to choose tiles: processor time of statistics and search as a share of what it takes to cut
//! the operands into tiles (d2t2.txt figure 7), with everything counted.

use super::bars::median;
use super::inputs::Input;
use super::kernels::TiledKernel;
use crate::setting::Outcome;
use comet_tiling::{Machine, Observed, Points, Scheme, TiledOperands};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Duration;

/// How often each is measured; the least counts.
const TIMES: usize = 5;

/// Rows whose median is reported: those that take so many seconds to cut.
const LONG: f64 = 0.01;

/// A row of the table, in seconds.
#[derive(Debug)]
pub(super) struct Cost {
    name: String,
    kernel: TiledKernel,
    cutting: f64,
    statistics: f64,
    choice: f64,
}

impl Cost {
    pub(super) fn of(input: &Input, kernel: TiledKernel, points: &Points, machine: Machine) -> Outcome<Self> {
        let statement = kernel.statement(points)?;
        let mut least = [f64::INFINITY; 3];
        for _ in 0..TIMES {
            let start = processor_time();
            let cut = TiledOperands::small(&statement, &machine);
            let has_cut = processor_time();
            let observed = Observed::new(&statement, machine, &cut, 1);
            let has_observed = processor_time();
            std::hint::black_box(Scheme::D2t2.choose(&observed));
            let times = [has_cut - start, has_observed - has_cut, processor_time() - has_observed];
            least.iter_mut().zip(times).for_each(|(least, time)| *least = least.min(time.as_secs_f64()));
        }
        let [cutting, statistics, choice] = least;
        Ok(Self { name: input.name.clone(), kernel, cutting, statistics, choice })
    }

    /// Statistics and choice over cutting.
    fn share(&self) -> f64 {
        (self.statistics + self.choice) / self.cutting
    }

    pub(super) fn text(&self) -> String {
        let [cutting, statistics, choice] =
            [self.cutting, self.statistics, self.choice].map(|seconds| format!("{:>10.2}", 1e3 * seconds));
        let (name, kernel, share) = (&self.name, self.kernel.name(), 100.0 * self.share());
        format!("{name:<18}{kernel:<10}{cutting}{statistics}{choice}{share:>8.0}%\n")
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "file": self.name,
            "kernel": self.kernel.name(),
            "seconds": {"tiling": self.cutting, "statistics": self.statistics, "choice": self.choice},
        })
    }
}

/// All rows and the median of the long ones.
pub(super) fn text(costs: &[Cost]) -> String {
    let mut text = format!(
        "{:<28}{:>10}{:>10}{:>10}{:>9}   processor time in ms, least of {TIMES}\n",
        "", "cutting", "statistics", "choice", "share"
    );
    costs.iter().for_each(|cost| text += &cost.text());
    let long: Vec<f64> = costs.iter().filter(|cost| cost.cutting >= LONG).map(Cost::share).collect();
    let _ = match median(long.clone()) {
        Some(median) => writeln!(
            text,
            "median of the {} rows that take 10 ms and more to cut: {:.0} % (bar: 30 %; paper: 17.2 % on average)",
            long.len(),
            100.0 * median
        ),
        None => writeln!(text, "no row takes 10 ms to cut"),
    };
    text
}

/// What this thread has used.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec.unsigned_abs() as u32)
}
