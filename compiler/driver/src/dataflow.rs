//! Programs whose statements run as dataflow graphs on the simulator; reads, loops and prints are compiled.

use crate::failure::{Failure, Result};
use crate::middle::{self, Checked, CompiledFunctions};
use crate::progress::ProgressLine;
use crate::trace::TraceFile;
use crate::{graphviz, native, sam_data, text};
use comet_backend_sam::device::{self, GraphRun, Manner};
use comet_backend_sam::launch::LaunchedGraph;
use comet_sam::graph::Graph;
use comet_sam::machine::Costs;
use comet_sam::simulate::{
    Observe, Picture, Profiled, ResultJson, RunJson, RunReport, Shown, SimulationOptions, page,
};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub(crate) struct Simulated {
    pieces: Vec<LaunchedGraph>,
    /// Their runs, which may be several of one graph.
    runs: Vec<GraphRun>,
}

#[derive(Debug, Default)]
pub(crate) struct SimulationSettings<'t> {
    pub(crate) options: SimulationOptions,
    /// Where each run leaves its graph and the tensors that it reads, in a folder of its own: `graph-0` and
    /// so on.
    pub(crate) folder: Option<PathBuf>,
    /// Whether the outcomes hold the results, beside the program itself, which may be as large as all else.
    pub(crate) keeps_results: bool,
    /// What runs cost on the machine, if one is described.
    pub(crate) costs: Option<Costs>,
    pub(crate) profiled: Profiled,
    pub(crate) trace: Option<&'t TraceFile<'t>>,
}

/// The time axes of so many runs are kept, which the page shows.
const MOST_SHOWN: usize = 32;

pub(crate) fn simulate(checked: Checked<'_>, settings: SimulationSettings<'_>) -> Result<Simulated> {
    let context = checked.session.timing.step("start MLIR", middle::context);
    let (module, pieces) = middle::lower_to_graphs(&context, checked, CompiledFunctions::Program)?;
    let host = native::host(checked.session, module)?;
    settings.folder.as_deref().map_or(Ok(()), sam_data::clear)?;
    let pieces = Rc::new(pieces);
    let graphs = Rc::clone(&pieces);
    let all: Vec<&Graph> = pieces.iter().map(|piece| &piece.graph).collect();
    let mut trace = settings.trace.map(|file| file.begin(&all)).transpose()?;
    let part = settings.trace.map(TraceFile::part);
    let SimulationSettings { options, folder, keeps_results, profiled, costs, .. } = settings;
    let mut runs_before = 0;
    let runs = native::run_with_device(&host, move |number, arguments| {
        let folder = folder.as_ref().map(|folder| sam_data::of_run(folder, runs_before));
        let name = graphs.get(number).map_or("?", |piece| &piece.graph.tensors[0].name);
        let mut line = ProgressLine::new(format!("graph {runs_before}: `{name}`"));
        let watch = &mut |progress| line.show(progress);
        let profiled = match profiled {
            Profiled::All if runs_before >= MOST_SHOWN => Profiled::Path,
            profiled => profiled,
        };
        let observe = Observe { trace: trace.as_mut().map(|trace| (trace, number)), profiled };
        let manner = Manner { options, folder: folder.as_deref(), watch, observe };
        let run = device::run(&graphs, number, arguments, manner);
        if let (Err(_), Some(part)) = (&run, &part) {
            // The program ends now; the failure says more than that its trace cannot be written.
            let _ = part.finish();
        }
        let mut run = run?;
        run.outcome.costs = costs.as_ref().map(|costs| costs.of(&graphs[number].graph, &run.outcome));
        let result = match keeps_results {
            true => run.outcome.result.clone(),
            false => std::mem::take(&mut run.outcome.result),
        };
        runs_before += 1;
        Ok((run, device::computed(result)))
    });
    let pieces = Rc::into_inner(pieces).expect("the device is gone");
    Ok(Simulated { pieces, runs })
}

