//! `comet sim`: a program or a dataflow graph, token by token.

use super::run::telling;
use super::{output, refuse};
use crate::arguments::{SimArguments, SimTarget};
use crate::failure::{Failure, Result};
use crate::session::Session;
use crate::{dataflow, front};
use comet_diag::{Diagnostic, Source};
use comet_runtime::error::reason;
use comet_runtime::options;
use comet_runtime::output::tell;
use comet_sam::graph::Graph;
use comet_sam::simulate::{Options, simulate as run};
use comet_sam::storage::{Storage, text};
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) fn simulate(arguments: &SimArguments, session: Session) -> Result<()> {
    if arguments.target == Some(SimTarget::Spatial) {
        return Err(refuse::not_supported(
            "spatial",
            "the simulation of Spatial programs",
            "use `--target=sam`",
        ));
    }
    match arguments.source.extension().is_some_and(|extension| extension == "ta") {
        true => program(arguments, session),
        false => graph(arguments),
    }
}

/// Standard output has what the program prints; what the simulator tells goes to standard error.
fn program(arguments: &SimArguments, session: Session) -> Result<()> {
    options::set(runtime_options(arguments)?)?;
    let session = telling(&arguments.compile, session);
    let source = front::read_program(&arguments.source, arguments.schedule.as_deref())?;
    let program = front::check(&session, &source)?;
    let settings =
        dataflow::Settings { options: simulator_options(arguments), folder: arguments.sam_data.clone() };
    let simulated = dataflow::simulate(&arguments.compile, &session, &source, &program, settings)?;
    options::note_unused_inputs();
    if let Some(path) = &arguments.json {
        output::write(path, format!("{:#}\n", simulated.json()).as_bytes())?;
    }
    if let Some((path, page)) = arguments.html.as_ref().zip(simulated.html(&title(arguments))) {
        output::write(path, page.as_bytes())?;
    }
    tell(format_args!("{}", simulated.text()));
    Ok(())
}

fn graph(arguments: &SimArguments) -> Result<()> {
    if let Some(input) = arguments.input.first() {
        let hint = "the tensors of a graph come from the folder of `--sam-data`";
        return Err(refuse::not_supported(input, "inputs of a graph", hint));
    }
    let graph = read(&arguments.source)?;
    let folder = arguments.sam_data.as_deref().ok_or_else(no_tensors)?;
    let tensors = tensors(&graph, folder)?;
    let outcome = run(&graph, &tensors, simulator_options(arguments)).map_err(|fault| {
        let diagnostic = Diagnostic::error_without_place(fault.message);
        Failure::user(Diagnostic { hint: fault.hint, ..diagnostic })
    })?;
    if let Some(path) = &arguments.json {
        output::write(path, format!("{:#}\n", outcome.json()).as_bytes())?;
    }
    if let Some(path) = &arguments.html {
        output::write(path, outcome.html(&title(arguments), &graph.tensors[0]).as_bytes())?;
    }
    output::print(outcome.text(&graph.tensors[0]).as_bytes())
}

fn simulator_options(arguments: &SimArguments) -> Options {
    Options { queue_depth: arguments.queue_depth, ..Options::default() }
}

/// The flags as the runtime reads them of an executable's command line.
fn runtime_options(arguments: &SimArguments) -> Result<options::Options> {
    let inputs = arguments.input.iter().map(|input| format!("--input={input}"));
    let print = arguments.print.iter().map(|style| format!("--print={style}"));
    let tns = arguments.tns.iter().map(|form| format!("--tns={form}"));
    let threads = arguments.threads.iter().map(|number| format!("--threads={number}"));
    Ok(options::Options::parse(inputs.chain(print).chain(tns).chain(threads))?)
}

fn title(arguments: &SimArguments) -> String {
    arguments.source.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn no_tensors() -> Failure {
    let error = Diagnostic::error_without_place("a graph needs its tensors, and `--sam-data` is not given");
    Failure::user(error.hint("name the folder that has them in SAM's text layout: `--sam-data DIR`"))
}

fn read(path: &Path) -> Result<Graph> {
    let content =
        std::fs::read_to_string(path).map_err(|error| Failure::file("read", path, reason(&error)))?;
    comet_sam::dot::read(&content).map_err(|diagnostic| {
        let source = Source::new(path.display().to_string(), content.as_str());
        Failure::in_source(vec![diagnostic], &source)
    })
}

/// The operands, and the result where the graph keeps elements of it.
fn tensors(graph: &Graph, folder: &Path) -> Result<BTreeMap<String, Storage>> {
    let operands = graph.tensors.iter().skip(usize::from(!graph.keeps_elements()));
    let stored = operands.map(|format| {
        let storage = text::read(folder, format);
        let storage =
            storage.map_err(|error| Failure::user(Diagnostic::error_without_place(error.to_string())))?;
        Ok((format.name.clone(), storage))
    });
    stored.collect()
}
