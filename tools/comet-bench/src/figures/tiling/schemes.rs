//! Figures 6b, 6c and 9: traffic of schemes next to each other.

use crate::figures::Shown;
use crate::figures::chart::{Chart, Style};
use crate::setting::Outcome;
use crate::tiling::bars::geometric_mean;
use crate::tiling::row::Row;

/// What a figure compares: schemes with the names they have in it, next to one.
struct Comparison {
    title: &'static str,
    /// The scheme whose improvement is 1.
    next_to: &'static str,
    schemes: &'static [(&'static str, &'static str)],
}

const MEASURE: &str = "times less traffic";

/// Figure 6b.
pub(super) fn tailors(rows: &[Row]) -> Outcome<Vec<Shown>> {
    let compared = Comparison {
        title: "A·Aᵀ in the order i, j, k: traffic next to prescient tiles",
        next_to: "prescient",
        schemes: &[("tailors", "Tailors"), ("d2t2", "chosen")],
    };
    let [tailors, chosen] = ["tailors", "d2t2"].map(|name| compared.mean(rows, name));
    let better = rows.iter().filter(|row| row.gain("tailors").is_some_and(|gain| gain > 1.0)).count();
    let here = format!(
        "geometric means over prescient: {chosen:.2} for the chosen tiles, {tailors:.2} for Tailors, so {:.2} over Tailors; the \
         chosen tiles move less than Tailors on {better} of {} matrices",
        chosen / tailors,
        rows.len()
    );
    let found = "4.85 times as fast as prescient tiles on average, Tailors 1.90, so 2.54 over Tailors";
    let holds = reach([(chosen, 4.85), (chosen / tailors, 2.54)]);
    Ok(vec![Shown { number: "d2t2-6b", chart: compared.chart(rows), found, holds, here }])
}

/// Whether improvements are those of the paper, or less by a tenth at most.
fn reach<const N: usize>(pairs: [(f64, f64); N]) -> bool {
    pairs.iter().all(|(here, paper)| *here >= 0.9 * paper)
}

/// Figure 6c.
pub(super) fn drt(rows: &[Row]) -> Outcome<Vec<Shown>> {
    let compared = Comparison {
        title: "A·Aᵀ in the order i, k, j: traffic next to prescient tiles",
        next_to: "prescient",
        schemes: &[("drt", "DRT"), ("d2t2", "chosen"), ("conservative", "conservative")],
    };
    let [drt, chosen, conservative] = ["drt", "d2t2", "conservative"].map(|name| compared.mean(rows, name));
    let here = format!(
        "geometric means over prescient: {chosen:.2} for the chosen tiles, {drt:.2} for DRT; over conservative {:.2} and {:.2}; \
         over DRT {:.2}",
        chosen / conservative,
        drt / conservative,
        chosen / drt
    );
    let found = "means over prescient 1.83 and 1.29, over conservative 4.17 and 2.59; over DRT 1.13 on what DRT could run";
    let holds = reach([(chosen, 1.83), (chosen / conservative, 4.17), (chosen / drt, 1.13)]);
    Ok(vec![Shown { number: "d2t2-6c", chart: compared.chart(rows), found, holds, here }])
}

/// Figure 9.
pub(super) fn ablations(rows: &[Row]) -> Outcome<Vec<Shown>> {
    let compared = Comparison {
        title: "A·Aᵀ in the order i, k, j: traffic of tiles chosen with less knowledge, next to the chosen ones",
        next_to: "d2t2",
        schemes: &[
            ("independent", "operands each alone, as the paper's model"),
            ("without-corrs", "without Corrs"),
            ("corrs-only", "Corrs alone"),
        ],
    };
    let spread = |name: &str| {
        let all = || rows.iter().filter_map(|row| row.improvement(name, "d2t2"));
        let (least, largest) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
        format!("{name} {:.2} ({least:.2} to {largest:.2})", compared.mean(rows, name))
    };
    let here = ["independent", "without-corrs", "corrs-only"].map(spread).join(", ");
    let holds = compared.schemes.iter().all(|(name, _)| compared.mean(rows, name) <= 1.0);
    let found = "from 10 % better to 0.69 of the full model's efficiency";
    let here = format!("geometric means of the chosen tiles' traffic over theirs: {here}");
    Ok(vec![Shown { number: "d2t2-9", chart: compared.chart(rows), found, holds, here }])
}

impl Comparison {
    fn mean(&self, rows: &[Row], name: &str) -> f64 {
        geometric_mean(self.improvements(rows, name)).unwrap_or(f64::NAN)
    }

    fn improvements<'a>(&self, rows: &'a [Row], name: &'a str) -> impl Iterator<Item = f64> + 'a {
        let next_to = self.next_to;
        rows.iter().filter_map(move |row| row.improvement(name, next_to))
    }

    /// A bar for each matrix and scheme, the geometric means behind them.
    fn chart(&self, rows: &[Row]) -> Chart {
        let series = self.schemes.iter().map(|(name, shown)| {
            let numbers = rows.iter().map(|row| row.improvement(name, self.next_to).unwrap_or(f64::NAN));
            ((*shown).to_owned(), numbers.chain([self.mean(rows, name)]).collect())
        });
        let names = rows.iter().map(|row| row.name.clone());
        Chart {
            style: Style::Ratios,
            title: self.title.to_owned(),
            of: "matrix",
            measure: MEASURE,
            categories: names.chain(["geometric mean".to_owned()]).collect(),
            series: series.collect(),
            references: Vec::new(),
        }
    }
}
