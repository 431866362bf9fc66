//! `capstan`: the model of Capstan on the kernels of stardust.txt, beside that paper's Tables 6 and 7 and its
//! Figure 10, and a sweep of settings for the fewest cycles.

mod kernels;
mod operands;
mod sweep;

use crate::figures::chart::{Chart, Style};
use crate::setting::{Outcome, Setting, create_folder, output, write};
use clap::Args;
use kernels::{CapstanKernel, KERNELS};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use sweep::Best;

#[derive(Debug, Args)]
pub(crate) struct CapstanArguments {
    /// Only kernels whose name holds this
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Where the texts, the operands and the figure go; by default `target/bench/capstan`
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// All kernels.
#[derive(Debug)]
pub(crate) struct Modelled(Vec<CapstanRow>);

/// A kernel with what the model says of it.
#[derive(Debug)]
struct CapstanRow {
    kernel: &'static CapstanKernel,
    /// At the paper's number of copies, on each set of data.
    runs: Vec<(&'static str, Run)>,
    best: Best,
}

/// What the model says of a run.
#[derive(Clone, Debug)]
struct Run {
    /// PCUs, PMUs, memory controllers, shuffle networks.
    resources: [u64; 4],
    fits: bool,
    /// Cycles with ideal memory, HBM-2E, DDR4.
    cycles: [f64; 3],
    /// GB/s, and the cycles with a memory of that bandwidth.
    by_bandwidth: Vec<(f64, f64)>,
}

pub(crate) fn run(setting: &Setting, arguments: &CapstanArguments) -> Outcome<Modelled> {
    let folder = arguments.output.clone().unwrap_or_else(|| setting.kept.join("capstan"));
    create_folder(&folder)?;
    let is_asked = |kernel: &&CapstanKernel| {
        arguments.only.as_ref().is_none_or(|only| kernel.name.contains(only.as_str()))
    };
    if !KERNELS.iter().any(|kernel| is_asked(&kernel)) {
        return Err("`--only` names no kernel".to_owned());
    }
    let rows = KERNELS.iter().filter(is_asked).map(|kernel| row(setting, kernel, &folder));
    let modelled = Modelled(rows.collect::<Outcome<_>>()?);
    modelled.figure10().draw(&folder.join("figure10.svg"))?;
    Ok(modelled)
}

fn row(setting: &Setting, kernel: &'static CapstanKernel, folder: &Path) -> Outcome<CapstanRow> {
    let application = Application::write(setting, kernel, folder)?;
    let copies = kernel.paper.par;
    let mut runs = Vec::new();
    for dataset in operands::datasets(kernel.data) {
        let given = operands::write(kernel, dataset, folder)?;
        runs.push((dataset.name, application.run(&given, copies, 16)?));
    }
    let given = operands::write(kernel, &operands::datasets(kernel.data)[0], folder)?;
    let best = sweep::best(|copies, lanes| application.run(&given, copies, lanes))?;
    Ok(CapstanRow { kernel, runs, best })
}

/// The text of a kernel.
struct Application<'s> {
    setting: &'s Setting,
    kernel: &'static CapstanKernel,
    path: PathBuf,
}

impl<'s> Application<'s> {
    fn write(setting: &'s Setting, kernel: &'static CapstanKernel, folder: &Path) -> Outcome<Self> {
        let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/spatial/kernels");
        let source = programs.join(format!("{}.ta", kernel.name));
        let program = std::fs::read_to_string(&source)
            .map_err(|error| format!("cannot read `{}`: {error}", source.display()))?;
        let program = kernel.edits.iter().fold(program, |program, (from, to)| program.replace(from, to));
        let program_path = folder.join(format!("{}.ta", kernel.name));
        write(&program_path, program)?;
        let path = folder.join(format!("{}.scala", kernel.name));
        let arguments =
            ["build", &program_path.to_string_lossy(), "--emit=spatial-text", "-o", &path.to_string_lossy()];
        output(&setting.comet, &arguments)?;
        Ok(Self { setting, kernel, path })
    }

