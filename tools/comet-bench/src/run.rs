//! `run`: every kernel next to the fastest of its peers, with one thread and with two.

mod check;
mod contest;
pub(crate) mod inputs;
mod kernels;
mod mlir;
mod plot;
mod programs;
mod special;
pub(crate) mod sweep;
mod table;
mod taco;
mod turns;

use crate::peers;
use crate::setting::{Outcome, Setting, create_folder, write};
use clap::Args;
use contest::{Method, compete};
use inputs::{Input, KNOWN};
use kernels::{KERNELS, Kernel};
use programs::Program;
use std::path::{Path, PathBuf};
use table::{Line, Table};
use turns::{Entrant, Turn};

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Only the kernels whose name holds this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Only these inputs: names of the table, or files
    #[arg(long, value_name = "NAME|FILE,…", value_delimiter = ',', visible_alias = "matrices")]
    inputs: Vec<String>,
    #[command(flatten)]
    how: HowArguments,
    /// Another comet, which takes the place of the peers
    #[arg(long, value_name = "PATH", conflicts_with = "taco")]
    against: Option<PathBuf>,
    /// Where `run.md`, `run.json` and `run.svg` go; by default `target/bench/run`
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// How it is measured.
#[derive(Debug, Args)]
pub(crate) struct HowArguments {
    /// The numbers of threads
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,2", value_parser = clap::value_parser!(u32).range(1..))]
    threads: Vec<u32>,
    /// How often a program repeats its work in a turn, at most
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u32).range(2..))]
    repetitions: u32,
    /// After how many seconds it repeats it no more, once it is done twice
    #[arg(long, value_name = "S", default_value = "0.1")]
    seconds: f64,
    /// A TACO whose code takes part
    #[arg(long, value_name = "PATH")]
    taco: Option<PathBuf>,
}

impl RunArguments {
    fn peers(&self, setting: &Setting, folder: &Path, missing: &mut Vec<String>) -> Outcome<Vec<Program>> {
        if let Some(comet) = &self.against {
            let folder = folder.join("against");
            create_folder(&folder)?;
            return Ok(vec![programs::moved_kernels("the other comet", comet, &folder)?]);
        }
        let mut peers = present(programs::peers(setting, folder), missing);
        peers.extend(present(self.how.taco(folder), missing));
        Ok(peers)
    }

    /// The largest ratio that is wanted.
    fn goal(&self, kernel: &Kernel, input: &str, threads: u32) -> f64 {
        match self.against {
            Some(_) => NOT_SLOWER,
            None => kernel.goal(input, threads),
        }
    }
}

/// The largest ratio to another comet that is wanted.
const NOT_SLOWER: f64 = 1.05;

impl HowArguments {
    fn method<'a>(&self, setting: &Setting, folder: &'a Path) -> Method<'a> {
        let turn = Turn { repetitions: self.repetitions, seconds: self.seconds };
        Method { runs: setting.runs, turn, folder }
    }

    fn taco(&self, folder: &Path) -> Vec<Outcome<Program>> {
        self.taco.as_ref().map(|taco| taco::programs(taco, folder)).unwrap_or_default()
    }
}

pub(crate) fn run(setting: &Setting, arguments: &RunArguments) -> Outcome<Table> {
    let folder = setting.kept.join("run");
    create_folder(&folder)?;
    let mut table = Table::default();
    table.missing.extend(peers::openmp().err());
    let kernels = if arguments.against.is_some() { programs::moved_kernels } else { programs::kernels };
    let ours = kernels(programs::OURS, &setting.comet, &folder)?;
    let peers = arguments.peers(setting, &folder, &mut table.missing)?;
    let bench = Bench { setting, arguments, folder: &folder, ours: &ours, peers: &peers };
    let output = arguments.output.as_deref().unwrap_or(&folder);
    for (name, path) in chosen(setting, arguments, &mut table.missing) {
        if KERNELS.iter().any(|kernel| bench.wants(kernel)) {
            let input = Input::read(setting, &name, &path, &folder)?;
            bench.measure(&input, &mut table);
            save(&mut table, output)?;
        }
    }
    if arguments.inputs.is_empty() && arguments.against.is_none() {
        special::measure(&bench, &mut table);
    }
    save(&mut table, output)?;
    Ok(table)
}

