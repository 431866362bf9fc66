//! The files that an application loads: arrays of the tensors that are given, and those in its folder.

use super::extents;
use crate::arguments::SimArguments;
use crate::failure::{Failure, Result};
use comet_backend_spatial::device::add_arrays;
use comet_diag::{Diagnostic, Source};
use comet_format::{Format, ValueType};
use comet_runtime::error::reason;
use comet_runtime::options::{InputFlag, Options};
use comet_runtime::read::{FileExtents, read_extents};
use comet_runtime::{ReadOptions, pack, read_file};
use comet_spatial::app::{self, App, Host, HostKind, Scalar, Tensor};
use comet_spatial::interpret::Column;
use comet_spatial::storage::dims_file;
use std::collections::BTreeMap;
use std::path::Path;

type Files = BTreeMap<String, Column>;

/// All files that the host loads, as far as they are there.
pub(super) fn of(app: &App, source: &Source, arguments: &SimArguments, given: &Options) -> Result<Files> {
    let mut files = Files::new();
    let extents = all_extents(app, arguments, given)?;
    for (name, extents) in &extents {
        files.insert(dims_file(name), Column::Integers(extents.dims.clone()));
    }
    for input in &given.inputs {
        give(&mut files, app, input, given, extents.get(&input.key))?;
    }
    let folder = arguments.source.parent().unwrap_or(Path::new(""));
    // A missing file of an operand is reported before the extents of a result, which may follow from it.
    let is_of_result = |name: &str| of_file(app, name).is_some_and(|tensor| tensor.role == app::Role::Result);
    let (of_results, others): (Vec<_>, Vec<_>) = loads(app).partition(|(name, _)| is_of_result(name));
    for (name, load) in others.into_iter().chain(of_results) {
        if !files.contains_key(name) {
            let column = read_column(&folder.join(name), name, app, load, source)?;
            files.insert(name.to_owned(), column);
        }
    }
    Ok(files)
}

/// The extents that are said, those of files, and those that follow.
fn all_extents(
    app: &App,
    arguments: &SimArguments,
    given: &Options,
) -> Result<BTreeMap<String, FileExtents>> {
    let mut extents = BTreeMap::new();
    for (name, said) in &arguments.application.extents {
        let tensor = tensor_of(app, name)?;
        let (rank, found) = (tensor.rank(), said.len());
        if rank != found {
            let error = format!("`{name}` has {rank} modes, and `--extents` says {found} extents of it");
            return Err(Failure::plain(error));
        }
        extents.insert(name.clone(), FileExtents { dims: said.clone(), at_least: false });
    }
    for input in given.inputs.iter().filter(|input| !loads(app).any(|(name, _)| name == input.key)) {
        let tensor = tensor_of(app, &input.key)?;
        let of_file = read_extents(&input.path, tensor.rank(), given.tns)?;
        if let Some(said) = extents.get(&input.key) {
            let holds = |(file, said): (&i64, &i64)| file == said || of_file.at_least && file < said;
            if !of_file.dims.iter().zip(&said.dims).all(holds) {
                let error = format!(
                    "`--extents` says {:?} of `{}`, whose file has {:?}",
                    said.dims, input.key, of_file.dims
                );
                return Err(Failure::hinted(error, "leave it out"));
            }
        } else {
            extents.insert(input.key.clone(), of_file);
        }
    }
    extents::settle(app, &mut extents)?;
    Ok(extents)
}

fn loads(app: &App) -> impl Iterator<Item = (&str, &Host)> {
    app.before.iter().filter_map(|statement| match &statement.kind {
        HostKind::LoadCsv { file, .. } => Some((file.as_str(), statement)),
        _ => None,
    })
}

