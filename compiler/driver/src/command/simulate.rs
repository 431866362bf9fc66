//! `comet sim`: a program or a dataflow graph, token by token; a Spatial application, iteration by iteration.

mod application;
mod machine;

use super::run::{Prepared, RunRequest};
use super::{first_given, output};
use crate::arguments::{CompileArguments, SimArguments, SimTarget};
use crate::dataflow::Results;
use crate::failure::{Failure, Result};
use crate::progress::ProgressLine;
use crate::session::Session;
use crate::tile::auto::Machines;
use crate::trace::TraceFile;
use crate::{dataflow, patterns, text};
use comet_backend_cpu::native::Optimization;
use comet_backend_sam::Dialect;
use comet_diag::Diagnostic;
use comet_runtime::options;
use comet_runtime::output::tell;
use comet_sam::graph::Graph;
use comet_sam::simulate::{Observe, Profiled, RunReport, Shown, SimulationOptions, page, simulate_observed};
use comet_sam::storage::{self, StoredTensor};
use rustix::process::{Signal, set_parent_process_death_signal};
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) fn simulate(arguments: &SimArguments, session: Session) -> Result<()> {
    if arguments.end_with_parent {
        // Where the system cannot do that, the run goes on to its end.
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
    }
    let trace = arguments.trace.as_ref().map(|trace| &trace.path);
    output::check(arguments.json.iter().chain(&arguments.html).chain(trace))?;
    let extension = arguments.source.extension().and_then(|extension| extension.to_str());
    if extension != Some("scala") {
        check_application_flags(arguments)?;
    }
    // A text from standard input is a program.
    let extension = if text::is_standard_input(&arguments.source) { Some("ta") } else { extension };
    match extension {
        Some("ta") if arguments.target == Some(SimTarget::Spatial) => interpreted(arguments, session),
        Some("ta") => program(arguments, session),
        Some("scala") => application::simulate(arguments),
        _ => graph(arguments),
    }
}

