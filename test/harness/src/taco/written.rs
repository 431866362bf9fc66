//! What `-o` writes, against the tensor that the oracle has.

use std::collections::BTreeMap;
use std::path::Path;

use comet_oracle::{DenseTensor, Inputs, TnsForm};
use comet_syntax::ast::{Module, StmtKind};

/// A kind of file that can hold the result.
pub(super) fn ending(module: &Module, prefers_matrix: bool) -> &'static str {
    let rank = result(module).map_or(0, |(_, rank)| rank);
    if prefers_matrix && (1..=2).contains(&rank) { "mtx" } else { "tns" }
}

/// The name and the rank of the tensor that is computed: it is assigned last.
pub(super) fn result(module: &Module) -> Option<(&str, usize)> {
    let statements = module.functions.iter().flat_map(|function| &function.body);
    let mut assigned = statements.filter_map(|stmt| match &stmt.kind {
        StmtKind::Assign(assign) => Some((assign.tensor.name.as_str(), assign.indices.len())),
        _ => None,
    });
    assigned.next_back()
}

/// Compares a written file with the result of a program.
///
/// # Errors
/// The first difference.
pub(super) fn compare(module: &Module, file: &Path) -> Result<(), String> {
    let inputs = Inputs { tns: TnsForm::Frostt, ..Inputs::default() };
    let outcome = comet_oracle::run(module, &inputs).map_err(|error| error.message)?;
    let (name, _) = result(module).ok_or("nothing is computed")?;
    let expected = entries(&outcome.tensors[name]);
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let mut found = BTreeMap::new();
    let header = if text.starts_with("%%") { 2 } else { 0 };
    for line in text.lines().skip(header) {
        let (at, value) = entry(line, expected.rank)?;
        if found.insert(at, value).is_some() {
            return Err(format!("`{line}` repeats a position"));
        }
    }
    expected.compare(&found)
}

/// 1-based indices, then a value. A vector in a `.mtx` file has a column, too.
fn entry(line: &str, rank: usize) -> Result<(Vec<usize>, f64), String> {
    let strange = || format!("`{line}` is no entry");
    let fields: Vec<&str> = line.split_whitespace().collect();
    let (value, indices) = fields.split_last().ok_or_else(strange)?;
    let indices = indices.iter().take(rank).map(|index| index.parse::<usize>().ok()?.checked_sub(1));
    let at: Option<Vec<usize>> = indices.collect();
    let (at, value) = (at.ok_or_else(strange)?, value.parse().map_err(|_| strange())?);
    if at.len() == rank { Ok((at, value)) } else { Err(strange()) }
}

/// The entries that a file must have.
struct Entries {
    rank: usize,
    values: BTreeMap<Vec<usize>, f64>,
}

/// Of a dense tensor those that are not 0, of one without modes the one.
fn entries(tensor: &DenseTensor) -> Entries {
    let keeps_zeros = !tensor.is_dense() || tensor.dims.is_empty();
    let cells = tensor.cells().iter().enumerate();
    let stored = cells.filter_map(|(at, cell)| cell.map(|value| (tensor.position(at), value.to_f64())));
    let values = stored.filter(|(_, value)| keeps_zeros || *value != 0.0).collect();
    Entries { rank: tensor.dims.len(), values }
}

impl Entries {
    fn compare(&self, found: &BTreeMap<Vec<usize>, f64>) -> Result<(), String> {
        if !self.values.keys().eq(found.keys()) {
            return Err(format!("expected entries at {:?}, found {:?}", self.values.keys(), found.keys()));
        }
        for (at, expected) in &self.values {
            let value = found[at];
            let is_close = (value - expected).abs() <= 1e-9 * expected.abs();
            if value != *expected && !is_close && !(value.is_nan() && expected.is_nan()) {
                return Err(format!("expected {expected} at {at:?}, found {value}"));
            }
        }
        Ok(())
    }
}
