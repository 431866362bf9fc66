//! What a sweep has found, in sentences, next to what the paper has.

use super::super::with_threads;
use super::{Point, Sweep};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The means that section 8.3 of comet.txt reports over TACO on 24 cores: of the speedups, and of what
/// reordering brings; for tensors only the first.
fn of_the_paper(kernel: &str, threads: u32) -> &'static str {
    match (kernel, threads) {
        ("SpMV", 1) => "0.94 over TACO, 1.04 by reordering",
        ("SpMV", _) => "20.92 over TACO, 1.03 by reordering",
        ("SpMM", 1) => "2.29 over TACO, 1.12 by reordering",
        ("SpMM", _) => "about 1 over TACO, 1.13 by reordering",
        ("TTV", 1) => "about 1 over TACO, faster after reordering for four of six tensors",
        ("TTV", _) => "8 over TACO, slower after reordering for five of six tensors",
        ("TTM", 1) => "2.53 over TACO, faster after reordering for three of six tensors",
        _ => "8.13 over TACO, slower after reordering for five of six tensors",
    }
}

impl Sweep {
    /// A sentence for each kernel and number of threads.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for (kernel, threads, points) in self.groups() {
            let speedup = described(&points, Point::speedup);
            let gain = described(&points, Point::gain);
            let faster = points.iter().filter(|point| point.gain() > 1.0).count();
            let (name, count, baseline) = (kernel.name, points.len(), self.baseline);
            let paper = of_the_paper(name, threads);
            let _ = writeln!(
                text,
                "{name}, {}: comet is {speedup} times as fast as {baseline} on {count} inputs, and after \
                 reordering {gain} times as fast as before, faster on {faster} of them (the paper: {paper}).",
                with_threads(threads)
            );
        }
        for skipped in &self.skipped {
            let _ = writeln!(text, "skipped: {skipped}");
        }
        text
    }

    pub(crate) fn json(&self) -> Value {
        let point = |point: &Point| {
            json!({
                "kernel": point.kernel.name, "threads": point.threads, "input": point.input, "entries": point.entries,
                "seconds": point.ours, "baseline": point.baseline, "reordered": point.reordered,
            })
        };
        let points: Vec<Value> = self.points.iter().map(point).collect();
        json!({ "bench": "sweep", "baseline": self.baseline, "points": points, "skipped": self.skipped })
    }
}

/// The geometric mean, the least and the largest.
fn described(points: &[&Point], ratio: impl Fn(&Point) -> f64) -> String {
    let ratios: Vec<f64> = points.iter().map(|point| ratio(point)).collect();
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = ratios.iter().copied().fold(0.0, f64::max);
    format!("{mean:.2} (from {least:.2} to {largest:.2})")
}

#[cfg(test)]
mod tests {
    use super::super::SWEPT;
    use super::*;

    /// Inputs come by their entries; ratios are geometric means.
    #[test]
    fn sweeps_are_told_in_sentences() {
        let point = |input: &str, entries, ours| Point {
            kernel: SWEPT[0],
            threads: 1,
            input: input.to_owned(),
            entries,
            ours,
            baseline: 0.004,
            reordered: 0.002,
        };
        let points = vec![point("a", 10, 0.004), point("b", 20, 0.001)];
        let sweep = Sweep { points, baseline: "C", skipped: vec!["c.mtx: empty".to_owned()] };
        insta::assert_snapshot!(sweep.csv(), @r"
        kernel,threads,input,entries,comet,baseline,reordered,speedup,speedup of reordering
        SpMV,1,a,10,0.004000000,0.004000000,0.002000000,1.000,2.000
        SpMV,1,b,20,0.001000000,0.004000000,0.002000000,4.000,0.500
        ");
        insta::assert_snapshot!(sweep.text(), @r"
        SpMV, 1 thread: comet is 2.00 (from 1.00 to 4.00) times as fast as C on 2 inputs, and after reordering 1.00 (from 0.50 to 2.00) times as fast as before, faster on 1 of them (the paper: 0.94 over TACO, 1.04 by reordering).
        skipped: c.mtx: empty
        ");
    }
}
