//! What rows say of the paper's claims: means of improvements, how near exhaustive search is, how near
//! expectations are, and whether tiles are ever worse than conservative ones.

use super::kernels::TiledKernel;
use super::row::Row;
use super::score;
use std::fmt::Write as _;

/// Expectations are near when they are this far from what is counted at most (d2t2.txt section 5.3).
pub(super) const NEAR: f64 = 0.15;

/// What the means are over.
const OVER: [&str; 3] = ["conservative", "prescient", "drt"];

/// How statistics are sampled, as the crate has it.
const SAMPLING: &str = "samples: 16,000 products for the chosen tiles; Corrs of the paper's equations from 1 % of the tiles (section 5.3)";

pub(super) fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    for kernel in TiledKernel::ALL {
        let own: Vec<&Row> = rows.iter().filter(|row| row.kernel == kernel).collect();
        if !own.is_empty() {
            improvements(&mut text, kernel.name(), &own);
        }
    }
    let all: Vec<&Row> = rows.iter().collect();
    improvements(&mut text, "all", &all);
    if let Some((mean, least, largest)) = spread(all.iter().filter_map(|row| row.optimality())) {
        let _ = writeln!(
            text,
            "of exhaustive search's improvement over conservative: {:.1} % on average ({:.1} to {:.1} %; paper: 92.4, 83 to 100)",
            100.0 * mean,
            100.0 * least,
            100.0 * largest
        );
    }
    let near = all.iter().filter_map(|row| row.accuracy()).filter(|share| (share - 1.0).abs() <= NEAR);
    let _ = writeln!(text, "expected/counted within 15 %: {} of {} rows", near.count(), all.len());
    if let Some((_, least, _)) = spread(all.iter().filter_map(|row| row.gain("conservative"))) {
        let _ = writeln!(text, "chosen/conservative at most {:.3} (bar: 1.05)", least.recip());
    }
    text + &score::text(rows) + SAMPLING + "\n"
}

fn improvements(text: &mut String, name: &str, rows: &[&Row]) {
    let over = OVER.iter().filter_map(|over| {
        let mean = geometric_mean(rows.iter().filter_map(|row| row.gain(over)))?;
        Some(format!("{mean:.2} over {over}"))
    });
    let described = over.collect::<Vec<_>>().join(", ");
    let _ = writeln!(text, "improvement, {name}, geometric mean of {} rows: {described}", rows.len());
}

/// None of nothing.
pub(crate) fn geometric_mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    spread(numbers.map(f64::ln)).map(|(mean, ..)| mean.exp())
}

/// The one in the middle; none of nothing.
pub(super) fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// The mean, the least and the largest.
pub(crate) fn spread(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64, f64)> {
    let numbers: Vec<f64> = numbers.collect();
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    (!numbers.is_empty()).then_some((mean, least, largest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bars are answered from the rows: means by kernel, the worst case, and the share of what could be had.
    #[test]
    fn bars_are_described() {
        let row = |kernel, conservative, exhaustive| {
            let moved = [
                ("conservative", conservative),
                ("prescient", 2.0),
                ("d2t2", 1.0),
                ("exhaustive", exhaustive),
            ];
            Row::moving(kernel, &moved)
        };
        let rows = [
            row(TiledKernel::Ikj, 8.0, 0.5),
            row(TiledKernel::Ikj, 2.0, 1.0),
            row(TiledKernel::Ijk, 1.0, 1.0),
        ];
        insta::assert_snapshot!(text(&rows), @r"
        improvement, ikj, geometric mean of 2 rows: 4.00 over conservative, 2.00 over prescient
        improvement, ijk, geometric mean of 1 rows: 1.00 over conservative, 2.00 over prescient
        improvement, all, geometric mean of 3 rows: 2.52 over conservative, 2.00 over prescient
        of exhaustive search's improvement over conservative: 83.3 % on average (50.0 to 100.0 %; paper: 92.4, 83 to 100)
        expected/counted within 15 %: 3 of 3 rows
        chosen/conservative at most 1.000 (bar: 1.05)
        within 15 % on 8 tiles of all schemes, sampled model: operands 8, result 8, total 8
        within 15 % on 8 tiles of all schemes, paper's equations: operands 0, result 8, total 0
        within 15 % on 3 tiles of conservative, sampled model: operands 3, result 3, total 3
        within 15 % on 3 tiles of conservative, paper's equations: operands 0, result 3, total 0
        within 15 % on 3 tiles of d2t2, sampled model: operands 3, result 3, total 3
        within 15 % on 3 tiles of d2t2, paper's equations: operands 0, result 3, total 0
        samples: 16,000 products for the chosen tiles; Corrs of the paper's equations from 1 % of the tiles (section 5.3)
        ");
    }
}
