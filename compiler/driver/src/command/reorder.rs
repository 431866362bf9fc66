//! `comet reorder`: new numbers for the indices of a file, and what they are worth.

use super::output;
use crate::arguments::reorder::{MethodName, ReorderArguments};
use crate::failure::{Failure, Result};
use comet_diag::Diagnostic;
use comet_runtime::format::Format;
use comet_runtime::options::Options;
use comet_runtime::read::read_value_type;
use comet_runtime::reorder::{Measures, Method, Permutation, Prediction, apply, measure, reorder};
use comet_runtime::{ReadOptions, pack, read_file, write_file};
use std::fmt::Write as _;
use std::path::Path;

pub(crate) fn run(arguments: &ReorderArguments) -> Result<()> {
    let method = method(arguments)?;
    check_output(&arguments.output)?;
    let tns = Options::parse(arguments.tns.iter().map(|form| format!("--tns={form}")))?.tns;
    let value = read_value_type(&arguments.file)?;
    let mut entries = read_file(&arguments.file, &ReadOptions { tns, value, ..ReadOptions::default() })?;
    let before = measure(&entries)?;
    let permutations = reorder(&entries, method, &arguments.modes)?;
    apply(&mut entries, &permutations)?;
    let after = measure(&entries)?;
    tracing::info!(dims = ?entries.dims, entries = entries.len(), ?method, "reordered");

    // Packing sorts the entries and adds up those at equal positions.
    write_file(&pack(&entries, &Format::coo(entries.rank()).of(value))?, &arguments.output)?;
    if let Some(prefix) = &arguments.permutations {
        write_permutations(prefix, &permutations)?;
    }
    output::print(report(&before, &after).as_bytes())
}

/// What is written is sparse.
fn check_output(path: &Path) -> Result<()> {
    let name = path.to_string_lossy().to_lowercase();
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    if plain.ends_with(".mtx") || plain.ends_with(".tns") {
        return Ok(());
    }
    let message = format!("`{}` names no kind of file that `comet reorder` writes", path.display());
    let hint = "end its name in `.mtx` or `.tns`, or in one of these with `.gz`";
    Err(Failure::user(Diagnostic::error_without_place(message).hint(hint)))
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
    let message = format!("`--iterations` are rounds of `--method lexi`, found `--method {name}`");
    Err(Failure::user(Diagnostic::error_without_place(message).hint("leave `--iterations` out")))
}

/// One file a mode, one number a line.
fn write_permutations(prefix: &Path, permutations: &[Permutation]) -> Result<()> {
    for (mode, permutation) in permutations.iter().enumerate() {
        let mut text = String::with_capacity(permutation.len() * 8);
        permutation.numbers().iter().for_each(|number| {
            let _ = writeln!(text, "{number}");
        });
        let mut path = prefix.as_os_str().to_owned();
        path.push(format!("{mode}.txt"));
        output::write(Path::new(&path), text.as_bytes())?;
    }
    Ok(())
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
