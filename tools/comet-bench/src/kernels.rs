//! `kernels`: generated kernels, and the same loops in C on the same arrays.

mod case;
mod check;

use crate::data;
use crate::peers::{self, ONE_THREAD};
use crate::report::{Compared, Report, Row};
use crate::setting::{Outcome, Setting, create_folder, output, output_with, write};
use crate::timing::{Pairs, shortest};
use case::{KernelCase, Sparse};
pub(crate) use check::results_agree;
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct KernelArguments {
    /// The matrices for SpMV and SpMM; by default ship_001 and the 27-point 58³ Laplacian
    matrices: Vec<PathBuf>,
    /// How often a process runs its kernel
    #[arg(long, value_name = "N", default_value = "9", value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,
    /// Only the kernels whose name holds this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
}

const METHOD: &str = "seconds of one run on one thread, the shortest of a process, the median of the processes; \
    ratio: ours as a multiple of the C loops' in the same process, the median of the processes";
/// What the generated kernel is called beside the variants of the C loops.
const OURS: &str = "comet";

pub(crate) fn run(setting: &Setting, arguments: &KernelArguments) -> Outcome<Report> {
    let folder = setting.kept.join("kernels");
    create_folder(&folder)?;
    let mut report = Report { bench: "kernels", method: METHOD, rows: Vec::new(), missing: Vec::new() };
    let matrices = matrices(setting, arguments, &mut report.missing)?;
    if let Err(missing) = peers::clang() {
        report.missing.push(missing);
        return Ok(report);
    }
    let cases = case::all(setting, &matrices)?;
    for case in cases.iter().filter(|case| case.name.contains(&arguments.only)) {
        let bench = KernelBench::prepare(setting, case, &folder, arguments.repetitions)?;
        report.rows.extend(bench.rows()?);
    }
    Ok(report)
}

fn matrices(
    setting: &Setting,
    arguments: &KernelArguments,
    missing: &mut Vec<String>,
) -> Outcome<Vec<PathBuf>> {
    let mut matrices = arguments.matrices.clone();
    if matrices.is_empty() {
        match data::shared("ship_001.mtx.gz") {
            Ok(ship) => matrices.push(ship),
            Err(error) => missing.push(format!("{error}: measured without it")),
        }
        matrices.push(data::laplacian(setting)?);
    }
    matrices.iter().map(|path| data::with_values(setting, path)).collect()
}

/// The shortest runs in one process, in seconds.
struct Times {
    /// Of the generated kernel.
    ours: f64,
    /// Of each variant of the C loops, by name.
    theirs: Vec<(String, f64)>,
}

/// A case with its files, ready to be measured.
struct KernelBench<'a> {
    case: &'a KernelCase,
    runs: u32,
    repetitions: u32,
    /// The sizes of the labels, in the order of the case.
    sizes: Vec<usize>,
    folder: PathBuf,
    /// The C loops and the generated kernel.
    executable: PathBuf,
}

impl<'a> KernelBench<'a> {
    fn prepare(setting: &Setting, case: &'a KernelCase, folder: &Path, repetitions: u32) -> Outcome<Self> {
        let sparse = match &case.sparse {
            Some(Sparse { path, format }) => Some(data::packed(path, format.clone())?),
            None => None,
        };
        let sizes = case.sizes(sparse.as_ref().map_or(&[], |tensor| &tensor.dims));
        if let Some(tensor) = &sparse {
            data::write_arrays(tensor, folder)?;
        }
        for (number, operand) in case.dense.iter().enumerate() {
            data::write_npy(&folder.join(format!("{}.npy", number + 1)), &case.dims(operand.labels, &sizes))?;
        }
        let source = folder.join("ours.ta");
        write(&source, case.program())?;
        let build =
            ["build".as_ref(), source.as_os_str(), "--emit=shared-lib,header".as_ref(), "-o".as_ref()];
        // A folder ends in a slash.
        output(&setting.comet, &[&build[..], &[folder.join("").as_os_str()]].concat())?;
        write(&folder.join("adapter.h"), case.adapter(&sizes, sparse.as_ref()))?;
        let executable = peers::c_kernels(folder)?;
        Ok(Self { case, runs: setting.runs, repetitions, sizes, folder: folder.to_owned(), executable })
    }

    fn rows(&self) -> Outcome<Vec<Row>> {
        let mut variants: Vec<(String, Pairs)> = Vec::new();
        for run in 0..self.runs {
            let Times { ours, theirs } = self.times()?;
            if run == 0 {
                let result = |name: &str| self.folder.join(format!("{name}.out"));
                let results = theirs.iter().map(|(name, _)| result(name));
                results_agree(&result(OURS), results).map_err(|error| self.failed(&error))?;
                variants = theirs.iter().map(|(name, _)| (name.clone(), Pairs::default())).collect();
            }
            variants.iter_mut().zip(theirs).for_each(|((_, pairs), (_, seconds))| pairs.push(ours, seconds));
        }
        let row = |(name, pairs): (String, Pairs)| {
            let goal = self.case.goal.filter(|_| name != "tuned");
            let compared =
                Compared::Peer { name: format!("C {name}"), seconds: pairs.peer(), ratio: pairs.ratio() };
            Row { case: self.case.name.clone(), ours: pairs.ours(), compared, goal }
        };
        Ok(variants.into_iter().map(row).collect())
    }

    fn failed(&self, error: &str) -> String {
        format!("{}: {error}", self.case.name)
    }

    /// The shortest run of the generated kernel and of each variant of the C loops in one process.
    fn times(&self) -> Outcome<Times> {
        let elements: usize = self.case.dims(self.case.result.labels, &self.sizes).iter().product();
        let folder = self.folder.display().to_string();
        let mut arguments =
            vec![self.case.kernel.to_owned(), folder, self.repetitions.to_string(), elements.to_string()];
        arguments.extend(self.sizes.iter().map(usize::to_string));
        let printed = output_with(&self.executable, &arguments, &ONE_THREAD)?;
        let times_of = |line: &str| {
            let (name, times) = line.split_once(' ')?;
            let times = times.split(' ').map(|time| time.parse().ok()).collect::<Option<Vec<f64>>>()?;
            Some((name.to_owned(), shortest(&times)))
        };
        let mut times = printed.lines().map(times_of).collect::<Option<Vec<_>>>().unwrap_or_default();
        let ours = times.iter().position(|(name, _)| name == OURS).map(|place| times.remove(place).1);
        match ours {
            Some(ours) if !times.is_empty() => Ok(Times { ours, theirs: times }),
            _ => Err(self.failed(&format!("the C loops printed {printed:?}"))),
        }
    }
}
