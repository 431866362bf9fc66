//! `cases`: loops in any order into results of any order, next to SciPy and under schedules of our own.

mod case;
mod check;
mod table;

use crate::peers::{self, ONE_THREAD};
use crate::report::{Compared, Report, Row};
use crate::setting::{Outcome, Setting, create_folder, output, output_with, write};
use crate::timing::{Pairs, median, shortest_printed};
use case::Case;
use clap::Args;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct CasesArguments {
    /// Only the cases whose name holds this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// How often a process runs the statement
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,
}

const METHOD: &str = "seconds of one statement, its old result's release included, on one thread, the shortest of a process, the median of the \
    processes; ratio: ours as a multiple of the peer's, the median of neighbouring processes; rows with a schedule stand next to ours without";

pub(crate) fn run(setting: &Setting, arguments: &CasesArguments) -> Outcome<Report> {
    let mut report = Report { bench: "cases", method: METHOD, rows: Vec::new(), missing: Vec::new() };
    let python = peers::python_with_scipy(setting).map_err(|missing| report.missing.push(missing)).ok();
    for case in table::CASES.iter().filter(|case| case.name.contains(&arguments.only)) {
        let bench = CaseBench::prepare(setting, case, arguments.repetitions)?;
        let rows = bench.rows(python.as_deref());
        report.rows.extend(rows.map_err(|error| format!("{}: {error}", case.name))?);
    }
    Ok(report)
}

/// A case with its files and programs.
struct CaseBench<'a> {
    case: &'a Case,
    runs: u32,
    repetitions: u32,
    folder: PathBuf,
    /// Ours without a schedule.
    plain: CaseProgram,
    /// Ours under each of the schedules.
    scheduled: Vec<CaseProgram>,
}

/// An executable, and the file that it writes its result to.
struct CaseProgram {
    path: PathBuf,
    result: PathBuf,
}

impl<'a> CaseBench<'a> {
    fn prepare(setting: &Setting, case: &'a Case, repetitions: u32) -> Outcome<Self> {
        let folder = setting.kept.join("cases").join(case.name);
        create_folder(&folder)?;
        case.write_inputs(&folder)?;
        let program = |name: String, schedule: &str| {
            let program =
                CaseProgram { path: folder.join(&name), result: folder.join(format!("{name}-result.tns")) };
            let source = folder.join(format!("{name}.ta"));
            write(&source, case.program(schedule, repetitions, &program.result))?;
            let arguments = ["build".as_ref(), source.as_os_str(), "-o".as_ref(), program.path.as_os_str()];
            // Schedules that ask for tiles look at the data.
            let files = case.files(&folder);
            let files: Vec<(&str, &str)> = files.iter().map(|(name, path)| (&name[..], &path[..])).collect();
            output_with(&setting.comet, &arguments, &files)?;
            Outcome::Ok(program)
        };
        let plain = program("plain".to_owned(), "")?;
        let schedules = case.schedules.iter().enumerate();
        let scheduled = schedules
            .map(|(number, schedule)| program(format!("scheduled-{number}"), schedule))
            .collect::<Outcome<Vec<_>>>()?;
        Ok(Self { case, runs: setting.runs, repetitions, folder, plain, scheduled })
    }

    /// One for SciPy, if it is there and has the operation, and one for each schedule.
    fn rows(&self, python: Option<&Path>) -> Outcome<Vec<Row>> {
        let mut alone = Vec::new();
        let mut scipy = Pairs::default();
        let mut scheduled = vec![Pairs::default(); self.scheduled.len()];
        let mut peer = python;
        for run in 0..self.runs {
            let first = run == 0;
            let checked = first.then(|| self.folder.join("SciPy-result.tns"));
            let plain = self.our_time(&self.plain)?;
            alone.push(plain);
            if let Some(python) = peer {
                match self.scipy_time(python, checked.as_deref())? {
                    Some(time) => scipy.push(plain, time),
                    None => peer = None,
                }
            }
            for (program, pairs) in self.scheduled.iter().zip(&mut scheduled) {
                pairs.push(self.our_time(program)?, plain);
                if first {
                    self.check(&program.result)?;
                }
            }
        }
        let case = self.case.name.to_owned();
        let mut rows = vec![match peer {
            Some(_) => compared(case, "SciPy", &scipy),
            None => Row { case, ours: median(alone), compared: Compared::Nothing, goal: None },
        }];
        let schedules = self.case.schedules.iter().zip(&scheduled);
        let row = |(schedule, pairs): (&&str, &Pairs)| {
            compared(format!("{}, {}", self.case.name, schedule.trim_end_matches(';')), "no schedule", pairs)
        };
        rows.extend(schedules.map(row));
        Ok(rows)
    }

    fn our_time(&self, program: &CaseProgram) -> Outcome<f64> {
        let mut arguments = vec!["--threads=1".to_owned(), "--print=exact".to_owned()];
        arguments.extend(self.case.inputs(&self.folder));
        shortest_printed(&output(&program.path, &arguments)?, self.repetitions)
    }

    /// Nothing where SciPy has no such operation. Its result is compared with ours if it has a place.
    fn scipy_time(&self, python: &Path, result: Option<&Path>) -> Outcome<Option<f64>> {
        let mut arguments: Vec<OsString> = vec![peers::sources().join("cases.py").into()];
        arguments.extend([self.case.name.into(), self.repetitions.to_string().into()]);
        arguments.push(result.map_or("-".into(), OsString::from));
        arguments.extend(self.case.inputs_with_extents(&self.folder).into_iter().map(OsString::from));
        let printed = output_with(python, &arguments, &ONE_THREAD)?;
        if printed.trim() == "none" {
            return Ok(None);
        }
        if let Some(result) = result {
            self.check(result)?;
        }
        shortest_printed(&printed, self.repetitions).map(Some)
    }

    fn check(&self, other: &Path) -> Outcome<()> {
        let rank = self.case.result.rank();
        check::results_agree(&self.plain.result, other, rank)
            .map_err(|error| format!("`{}` differs: {error}", other.display()))
    }
}

fn compared(case: String, peer: &str, pairs: &Pairs) -> Row {
    let compared = Compared::Peer { name: peer.to_owned(), seconds: pairs.peer(), ratio: pairs.ratio() };
    Row { case, ours: pairs.ours(), compared, goal: None }
}