    /// Runs it with so many copies of the outermost loop, and so many lanes.
    fn run(&self, given: &[String], copies: u64, lanes: u64) -> Outcome<Run> {
        let json = self.path.with_extension("json");
        let mut arguments = vec!["sim".to_owned(), self.path.to_string_lossy().into_owned()];
        arguments.extend(given.iter().cloned());
        for (setting, value) in self.kernel.settings.into_iter().zip([copies, lanes]) {
            arguments.extend(["--parameter".to_owned(), format!("{setting}={value}")]);
        }
        arguments.push("--predict".to_owned());
        arguments.extend(["--json".to_owned(), json.to_string_lossy().into_owned()]);
        output(&self.setting.comet, &arguments)?;
        let text = std::fs::read_to_string(&json)
            .map_err(|error| format!("cannot read `{}`: {error}", json.display()))?;
        let report: Value =
            serde_json::from_str(&text).map_err(|error| format!("`{}`: {error}", json.display()))?;
        Run::of(&report).ok_or_else(|| format!("`{}` has no model of Capstan", json.display()))
    }
}

impl Run {
    fn of(report: &Value) -> Option<Self> {
        let model = &report["model"];
        let resource = |kind: &str| report["resources"][kind].as_u64();
        let with = |memory: &str| model["cycles"][memory].as_f64();
        let by_bandwidth = model["by_bandwidth"].as_array()?.iter();
        let by_bandwidth =
            by_bandwidth.map(|point| Some((point["gb_s"].as_f64()?, point["cycles"].as_f64()?)));
        Some(Self {
            resources: [resource("pcu")?, resource("pmu")?, resource("mc")?, resource("shuffle")?],
            fits: model["fits"].as_bool()?,
            cycles: [with("ideal")?, with("hbm2e")?, with("ddr4")?],
            by_bandwidth: by_bandwidth.collect::<Option<_>>()?,
        })
    }
}

impl CapstanRow {
    /// Cycles with a memory over those with HBM-2E: the geometric mean of all data.
    fn over_hbm(&self, memory: usize) -> f64 {
        mean(self.runs.iter().map(|(_, run)| run.cycles[memory] / run.cycles[1]))
    }
}

/// The geometric mean.
fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let logarithms: Vec<f64> = numbers.map(f64::ln).collect();
    (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp()
}

/// Spearman's rank correlation of numbers that differ.
fn rank_correlation(one: &[f64], other: &[f64]) -> f64 {
    let rank = |of: &[f64], value: f64| of.iter().filter(|less| **less < value).count() as f64;
    let differences = one.iter().zip(other).map(|(a, b)| (rank(one, *a) - rank(other, *b)).powi(2));
    let count = one.len() as f64;
    1.0 - 6.0 * differences.sum::<f64>() / (count * (count * count - 1.0))
}

impl Modelled {
    pub(crate) fn text(&self) -> String {
        format!("{}\n{}\n{}", self.table6(), self.table7(), self.settings())
    }

    fn table6(&self) -> String {
        let head = "Units at the paper's number of copies, ours / Table 6, of 200, 200, 80 and 16\n\n";
        let mut text = format!(
            "{head}| kernel | copies | PCU | PMU | MC | shuffle | fits |\n|---|---|---|---|---|---|---|\n"
        );
        for CapstanRow { kernel, runs, .. } in &self.0 {
            let (run, paper) = (&runs[0].1, &kernel.paper);
            let cells =
                run.resources.iter().zip(paper.resources).map(|(ours, paper)| format!("{ours} / {paper}"));
            let cells = cells.collect::<Vec<_>>().join(" | ");
            let fits = if run.fits { "yes" } else { "no" };
            let _ = writeln!(text, "| {} | {} | {cells} | {fits} |", kernel.name, paper.par);
        }
        let errors = (0..3).map(|unit| format!("{:.0} %", 100.0 * self.unit_error(unit)));
        let errors = errors.collect::<Vec<_>>().join(" | ");
        let _ = writeln!(text, "| mean error | | {errors} | | |");
        text
    }

