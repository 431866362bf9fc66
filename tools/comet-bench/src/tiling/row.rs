//! One kernel on one matrix or tensor: what the tiles of each scheme move.

use super::inputs::Input;
use super::kernels::TiledKernel;
use super::score::Scored;
use crate::setting::Outcome;
use comet_tiling::{
    Contender, Machine, Observed, PaperModel, Points, Prediction, Sample, Scheme, Small, TiledOperands,
    Tiles, Traffic, compare,
};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::time::Instant;

/// Of how many entries packed tiles are measured at most: that goes through all pairs of small tiles of the
/// result.
const PACKED: usize = 1_000_000;

/// What is compared, and on which machine.
#[derive(Debug)]
pub(crate) struct Contest {
    pub(crate) machine: Machine,
    pub(crate) contenders: Vec<Contender>,
}

/// A kernel on a matrix or tensor.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) kernel: TiledKernel,
    /// What Table 5 has for its improvement over prescient tiles.
    pub(super) paper: Option<f64>,
    /// Seconds to cut the operands, to collect statistics, and to choose.
    times: [f64; 3],
    cells: Vec<Cell>,
}

/// A scheme's tiles. Inputs and output in bytes.
#[derive(Debug)]
pub(super) struct Cell {
    name: &'static str,
    /// Those of DRT have no one size.
    tiles: Option<Tiles>,
    predicted: Option<[f64; 2]>,
    /// By the paper's own equations.
    by_paper: Option<[f64; 2]>,
    measured: [f64; 2],
}

impl Contest {
    /// Everything there is.
    pub(crate) fn of_all(machine: Machine) -> Self {
        Self { machine, contenders: Contender::all() }
    }

    /// Without the schemes that have other names, if some are given.
    ///
    /// # Errors
    /// A name that no scheme has.
    pub(crate) fn only(self, names: &[String]) -> Outcome<Self> {
        let known: Vec<&str> = self.contenders.iter().map(|contender| contender.name()).collect();
        if let Some(unknown) = names.iter().find(|name| !known.contains(&&name[..])) {
            return Err(format!("found the scheme `{unknown}`, expected some of {}", known.join(", ")));
        }
        let mut own = self;
        own.contenders.retain(|own| names.is_empty() || names.iter().any(|name| name == own.name()));
        Ok(own)
    }

    pub(crate) fn row(&self, input: &Input, kernel: TiledKernel, points: &Points) -> Outcome<Row> {
        let statement = kernel.statement(points)?;
        let start = Instant::now();
        let cut = TiledOperands::small(&statement, &self.machine);
        let cutting = start.elapsed();
        let observed = Observed::new(&statement, self.machine, &cut, 1);
        let collecting = start.elapsed() - cutting;
        std::hint::black_box(Scheme::D2t2.choose(&observed));
        let choosing = start.elapsed() - cutting - collecting;
        let paper = PaperModel::new(&statement, self.machine, Sample::of_tiles(1));
        let cell = |contender: &Contender| match contender {
            Contender::Scheme(scheme) => Some(Cell::of((&observed, &paper), *scheme)),
            Contender::Occupancy => Some(Cell::by_occupancy(&observed)),
            Contender::Packed(small) => (points.len() <= PACKED).then(|| Cell::packed(&observed, *small)),
            Contender::Drt => Cell::dynamic(&observed),
        };
        Ok(Row {
            name: input.name.clone(),
            kernel,
            paper: input.paper(),
            times: [cutting, collecting, choosing].map(|time| time.as_secs_f64()),
            cells: self.contenders.iter().filter_map(cell).collect(),
        })
    }
}

fn moved(traffic: &Traffic) -> [f64; 2] {
    [traffic.input() as f64, traffic.output.bytes as f64]
}

impl Cell {
    fn of((observed, paper): (&Observed<'_>, &PaperModel<'_>), scheme: Scheme) -> Self {
        let compared = compare(observed, scheme);
        let bytes = |prediction: &Prediction| [prediction.input(), prediction.output];
        Self {
            name: scheme.name(),
            predicted: Some(bytes(&compared.predicted)),
            by_paper: Some(bytes(&paper.predict(&compared.tiles))),
            measured: moved(compared.measured.as_ref().expect("tiles that are compared are measured")),
            tiles: Some(compared.tiles),
        }
    }

    fn by_occupancy(observed: &Observed<'_>) -> Self {
        let own = observed.occupancy(1, comet_tiling::Counting::Done);
        Self {
            name: Contender::Occupancy.name(),
            tiles: None,
            predicted: Some([own.predicted.input(), own.predicted.output]),
            by_paper: None,
            measured: moved(own.measured.as_ref().expect("it was counted")),
        }
    }

    fn packed(observed: &Observed<'_>, small: Small) -> Self {
        let packed = small.counted(observed, &Scheme::D2t2.choose(observed));
        Self {
            name: Contender::Packed(small).name(),
            tiles: Some(packed.tiles),
            predicted: None,
            by_paper: None,
            measured: moved(&packed.measured),
        }
    }

    fn dynamic(observed: &Observed<'_>) -> Option<Self> {
        let measured = moved(&observed.dynamic().ok()?.traffic);
        Some(Self { name: Contender::Drt.name(), tiles: None, predicted: None, by_paper: None, measured })
    }

    fn from_json(value: &Value) -> Option<Self> {
        let of = |what: &str, part: &str| value[what][part].as_f64();
        let both = |what: &str| Some([of(what, "input")?, of(what, "output")?]);
        Some(Self {
            name: Contender::named(value["name"].as_str()?)?.name(),
            tiles: None,
            predicted: both("predicted"),
            by_paper: both("predicted_by_paper"),
            measured: [of("measured", "input")?, of("measured", "output")?],
        })
    }

