//! `comet sim` of the text of a Spatial application, which runs on the interpreter.

mod extents;
mod files;

use super::compile_flags;
use crate::arguments::{RuntimeArguments, SimArguments, SimTarget, flags_of};
use crate::command::output;
use crate::failure::{Failure, Result};
use crate::patterns::merge;
use crate::session::Session;
use crate::text;
use comet_diag::Source;
use comet_runtime::error::reason;
use comet_runtime::options;
use comet_runtime::output::tell;
use comet_spatial::app::{App, Role, Tensor};
use comet_spatial::capstan::{estimate, predict};
use comet_spatial::interpret::{Column, Inputs, Outcome, check, run};
use comet_spatial::read::read;
use comet_spatial::rules;
use comet_spatial::storage::{dims_file, entries};
use serde_json::{Value, json};
use std::path::Path;

/// Standard output has what the application prints, and the files that it writes where no folder is given for
/// them; what it took goes to standard error.
pub(super) fn simulate(arguments: &SimArguments, session: &Session) -> Result<()> {
    check_flags(arguments, session)?;
    let given = arguments.runtime.options()?;
    options::set(given.clone())?;
    let source = text::source(&arguments.source)?;
    let app = read(source.text()).map_err(|errors| Failure::in_source(errors.to_vec(), &source))?;
    let parameters = arguments.application.parameter.iter().cloned().collect();
    let broken = rules::check(&app, &parameters);
    if !broken.is_empty() {
        return Err(Failure::in_source(broken, &source));
    }
    let inputs = Inputs {
        files: files::of(&app, &source, arguments, &given)?,
        arguments: arguments.application.argument.clone(),
        parameters,
    };
    if arguments.application.predict {
        check(&app, &inputs).map_err(|fault| Failure::in_source(vec![fault], &source))?;
        let predicted = predict(&app, &inputs);
        if let Some(to) = &arguments.json {
            output::write_json(to, &predicted.json())?;
        }
        return output::print(format!("{}\n", predicted.summary()).as_bytes());
    }
    let outcome = run(&app, &inputs).map_err(|fault| Failure::in_source(vec![fault], &source))?;
    if let Some(to) = &arguments.json {
        let report = json(&app, &inputs, &outcome, &source)?;
        output::write_json(to, &report)?;
    }
    output::print(outcome.printed.as_bytes())?;
    write_files(&outcome, arguments.application.output.as_deref())?;
    tell(format_args!("{}", outcome.summary()));
    tell(format_args!("{}", estimate(&app, &outcome).summary()));
    Ok(())
}

/// Into a folder, or to standard output, each in a line.
fn write_files(outcome: &Outcome, folder: Option<&Path>) -> Result<()> {
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, reason(&error)))?;
    }
    outcome.files.iter().try_for_each(|(name, column)| match folder {
        Some(folder) => output::write(&folder.join(plain(name)?), column.text().as_bytes()),
        None => {
            let numbers: String = column.text().lines().map(|number| format!(" {number}")).collect();
            output::print(format!("{name}:{numbers}\n").as_bytes())
        }
    })
}

/// The name of a file that stays in the folder.
fn plain(name: &str) -> Result<&str> {
    match Path::new(name).file_name() {
        Some(file) if file == name => Ok(name),
        _ => {
            let error = format!("the application writes to `{name}`, which is in another folder");
            Err(Failure::hinted(error, "leave out `--output`"))
        }
    }
}

/// What the run took and wrote, and its result as a tensor where the text says which one it is.
fn json(app: &App, inputs: &Inputs, outcome: &Outcome, source: &Source) -> Result<Value> {
    let mut report = outcome.json(source);
    merge(&mut report, estimate(app, outcome).json());
    if let Some(tensor) = app.tensors.iter().find(|tensor| tensor.role != Role::Operand)
        && let Some(shape) = shape(tensor, inputs)
    {
        let entries = entries(tensor, &shape, &outcome.files)
            .map_err(|message| Failure::hinted(message, "the text writes other files"))?;
        let entries = entries.into_iter().map(|(point, value)| {
            point.into_iter().map(|coordinate| json!(coordinate)).chain([json!(value)]).collect::<Value>()
        });
        report["result"] = json!({ "shape": shape, "entries": entries.collect::<Value>() });
    }
    Ok(report)
}

fn shape(tensor: &Tensor, inputs: &Inputs) -> Option<Vec<usize>> {
    if tensor.levels.is_empty() {
        return Some(Vec::new());
    }
    match inputs.files.get(&dims_file(&tensor.name))? {
        Column::Integers(dims) => dims.iter().map(|&extent| usize::try_from(extent).ok()).collect(),
        Column::Singles(_) | Column::Doubles(_) => None,
    }
}

/// An application is neither compiled nor a graph.
fn check_flags(arguments: &SimArguments, session: &Session) -> Result<()> {
    const OF_GRAPHS: [&str; 5] = ["--sam-data", "--queue-depth", "--skip-depth", "--memory", "--html"];
    let mut flags = flags_of::<RuntimeArguments>();
    flags.retain(|flag| flag != "--input" && flag != "--tns");
    let flags = [OF_GRAPHS.map(str::to_owned).to_vec(), flags, compile_flags()].concat();
    let is_other_target = arguments.target == Some(SimTarget::Sam);
    let flag = is_other_target.then_some("--target=sam").or_else(|| session.first_given(&flags));
    let Some(flag) = flag else { return Ok(()) };
    let source = arguments.source.display();
    let error = format!("`{flag}` has no meaning for `{source}`, which is a Spatial application");
    Err(Failure::hinted(error, "leave it out"))
}
