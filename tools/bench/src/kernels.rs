//! `kernels`: generated kernels, and the same loops in C on the same arrays.

mod case;
mod check;

use crate::data;
use crate::peers::{self, Peer};
use crate::report::{Compared, Report, Row};
use crate::rounds::{Pairs, median, shortest};
use crate::setting::{Outcome, Setting, create_folder, output, write};
use case::{Case, Sparse};
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
    ratio: ours as a multiple of the C loops', the median of neighbouring processes";
const SHIP: &str = "../shared/data/ship_001.mtx.gz";

pub(crate) fn run(setting: &Setting, arguments: &KernelArguments) -> Outcome<Report> {
    let folder = setting.kept.join("kernels");
    create_folder(&folder)?;
    let mut report = Report { bench: "kernels", method: METHOD, rows: Vec::new(), missing: Vec::new() };
    let matrices = matrices(setting, arguments, &mut report.missing)?;
    let peer = peers::c_kernels(&folder)?;
    if let Err(missing) = &peer {
        report.missing.push(missing.clone());
    }
    let cases = case::all(setting, &matrices)?;
    for case in cases.iter().filter(|case| case.name.contains(&arguments.only)) {
        let bench = KernelBench::prepare(setting, case, &folder, arguments.repetitions)?;
        report.rows.extend(bench.rows(&peer)?);
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
        let ship = Path::new(SHIP);
        if ship.exists() {
            matrices.push(ship.to_owned());
        } else {
            missing.push(format!("`{SHIP}` is not there, seen from this folder: measured without it"));
        }
        matrices.push(data::laplacian(setting)?);
    }
    matrices.iter().map(|path| data::with_values(setting, path)).collect()
}

/// A case with its files, ready to be measured.
struct KernelBench<'a> {
    case: &'a Case,
    rounds: u32,
    repetitions: u32,
    /// The sizes of the labels, in the order of the case.
    sizes: Vec<usize>,
    folder: PathBuf,
    executable: PathBuf,
}

impl<'a> KernelBench<'a> {
    fn prepare(setting: &Setting, case: &'a Case, folder: &Path, repetitions: u32) -> Outcome<Self> {
        let sizes = match &case.sparse {
            Some(Sparse { path, format }) => {
                let tensor = data::packed(path, format.clone())?;
                data::write_arrays(&tensor, folder)?;
                case.sizes(&tensor.dims)
            }
            None => case.sizes(&[]),
        };
        for (number, operand) in case.dense.iter().enumerate() {
            data::write_npy(&folder.join(format!("{}.npy", number + 1)), &case.dims(operand.labels, &sizes))?;
        }
        let (source, executable) = (folder.join("kernel.ta"), folder.join("kernel"));
        write(&source, case.program(repetitions, &folder.join("comet.npy")))?;
        output(
            &setting.comet,
            &["build".as_ref(), source.as_os_str(), "-o".as_ref(), executable.as_os_str()],
        )?;
        Ok(Self { case, rounds: setting.rounds, repetitions, sizes, folder: folder.to_owned(), executable })
    }

    fn rows(&self, peer: &Peer) -> Outcome<Vec<Row>> {
        let Ok(c_kernels) = peer else {
            let times = (0..self.rounds).map(|_| self.ours()).collect::<Outcome<Vec<_>>>()?;
            return Ok(vec![self.row(median(times), Compared::Nothing, None)]);
        };
        let mut variants: Vec<(String, Pairs)> = Vec::new();
        for round in 0..self.rounds {
            let (ours, theirs) = (self.ours()?, self.theirs(c_kernels)?);
            if round == 0 {
                let results = theirs.iter().map(|(name, _)| self.folder.join(format!("{name}.out")));
                check::results_agree(&self.folder.join("comet.npy"), results)
                    .map_err(|error| self.failed(&error))?;
                variants = theirs.iter().map(|(name, _)| (name.clone(), Pairs::default())).collect();
            }
            variants.iter_mut().zip(theirs).for_each(|((_, pairs), (_, seconds))| pairs.push(ours, seconds));
        }
        let row = |(name, pairs): (String, Pairs)| {
            let goal = self.case.goal.filter(|_| name != "tuned");
            let peer =
                Compared::Peer { name: format!("C {name}"), seconds: pairs.peer(), ratio: pairs.ratio() };
            self.row(pairs.ours(), peer, goal)
        };
        Ok(variants.into_iter().map(row).collect())
    }

    fn row(&self, ours: f64, compared: Compared, goal: Option<f64>) -> Row {
        Row { case: self.case.name.clone(), ours, compared, goal }
    }

    fn failed(&self, error: &str) -> String {
        format!("{}: {error}", self.case.name)
    }

    /// The shortest run of the generated kernel in one process.
    fn ours(&self) -> Outcome<f64> {
        let mut arguments = vec!["--threads=1".to_owned(), "--print=exact".to_owned()];
        let input = |number: usize, path: &Path| format!("--input={number}={}", path.display());
        if let Some(sparse) = &self.case.sparse {
            arguments.push(input(0, &sparse.path));
        }
        let dense = (1..=self.case.dense.len())
            .map(|number| input(number, &self.folder.join(format!("{number}.npy"))));
        arguments.extend(dense);
        let printed = output(&self.executable, &arguments)?;
        let lines = printed.lines().filter_map(|line| line.trim_end_matches(',').parse().ok());
        let times: Vec<f64> = lines.collect();
        if times.len() != self.repetitions as usize {
            return Err(self.failed(&format!("expected {} times, found {printed:?}", self.repetitions)));
        }
        Ok(shortest(&times))
    }

    /// The shortest run of each variant of the C loops in one process.
    fn theirs(&self, c_kernels: &Path) -> Outcome<Vec<(String, f64)>> {
        let elements: usize = self.case.dims(self.case.result.labels, &self.sizes).iter().product();
        let folder = self.folder.display().to_string();
        let mut arguments =
            vec![self.case.kernel.to_owned(), folder, self.repetitions.to_string(), elements.to_string()];
        arguments.extend(self.sizes.iter().map(usize::to_string));
        let printed = output(c_kernels, &arguments)?;
        let times_of = |line: &str| {
            let (name, times) = line.split_once(' ')?;
            let times = times.split(' ').map(|time| time.parse().ok()).collect::<Option<Vec<f64>>>()?;
            Some((name.to_owned(), shortest(&times)))
        };
        let times = printed.lines().map(times_of).collect::<Option<Vec<_>>>();
        times
            .filter(|times| !times.is_empty())
            .ok_or_else(|| self.failed(&format!("the C loops printed {printed:?}")))
    }
}
