//! How right both models are on the tiles of a table: what is expected by samples of products, by which tiles
//! are chosen, and what is expected by the equations of the paper.

use super::bars::NEAR;
use super::row::Row;
use comet_tiling::Scheme;

/// Tiles with what is expected to move and what moves: operands and result.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scored {
    pub(super) name: &'static str,
    pub(super) sampled: [f64; 2],
    pub(super) by_paper: [f64; 2],
    pub(super) counted: [f64; 2],
}

/// A line for both models over the tiles of all schemes, of conservative ones, which the paper's statistics
/// are of, and of the chosen ones. Tiles that several schemes have count once a row.
pub(super) fn text(rows: &[Row]) -> String {
    let all: Vec<Scored> = rows.iter().flat_map(distinct).collect();
    let of = |scheme: Scheme| {
        let own = rows.iter().flat_map(Row::scored).filter(|own| own.name == scheme.name());
        own.collect::<Vec<_>>()
    };
    let sets = [("all schemes", all), ("conservative", of(Scheme::Conservative)), ("d2t2", of(Scheme::D2t2))];
    sets.iter().filter(|(_, tiles)| !tiles.is_empty()).map(|(name, tiles)| set(name, tiles)).collect()
}

fn distinct(row: &Row) -> Vec<Scored> {
    let mut tiles: Vec<Scored> = Vec::new();
    for own in row.scored() {
        if !tiles.iter().any(|other| Scored { name: own.name, ..other.clone() } == own) {
            tiles.push(own);
        }
    }
    tiles
}

fn set(name: &str, tiles: &[Scored]) -> String {
    line((name, "sampled model"), tiles, |own| own.sampled)
        + &line((name, "paper's equations"), tiles, |own| own.by_paper)
}

fn line((name, model): (&str, &str), tiles: &[Scored], expected: impl Fn(&Scored) -> [f64; 2]) -> String {
    let near = |part: &dyn Fn([f64; 2]) -> f64| {
        tiles.iter().filter(|own| is_near(part(expected(own)), part(own.counted))).count()
    };
    let [operands, result, total] =
        [near(&|both| both[0]), near(&|both| both[1]), near(&|both| both.iter().sum())];
    let count = tiles.len();
    format!(
        "within 15 % on {count} tiles of {name}, {model}: operands {operands}, result {result}, total {total}\n"
    )
}

fn is_near(expected: f64, counted: f64) -> bool {
    (expected - counted).abs() <= NEAR * counted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiling::kernels::TiledKernel;

    /// Both models are scored, each part for itself, and tiles of two schemes once.
    #[test]
    fn models_are_scored() {
        // Expected by samples: what is counted; by the paper: half of it.
        let row = Row::moving(TiledKernel::Ikj, &[("conservative", 8.0), ("prescient", 2.0), ("d2t2", 2.0)]);
        insta::assert_snapshot!(text(&[row]), @r"
        within 15 % on 2 tiles of all schemes, sampled model: operands 2, result 2, total 2
        within 15 % on 2 tiles of all schemes, paper's equations: operands 0, result 2, total 0
        within 15 % on 1 tiles of conservative, sampled model: operands 1, result 1, total 1
        within 15 % on 1 tiles of conservative, paper's equations: operands 0, result 1, total 0
        within 15 % on 1 tiles of d2t2, sampled model: operands 1, result 1, total 1
        within 15 % on 1 tiles of d2t2, paper's equations: operands 0, result 1, total 0
        ");
        assert!(is_near(0.86, 1.0) && !is_near(0.84, 1.0) && !is_near(1.16, 1.0) && is_near(0.0, 0.0));
    }
}
