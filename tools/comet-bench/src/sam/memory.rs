//! The memory of whole runs of `comet sim`, as the system counts it, with queues of several depths.

use crate::report::{Compared, Row};
use crate::setting::{Outcome, Setting, create_folder, write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The last is deeper than any queue becomes.
const DEPTHS: [Option<usize>; 5] = [None, Some(4), Some(64), Some(1024), Some(1 << 30)];

/// The time between two looks at a process. What it takes last is given back slower than that.
const LOOK: Duration = Duration::from_millis(2);

const PRODUCT: &str = "X[i,j] = A[i,k] * B[k,j] schedule { order(i, k, j); };";
/// Has the same operands, and a result of their size.
const COPY: &str = "Y[i,k] = A[i,k];";

/// A row for each depth: A·Aᵀ, as far as it takes more than a copy of A.
pub(super) fn rows(setting: &Setting, matrix: &Path) -> Outcome<Vec<Row>> {
    let folder = setting.kept.join("sam");
    create_folder(&folder)?;
    let program = |name: &str, statement: &str| -> Outcome<PathBuf> {
        let path = folder.join(name);
        write(&path, text(statement))?;
        Ok(path)
    };
    let (product, copy) = (program("product.ta", PRODUCT)?, program("copy.ta", COPY)?);
    let bare = Process::run(setting, &copy, matrix, None)?;
    let row = |depth: &Option<usize>| {
        let run = Process::run(setting, &product, matrix, *depth)?;
        let megabytes = (run.bytes as f64 - bare.bytes as f64) / 1e6;
        let queues = match (depth, run.most_waiting) {
            (None, _) => "unbounded queues".to_owned(),
            (Some(depth), most) => format!("queues of {depth}, {} tokens at once at most", most.unwrap_or(0)),
        };
        let case = format!("the same with comet sim, {queues}: {megabytes:.1} MB more than a copy of A");
        Ok(Row { case, ours: run.seconds, compared: Compared::Nothing, goal: None })
    };
    DEPTHS.iter().map(row).collect()
}

fn text(statement: &str) -> String {
    format!(
        "def main() {{
  IndexLabel [i] = [?];
  IndexLabel [j] = [?];
  IndexLabel [k] = [?];
  Tensor<double> A([i, k], DCSR);
  Tensor<double> B([k, j], DCSR);
  Tensor<double> X([i, j], DCSR);
  Tensor<double> Y([i, k], DCSR);
  A[i,k] = comet_read(0);
  B[k,j] = comet_read(1);
  {statement}
}}
"
    )
}

/// A run of `comet sim`.
struct Process {
    seconds: f64,
    /// Memory at its peak.
    bytes: u64,
    /// The most tokens that were in queues at once, where these are bounded.
    most_waiting: Option<u64>,
}

impl Process {
    fn run(setting: &Setting, program: &Path, matrix: &Path, depth: Option<usize>) -> Outcome<Self> {
        let failed = |reason: String| format!("`{} sim` {reason}", setting.comet.display());
        let mut command = Command::new(&setting.comet);
        command.arg("sim").arg(program);
        command.args([0, 1].map(|number| format!("--input={number}={}", matrix.display())));
        command.args(depth.map(|depth| format!("--queue-depth={depth}")));
        let start = Instant::now();
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| failed(format!("cannot be started: {error}")))?;
        let bytes = peak(&mut child)?;
        let seconds = start.elapsed().as_secs_f64();
        let output = child.wait_with_output().map_err(|error| failed(error.to_string()))?;
        if !output.status.success() {
            return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        // Standard output is what the program prints.
        let most_waiting = most_waiting(&String::from_utf8_lossy(&output.stderr));
        Ok(Self { seconds, bytes, most_waiting })
    }
}

/// The most memory that a process has had, which the system reports as long as it runs. It prints little.
fn peak(child: &mut Child) -> Outcome<u64> {
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut bytes = None;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        bytes = high_water(&text).or(bytes);
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            return bytes.ok_or_else(|| format!("`{}` reports no memory", status.display()));
        }
        std::thread::sleep(LOOK);
    }
}

/// `VmHWM:    1234 kB`.
fn high_water(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(1024 * kilobytes)
}

/// `graph 0: …, at most 1234 in queues at once`.
fn most_waiting(report: &str) -> Option<u64> {
    let (_, behind) = report.split_once("at most ")?;
    behind.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_described_in_kilobytes() {
        assert_eq!(high_water("VmPeak:\t  9 kB\nVmHWM:\t    1234 kB\nVmRSS:\t 5 kB\n"), Some(1234 * 1024));
        assert_eq!(high_water("Name:\tcomet\n"), None);
    }

    #[test]
    fn tokens_are_told_where_queues_are_bounded() {
        let report = "graph 0: `X`, 10 cycles, 40 tokens, at most 17 in queues at once\ncycles: 10\n";
        assert_eq!(most_waiting(report), Some(17));
        assert_eq!(most_waiting("graph 0: `X`, 10 cycles, 40 tokens\ncycles: 10\n"), None);
    }
}
