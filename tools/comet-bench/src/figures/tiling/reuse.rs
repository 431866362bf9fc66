//! Figure 8: the shape that moves least, by the sum of `Corrs`, the share of what tiles produce that
//! falls on the same values.

use super::fit::Fit;
use super::shapes::{FACTORS, Shapes};
use crate::figures::Shown;
use crate::figures::chart::{Chart, Style};
use crate::setting::Outcome;

/// Below, the paper has shapes of outer products, long along i and j.
const LITTLE_REUSE: f64 = 1.6;

pub(super) fn show(shapes: &[Shapes]) -> Outcome<Vec<Shown>> {
    let mut sorted: Vec<&Shapes> = shapes.iter().collect();
    sorted.sort_by(|one, other| one.corrs.total_cmp(&other.corrs));
    let factor = |which: usize| sorted.iter().map(|shapes| FACTORS[shapes.best()[which]].1).collect();
    let sums: Vec<f64> = sorted.iter().map(|shapes| shapes.corrs).collect();
    let (area, resized): (Vec<f64>, Vec<f64>) = (factor(0), factor(1));
    let described =
        [("tiles of one area", &area), ("each as large as it fits", &resized)].map(|(name, factors)| {
            let split = Split::of(&sorted, factors).description(name);
            format!(
                "{split}; the correlation of the logarithms of sum and RF is {:.2}",
                Fit::of(&sums, factors).r
            )
        });
    let holds = Split::of(&sorted, &area).holds();
    let chart = Chart {
        style: Style::Ratios,
        title: "A·Aᵀ: the shape that moves least, by the sum of Corrs of the second operand".to_owned(),
        of: "matrix",
        measure: "sum of Corrs; RF",
        categories: sorted.iter().map(|shapes| format!("{} {:.2}", shapes.name, shapes.corrs)).collect(),
        series: vec![
            ("sum of Corrs".to_owned(), sums),
            ("best RF, tiles of one area".to_owned(), area),
            ("best RF, as large as tiles fit".to_owned(), resized),
        ],
        references: Vec::new(),
    };
    let found =
        "matrices with a sum below 1.6 favour the tiles of outer products (RF > 1), others square ones";
    Ok(vec![Shown { number: "d2t2-8", chart, found, holds, here: described.join("; ") }])
}

/// How many matrices are on each side of the threshold, and how many of them want what the paper says.
struct Split {
    outer: [usize; 2],
    square: [usize; 2],
}

impl Split {
    fn of(sorted: &[&Shapes], factors: &[f64]) -> Self {
        let mut split = Self { outer: [0; 2], square: [0; 2] };
        for (shapes, &factor) in sorted.iter().zip(factors) {
            let (side, is_so) = match shapes.corrs < LITTLE_REUSE {
                true => (&mut split.outer, factor > 1.0),
                false => (&mut split.square, (0.5..=2.0).contains(&factor)),
            };
            side[0] += usize::from(is_so);
            side[1] += 1;
        }
        split
    }

    /// For nine of ten matrices.
    fn holds(&self) -> bool {
        10 * (self.outer[0] + self.square[0]) >= 9 * (self.outer[1] + self.square[1])
    }

    fn description(&self, name: &str) -> String {
        let Self { outer: [outer, below], square: [square, above] } = self;
        format!(
            "{name}: {outer} of {below} matrices with a sum below 1.6 want RF > 1, {square} of {above} others RF from 1/2 to 2"
        )
    }
}
