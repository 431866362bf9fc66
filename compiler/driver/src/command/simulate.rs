//! `comet sim`: a program or a dataflow graph, token by token; a Spatial application, iteration by iteration.

mod application;

use super::output;
use super::run::{Prepared, RunRequest};
use crate::arguments::{
    ApplicationArguments, CompileArguments, RuntimeArguments, SimArguments, SimTarget, flags_of,
};
use crate::dataflow::Results;
use crate::failure::{Failure, Result};
use crate::progress::ProgressLine;
use crate::session::Session;
use crate::tile::auto::Machines;
use crate::trace::TraceFile;
use crate::{dataflow, machine, patterns, text};
use comet_backend_sam::Dialect;
use comet_diag::Diagnostic;
use comet_runtime::options;
use comet_runtime::output::tell;
use comet_sam::graph::Graph;
use comet_sam::machine::DataflowMachine;
use comet_sam::simulate::{
    EmptyCoordinates, Observe, Profiled, RunReport, Shown, SimulationOptions, page, simulate_observed,
};
use comet_sam::storage::{self, StoredTensor};
use rustix::process::{Signal, set_parent_process_death_signal};
use std::collections::BTreeMap;
use std::path::{Display, Path};

pub(crate) fn simulate(arguments: &SimArguments, session: Session) -> Result<()> {
    if arguments.end_with_parent {
        // Where the system cannot do that, the run goes on to its end.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
    }
    let trace = arguments.trace.as_ref().map(|trace| &trace.to);
    output::check(arguments.json.iter().chain(&arguments.html).chain(trace))?;
    let extension = arguments.source.extension().and_then(|extension| extension.to_str());
    if extension != Some("scala")
        && let Some(flag) = session.first_given(&flags_of::<ApplicationArguments>())
    {
        let message = format!("`{flag}` is for Spatial applications, and `{}` is none", source(arguments));
        let hint = "leave it out; an application is a file whose name ends in `.scala`";
        return Err(Failure::hinted(message, hint));
    }
    // A text from standard input is a program.
    let extension = if text::is_standard_input(&arguments.source) { Some("ta") } else { extension };
    match extension {
        Some("ta") if arguments.target == Some(SimTarget::Spatial) => interpreted(arguments, session),
        Some("ta") => program(arguments, session),
        Some("scala") => application::simulate(arguments, &session),
        _ => graph(arguments, &session),
    }
}

/// Standard output has what the program prints; what the simulator reports goes to standard error.
fn program(arguments: &SimArguments, session: Session) -> Result<()> {
    let program = prepared(arguments, session)?;
    let machine = machine_of(arguments)?;
    let trace = arguments.trace.as_ref().map(TraceFile::new).transpose()?;
    let settings = dataflow::SimulationSettings {
        options: options_of(arguments, machine.as_ref()),
        costs: machine.map(|machine| machine.costs),
        folder: arguments.sam_data.clone(),
        keeps_results: arguments.html.is_some() || arguments.json.is_some() && !arguments.no_result,
        profiled: profiled(arguments),
        trace: trace.as_ref(),
    };
    let simulated = dataflow::simulate(program.checked(), settings)?;
    trace.map_or(Ok(()), TraceFile::finish)?;
    options::note_unused_inputs();
    if let Some(to) = &arguments.json {
        output::write_json(to, &simulated.json(results(arguments)))?;
    }
    if let Some(to) = &arguments.html {
        match simulated.html(&title(arguments)) {
            Some(page) => output::write(to, page.as_bytes())?,
            None => tell(format_args!("note: {to} is not written, since no graph has run")),
        }
    }
    tell(format_args!("{}", simulated.text()));
    if arguments.compile.dialect == Dialect::Comet {
        note_scanned(&simulated);
    }
    if !simulated.has_tiles() {
        note_memory(arguments);
    }
    Ok(())
}

fn prepared(arguments: &SimArguments, session: Session) -> Result<Prepared> {
    let SimArguments { source, schedule, runtime, .. } = arguments;
    let written = RunRequest { source, schedule: schedule.as_deref(), runtime };
    Prepared::new(session, &arguments.compile, written, Machines::Accelerators)
}

/// Reports dense operands that are scanned again and again where few of their coordinates are needed.
fn note_scanned(simulated: &dataflow::Simulated) {
    for tensor in simulated.scanned_whole() {
        tell(format_args!(
            "note: all of `{tensor}` is scanned for each coordinate around, and little of it is needed: \
             `locate({tensor})` in a schedule, or `--auto-locate`, looks up what is"
        ));
    }
}

/// A program whose statements are Spatial applications.
fn interpreted(arguments: &SimArguments, session: Session) -> Result<()> {
    if let Some(flag) = session.first_given(&OF_GRAPHS) {
        let message = format!("`{flag}` is for dataflow graphs, and `--target=spatial` has none");
        return Err(Failure::hinted(message, "leave it out, or use `--target=sam`"));
    }
    let interpreted = patterns::interpret(prepared(arguments, session)?.checked())?;
    options::note_unused_inputs();
    if let Some(to) = &arguments.json {
        output::write_json(to, &interpreted.json())?;
    }
    tell(format_args!("{}", interpreted.text()));
    Ok(())
}

/// What only graphs have.
const OF_GRAPHS: [&str; 14] = [
    "--sam-data",
    "--phantom-coordinates",
    "--queue-depth",
    "--skip-depth",
    "--memory",
    "--machine",
    "--html",
    "--trace",
    "--critical-path",
    "--no-result",
    "--auto-factorize",
    "--auto-locate",
    "--drop-zeros",
    "--dialect",
];

