//! Figure 12: the six orders of the product of two sparse matrices.

use super::Shown;
use super::chart::{Chart, Style};
use super::program::{cycles, folder, simulate};
use crate::data::write_uniform;
use crate::setting::{Outcome, Setting};

const ORDERS: [&str; 6] = ["i, j, k", "j, i, k", "i, k, j", "j, k, i", "k, i, j", "k, j, i"];
/// What the reference simulator counts on the paper's data.
const REFERENCE: [f64; 6] = [662_574.0, 662_574.0, 25_235.0, 24_910.0, 30_833.0, 30_898.0];

pub(super) fn show(setting: &Setting) -> Outcome<Shown> {
    let folder = folder(setting, "figure12")?;
    let (b, c) = (folder.join("b.mtx"), folder.join("c.mtx"));
    write_uniform(&b, &[250, 100], 1212, 1)?;
    write_uniform(&c, &[100, 250], 1280, 2)?;
    let mut counts = Vec::new();
    for order in ORDERS {
        let report = simulate(setting, &folder, &program(order), &[&b, &c])?;
        counts.push(cycles(&report, &["X"])?);
    }
    let others = counts[2..].iter().copied().fold(0.0, f64::max);
    let inner = counts[0].min(counts[1]);
    let holds = inner >= 10.0 * others;
    let here = format!("{:.0} times as many cycles as the slowest of the others", inner / others);
    let chart = Chart {
        style: Style::Plain,
        title: "Product of two matrices with 5 % nonzeros, by dataflow order".to_owned(),
        of: "order",
        measure: "cycles",
        categories: ORDERS.iter().map(|order| order.replace(", ", "")).collect(),
        series: vec![("comet".to_owned(), counts)],
        references: vec![("reference, its data".to_owned(), REFERENCE.to_vec())],
    };
    let found =
        "inner products (ijk, jik) are at least an order of magnitude slower than rows and outer products";
    Ok(Shown { number: "12", chart, found, holds, here })
}

fn program(order: &str) -> String {
    format!(
        "def main() {{
  IndexLabel [i] = [250];
  IndexLabel [j] = [250];
  IndexLabel [k] = [100];
  Tensor<double> B([i, k], DCSR);
  Tensor<double> C([k, j], DCSR);
  Tensor<double> X([i, j], DCSR);
  B[i,k] = comet_read(0);
  C[k,j] = comet_read(1);
  X[i,j] = B[i,k] * C[k,j] schedule {{ order({order}); }};
}}
"
    )
}
