//! What `comet tile` reports.

use super::orders::Searched;
use super::schemes::{Other, OtherOutcome};
use comet_runtime::CoordinateTensor;
use comet_tiling::{
    Footprint, Machine, PackedOutcome, Pattern, Prediction, Scheme, SchemeResult, Statement, Tiled,
    TiledOperands, Tiles, Traffic, Var, Variable, fullest,
};
use std::fmt::Write as _;
use std::sync::Arc;

pub(crate) struct ComparedSchemes {
    pub(crate) statement: Statement,
    /// `C[i,j] = A[i,k] * B[k,j]`.
    pub(crate) text: String,
    pub(crate) machine: Machine,
    /// One for each scheme that is predicted, and then those that were given.
    pub(crate) evaluated: Vec<Evaluated>,
    /// Schemes without tiles of one size.
    pub(crate) others: Vec<Other>,
    /// Schemes that nothing is known of, since nothing was counted.
    pub(crate) left_out: Vec<&'static str>,
    /// Other orders of the loops, if they were asked for; this one is the best.
    pub(crate) orders: Option<Searched>,
    /// What each access is in the small tiles that statistics are made of; none is dense.
    pub(crate) base: Vec<Option<Base>>,
    /// Small tiles brought together to about the chosen ones, if that was asked for.
    pub(crate) packed: Option<PackedOutcome>,
    /// Whether the order of the loops comes from the command line, so that a schedule needs it.
    pub(crate) is_ordered: bool,
    /// Whether files are written for tiles of about equal occupancy.
    pub(crate) is_written_by_occupancy: bool,
    /// How the traffic of the chosen tiles is predicted, one sentence a line.
    pub(crate) explained: Vec<String>,
    /// `Corrs` of operands along what is reduced, with their names.
    pub(crate) corrs: Vec<(String, Vec<f64>)>,
    /// What each access reads, and the variable of each mode; none is dense or computed by the program.
    pub(crate) entries: Vec<Option<(Arc<CoordinateTensor>, Vec<Var>)>>,
    /// The indices of each access, and last those of the result, as they are written, each once.
    pub(crate) as_written: Vec<Vec<Var>>,
}

/// Tiles, what they are expected to move, and what they move.
pub(crate) struct Evaluated {
    /// Of the scheme that chose them, or [`GIVEN`].
    pub(crate) name: &'static str,
    pub(crate) tiles: Tiles,
    pub(crate) predicted: Prediction,
    /// Between which numbers of bytes the traffic lies with a probability of nine in ten.
    pub(crate) interval: [f64; 2],
    pub(crate) measured: Option<Traffic>,
    /// What the paper's own equations say, if that was asked for.
    pub(crate) by_paper: Option<Prediction>,
}

impl From<SchemeResult> for Evaluated {
    fn from(outcome: SchemeResult) -> Self {
        let SchemeResult { scheme, tiles, predicted, interval, measured } = outcome;
        Self { name: scheme.name(), tiles, predicted, interval, measured, by_paper: None }
    }
}

pub(crate) struct Base {
    /// How far they reach, one size an index.
    pub(crate) sizes: Vec<u64>,
    pub(crate) tiles: u64,
    pub(crate) bytes: u64,
    /// Of the largest one, in bytes.
    pub(crate) largest: u64,
}

impl Base {
    pub(crate) fn of(cut: &TiledOperands, machine: &Machine) -> Vec<Option<Self>> {
        let of = |tiled: &Tiled| {
            let bytes = tiled.footprints().into_iter().map(|tile| machine.bytes(tile));
            let (tiles, bytes, largest) = bytes
                .fold((0, 0, 0), |(tiles, all, largest), own| (tiles + 1, all + own, u64::max(largest, own)));
            Self { sizes: tiled.sizes().to_vec(), tiles, bytes, largest }
        };
        cut.tiled.iter().map(|tiled| tiled.as_ref().map(of)).collect()
    }
}

/// The scheme whose tiles are chosen.
pub(crate) const CHOSEN: Scheme = Scheme::D2t2;

/// What tiles are called that no scheme chose.
pub(crate) const GIVEN: &str = "given";

impl ComparedSchemes {
    pub(crate) fn chosen(&self) -> &Evaluated {
        let mut evaluated = self.evaluated.iter();
        evaluated.find(|own| own.name == CHOSEN.name()).expect("all schemes have tiles")
    }

