//! `sweep`: SpMV and SpMM of the matrices of a folder, TTV and TTM of its tensors, as figures 7, 8 and 10 of
//! comet.txt have them: next to a baseline, and after reordering.

mod findings;
mod pictures;

use super::contest::{Contest, Method, compete_with};
use super::inputs::Input;
use super::kernels::kernel;
use super::programs::{self, Program};
use super::turns::Entrant;
use super::{HowArguments, entrant, present, stem};
use crate::setting::{Outcome, Setting, create_folder, write};
use crate::timing::median;
use clap::Args;
use comet_runtime::reorder::{Method as Order, Modes, apply, reorder};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct SweepArguments {
    /// A folder with `.mtx` and `.tns` files, also compressed with gzip
    #[arg(value_name = "DIR")]
    inputs: PathBuf,
    #[command(flatten)]
    how: HowArguments,
    /// Where the CSV and the pictures go; by default `target/bench/sweep`
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// A kernel of the figures, and how many modes its inputs have.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Swept {
    name: &'static str,
    operation: &'static str,
    rank: usize,
}

const SWEPT: [Swept; 4] = [
    Swept { name: "SpMV", operation: "spmv", rank: 2 },
    Swept { name: "SpMM", operation: "spmm32", rank: 2 },
    Swept { name: "TTV", operation: "ttv_sparse", rank: 3 },
    Swept { name: "TTM", operation: "ttm_sparse", rank: 3 },
];

impl Swept {
    /// TACO does not run sparse results in parallel, so that the paper compares those of tensors with one
    /// thread.
    fn baseline_threads(self, threads: u32) -> u32 {
        if self.rank == 3 { 1 } else { threads }
    }
}

/// A kernel on an input, in seconds.
#[derive(Clone, Debug)]
struct Point {
    kernel: Swept,
    threads: u32,
    input: String,
    entries: usize,
    ours: f64,
    baseline: f64,
    reordered: f64,
}

impl Point {
    /// How many times as fast as the baseline.
    fn speedup(&self) -> f64 {
        self.baseline / self.ours
    }

    /// How many times as fast after reordering.
    fn gain(&self) -> f64 {
        self.ours / self.reordered
    }
}

/// All points, the inputs with fewer entries first.
#[derive(Debug)]
pub(crate) struct Sweep {
    points: Vec<Point>,
    baseline: &'static str,
    /// The files that are left out, and why.
    skipped: Vec<String>,
}

pub(crate) fn run(setting: &Setting, arguments: &SweepArguments) -> Outcome<Sweep> {
    let folder = setting.kept.join("sweep");
    create_folder(&folder)?;
    let programs = if arguments.how.taco.is_some() {
        arguments.how.taco(&folder)
    } else {
        programs::loops(&folder).into_iter().filter(is_plain).collect()
    };
    let mut skipped = Vec::new();
    let baseline = present(programs, &mut skipped);
    let bench = SweepBench {
        method: arguments.how.method(setting, &folder),
        threads: &arguments.how.threads,
        ours: &programs::kernels(programs::OURS, &setting.comet, &folder)?,
        baseline: &baseline,
    };
    let mut points = Vec::new();
    for path in files(&arguments.inputs)? {
        match bench.points(setting, &path) {
            Ok(found) => points.extend(found),
            Err(error) => {
                eprintln!("skipped {}: {error}", path.display());
                skipped.push(format!("{}: {error}", path.display()));
            }
        }
    }
    points.sort_by_key(|point: &Point| point.entries);
    let name = baseline.first().map_or("nothing", |program| program.name);
    let sweep = Sweep { points, baseline: name, skipped };
    let output = arguments.output.as_deref().unwrap_or(&folder);
    create_folder(output)?;
    write(&output.join("sweep.csv"), sweep.csv())?;
    pictures::draw(&sweep, output)?;
    Ok(sweep)
}

fn is_plain(program: &Outcome<Program>) -> bool {
    program.as_ref().map_or(true, |program| program.name == "C")
}

/// The matrices and tensors of a folder, by name.
fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let failed = |error: std::io::Error| format!("cannot read the folder `{}`: {error}", folder.display());
    let entries =
        std::fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    let is_input = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        [".mtx", ".tns"].iter().any(|ending| name.trim_end_matches(".gz").ends_with(ending))
    };
    let mut files: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).filter(is_input).collect();
    files.sort();
    Ok(files)
}