    /// How far the units of a kind are from Table 6, as a part of what is there, on average.
    fn unit_error(&self, unit: usize) -> f64 {
        let errors = self.0.iter().map(|row| {
            let paper = row.kernel.paper.resources[unit] as f64;
            (row.runs[0].1.resources[unit] as f64 - paper).abs() / paper
        });
        errors.sum::<f64>() / self.0.len() as f64
    }

    fn table7(&self) -> String {
        let head = "Cycles over those with HBM-2E, geometric mean of the data\n\n";
        let mut text = format!(
            "{head}| kernel | ideal memory | DDR4 | Table 7 | DDR4 / Table 7 | cycles with HBM-2E |\n|---|---|---|---|---|---|\n"
        );
        for row in &self.0 {
            let cycles = row.runs.iter().map(|(name, run)| format!("{name}: {:.0}", run.cycles[1]));
            let cycles = cycles.collect::<Vec<_>>().join("; ");
            let (ideal, ddr4, paper) = (row.over_hbm(0), row.over_hbm(2), row.kernel.paper.ddr4);
            let (name, off) = (row.kernel.name, ddr4 / paper);
            let _ = writeln!(text, "| {name} | {ideal:.2} | {ddr4:.2} | {paper:.2} | {off:.2} | {cycles} |");
        }
        let [ideal, ddr4] = [0, 2].map(|memory| mean(self.0.iter().map(|row| row.over_hbm(memory))));
        let paper = mean(self.0.iter().map(|row| row.kernel.paper.ddr4));
        let off = ddr4 / paper;
        let _ = writeln!(text, "| geometric mean | {ideal:.2} | {ddr4:.2} | {paper:.2} | {off:.2} | |");
        let ours: Vec<f64> = self.0.iter().map(|row| row.over_hbm(2)).collect();
        let papers: Vec<f64> = self.0.iter().map(|row| row.kernel.paper.ddr4).collect();
        let _ =
            writeln!(text, "\nrank correlation of DDR4 and Table 7: {:.3}", rank_correlation(&ours, &papers));
        text
    }

    fn settings(&self) -> String {
        let head =
            "The fewest cycles of what fits, and the fewest cycles times the largest share of a unit\n\n";
        let mut text = format!(
            "{head}| kernel | data | fewest cycles: copies, lanes | cycles | largest share | best trade: copies, lanes | cycles | largest share |\n|---|---|---|---|---|---|---|---|\n"
        );
        for row in &self.0 {
            let _ = writeln!(text, "| {} | {} | {} |", row.kernel.name, row.runs[0].0, row.best.cells());
        }
        text
    }

    /// How much faster each kernel is with more bandwidth.
    fn figure10(&self) -> Chart {
        let bandwidths = self.0.first().map_or(&[][..], |row| &row.runs[0].1.by_bandwidth);
        let series = self.0.iter().map(|row| {
            let points = &row.runs[0].1.by_bandwidth;
            let least = points.first().map_or(1.0, |(_, cycles)| *cycles);
            (row.kernel.name.to_owned(), points.iter().map(|(_, cycles)| least / cycles).collect())
        });
        Chart {
            style: Style::Plain,
            title: "Figure 10: the impact of memory bandwidth".to_owned(),
            of: "GB/s",
            measure: "times as fast as with 20 GB/s",
            categories: bandwidths.iter().map(|(bandwidth, _)| bandwidth.to_string()).collect(),
            series: series.collect(),
            references: Vec::new(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        let rows = self.0.iter().map(|row| {
            let runs = row.runs.iter().map(|(data, run)| {
                json!({ "data": data, "resources": run.resources, "fits": run.fits, "cycles": run.cycles })
            });
            json!({
                "kernel": row.kernel.name,
                "copies": row.kernel.paper.par,
                "runs": runs.collect::<Vec<_>>(),
                "paper": { "resources": row.kernel.paper.resources, "ddr4": row.kernel.paper.ddr4 },
                "best": row.best.json(),
            })
        });
        json!({ "bench": "capstan", "kernels": rows.collect::<Vec<_>>(), "figure10": self.figure10().json() })
    }
}