    /// The tiles of one size that files are written for: those that were given, or else the chosen ones.
    pub(crate) fn written(&self) -> &Evaluated {
        self.evaluated.iter().find(|own| own.name == GIVEN).unwrap_or_else(|| self.chosen())
    }

    /// Where tiles of about equal occupancy begin, if it is those that files are written for.
    pub(crate) fn written_bounds(&self) -> Option<&[Vec<u64>]> {
        let mut outcomes = self.others.iter().map(|other| &other.outcome);
        let bounds = outcomes.find_map(|outcome| match outcome {
            OtherOutcome::Occupancy(own) => Some(&own.bounds[..]),
            OtherOutcome::Packed(_) | OtherOutcome::Dynamic(_) | OtherOutcome::Unsupported(_) => None,
        });
        bounds.filter(|_| self.is_written_by_occupancy)
    }

    /// Whether an access reads something sparse that the program computes: where that has entries is known,
    /// and no values are.
    pub(crate) fn is_computed(&self, access: usize) -> bool {
        let pattern = &self.statement.accesses[access].pattern;
        matches!(pattern, Pattern::Points(_)) && self.entries[access].is_none()
    }

    /// The accesses that read something sparse that the program computes, each once.
    pub(crate) fn computed(&self) -> Vec<String> {
        let computed = (0..self.entries.len()).filter(|&access| self.is_computed(access));
        let mut names: Vec<String> = computed.map(|access| self.statement.access_name(access)).collect();
        names.sort();
        names.dedup();
        names
    }

    /// What all tiles of an access take together, in bytes. Looks at all entries.
    pub(crate) fn bytes_in_tiles(&self, access: usize, tiles: &Tiles) -> f64 {
        let access = &self.statement.accesses[access];
        let sizes = tiles.of_all(&access.indices);
        let bytes = match &access.pattern {
            Pattern::Points(points) => {
                let tiles = Tiled::new(points, &sizes).footprints();
                tiles.into_iter().map(|tile| self.machine.bytes(tile)).sum()
            }
            Pattern::Dense => {
                let extents = access.indices.iter().map(|&var| self.statement.extent(var));
                self.machine.bytes(Footprint::dense(extents.fold(1, u64::saturating_mul)))
            }
        };
        bytes as f64
    }

    /// How much of the buffer the fullest tile of any operand takes: at most 1 if all fit. Looks at all
    /// entries.
    pub(crate) fn fill(&self, tiles: &Tiles) -> f64 {
        fullest(&self.statement, tiles, &self.machine)
    }

    fn fit(&self) -> Option<String> {
        let given = self.evaluated.iter().find(|own| own.name == GIVEN)?;
        let fill = self.fill(&given.tiles);
        let report = if fill <= 1.0 {
            format!("given tiles fit: the fullest one takes {fill:.2} of the buffer")
        } else {
            format!(
                "given tiles do not fit: the fullest one takes {fill:.2} of the buffer, and what is beyond comes again with every use"
            )
        };
        Some(report)
    }

    /// A table, one line a scheme.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("{}\n", self.text);
        let order = self.statement.names().join(", ");
        let _ = writeln!(text, "loops over tiles: {order}; bytes, expected and counted");
        text += &self.table();
        let Evaluated { name, interval: [low, high], .. } = self.chosen();
        let _ = writeln!(
            text,
            "{name}: between {low:.0} and {high:.0} bytes are expected, with a probability of 90 %"
        );
        for name in self.computed() {
            let _ = writeln!(
                text,
                "the entries of {name}, which the program computes, are worked out from patterns: sums that \
                 cancel to zero count"
            );
        }
        if let Some(fit) = self.fit() {
            let _ = writeln!(text, "{fit}");
        }
        if let Some(packed) = &self.packed {
            let _ = writeln!(
                text,
                "tiles of {} brought together to {} move {} bytes",
                packed.small.text(&self.statement),
                packed.tiles.text(&self.statement),
                packed.measured.total()
            );
        }
        text
    }
}

/// A scheme with its numbers and its tiles.
pub(crate) struct SchemeRow {
    pub(crate) name: &'static str,
    pub(crate) numbers: Vec<String>,
    pub(crate) tiles: String,
}

