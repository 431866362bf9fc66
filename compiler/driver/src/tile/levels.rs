//! What `comet tile --machine` reports: for each scheme what moves into each level of memory, time and
//! energy.

pub(crate) mod given;
pub(crate) mod json;

use crate::tile::report::CHOSEN;
use comet_tiling::{Bound, Cost, Hierarchy, Leveled, Objective, Statement};
use std::fmt::Write as _;

/// A statement on a machine, with the tiles of all schemes.
pub(crate) struct OnLevels {
    pub(crate) statement: Statement,
    /// `C[i,j] = A[i,k] * B[k,j]`.
    pub(crate) text: String,
    /// How many products it has: counted, or expected where nothing is.
    pub(crate) products: u64,
    pub(crate) objective: Objective,
    /// Whether the order of the loops comes from the command line, so that a schedule needs it.
    pub(crate) is_ordered: bool,
    /// One for each scheme, and then the tiles that were given.
    pub(crate) rows: Vec<LevelRow>,
}

/// Tiles of all levels, and what they move.
pub(crate) struct LevelRow {
    /// Of the scheme that chose them, or that they were given.
    pub(crate) name: &'static str,
    pub(crate) leveled: Leveled,
}

impl OnLevels {
    pub(crate) fn chosen(&self) -> &LevelRow {
        self.rows.iter().find(|row| row.name == CHOSEN.name()).expect("all schemes have tiles")
    }

    pub(crate) fn text(&self, hierarchy: &Hierarchy) -> String {
        let mut text = format!("{}\n", self.text);
        if !hierarchy.name.is_empty() {
            let _ = writeln!(text, "machine: {}", hierarchy.name);
        }
        let (order, products) = (self.statement.names().join(", "), self.products);
        let _ = writeln!(
            text,
            "loops over tiles: {order}; {products} products; bytes into each level, expected and counted"
        );
        let levels = hierarchy.levels.iter().map(|level| format!("{:>20}{:>15}", level.name, "counted"));
        let _ = writeln!(
            text,
            "{:<14}{}{:>12}{:>12}   tiles",
            "",
            levels.collect::<String>(),
            "seconds",
            "joules"
        );
        for row in &self.rows {
            let _ = writeln!(text, "{:<14}{}   {}", row.name, numbers(row), self.tiles(row, hierarchy));
        }
        let _ = writeln!(text, "{}", self.conclusion(hierarchy));
        text
    }

    /// `LLB i: 64, k: 64; PE i: 8, k: 16`
    fn tiles(&self, row: &LevelRow, hierarchy: &Hierarchy) -> String {
        let levels = hierarchy.levels.iter().zip(&row.leveled.levels);
        let tiles = levels.map(|(level, own)| format!("{} {}", level.name, own.tiles.text(&self.statement)));
        tiles.collect::<Vec<_>>().join("; ")
    }

    /// What was chosen for, what takes longest, and how full buffers are.
    fn conclusion(&self, hierarchy: &Hierarchy) -> String {
        let LevelRow { name, leveled } = self.chosen();
        let objective = match self.objective {
            Objective::Bytes => "bytes, of outer levels first",
            Objective::Time => "time",
            Objective::Energy => "energy",
        };
        let bound = match cost(leveled).bound {
            Bound::Level(level) => format!("; `{}` takes longest", hierarchy.levels[level].name),
            Bound::Products => "; products take longest".to_owned(),
            Bound::Nothing => String::new(),
        };
        let fills = self.rows.iter().filter(|row| row.name == *name || row.is_given()).map(|row| {
            let fills = hierarchy.levels.iter().zip(&row.leveled.levels);
            let fills = fills.map(|(level, own)| format!("{:.2} of `{}`", own.fill, level.name));
            let fills = fills.collect::<Vec<_>>().join(", ");
            let fits = row.leveled.levels.iter().all(|level| level.fill <= 1.0);
            let beyond = if fits { "" } else { "; what is beyond comes again with every use" };
            format!("{}: the fullest tiles take {fills}{beyond}", row.name)
        });
        format!("{name} is for the least {objective}{bound}\n{}", fills.collect::<Vec<_>>().join("\n"))
    }
}

impl LevelRow {
    fn is_given(&self) -> bool {
        self.name == crate::tile::report::GIVEN
    }
}

/// What was counted, or else what is expected.
fn cost(leveled: &Leveled) -> Cost {
    leveled.counted.unwrap_or(leveled.expected)
}

/// Bytes of all levels, seconds and joules; `-` is what was not counted, or what nothing is stated for.
fn numbers(row: &LevelRow) -> String {
    let levels = row.leveled.levels.iter().map(|level| {
        let counted = level.measured.as_ref().map_or("-".to_owned(), |traffic| traffic.total().to_string());
        format!("{:>20.0}{counted:>15}", level.predicted.total())
    });
    let Cost { seconds, joules, .. } = cost(&row.leveled);
    let stated = |number: f64| if number > 0.0 { format!("{number:.3e}") } else { "-".to_owned() };
    format!("{}{:>12}{:>12}", levels.collect::<String>(), stated(seconds), stated(joules))
}
