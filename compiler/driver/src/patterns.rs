//! Programs whose statements run as Spatial applications on the interpreter; reads, loops and prints are
//! compiled.

use crate::failure::Result;
use crate::middle::{self, Checked};
use crate::native;
use comet_backend_spatial::device::{self, ApplicationRun};
use comet_backend_spatial::pieces::Piece;
use comet_spatial::capstan::Estimate;
use comet_spatial::interpret::real;
use serde_json::{Value, json};
use std::rc::Rc;

pub(crate) struct Interpreted {
    pieces: Vec<Piece>,
    /// Their runs, which may be several of one application.
    runs: Vec<ApplicationRun>,
}

pub(crate) fn interpret(checked: Checked<'_>) -> Result<Interpreted> {
    let context = checked.session.timing.step("start MLIR", middle::context);
    let (module, pieces) = middle::lower_to_applications(&context, checked)?;
    let host = native::host(checked.session, module)?;
    let pieces = Rc::new(pieces);
    let applications = Rc::clone(&pieces);
    let runs = native::run_with_device(&host, move |number, arguments| {
        device::run(&applications, number, arguments)
    });
    let pieces = Rc::into_inner(pieces).expect("the device is gone");
    Ok(Interpreted { pieces, runs })
}

impl Interpreted {
    /// Counts of all runs together; `result` is what the last one wrote. Each run is reported by itself under
    /// `applications`.
    pub(crate) fn json(&self) -> Value {
        let runs: Vec<Value> = self.runs.iter().map(|run| self.run(run)).collect();
        let result = runs.last().map_or(Value::Null, |run| run["result"].clone());
        let mut report = json!({
            "result": result,
            "dram_bytes": self.runs.iter().map(bytes).sum::<u64>(),
            "launches": self.runs.iter().map(|run| run.outcome.launches()).sum::<u64>(),
            "applications": runs,
        });
        if let Some(estimate) = self.estimate() {
            merge(&mut report, estimate.json());
        }
        report
    }

    fn run(&self, run: &ApplicationRun) -> Value {
        let entries = run.entries.iter().map(|(point, value)| {
            let coordinates = point.iter().map(|coordinate| json!(coordinate));
            coordinates.chain([real(*value)]).collect::<Value>()
        });
        let mut report = json!({
            "name": self.pieces[run.piece].name,
            "result": { "shape": run.dims, "entries": entries.collect::<Value>() },
            "dram_bytes": bytes(run),
            "launches": run.outcome.launches(),
            "rounds": run.outcome.iterations(),
        });
        if let Some(estimate) = &run.estimate {
            merge(&mut report, estimate.json());
        }
        report
    }

    /// What all runs take, one after the other.
    fn estimate(&self) -> Option<Estimate> {
        self.runs.iter().filter_map(|run| run.estimate.clone()).reduce(Estimate::then)
    }

    /// A line for each run, and one for what all of them take.
    pub(crate) fn text(&self) -> String {
        let line = |(number, run): (usize, &ApplicationRun)| {
            let (name, bytes) = (&self.pieces[run.piece].name, bytes(run));
            let (launches, rounds) = (run.outcome.launches(), run.outcome.iterations());
            format!(
                "application {number}: `{name}`, {bytes} bytes from and to DRAM, {launches} launches, {rounds} rounds"
            )
        };
        let estimate = self.estimate().map(|estimate| estimate.summary());
        let lanes = self.runs.iter().any(|run| self.pieces[run.piece].has_wide_values).then(|| {
            "lanes are of 32 bits: values of 64 take two, so that 8 run at once; `float` has 16".to_owned()
        });
        self.runs.iter().enumerate().map(line).chain(estimate).chain(lanes).collect::<Vec<_>>().join("\n")
    }
}

pub(crate) fn merge(report: &mut Value, more: Value) {
    if let (Value::Object(report), Value::Object(more)) = (report, more) {
        report.extend(more);
    }
}

fn bytes(run: &ApplicationRun) -> u64 {
    let traffic = run.outcome.traffic();
    traffic.read_bytes + traffic.written_bytes
}