/// What holds for all points.
struct SweepBench<'a> {
    method: Method<'a>,
    threads: &'a [u32],
    ours: &'a Program,
    baseline: &'a [Program],
}

impl SweepBench<'_> {
    /// All kernels on a file, with all numbers of threads.
    fn points(&self, setting: &Setting, path: &Path) -> Outcome<Vec<Point>> {
        let folder = self.method.folder;
        let input = Input::read(setting, &stem(path), path, folder)?;
        let kernels = SWEPT.iter().filter(|kernel| kernel.rank == input.entries.rank());
        let cases = kernels.flat_map(|kernel| self.threads.iter().map(|threads| (*kernel, *threads)));
        let cases: Vec<(Swept, u32)> = cases.collect();
        let mut reordered = input.entries.clone();
        let order = Order::Lexi { iterations: Order::ITERATIONS };
        reorder(&reordered, order, &Modes::All)
            .and_then(|permutations| apply(&mut reordered, &permutations))
            .map_err(|error| error.to_string())?;
        let reordered = Input::of(&format!("{}-reordered", input.name), reordered, folder)?;
        cases.into_iter().map(|(kernel, threads)| self.point(kernel, threads, &input, &reordered)).collect()
    }

    fn point(&self, swept: Swept, threads: u32, input: &Input, reordered: &Input) -> Outcome<Point> {
        const REORDERED: &str = "comet, reordered";
        let ours = entrant(self.ours, kernel(swept.operation), input, threads)?;
        let baseline = |program| Entrant {
            name: program_name(program),
            program,
            threads: swept.baseline_threads(threads),
            ..ours.clone()
        };
        let baselines: Vec<Entrant> = self.baseline.iter().map(baseline).collect();
        let mut after = entrant(self.ours, kernel(swept.operation), reordered, threads)?;
        after.name = REORDERED.to_owned();
        let contest = compete_with(&ours, &baselines, &[after], self.method)?;
        let seconds = |is_it: &dyn Fn(&str) -> bool| time_of(&contest, is_it);
        let point = Point {
            kernel: swept,
            threads,
            input: input.name.clone(),
            entries: input.entries.len(),
            baseline: seconds(&|name| name != REORDERED).ok_or("there is no baseline")?,
            reordered: seconds(&|name| name == REORDERED).ok_or("comet has every operation")?,
            ours: median(contest.ours),
        };
        eprintln!("{}", point.csv());
        Ok(point)
    }
}

fn program_name(program: &Program) -> String {
    program.name.to_owned()
}

fn time_of(contest: &Contest, is_it: &dyn Fn(&str) -> bool) -> Option<f64> {
    contest.peers.iter().find(|peer| is_it(&peer.name)).map(|peer| peer.pairs.peer())
}

impl Point {
    fn csv(&self) -> String {
        let Self { kernel, threads, input, entries, ours, baseline, reordered } = self;
        let (name, speedup, gain) = (kernel.name, self.speedup(), self.gain());
        format!(
            "{name},{threads},{input},{entries},{ours:.9},{baseline:.9},{reordered:.9},{speedup:.3},{gain:.3}"
        )
    }
}

impl Sweep {
    /// A line for each point.
    fn csv(&self) -> String {
        let mut text =
            "kernel,threads,input,entries,comet,baseline,reordered,speedup,speedup of reordering\n"
                .to_owned();
        for point in &self.points {
            let _ = writeln!(text, "{}", point.csv());
        }
        text
    }

    /// The points of each kernel with each number of threads, in the order of the kernels.
    fn groups(&self) -> Vec<(Swept, u32, Vec<&Point>)> {
        let mut threads: Vec<u32> = self.points.iter().map(|point| point.threads).collect();
        threads.sort_unstable();
        threads.dedup();
        let cases = SWEPT.iter().flat_map(|kernel| threads.iter().map(|threads| (*kernel, *threads)));
        let group = |(kernel, threads)| {
            let belongs = |point: &&Point| point.kernel == kernel && point.threads == threads;
            (kernel, threads, self.points.iter().filter(belongs).collect::<Vec<_>>())
        };
        cases.map(group).filter(|(.., points)| !points.is_empty()).collect()
    }
}
