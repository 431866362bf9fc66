//! `random`: expressions drawn by a seed, and the same loops in C.

mod expression;
mod loops;

use crate::data;
use crate::kernels::results_agree;
use crate::peers::{self, CLANG};
use crate::report::{Compared, Report, Row};
use crate::setting::{Outcome, Setting, create_folder, output, write};
use crate::timing::{Pairs, median, shortest_printed};
use clap::Args;
use expression::{Draw, DrawnTensor, Expression};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct RandomArguments {
    /// What the expressions and their data are drawn by
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// How many expressions
    #[arg(long, value_name = "N", default_value = "10")]
    count: u32,
    /// How often a process runs its loops
    #[arg(long, value_name = "N", default_value = "9", value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,
}

impl Default for RandomArguments {
    fn default() -> Self {
        Self { seed: 1, count: 10, repetitions: 9 }
    }
}

const METHOD: &str = "seconds of one run on one thread, the shortest of a process, the median of the processes; \
    ratio: ours as a multiple of the C loops', the median of neighbouring processes";

pub(crate) fn run(setting: &Setting, arguments: &RandomArguments) -> Outcome<Report> {
    let mut report = Report { bench: "random", method: METHOD, rows: Vec::new(), missing: Vec::new() };
    let clang = peers::clang();
    report.missing.extend(clang.as_ref().err().cloned());
    for (number, expression) in drawn(arguments).iter().enumerate() {
        report.rows.push(RandomBench::prepare(setting, expression, number, arguments, &clang)?.row()?);
    }
    Ok(report)
}

/// The times of each expression and of its loops in C.
pub(crate) fn pairs(setting: &Setting, arguments: &RandomArguments) -> Outcome<Vec<Pairs>> {
    peers::clang()?;
    let pairs = |(number, expression): (usize, &Expression)| {
        let bench = RandomBench::prepare(setting, expression, number, arguments, &Ok(()))?;
        bench.pairs(bench.loops.as_deref().ok_or("there is a compiler for the loops")?)
    };
    drawn(arguments).iter().enumerate().map(pairs).collect()
}

fn drawn(arguments: &RandomArguments) -> Vec<Expression> {
    let mut draw = Draw::new(arguments.seed);
    (0..arguments.count).map(|_| Expression::drawn(&mut draw)).collect()
}

/// An expression with its files and programs.
struct RandomBench<'a> {
    expression: &'a Expression,
    runs: u32,
    repetitions: u32,
    folder: PathBuf,
    inputs: Vec<PathBuf>,
    ours: PathBuf,
    loops: Option<PathBuf>,
}

impl<'a> RandomBench<'a> {
    fn prepare(
        setting: &Setting,
        expression: &'a Expression,
        number: usize,
        arguments: &RandomArguments,
        clang: &Result<(), String>,
    ) -> Outcome<Self> {
        let folder = setting.kept.join("random").join(number.to_string());
        create_folder(&folder)?;
        let tensors = expression.operands();
        let inputs = tensors.iter().map(|tensor| input(tensor, &folder));
        let inputs = inputs.collect::<Outcome<Vec<_>>>()?;
        let (source, ours) = (folder.join("ours.ta"), folder.join("ours"));
        write(&source, expression.program(arguments.repetitions, &folder.join("ours.npy")))?;
        output(&setting.comet, &["build".as_ref(), source.as_os_str(), "-o".as_ref(), ours.as_os_str()])?;
        let loops = clang.as_ref().ok().map(|_| compiled(expression, &folder)).transpose()?;
        let (runs, repetitions) = (setting.runs, arguments.repetitions);
        Ok(Self { expression, runs, repetitions, folder, inputs, ours, loops })
    }

    fn row(&self) -> Outcome<Row> {
        let case = self.expression.text();
        let Some(loops) = &self.loops else {
            let times = (0..self.runs).map(|_| self.our_time()).collect::<Outcome<Vec<_>>>()?;
            return Ok(Row { case, ours: median(times), compared: Compared::Nothing, goal: None });
        };
        let pairs = self.pairs(loops)?;
        let compared =
            Compared::Peer { name: "C loops".to_owned(), seconds: pairs.peer(), ratio: pairs.ratio() };
        Ok(Row { case, ours: pairs.ours(), compared, goal: None })
    }

    fn pairs(&self, loops: &Path) -> Outcome<Pairs> {
        let mut pairs = Pairs::default();
        for run in 0..self.runs {
            pairs.push(self.our_time()?, self.time_of(loops)?);
            if run == 0 {
                results_agree(&self.folder.join("ours.npy"), [self.folder.join("loops.out")].into_iter())
                    .map_err(|error| format!("{}: {error}", self.expression.text()))?;
            }
        }
        Ok(pairs)
    }

    fn our_time(&self) -> Outcome<f64> {
        let mut arguments = vec!["--threads=1".to_owned(), "--print=exact".to_owned()];
        let input = |(number, path): (usize, &PathBuf)| format!("--input={number}={}", path.display());
        arguments.extend(self.inputs.iter().enumerate().map(input));
        self.shortest_of(&output(&self.ours, &arguments)?)
    }

    fn time_of(&self, loops: &Path) -> Outcome<f64> {
        let folder = self.folder.display().to_string();
        self.shortest_of(&output(loops, &[folder, self.repetitions.to_string()])?)
    }

    fn shortest_of(&self, printed: &str) -> Outcome<f64> {
        let case = self.expression.text();
        shortest_printed(printed, self.repetitions).map_err(|error| format!("{case}: {error}"))
    }
}

/// The file of an operand, which our program reads; the C loops get its arrays beside it.
fn input(tensor: &DrawnTensor, folder: &Path) -> Outcome<PathBuf> {
    let name = tensor.name;
    match &tensor.entries {
        None => {
            let path = folder.join(format!("{name}.npy"));
            data::write_npy(&path, &tensor.dims())?;
            Ok(path)
        }
        Some(entries) => {
            let path = folder.join(format!("{name}.mtx"));
            data::write_uniform(&path, &tensor.dims(), entries.count, entries.seed)?;
            data::write_arrays(&data::packed(&path, entries.storage.format())?, &folder.join(name))?;
            Ok(path)
        }
    }
}

/// The C loops of an expression as a program.
fn compiled(expression: &Expression, folder: &Path) -> Outcome<PathBuf> {
    let (source, program) = (folder.join("loops.c"), folder.join("loops"));
    write(&source, loops::program(expression))?;
    let mut support = std::ffi::OsString::from("-I");
    support.push(peers::sources());
    let flags = ["-O3", "-march=native"].map(std::ffi::OsStr::new);
    let files = [support.as_os_str(), source.as_os_str(), "-o".as_ref(), program.as_os_str()];
    output(Path::new(CLANG), &[&flags[..], &files].concat())?;
    Ok(program)
}
