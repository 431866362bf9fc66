//! `figures`: what the figures of sam.txt show, simulated: a CSV and an SVG each, and whether it holds here.

pub(crate) mod chart;
mod dataflows;
mod fusion;
mod program;
mod tiles;
mod tokens;
mod vectors;

use crate::setting::{Outcome, Setting, create_folder, write};
use chart::Chart;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct FiguresArguments {
    /// The figures; by default all
    figures: Vec<Figure>,
    /// Where the files go; by default `target/bench/figures`
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// The figures of the paper.
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
    let mut figures = Vec::new();
    for figure in asked {
        let shown = match figure {
            Figure::Fusion => fusion::show(setting)?,
            Figure::Dataflows => dataflows::show(setting)?,
            Figure::RandomVectors => vectors::random(setting)?,
            Figure::Runs => vectors::runs(setting)?,
            Figure::Blocks => vectors::blocks(setting)?,
            Figure::Tokens => tokens::show(setting)?,
            Figure::Tiles => tiles::show(setting)?,
        };
        shown.write(&folder)?;
        figures.push(shown);
    }
    Ok(Figures(figures))
}

impl Shown {
    fn write(&self, folder: &Path) -> Outcome<()> {
        let file = |ending: &str| folder.join(format!("figure{}.{ending}", self.number));
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