impl ComparedSchemes {
    /// Whether the paper's model was asked for.
    fn has_paper(&self) -> bool {
        self.evaluated.iter().any(|own| own.by_paper.is_some())
    }

    pub(crate) fn titles(&self) -> Vec<&'static str> {
        let paper: &[&str] = if self.has_paper() { &["paper's in", "out"] } else { &[] };
        [&["expected in", "out"], paper, &["counted in", "out", "all"]].concat()
    }

    /// Those with tiles of one size, those without, and the tiles that were given.
    pub(crate) fn rows(&self) -> Vec<SchemeRow> {
        let (given, chosen): (Vec<_>, Vec<_>) = self.evaluated.iter().partition(|own| own.name == GIVEN);
        let chosen = chosen.into_iter().map(|own| self.row(own));
        let others = self.others.iter().map(|other| self.other_row(other));
        chosen.chain(others).chain(given.into_iter().map(|own| self.row(own))).collect()
    }

    fn row(&self, own: &Evaluated) -> SchemeRow {
        let paper = own.by_paper.as_ref().map(|by_paper| predicted(Some(by_paper)));
        SchemeRow {
            name: own.name,
            numbers: [
                predicted(Some(&own.predicted)),
                paper.unwrap_or_default(),
                counted(own.measured.as_ref()),
            ]
            .concat(),
            tiles: own.tiles.text(&self.statement),
        }
    }

    fn other_row(&self, Other { name, outcome }: &Other) -> SchemeRow {
        let paper = if self.has_paper() { predicted(None) } else { Vec::new() };
        let tiles = match outcome {
            OtherOutcome::Occupancy(own) => self.lengths(&own.bounds),
            OtherOutcome::Packed(packed) => {
                let [tiles, small] = [&packed.tiles, &packed.small].map(|own| own.text(&self.statement));
                format!("{tiles}, made of {small}")
            }
            OtherOutcome::Dynamic(_) => "dynamic".to_owned(),
            OtherOutcome::Unsupported(reason) => format!("unsupported: {reason}"),
        };
        SchemeRow {
            name,
            numbers: [predicted(outcome.predicted()), paper, counted(outcome.traffic())].concat(),
            tiles,
        }
    }

    /// `i: 12 of 3 to 455, k: 1`: how many tiles there are along each variable, and how long they are.
    fn lengths(&self, bounds: &[Vec<u64>]) -> String {
        let along = |(variable, begins): (&Variable, &Vec<u64>)| {
            let ends = begins.iter().skip(1).chain([&variable.extent]);
            let lengths: Vec<u64> = begins.iter().zip(ends).map(|(begin, end)| end - begin).collect();
            let [shortest, longest] =
                [lengths.iter().min(), lengths.iter().max()].map(|own| own.unwrap_or(&0));
            format!("{}: {} of {shortest} to {longest}", variable.name, begins.len())
        };
        self.statement.variables.iter().zip(bounds).map(along).collect::<Vec<_>>().join(", ")
    }

    /// Titles and rows, one a line.
    pub(crate) fn table(&self) -> String {
        let line = |name: &str, numbers: Vec<&str>, tiles: &str| {
            let numbers: String = numbers.iter().map(|number| format!("{number:>15}")).collect();
            format!("{name:<14}{numbers}   {tiles}\n")
        };
        let mut text = line("", self.titles(), "tiles");
        for SchemeRow { name, numbers, tiles } in self.rows() {
            text += &line(name, numbers.iter().map(String::as_str).collect(), &tiles);
        }
        if !self.left_out.is_empty() {
            let names = self.left_out.join(", ");
            let _ = writeln!(text, "left out, since nothing is known of it without counting: {names}");
        }
        text
    }
}

fn predicted(prediction: Option<&Prediction>) -> Vec<String> {
    let bytes = |own: &Prediction| [own.input(), own.output].map(|bytes| format!("{bytes:.0}"));
    prediction.map_or_else(|| ["-"; 2].map(str::to_owned), bytes).to_vec()
}

fn counted(traffic: Option<&Traffic>) -> Vec<String> {
    let bytes = |own: &Traffic| [own.input(), own.output.bytes, own.total()].map(|bytes| bytes.to_string());
    traffic.map_or_else(|| ["-"; 3].map(str::to_owned), bytes).to_vec()
}