pub(crate) fn given(path: &Path) -> Result<Graph> {
    if path.extension().is_some_and(|extension| extension == "bin") {
        return comet_sam::comal::read(&text::bytes(path)?).map_err(|error| {
            let message = format!("{}: {}", text::name(path), error.message);
            Failure::hinted(message, error.hint)
        });
    }
    let source = text::source(path)?;
    comet_sam::dot::read(source.text()).map_err(|diagnostic| Failure::in_source(vec![diagnostic], &source))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Results {
    Written,
    LeftOut,
}

impl Simulated {
    fn cycles(&self) -> u64 {
        self.runs.iter().map(|run| run.outcome.cycles).sum()
    }

    /// What a simulation of a graph reports, of all graphs together; `result` is what the last one wrote.
    /// Each run is reported by itself under `graphs`.
    pub(crate) fn json(&self, results: Results) -> SimulatedJson<'_> {
        SimulatedJson { simulated: self, results }
    }

    /// A line for each run, and what has moved in its memory.
    pub(crate) fn text(&self) -> String {
        let line = |(number, run): (usize, &GraphRun)| {
            let result = &self.pieces[run.piece].graph.tensors[0].name;
            let tokens = tokens(&run.outcome);
            let most = run.outcome.most_waiting.map(|most| format!(", at most {most} in queues at once"));
            let most = most.unwrap_or_default();
            let memory = run.outcome.memory.map(|memory| format!("{memory}\n")).unwrap_or_default();
            let costs = run.outcome.costs.as_ref().map(|costs| format!("{costs}\n")).unwrap_or_default();
            let bottleneck = run.outcome.bottleneck().map(|report| format!("{report}\n")).unwrap_or_default();
            format!(
                "graph {number}: `{result}`, {} cycles, {tokens} tokens{most}\n{bottleneck}{memory}{costs}",
                run.outcome.cycles
            )
        };
        let lines: String = self.runs.iter().enumerate().map(line).collect();
        format!("{lines}cycles: {}", self.cycles())
    }

    /// The tensors whose dense levels were scanned again and again, where few of the coordinates are needed.
    pub(crate) fn scanned_whole(&self) -> BTreeSet<&str> {
        let of = |run: &GraphRun| run.outcome.scanned_whole(&self.pieces[run.piece].graph);
        self.runs.iter().flat_map(of).collect()
    }

    pub(crate) fn has_tiles(&self) -> bool {
        self.runs.iter().any(|run| self.pieces[run.piece].graph.has_tiles())
    }

    /// A page with all runs; none where no graph has run.
    pub(crate) fn html(&self, title: &str) -> Option<String> {
        let shown = |number: usize| {
            let run = &self.runs[number];
            let graph = &self.pieces[run.piece].graph;
            let picture = match number < MOST_SHOWN {
                true => picture(graph, &run.outcome),
                false => Picture::Missing(format!("only the first {MOST_SHOWN} runs have a picture")),
            };
            Shown { outcome: &run.outcome, graph, picture }
        };
        let runs: Vec<Shown<'_>> = (0..self.runs.len()).map(shown).collect();
        (!runs.is_empty()).then(|| page(title, &runs))
    }
}

/// The runs of a program in JSON; their results are written one after the other.
pub(crate) struct SimulatedJson<'s> {
    simulated: &'s Simulated,
    results: Results,
}

impl Serialize for SimulatedJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let Simulated { pieces, runs } = self.simulated;
        let is_written = self.results == Results::Written;
        let counts = |run: &GraphRun| {
            let mut counts = run.outcome.counts_json();
            counts["graph"] = json!(run.piece);
            counts["name"] = json!(pieces[run.piece].graph.tensors[0].name);
            counts
        };
        let counts: Vec<Value> = runs.iter().map(counts).collect();
        let all = |part: &str| -> Vec<&Value> {
            counts.iter().filter_map(|run| run[part].as_array()).flatten().collect()
        };
        let results: Vec<RunResult<'_>> = runs.iter().map(RunResult).collect();
        let graphs = counts.iter().zip(&results);
        let graphs = graphs.map(|(counts, result)| RunJson { counts, result: is_written.then_some(result) });
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("blocks", &all("blocks"))?;
        map.serialize_entry("cycles", &self.simulated.cycles())?;
        map.serialize_entry("graphs", &graphs.collect::<Vec<_>>())?;
        if is_written {
            map.serialize_entry("result", &results.last())?;
        }
        map.serialize_entry("streams", &all("streams"))?;
        map.end()
    }
}

/// What a run has written, with the coordinates of the program.
struct RunResult<'s>(&'s GraphRun);

impl Serialize for RunResult<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let (shape, entries) = self.0.result();
        ResultJson { shape, entries: &entries }.serialize(serializer)
    }
}

/// What a graph has done in a run, drawn by Graphviz; a page without it is still one.
pub(crate) fn picture(graph: &Graph, outcome: &RunReport) -> Picture {
    match graphviz::svg(&comet_sam::picture::write_run(graph, outcome)) {
        Ok(svg) => Picture::Drawn(String::from_utf8_lossy(&svg).into_owned()),
        Err(failure) => Picture::Missing(failure.first_message()),
    }
}

fn tokens(outcome: &RunReport) -> u64 {
    outcome.streams.iter().map(|stream| stream.counts.total()).sum()
}
