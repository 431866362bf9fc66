//! `read`: a Matrix Market file of five million entries into CSR, and SciPy's `mmread` with `tocsr`.

use crate::data;
use crate::peers;
use crate::report::{Compared, Report, Row};
use crate::setting::{Outcome, Setting, output, write};
use crate::timing::{Pairs, shortest};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// The files to read; by default the 27-point 58³ Laplacian, in order and shuffled
    files: Vec<PathBuf>,
    /// How often a process reads
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..))]
    repetitions: u32,
}

const METHOD: &str = "seconds to read and pack into CSR, both with all threads of this machine; \
    ratio: ours as a multiple of SciPy's, the median of neighbouring processes";
/// "Takes no longer".
const GOAL: f64 = 1.0;

pub(crate) fn run(setting: &Setting, arguments: &ReadArguments) -> Outcome<Report> {
    let files = if arguments.files.is_empty() {
        vec![data::laplacian(setting)?, data::shuffled_laplacian(setting)?]
    } else {
        arguments.files.clone()
    };
    let reader = reader(setting, arguments.repetitions)?;
    let mut report = Report { bench: "read", method: METHOD, rows: Vec::new(), missing: Vec::new() };
    let python = match peers::python_with_scipy(setting) {
        Ok(python) => Some(python),
        Err(missing) => {
            report.missing.push(missing);
            None
        }
    };
    for file in &files {
        let times = Times::take(setting, file, &reader, python.as_deref(), arguments.repetitions)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        report.rows.push(times.row(format!("{name}, first read of a process"), |process| process[0]));
        if arguments.repetitions > 1 {
            report.rows.push(times.row(format!("{name}, best of {}", arguments.repetitions), shortest));
        }
    }
    Ok(report)
}

/// An executable that reads its input so often, and prints the seconds of each.
fn reader(setting: &Setting, repetitions: u32) -> Outcome<PathBuf> {
    let mut program =
        "def main() {\n  Tensor<double> A([i, j], CSR);\n  var start = 0.0;\n  var stop = 0.0;\n".to_owned();
    program.insert_str("def main() {\n".len(), "  IndexLabel [i] = [?];\n  IndexLabel [j] = [?];\n");
    for _ in 0..repetitions {
        program +=
            "  start = getTime();\n  A[i, j] = comet_read(0);\n  stop = getTime();\n  print(stop - start);\n";
    }
    program += "}\n";
    let (source, executable) = (setting.kept.join("read.ta"), setting.kept.join("read"));
    write(&source, program)?;
    output(&setting.comet, &["build".as_ref(), source.as_os_str(), "-o".as_ref(), executable.as_os_str()])?;
    Ok(executable)
}

/// The seconds of every repetition of every process.
struct Times {
    ours: Vec<Vec<f64>>,
    scipy: Vec<Vec<f64>>,
}

impl Times {
    fn take(
        setting: &Setting,
        file: &Path,
        reader: &Path,
        python: Option<&Path>,
        repetitions: u32,
    ) -> Outcome<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/read.py");
        let mut times = Self { ours: Vec::new(), scipy: Vec::new() };
        for _ in 0..setting.runs {
            let printed =
                output(reader, &["--print=exact".to_owned(), format!("--input=0={}", file.display())])?;
            times.ours.push(numbers(&printed, repetitions)?);
            if let Some(python) = python {
                let repetitions_text = repetitions.to_string();
                let printed =
                    output(python, &[script.as_os_str(), file.as_os_str(), repetitions_text.as_ref()])?;
                times.scipy.push(numbers(&printed, repetitions)?);
            }
        }
        Ok(times)
    }

    fn row(&self, case: String, time_of: impl Fn(&[f64]) -> f64) -> Row {
        let of = |times: &[Vec<f64>]| times.iter().map(|process| time_of(process)).collect::<Vec<_>>();
        if self.scipy.is_empty() {
            let ours = crate::timing::median(of(&self.ours));
            return Row { case, ours, compared: Compared::Nothing, goal: None };
        }
        let mut pairs = Pairs::default();
        of(&self.ours).into_iter().zip(of(&self.scipy)).for_each(|(ours, scipy)| pairs.push(ours, scipy));
        let compared =
            Compared::Peer { name: "SciPy".to_owned(), seconds: pairs.peer(), ratio: pairs.ratio() };
        Row { case, ours: pairs.ours(), compared, goal: Some(GOAL) }
    }
}

/// What a reader printed: numbers, each alone on a line or followed by a comma, between lines that name
/// them.
fn numbers(printed: &str, expected: u32) -> Outcome<Vec<f64>> {
    let numbers: Vec<f64> =
        printed.lines().filter_map(|line| line.trim_end_matches(',').trim().parse().ok()).collect();
    if numbers.len() == expected as usize {
        return Ok(numbers);
    }
    Err(format!("expected {expected} times from a reader, found {printed:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_readers_are_understood() {
        assert_eq!(numbers("data = \n0.25,\ndata = \n0.5,\n", 2), Ok(vec![0.25, 0.5]));
        assert_eq!(numbers("0.25\n0.5\n", 2), Ok(vec![0.25, 0.5]));
        assert!(numbers("0.25\n", 2).is_err());
    }
}
