//! Figure 11: SDDMM as one graph, and as a dense product and an elementwise one. The paper says 250 by 250;
//! the counts of the reference simulator are those of a matrix of 250 by 100 with 1212 nonzeros, which is
//! taken here.

use super::Shown;
use super::chart::{Chart, Style};
use super::program::{cycles, folder, simulate};
use crate::data::write_uniform;
use crate::setting::{Outcome, Setting};

const INNER: [u32; 3] = [1, 10, 100];
/// What the reference simulator counts.
const REFERENCE_FUSED: [f64; 3] = [25_170.0, 25_170.0, 122_698.0];
const REFERENCE_LOCATING: [f64; 3] = [2_687.0, 13_595.0, 122_675.0];
const REFERENCE_UNFUSED: [f64; 3] = [75_421.0, 300_421.0, 2_550_421.0];

pub(super) fn show(setting: &Setting) -> Outcome<Shown> {
    let folder = folder(setting, "figure11")?;
    let b = folder.join("b.mtx");
    write_uniform(&b, &[250, 100], 1212, 3)?;
    let (mut fused, mut locating, mut unfused) = (Vec::new(), Vec::new(), Vec::new());
    for inner in INNER {
        let together = "X[i,j] = B[i,j] * C[i,k] * D[j,k] schedule { order(i, j, k); };";
        let apart = "T[i,j] = C[i,k] * D[j,k] schedule { order(i, j, k); };\n  X[i,j] = B[i,j] * T[i,j];";
        let located = "X[i,j] = B[i,j] * C[i,k] * D[j,k] schedule { order(i, j, k); locate(C); locate(D); };";
        locating.push(cycles(&simulate(setting, &folder, &program(inner, located), &[&b])?, &["X"])?);
        fused.push(cycles(&simulate(setting, &folder, &program(inner, together), &[&b])?, &["X"])?);
        unfused.push(cycles(&simulate(setting, &folder, &program(inner, apart), &[&b])?, &["T", "X"])?);
    }
    let ratios: Vec<f64> = unfused.iter().zip(&fused).map(|(unfused, fused)| unfused / fused).collect();
    let gains: Vec<f64> = fused.iter().zip(&locating).map(|(fused, locating)| fused / locating).collect();
    let holds = ratios.iter().all(|ratio| *ratio > 2.0) && gains[0] > 2.0 && gains[2] < 1.1;
    let described: Vec<String> = ratios.iter().map(|ratio| format!("{ratio:.1}")).collect();
    let gained: Vec<String> = gains.iter().map(|gain| format!("{gain:.1}")).collect();
    let chart = Chart {
        style: Style::Plain,
        title: "SDDMM, 250 by 100, 5 % nonzeros, by the extent of k".to_owned(),
        of: "extent of k",
        measure: "cycles",
        categories: INNER.iter().map(u32::to_string).collect(),
        series: vec![
            ("fused, coiterating".to_owned(), fused),
            ("fused, locating".to_owned(), locating),
            ("unfused".to_owned(), unfused),
        ],
        references: vec![
            ("reference, fused".to_owned(), REFERENCE_FUSED.to_vec()),
            ("reference, locating".to_owned(), REFERENCE_LOCATING.to_vec()),
            ("reference, unfused".to_owned(), REFERENCE_UNFUSED.to_vec()),
        ],
    };
    let found = "the unfused graphs are far slower, since they compute the whole dense product; locating helps as long \
        as k is short";
    let here = format!(
        "unfused {} times as many cycles, coiterating {} times as many as locating, for K of 1, 10 and 100",
        described.join(", "),
        gained.join(", ")
    );
    Ok(Shown { number: "11", chart, found, holds, here })
}

fn program(inner: u32, statements: &str) -> String {
    format!(
        "def main() {{
  IndexLabel [i] = [250];
  IndexLabel [j] = [100];
  IndexLabel [k] = [{inner}];
  Tensor<double> B([i, j], DCSR);
  Tensor<double> C([i, k], Dense);
  Tensor<double> D([j, k], Dense);
  Tensor<double> T([i, j], Dense);
  Tensor<double> X([i, j], DCSR);
  B[i,j] = comet_read(0);
  C[i,k] = random();
  D[j,k] = random();
  {statements}
}}
"
    )
}
