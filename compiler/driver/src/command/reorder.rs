//! `comet reorder`: permutations of the indices of a file, and what they are worth.

use super::output;
use crate::arguments::reorder::{MethodName, ReorderArguments};
use crate::failure::{Failure, Result};
use comet_format::Format;
use comet_runtime::destination::Destination;
use comet_runtime::error::reason;
use comet_runtime::options::Options;
use comet_runtime::read::read_value_type;
use comet_runtime::reorder::{Measures, Method, Permutation, Prediction, apply, measure, reorder};
use comet_runtime::replace::Replacement;
use comet_runtime::{ReadOptions, pack, read_file, write_file};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: &ReorderArguments) -> Result<()> {
    let method = method(arguments)?;
    check_output(&arguments.output)?;
    output::check([&arguments.output])?;
    let tns = Options::parse(arguments.tns.iter().map(|form| format!("--tns={form}")))?.tns;
    let value = read_value_type(&arguments.file)?;
    let mut entries = read_file(&arguments.file, &ReadOptions { tns, value, ..ReadOptions::default() })?;
    let before = measure(&entries)?;
    let permutations = reorder(&entries, method, &arguments.modes)?;
    apply(&mut entries, &permutations)?;
    let after = measure(&entries)?;
    tracing::info!(dims = ?entries.dims, entries = entries.len(), ?method, "reordered");

    // Nothing appears before all of it could be written.
    let prefix = arguments.permutations.as_deref();
    let others = prefix.map(|prefix| begin_permutations(prefix, &permutations)).transpose()?;
    // Packing sorts the entries and adds up those at equal positions.
    write_file(&pack(&entries, &Format::coo(entries.rank()).of(value))?, &arguments.output)?;
    for (path, file) in others.into_iter().flatten() {
        file.finish().map_err(|error| Failure::file("write", &path, reason(&error)))?;
    }
    output::print(report(&before, &after).as_bytes())
}

/// What is written is sparse.
fn check_output(to: &Destination) -> Result<()> {
    let Some(path) = to.file() else { return Ok(()) };
    let name = path.to_string_lossy().to_lowercase();
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    if plain.ends_with(".mtx") || plain.ends_with(".tns") {
        return Ok(());
    }
    let message = format!("`{}` names no kind of file that `comet reorder` writes", path.display());
    let hint = "end its name in `.mtx` or `.tns`, or in one of these with `.gz`";
    Err(Failure::hinted(message, hint))
}

fn method(arguments: &ReorderArguments) -> Result<Method> {
    let name = match (arguments.method, arguments.iterations) {
        (MethodName::Lexi, iterations) => {
            return Ok(Method::Lexi { iterations: iterations.unwrap_or(Method::ITERATIONS) });
        }
        (MethodName::Rcm, None) => return Ok(Method::Rcm),
        (MethodName::Degree, None) => return Ok(Method::Degree),
        (MethodName::Rcm, Some(_)) => "rcm",
        (MethodName::Degree, Some(_)) => "degree",
    };
    let message = format!("`--iterations` are those of `--method lexi`, found `--method {name}`");
    Err(Failure::hinted(message, "leave `--iterations` out"))
}

/// One file a mode, one number a line; they are not in their places yet.
fn begin_permutations(prefix: &Path, permutations: &[Permutation]) -> Result<Vec<(PathBuf, Replacement)>> {
    let mut begun = Vec::new();
    for (mode, permutation) in permutations.iter().enumerate() {
        let mut text = String::with_capacity(permutation.len() * 8);
        permutation.numbers().iter().for_each(|number| {
            let _ = writeln!(text, "{number}");
        });
        let mut path = prefix.as_os_str().to_owned();
        path.push(format!("{mode}.txt"));
        let path = PathBuf::from(path);
        let file = Replacement::new(&path).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            Ok(file)
        });
        let file = file.map_err(|error| Failure::file("write", &path, reason(&error)))?;
        begun.push((path, file));
    }
    Ok(begun)
}

fn report(before: &Measures, after: &Measures) -> String {
    let mut text = format!("{:<14} {:>12} {:>12}\n", "", "before", "after");
    let mut line = |name: &str, cells: [String; 2]| {
        let [before, after] = cells;
        let _ = writeln!(text, "{name:<14} {before:>12} {after:>12}");
    };
    let both = |show: fn(&Measures) -> String| [show(before), show(after)];
    if before.bandwidth.is_some() {
        line("bandwidth", both(|of| of.bandwidth.unwrap_or(0).to_string()));
    }
    line("mean gap", both(|of| format!("{:.2}", of.mean_gap)));
    line("far accesses", both(|of| format!("{:.2} %", of.far * 100.0)));
    line("uneven fibers", both(|of| format!("{:.2} %", of.uneven * 100.0)));
    line("cost an entry", both(|of| format!("{:.2}", of.cost)));
    line("imbalance", both(|of| format!("{:.2}", of.imbalance)));
    let _ = writeln!(text, "prediction: {}", Prediction::of(before, after));
    text
}