/// Writes what is there, in the order of the kernels; after each input, so that a run that ends early has not
/// been for nothing.
fn save(table: &mut Table, folder: &Path) -> Outcome<()> {
    let place = |line: &Line| KERNELS.iter().position(|kernel| kernel.title == line.kernel);
    table.lines.sort_by_key(|line| place(line).unwrap_or(KERNELS.len()));
    table.missing.dedup();
    create_folder(folder)?;
    write(&folder.join("run.md"), table.text())?;
    write(&folder.join("run.json"), format!("{:#}\n", table.json()))?;
    plot::draw(table, &folder.join("run.svg"))
}

fn present(peers: Vec<Outcome<Program>>, missing: &mut Vec<String>) -> Vec<Program> {
    let described = |peer: Outcome<Program>| peer.map_err(|error| missing.push(error)).ok();
    peers.into_iter().filter_map(described).collect()
}

/// The names and files of the inputs that are there.
fn chosen(setting: &Setting, arguments: &RunArguments, missing: &mut Vec<String>) -> Vec<(String, PathBuf)> {
    let wanted =
        |name: &str| arguments.inputs.is_empty() || arguments.inputs.iter().any(|input| input == name);
    let mut inputs = Vec::new();
    for known in KNOWN.iter().filter(|known| wanted(known.name)) {
        match known.path(setting) {
            Ok(path) => inputs.push((known.name.to_owned(), path)),
            Err(error) => missing.push(error),
        }
    }
    let files = arguments.inputs.iter().filter(|input| KNOWN.iter().all(|known| known.name != **input));
    inputs.extend(files.map(|file| (stem(Path::new(file)), PathBuf::from(file))));
    inputs
}

/// A file's name without its endings.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// What holds for all lines.
struct Bench<'a> {
    setting: &'a Setting,
    arguments: &'a RunArguments,
    folder: &'a Path,
    ours: &'a Program,
    peers: &'a [Program],
}

impl<'a> Bench<'a> {
    fn wants(&self, kernel: &Kernel) -> bool {
        self.wants_title(kernel.title) || self.wants_title(kernel.operation)
    }

    fn wants_title(&self, title: &str) -> bool {
        title.contains(&self.arguments.only)
    }

    /// All kernels on an input.
    fn measure(&self, input: &Input, table: &mut Table) {
        let mlir = match self.arguments.against {
            Some(_) => None,
            None => mlir::program(self.folder, input).map_err(|error| table.missing.push(error)).ok(),
        };
        let peers: Vec<&Program> = self.peers.iter().chain(&mlir).collect();
        for kernel in KERNELS.iter().filter(|kernel| self.wants(kernel) && kernel.takes(input.kind)) {
            if let Some(reason) = kernel.left_out(input) {
                table.left_out.push(format!("{}, {}: {reason}", kernel.title, input.name));
                continue;
            }
            for &threads in &self.arguments.how.threads {
                match self.line(kernel, input, &peers, threads) {
                    Ok(line) => table.report(line),
                    Err(error) => table.failed.push(format!("{}, {}: {error}", kernel.title, input.name)),
                }
            }
        }
    }

    fn line(
        &self,
        kernel: &'static Kernel,
        input: &Input,
        peers: &[&Program],
        threads: u32,
    ) -> Outcome<Line> {
        let ours = entrant(self.ours, kernel, input, threads)?;
        let mut entrants = Vec::new();
        for &program in peers {
            let entrant = Entrant { program, name: program.name.to_owned(), ..ours.clone() };
            // Whoever may use several threads may also do without.
            if threads > 1 && program.is_by_hand() {
                let name = format!("{} with {}", program.name, with_threads(1));
                entrants.push(Entrant { name, threads: 1, ..entrant.clone() });
            }
            entrants.push(entrant);
        }
        let contest = compete(&ours, &entrants, self.method())?;
        let goal = self.arguments.goal(kernel, &input.name, threads);
        Ok(Line::of(kernel.title, &input.name, threads, Some(goal), contest))
    }

    fn method(&self) -> Method<'a> {
        self.arguments.how.method(self.setting, self.folder)
    }
}

/// `1 thread`, `2 threads`.
fn with_threads(count: u32) -> String {
    format!("{count} thread{}", if count == 1 { "" } else { "s" })
}

fn entrant<'a>(
    program: &'a Program,
    kernel: &'static Kernel,
    input: &Input,
    threads: u32,
) -> Outcome<Entrant<'a>> {
    let operands = kernel.operands.iter().map(|operand| input.operand(*operand)).collect::<Outcome<_>>()?;
    let (name, result) = (program.name.to_owned(), kernel.result(input));
    Ok(Entrant { name, program, operation: kernel.operation, threads, result, operands })
}