/// Reports that a memory changes little without tiles.
fn note_memory(arguments: &SimArguments) {
    if arguments.memory.is_some() {
        tell(format_args!(
            "note: nothing is in tiles, so that operands are read once and not waited for; `tile(i: n, …)` \
             in a schedule makes tiles"
        ));
    }
}

fn graph(arguments: &SimArguments, session: &Session) -> Result<()> {
    check_flags(arguments, session)?;
    let graph = dataflow::given(&arguments.source)?;
    let folder = arguments.sam_data.as_deref().ok_or_else(no_tensors)?;
    let tensors = tensors(&graph, folder)?;
    let machine = machine_of(arguments)?;
    let mut outcome = run((&graph, &tensors), arguments, options_of(arguments, machine.as_ref()))?;
    outcome.costs = machine.map(|machine| machine.costs.of(&graph, &outcome));
    if let Some(fault) = &outcome.unfit {
        tell(format_args!("warning: there is no result: {}", fault.message));
    }
    if let Some(to) = &arguments.json {
        match results(arguments) {
            Results::Written => output::write_json(to, &outcome)?,
            Results::LeftOut => output::write_json(to, &outcome.counts_json())?,
        }
    }
    if let Some(to) = &arguments.html {
        let picture = dataflow::picture(&graph, &outcome);
        let page = page(&title(arguments), &[Shown { outcome: &outcome, graph: &graph, picture }]);
        output::write(to, page.as_bytes())?;
    }
    output::print(outcome.text(&graph.tensors[0]).as_bytes())?;
    if !graph.has_tiles() {
        note_memory(arguments);
    }
    Ok(())
}

fn run(
    (graph, tensors): (&Graph, &BTreeMap<String, StoredTensor>),
    arguments: &SimArguments,
    options: SimulationOptions,
) -> Result<RunReport> {
    let mut line = ProgressLine::new(title(arguments));
    let mut watch = |progress| line.show(progress);
    let file = arguments.trace.as_ref().map(TraceFile::new).transpose()?;
    let mut trace = file.as_ref().map(|file| file.begin(&[graph])).transpose()?;
    let observe = Observe { trace: trace.as_mut().map(|trace| (trace, 0)), profiled: profiled(arguments) };
    let outcome = simulate_observed(graph, tensors, options, &mut watch, observe);
    file.map_or(Ok(()), TraceFile::finish)?;
    outcome.map_err(|fault| {
        let diagnostic = Diagnostic::error_without_place(fault.message);
        Failure::user(Diagnostic { hint: fault.hint, ..diagnostic })
    })
}

/// The page shows all that can be found out.
fn profiled(arguments: &SimArguments) -> Profiled {
    match (arguments.html.is_some(), arguments.critical_path) {
        (true, _) => Profiled::All,
        (false, true) => Profiled::Path,
        (false, false) => Profiled::Nothing,
    }
}

fn results(arguments: &SimArguments) -> Results {
    if arguments.no_result { Results::LeftOut } else { Results::Written }
}

/// A graph has nothing that is compiled or read by the run time.
fn check_flags(arguments: &SimArguments, session: &Session) -> Result<()> {
    let flags = [flags_of::<RuntimeArguments>(), compile_flags()].concat();
    let Some(flag) = session.first_given(&flags) else { return Ok(()) };
    let message = format!("`{flag}` is for programs, and `{}` is a graph", source(arguments));
    let hint = match flag {
        "--input" => "the tensors of a graph come from the folder of `--sam-data`",
        _ => "leave it out; a program is a file whose name ends in `.ta`",
    };
    Err(Failure::hinted(message, hint))
}

/// What says how a program is compiled.
fn compile_flags() -> Vec<String> {
    [vec!["--schedule".to_owned()], flags_of::<CompileArguments>()].concat()
}

fn source(arguments: &SimArguments) -> Display<'_> {
    arguments.source.display()
}

fn title(arguments: &SimArguments) -> String {
    arguments.source.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn no_tensors() -> Failure {
    let message = "a graph needs its tensors, and `--sam-data` is not given";
    Failure::hinted(message, "name the folder that has them in SAM's text layout: `--sam-data DIR`")
}

/// The operands, and the result where the graph keeps elements of it.
fn tensors(graph: &Graph, folder: &Path) -> Result<BTreeMap<String, StoredTensor>> {
    let operands = graph.tensors.iter().skip(usize::from(!graph.keeps_elements()));
    let stored = operands.map(|format| {
        let storage = storage::text::read(folder, format);
        let storage = storage.map_err(|error| Failure::plain(error.to_string()))?;
        Ok((format.name.clone(), storage))
    });
    stored.collect()
}

/// The machine that graphs run on, if `--machine` describes one.
fn machine_of(arguments: &SimArguments) -> Result<Option<DataflowMachine>> {
    const HINT: &str = "`compiler/machine/sam/README.md`, \"Machines\", has all keys with their units";
    arguments.machine.as_ref().map(|path| machine::read(path, HINT, DataflowMachine::read)).transpose()
}

/// How graphs run: as the machine has it, where no flag says otherwise.
fn options_of(arguments: &SimArguments, machine: Option<&DataflowMachine>) -> SimulationOptions {
    let empty_coordinates =
        if arguments.phantom_coordinates { EmptyCoordinates::Kept } else { EmptyCoordinates::Dropped };
    let SimArguments { queue_depth, skip_depth, memory, .. } = *arguments;
    SimulationOptions {
        queue_depth: queue_depth.or(machine.and_then(|machine| machine.queue_depth)),
        skip_depth: skip_depth.or(machine.and_then(|machine| machine.skip_depth)),
        empty_coordinates,
        memory: memory.or(machine.and_then(|machine| machine.memory)),
        timings: machine.map(|machine| machine.timings).unwrap_or_default(),
    }
}
