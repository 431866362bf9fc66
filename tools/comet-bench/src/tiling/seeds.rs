//! How often what is expected of chosen tiles is right, over seeds of the samples: in its interval, and how
//! much seeds matter.

use super::bars::spread;
use super::inputs::Input;
use super::kernels::TiledKernel;
use crate::setting::Outcome;
use comet_tiling::{Machine, Observed, Points, Scheme, TiledOperands, Tiles, measure};
use serde_json::{Value, json};
use std::collections::HashMap;

/// A kernel on a matrix or tensor, with samples of several seeds.
#[derive(Debug)]
pub(super) struct Seeds {
    name: String,
    kernel: TiledKernel,
    /// What was expected over what was counted, of each seed.
    accuracy: Vec<f64>,
    /// What the tiles of each seed move, over the least of these.
    moved: Vec<f64>,
    /// How many intervals have what was counted.
    right: usize,
    /// The widths of the intervals as shares of what was expected, on average.
    width: f64,
}

impl Seeds {
    pub(super) fn of(
        (input, kernel, points): (&Input, TiledKernel, &Points),
        machine: Machine,
        seeds: u64,
    ) -> Outcome<Self> {
        let statement = kernel.statement(points)?;
        let cut = TiledOperands::small(&statement, &machine);
        let mut known: HashMap<Tiles, f64> = HashMap::new();
        let (mut accuracy, mut counted, mut right, mut width) = (Vec::new(), Vec::new(), 0, 0.0);
        for seed in 1..=seeds {
            let observed = Observed::new(&statement, machine, &cut, seed);
            let tiles = Scheme::D2t2.choose(&observed);
            let (expected, [low, high]) = (observed.predict(&tiles).total(), observed.interval(&tiles));
            let moved = *known
                .entry(tiles)
                .or_insert_with_key(|tiles| measure(&statement, tiles, &machine).total() as f64);
            accuracy.push(expected / moved);
            right += usize::from((low..=high).contains(&moved));
            width += (high - low) / expected / seeds as f64;
            counted.push(moved);
        }
        let least = counted.iter().copied().fold(f64::INFINITY, f64::min);
        let moved = counted.into_iter().map(|moved| moved / least).collect();
        Ok(Self { name: input.name.clone(), kernel, accuracy, moved, right, width })
    }

    pub(super) fn text(&self) -> String {
        let (name, kernel) = (&self.name, self.kernel.name());
        let (mean, least, largest) = spread(self.accuracy.iter().copied()).unwrap_or_default();
        let worst = self.moved.iter().copied().fold(1.0, f64::max);
        let share = 100.0 * self.right as f64 / self.accuracy.len() as f64;
        format!(
            "{name:<18}{kernel:<10}{mean:>8.3}{least:>8.3}{largest:>8.3}{share:>10.0}%{:>10.1}%{worst:>10.3}\n",
            100.0 * self.width
        )
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "file": self.name,
            "kernel": self.kernel.name(),
            "expected_over_counted": self.accuracy,
            "counted_over_least": self.moved,
            "in_interval": self.right,
            "width": self.width,
        })
    }
}

/// All rows, and the share of all intervals that are right.
pub(super) fn text(rows: &[Seeds]) -> String {
    let mut text =
        format!("{:<28}{:>24}{:>11}{:>11}{:>10}\n", "", "expected/counted", "in it", "width", "worst");
    rows.iter().for_each(|row| text += &row.text());
    let (right, all) =
        rows.iter().fold((0, 0), |(right, all), row| (right + row.right, all + row.accuracy.len()));
    text + &format!(
        "in the interval: {right} of {all}, {:.1} % (bar: 90 %); `worst`: what the tiles of a seed move over the least\n",
        100.0 * right as f64 / all.max(1) as f64
    )
}