    fn total(&self) -> f64 {
        self.measured.iter().sum()
    }

    /// What was expected over what was counted.
    fn accuracy(&self) -> Option<f64> {
        self.predicted.map(|predicted| predicted.iter().sum::<f64>() / self.total())
    }

    /// Of the tiles; none where they are of several.
    fn sizes(&self) -> String {
        self.tiles.as_ref().map(Tiles::to_string).unwrap_or_default()
    }

    fn json(&self) -> Value {
        let both = |[input, output]: [f64; 2]| json!({"input": input, "output": output});
        json!({
            "name": self.name,
            "tiles": self.tiles.as_ref().map(Tiles::to_string),
            "predicted": self.predicted.map(&both),
            "predicted_by_paper": self.by_paper.map(&both),
            "measured": {"input": self.measured[0], "output": self.measured[1]},
        })
    }
}

impl Row {
    fn cell(&self, name: &str) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.name == name)
    }

    /// Those of a scheme that has tiles of one size.
    pub(crate) fn tiles(&self, of: &str) -> Option<&Tiles> {
        self.cell(of)?.tiles.as_ref()
    }

    /// Tiles of which both models say something.
    pub(super) fn scored(&self) -> Vec<Scored> {
        let scored = |cell: &Cell| {
            Some(Scored {
                name: cell.name,
                sampled: cell.predicted?,
                by_paper: cell.by_paper?,
                counted: cell.measured,
            })
        };
        self.cells.iter().filter_map(scored).collect()
    }

    /// How many times less the tiles of a scheme move than those of another.
    pub(crate) fn improvement(&self, of: &str, over: &str) -> Option<f64> {
        Some(self.cell(over)?.total() / self.cell(of)?.total())
    }

    /// How many times less the chosen tiles move than those of a scheme.
    pub(crate) fn gain(&self, over: &str) -> Option<f64> {
        self.improvement(Scheme::D2t2.name(), over)
    }

    /// Of the chosen tiles, what was expected over what was counted.
    pub(super) fn accuracy(&self) -> Option<f64> {
        self.cell(Scheme::D2t2.name()).and_then(Cell::accuracy)
    }

    /// The improvement over conservative tiles as a share of what exhaustive search improves (section 6.6).
    pub(super) fn optimality(&self) -> Option<f64> {
        Some(self.gain("conservative")? / self.improvement("exhaustive", "conservative")?)
    }

    /// What statistics and choice take, over what cutting the operands takes.
    pub(super) fn overhead(&self) -> f64 {
        (self.times[1] + self.times[2]) / self.times[0]
    }

    pub(crate) fn text(&self) -> String {
        let [cutting, collecting, choosing] = self.times.map(|time| 1e3 * time);
        let mut text = format!(
            "{} {}: tiling {cutting:.1} ms, statistics {collecting:.1} ms, choice {choosing:.1} ms\n",
            self.name,
            self.kernel.name()
        );
        for cell in &self.cells {
            let [input, output] = cell.measured.map(|bytes| bytes / 1e6);
            let share = |expected: Option<[f64; 2]>| {
                let share = expected.map(|expected| expected.iter().sum::<f64>() / cell.total());
                share.map_or_else(|| "-".to_owned(), |share| format!("{share:.3}"))
            };
            let (accuracy, by_paper) = (share(cell.predicted), share(cell.by_paper));
            let _ = writeln!(
                text,
                "  {:<13}{input:>11.2} MB in{output:>11.2} MB out{:>11.2} MB   expected/counted {accuracy:<6} paper's {by_paper:<6} {}",
                cell.name,
                input + output,
                cell.sizes()
            );
        }
        text
    }

    /// What [`Self::json`] has written; sizes of tiles are not read.
    pub(crate) fn from_json(value: &Value) -> Option<Self> {
        let kernel = TiledKernel::ALL.into_iter().find(|kernel| value["kernel"] == kernel.name())?;
        let seconds = |what: &str| value["seconds"][what].as_f64();
        let cells: Option<Vec<Cell>> = value["schemes"].as_array()?.iter().map(Cell::from_json).collect();
        Some(Self {
            name: value["file"].as_str()?.to_owned(),
            kernel,
            paper: value["paper"].as_f64(),
            times: [seconds("tiling")?, seconds("statistics")?, seconds("choice")?],
            cells: cells?,
        })
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "file": self.name,
            "kernel": self.kernel.name(),
            "paper": self.paper,
            "seconds": {"tiling": self.times[0], "statistics": self.times[1], "choice": self.times[2]},
            "schemes": self.cells.iter().map(Cell::json).collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
impl Row {
    /// With so many bytes moved by each scheme, all of them expected.
    pub(super) fn moving(kernel: TiledKernel, moved: &[(&'static str, f64)]) -> Self {
        let cell = |&(name, bytes): &(&'static str, f64)| Cell {
            name,
            tiles: None,
            predicted: Some([bytes, 0.0]),
            by_paper: Some([bytes / 2.0, 0.0]),
            measured: [bytes, 0.0],
        };
        let cells = moved.iter().map(cell).collect();
        Self { name: "a".to_owned(), kernel, paper: None, times: [1.0; 3], cells }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that were written are read again.
    #[test]
    fn rows_are_read() {
        let row = Row::moving(TiledKernel::Ijk, &[("d2t2", 2.0), ("tailors", 3.0)]);
        let read = Row::from_json(&row.json()).unwrap();
        assert_eq!((read.text(), read.gain("tailors")), (row.text(), Some(1.5)));
        assert!(Row::from_json(&json!({"kernel": "ijk"})).is_none());
    }
}