/// Standard output has what the program prints; what the simulator reports goes to standard error.
fn program(arguments: &SimArguments, session: Session) -> Result<()> {
    let Prepared { session, source, program } = prepared(arguments, session)?;
    let machine = machine::read(arguments)?;
    let trace = arguments.trace.as_ref().map(TraceFile::new).transpose()?;
    let settings = dataflow::SimulationSettings {
        options: machine::options(arguments, machine.as_ref()),
        costs: machine.map(|machine| machine.costs),
        folder: arguments.sam_data.clone(),
        keeps_results: arguments.html.is_some() || arguments.json.is_some() && !arguments.no_result,
        profiled: profiled(arguments),
        trace: trace.as_ref(),
    };
    let simulated = dataflow::simulate(&arguments.compile, &session, &source, &program, settings)?;
    trace.map_or(Ok(()), TraceFile::finish)?;
    options::note_unused_inputs();
    if let Some(path) = &arguments.json {
        output::write_json(path, &simulated.json(results(arguments)))?;
    }
    if let Some(path) = &arguments.html {
        match simulated.html(&title(arguments)) {
            Some(page) => output::write(path, page.as_bytes())?,
            None => tell(format_args!("note: `{}` is not written, since no graph has run", path.display())),
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
    check_graph_flags(arguments)?;
    let Prepared { session, source, program } = prepared(arguments, session)?;
    let interpreted = patterns::interpret(&arguments.compile, &session, &source, &program)?;
    options::note_unused_inputs();
    if let Some(path) = &arguments.json {
        output::write_json(path, &interpreted.json())?;
    }
    tell(format_args!("{}", interpreted.text()));
    Ok(())
}

/// What only graphs have.
fn check_graph_flags(arguments: &SimArguments) -> Result<()> {
    let of_graphs = [
        ("--sam-data", arguments.sam_data.is_some()),
        ("--phantom-coordinates", arguments.phantom_coordinates),
        ("--queue-depth", arguments.queue_depth.is_some()),
        ("--skip-depth", arguments.skip_depth.is_some()),
        ("--memory", arguments.memory.is_some()),
        ("--machine", arguments.machine.is_some()),
        ("--html", arguments.html.is_some()),
        ("--trace", arguments.trace.is_some()),
        ("--critical-path", arguments.critical_path),
        ("--no-result", arguments.no_result),
        ("--auto-factorize", arguments.compile.auto_factorize),
        ("--auto-locate", arguments.compile.auto_locate),
        ("--drop-zeros", arguments.compile.drop_zeros),
        ("--dialect", arguments.compile.dialect != Dialect::Comet),
    ];
    let Some(flag) = first_given(of_graphs) else { return Ok(()) };
    let message = format!("`{flag}` is for dataflow graphs, and `--target=spatial` has none");
    Err(Failure::hinted(message, "leave it out, or use `--target=sam`"))
}

/// Reports that a memory changes little without tiles.
fn note_memory(arguments: &SimArguments) {
    if arguments.memory.is_some() {
        tell(format_args!(
            "note: nothing is in tiles, so that operands are read once and not waited for; `tile(i: n, …)` \
             in a schedule makes tiles"
        ));
    }
}

fn graph(arguments: &SimArguments) -> Result<()> {
    check_flags(arguments)?;
    let graph = dataflow::given(&arguments.source)?;
    let folder = arguments.sam_data.as_deref().ok_or_else(no_tensors)?;
    let tensors = tensors(&graph, folder)?;
    let machine = machine::read(arguments)?;
    let mut outcome = run((&graph, &tensors), arguments, machine::options(arguments, machine.as_ref()))?;
    outcome.costs = machine.map(|machine| machine.costs.of(&graph, &outcome));
    if let Some(fault) = &outcome.unfit {
        tell(format_args!("warning: there is no result: {}", fault.message));
    }
    if let Some(path) = &arguments.json {
        match results(arguments) {
            Results::Written => output::write_json(path, &outcome)?,
            Results::LeftOut => output::write_json(path, &outcome.counts_json())?,
        }
    }
    if let Some(path) = &arguments.html {
        let picture = dataflow::picture(&graph, &outcome);
        let page = page(&title(arguments), &[Shown { outcome: &outcome, graph: &graph, picture }]);
        output::write(path, page.as_bytes())?;
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

/// What only applications have.
fn check_application_flags(arguments: &SimArguments) -> Result<()> {
    let Some(flag) = first_given(arguments.application.given()) else { return Ok(()) };
    let source = arguments.source.display();
    let error = Diagnostic::error_without_place(format!(
        "`{flag}` is for Spatial applications, and `{source}` is none"
    ));
    Err(Failure::user(error.hint("leave it out; an application is a file whose name ends in `.scala`")))
}

/// A graph has nothing that is compiled or read by the run time.
fn check_flags(arguments: &SimArguments) -> Result<()> {
    let given = arguments.runtime.given().map(|(flag, _)| (flag, true));
    let Some(flag) = first_given(given.chain(compile_flags(arguments))) else { return Ok(()) };
    let source = arguments.source.display();
    let error =
        Diagnostic::error_without_place(format!("`{flag}` is for programs, and `{source}` is a graph"));
    Err(Failure::user(error.hint(match flag {
        "--input" => "the tensors of a graph come from the folder of `--sam-data`",
        _ => "leave it out; a program is a file whose name ends in `.ta`",
    })))
}

/// What says how a program is compiled: each flag, and whether it is given.
fn compile_flags(arguments: &SimArguments) -> impl Iterator<Item = (&'static str, bool)> {
    let CompileArguments {
        optimization,
        target_cpu,
        explain,
        no_gemm,
        ordered_sums,
        no_cache,
        auto_factorize,
        auto_locate,
        drop_zeros,
        dialect,
        time_passes,
        instrument,
        reorder,
    } = &arguments.compile;
    [
        ("--schedule", arguments.schedule.is_some()),
        ("-O", *optimization != Optimization::O3),
        ("--target-cpu", target_cpu != "native"),
        ("--explain", *explain),
        ("--no-gemm", *no_gemm),
        ("--ordered-sums", *ordered_sums),
        ("--no-cache", *no_cache),
        ("--auto-factorize", *auto_factorize),
        ("--auto-locate", *auto_locate),
        ("--drop-zeros", *drop_zeros),
        ("--dialect", *dialect != Dialect::Comet),
        ("--time-passes", *time_passes),
        ("--instrument", instrument.is_some()),
        ("--reorder", reorder.is_some()),
    ]
    .into_iter()
}

fn title(arguments: &SimArguments) -> String {
    arguments.source.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn no_tensors() -> Failure {
    let error = Diagnostic::error_without_place("a graph needs its tensors, and `--sam-data` is not given");
    Failure::user(error.hint("name the folder that has them in SAM's text layout: `--sam-data DIR`"))
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
