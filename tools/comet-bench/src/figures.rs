//! `figures`: what the figures of sam.txt show, simulated, and those of d2t2.txt, measured: a CSV and an SVG
//! each, and whether it holds here.

pub(crate) mod chart;
mod dataflows;
mod fusion;
mod program;
mod tiles;
mod tiling;
mod tokens;
mod vectors;

use crate::setting::{Outcome, Setting, create_folder, write};
use chart::Chart;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tiling::Tiling;

#[derive(Debug, Args)]
pub(crate) struct FiguresArguments {
    /// The figures; by default all
    figures: Vec<Figure>,
    /// Where the files go; by default `target/bench/figures`
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// In the figures d2t2 only the matrices whose names hold this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// What `tools/bench tiling --json` has written: traffic for the figures d2t2-6b, d2t2-6c and d2t2-9, in
    /// place of measuring it again
    #[arg(long, value_name = "PATH")]
    rows: Option<PathBuf>,
}

/// The figures of the papers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Figure {
    /// SDDMM fused and unfused
    #[value(name = "11")]
    Fusion,
    /// The orders of the product of two sparse matrices
    #[value(name = "12")]
    Dataflows,
    /// Random vectors in several formats
    #[value(name = "13a")]
    RandomVectors,
    /// Vectors with runs
    #[value(name = "13b")]
    Runs,
    /// Vectors with blocks
    #[value(name = "13c")]
    Blocks,
    /// Tokens of the scanners of a matrix
    #[value(name = "14")]
    Tokens,
    /// Tiles in a finite memory
    #[value(name = "15")]
    Tiles,
    /// Traffic predicted and measured, by the shape of tiles
    #[value(name = "d2t2-5")]
    TilingValidation,
    /// Cycles against traffic
    #[value(name = "d2t2-6a")]
    TilingCycles,
    /// Traffic of chosen tiles and Tailors, by inner products
    #[value(name = "d2t2-6b")]
    TilingTailors,
    /// Traffic of chosen tiles, DRT and conservative ones, row by row
    #[value(name = "d2t2-6c")]
    TilingDrt,
    /// The best shape of tiles by the sum of Corrs
    #[value(name = "d2t2-8")]
    TilingReuse,
    /// Traffic of tiles chosen with less knowledge
    #[value(name = "d2t2-9")]
    TilingAblations,
}

/// What a figure came to.
#[derive(Debug)]
struct Shown {
    /// Its number in the paper.
    number: &'static str,
    chart: Chart,
    /// What the paper found.
    found: &'static str,
    /// Whether it holds here.
    holds: bool,
    /// The numbers that say so.
    here: String,
}

/// All that were asked for.
#[derive(Debug)]
pub(crate) struct Figures(Vec<Shown>);

pub(crate) fn run(setting: &Setting, arguments: &FiguresArguments) -> Outcome<Figures> {
    let folder = arguments.output.clone().unwrap_or_else(|| setting.kept.join("figures"));
    create_folder(&folder)?;
    let all = Figure::value_variants();
    let asked = if arguments.figures.is_empty() { all } else { &arguments.figures };
    let mut tiling = Tiling::new(setting, arguments.only.as_deref(), arguments.rows.as_deref())?;
    let mut figures = Vec::new();
    for &figure in asked {
        let shown = figure.show(setting, &mut tiling)?;
        for shown in &shown {
            shown.write(&folder)?;
        }
        figures.extend(shown);
    }
    Ok(Figures(figures))
}

impl Figure {
    fn show(self, setting: &Setting, tiling: &mut Tiling<'_>) -> Outcome<Vec<Shown>> {
        let one = |shown: Outcome<Shown>| shown.map(|shown| vec![shown]);
        match self {
            Self::Fusion => one(fusion::show(setting)),
            Self::Dataflows => one(dataflows::show(setting)),
            Self::RandomVectors => one(vectors::random(setting)),
            Self::Runs => one(vectors::runs(setting)),
            Self::Blocks => one(vectors::blocks(setting)),
            Self::Tokens => one(tokens::show(setting)),
            Self::Tiles => one(tiles::show(setting)),
            Self::TilingValidation => tiling.validation(),
            Self::TilingCycles => tiling.cycles(),
            Self::TilingTailors => tiling.tailors(),
            Self::TilingDrt => tiling.drt(),
            Self::TilingReuse => tiling.reuse(),
            Self::TilingAblations => tiling.ablations(),
        }
    }
}

impl Shown {
    fn write(&self, folder: &Path) -> Outcome<()> {
        // The numbers of the other paper stand apart.
        let dash = if self.number.starts_with("d2t2") { "-" } else { "" };
        let file = |ending: &str| folder.join(format!("figure{dash}{}.{ending}", self.number));
        write(&file("csv"), self.chart.csv())?;
        self.chart.draw(&file("svg"))
    }
}

impl Figures {
    /// A table for each figure, and what is to be seen in it.
    pub(crate) fn text(&self) -> String {
        let one = |shown: &Shown| {
            let Shown { number, chart, found, here, .. } = shown;
            let verdict = if shown.holds { "holds" } else { "does not hold" };
            let (title, table) = (&chart.title, chart.table());
            format!("figure {number}: {title}\n{table}paper: {found}\nhere:  {verdict}: {here}\n\n")
        };
        self.0.iter().map(one).collect()
    }

    pub(crate) fn json(&self) -> Value {
        let one = |shown: &Shown| json!({"figure": shown.number, "found": shown.found, "holds": shown.holds, "here": shown.here, "rows": shown.chart.json()});
        self.0.iter().map(one).collect()
    }
}
