//! A run: `comet sim` in a process of its own.

use super::counts::SimulationCounts;
use crate::failure::{Failure, Result};
use crate::own;
use crate::scratch::Scratch;
use comet_runtime::error::reason;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use wait_timeout::ChildExt as _;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, strum::Display, strum::VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub(crate) enum Status {
    Ok,
    /// The simulator refused it, or the graph has come to a deadlock.
    Failed,
    Timeout,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) status: Status,
    pub(crate) counts: SimulationCounts,
    pub(crate) seconds: f64,
    /// The first line of the message, where it is not ok.
    pub(crate) error: String,
}

/// Starts runs, also from several threads.
pub(crate) struct Runner {
    source: PathBuf,
    timeout: Option<Duration>,
    threads: usize,
    folder: Scratch,
}

impl Runner {
    pub(crate) fn new(source: &Path, timeout: Option<Duration>, threads: usize) -> Result<Self> {
        let folder = Scratch::new().map_err(|error| cannot("make a temporary folder", &error))?;
        Ok(Self { source: source.to_owned(), timeout, threads, folder })
    }

    /// Runs the simulator with these arguments; no other run has the number.
    pub(crate) fn run(&self, number: usize, arguments: &[String]) -> Result<Ran> {
        let [report, messages] =
            ["json", "err"].map(|kind| self.folder.path().join(format!("{number}.{kind}")));
        let start = Instant::now();
        let process = self.start(arguments, &report, &messages);
        let mut process = process.map_err(|error| cannot("start a run", &error))?;
        let end = self.wait(&mut process).map_err(|error| cannot("wait for a run", &error))?;
        let seconds = start.elapsed().as_secs_f64();
        let ran = |status, counts, error| Ran { status, counts, seconds, error };
        let ended = match end {
            None => ran(Status::Timeout, SimulationCounts::default(), self.too_long()),
            Some(status) => match counts(status, &report) {
                Some(counts) => ran(Status::Ok, counts, String::new()),
                None => ran(Status::Failed, SimulationCounts::default(), error(status, &messages)),
            },
        };
        // What cannot be removed goes with the folder.
        [report, messages].iter().for_each(|file| drop(fs::remove_file(file)));
        Ok(ended)
    }

    fn start(&self, arguments: &[String], report: &Path, messages: &Path) -> io::Result<Child> {
        let mut command = own::command(&own::program()?);
        command.args(["sim", "--message-format=json", "--end-with-parent"]).arg(&self.source);
        command.args(arguments).arg("--no-result").arg("--json").arg(report);
        if std::env::var_os(THREADS).is_none() {
            command.env(THREADS, self.threads.to_string());
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(messages)?).spawn()
    }

    /// `None` where it takes too long.
    fn wait(&self, process: &mut Child) -> io::Result<Option<ExitStatus>> {
        let Some(timeout) = self.timeout else { return process.wait().map(Some) };
        let ended = process.wait_timeout(timeout)?;
        if ended.is_none() {
            // One that has ended by itself meanwhile is as good.
            let _ = process.kill();
            process.wait()?;
        }
        Ok(ended)
    }

    fn too_long(&self) -> String {
        format!("took longer than {} s", self.timeout.unwrap_or_default().as_secs())
    }
}

const THREADS: &str = "COMET_NUM_THREADS";

fn counts(status: ExitStatus, report: &Path) -> Option<SimulationCounts> {
    let text = fs::read_to_string(report).ok().filter(|_| status.success())?;
    serde_json::from_str(&text).ok().map(|report: Value| SimulationCounts::of(&report))
}

/// The first line of the first error.
fn error(status: ExitStatus, messages: &Path) -> String {
    let report = fs::read_to_string(messages).unwrap_or_default();
    let objects = report.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut errors = objects.filter(|object| object["severity"] == "error");
    let message = errors.next().and_then(|object| Some(object["message"].as_str()?.to_owned()));
    let first = message.unwrap_or_else(|| format!("the simulator ended by {status}"));
    first.lines().next().unwrap_or_default().replace(char::is_control, " ")
}

fn cannot(what: &str, error: &io::Error) -> Failure {
    Failure::internal(format!("cannot {what}: {}", reason(error)))
}