/// A tensor of the header comments, or a file that is loaded.
fn give(
    files: &mut Files,
    app: &App,
    input: &InputFlag,
    given: &Options,
    extents: Option<&FileExtents>,
) -> Result<()> {
    if loads(app).any(|(name, _)| name == input.key) {
        let text = std::fs::read_to_string(&input.path)
            .map_err(|error| Failure::file("read", &input.path, reason(&error)))?;
        files.insert(input.key.clone(), parse(&input.path, &text)?);
        return Ok(());
    }
    let tensor = tensor_of(app, &input.key)?;
    if tensor.role == app::Role::Result {
        let error = format!("`{}` is what the application computes", tensor.name);
        let read = app.tensors.iter().filter(|tensor| tensor.role != app::Role::Result);
        let read: Vec<_> = read.map(|tensor| tensor.name.clone()).collect();
        let hint =
            format!("it reads {}; `--extents {}=N,…` says how large that is", read.join(", "), tensor.name);
        return Err(Failure::hinted(error, hint));
    }
    let value = value_type(tensor)?;
    let options = ReadOptions { rank: Some(tensor.rank()), value, tns: given.tns, ..ReadOptions::default() };
    let format = format_of(tensor)?;
    let mut entries = read_file(&input.path, &options)?;
    if let Some(extents) = extents {
        entries.dims.clone_from(&extents.dims);
    }
    let stored = pack(&entries, &format.of(value))?;
    add_arrays(files, &tensor.name, &stored);
    Ok(())
}

fn format_of(tensor: &Tensor) -> Result<Format> {
    Format::from_map(tensor.rank(), tensor.levels.clone())
        .map_err(|error| Failure::plain(format!("the levels of `{}`: {error}", tensor.name)))
}

fn tensor_of<'a>(app: &'a App, name: &str) -> Result<&'a Tensor> {
    app.tensors.iter().find(|tensor| tensor.name == name).ok_or_else(|| {
        let tensors = app.tensors.iter().map(|tensor| tensor.name.clone());
        let names: Vec<_> = tensors.chain(loads(app).map(|(name, _)| name.to_owned())).collect();
        let all = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        Failure::hinted(format!("the application reads no `{name}`"), format!("it reads {all}"))
    })
}

fn value_type(tensor: &Tensor) -> Result<ValueType> {
    match tensor.element {
        Scalar::Double => Ok(ValueType::F64),
        Scalar::Float => Ok(ValueType::F32),
        Scalar::Int | Scalar::Long | Scalar::U32 => Ok(ValueType::I64),
        Scalar::Bit => {
            let (name, element) = (&tensor.name, tensor.element.word());
            let error = format!("`{name}` has elements of type `{element}`, which no file of a tensor has");
            Err(Failure::plain(error))
        }
    }
}

/// A file in the folder of the text.
fn read_column(path: &Path, name: &str, app: &App, load: &Host, source: &Source) -> Result<Column> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let error = format!("cannot read `{}`: {}", path.display(), reason(&error));
        let diagnostic = Diagnostic::error(load.span, error).hint(way_out(name, app));
        Failure::in_source(vec![diagnostic], source)
    })?;
    parse(path, &text)
}

/// The tensor that a file is of: `A` of `A_vals.csv` and `A2_pos.csv`.
fn of_file<'a>(app: &'a App, name: &str) -> Option<&'a Tensor> {
    let is_own = |tensor: &&Tensor| {
        let rest = name.strip_prefix(&tensor.name).unwrap_or_default();
        let rest = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
        ["_dims.csv", "_pos.csv", "_crd.csv", "_vals.csv"].contains(&rest)
    };
    // `A_2` comes before `A`, whose levels have numbers, too.
    app.tensors.iter().filter(is_own).max_by_key(|tensor| tensor.name.len())
}

/// How a file that is not there can be given.
fn way_out(name: &str, app: &App) -> String {
    match of_file(app, name) {
        None => format!("put it there, or give another: `--input {name}=PATH`"),
        Some(tensor) if tensor.role == app::Role::Result => {
            let extents = vec!["N"; tensor.rank()].join(",");
            format!("say how large the result is: `--extents {}={extents}`", tensor.name)
        }
        Some(tensor) => format!("name a file of the tensor: `--input {}=PATH`", tensor.name),
    }
}

fn parse(path: &Path, text: &str) -> Result<Column> {
    Column::read(text).map_err(|message| Failure::plain(format!("`{}`: {message}", path.display())))
}
