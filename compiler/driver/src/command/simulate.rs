//! `comet sim`: a dataflow graph, token by token.

use super::{output, refuse};
use crate::arguments::{SimArguments, SimTarget};
use crate::failure::{Failure, Result};
use comet_diag::{Diagnostic, Source};
use comet_runtime::error::reason;
use comet_sam::graph::Graph;
use comet_sam::simulate::{Options, simulate as run};
use comet_sam::storage::{Storage, text};
use std::collections::BTreeMap;
use std::path::Path;

pub(crate) fn simulate(arguments: &SimArguments) -> Result<()> {
    refuse_what_is_not_there(arguments)?;
    let graph = read(&arguments.source)?;
    let folder = arguments.sam_data.as_deref().ok_or_else(no_tensors)?;
    let tensors = tensors(&graph, folder)?;
    let options = Options { queue_depth: arguments.queue_depth };
    let outcome = run(&graph, &tensors, options).map_err(|fault| {
        let diagnostic = Diagnostic::error_without_place(fault.message);
        Failure::user(Diagnostic { hint: fault.hint, ..diagnostic })
    })?;
    if let Some(path) = &arguments.json {
        output::write(path, format!("{:#}\n", outcome.json()).as_bytes())?;
    }
    if let Some(path) = &arguments.html {
        let title = arguments.source.file_name().unwrap_or_default().to_string_lossy();
        output::write(path, outcome.html(&title, &graph.tensors[0]).as_bytes())?;
    }
    output::print(outcome.text(&graph.tensors[0]).as_bytes())
}

fn refuse_what_is_not_there(arguments: &SimArguments) -> Result<()> {
    if arguments.target == Some(SimTarget::Spatial) {
        return Err(refuse::not_supported(
            "spatial",
            "the simulation of Spatial programs",
            "use `--target=sam`",
        ));
    }
    let name = arguments.source.to_string_lossy();
    if name.ends_with(".ta") {
        let hint = "give a graph, `GRAPH.gv`, and its tensors, `--sam-data DIR`";
        return Err(refuse::not_supported(&name, "the simulation of programs", hint));
    }
    match arguments.input.first() {
        Some(input) => {
            let hint = "the tensors of a graph come from the folder of `--sam-data`";
            Err(refuse::not_supported(input, "inputs of a graph", hint))
        }
        None => Ok(()),
    }
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

/// The operands; the result is what the graph writes.
fn tensors(graph: &Graph, folder: &Path) -> Result<BTreeMap<String, Storage>> {
    let operands = graph.tensors.iter().skip(1);
    let stored = operands.map(|format| {
        let storage = text::read(folder, format);
        let storage =
            storage.map_err(|error| Failure::user(Diagnostic::error_without_place(error.to_string())))?;
        Ok((format.name.clone(), storage))
    });
    stored.collect()
}
