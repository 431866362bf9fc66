//! The extents of an application's tensors: its first comments have its statements, and an index has as many
//! values in all tensors.

use crate::failure::{Failure, Result};
use comet_runtime::read::FileExtents;
use comet_spatial::app::App;
use std::collections::BTreeMap;

/// How many values an index has, and which tensor says so.
struct KnownExtents {
    extent: i64,
    at_least: bool,
    tensor: String,
}

/// Sets the extents that follow from others for the tensors that lack them, and to those whose files only
/// show the largest indices.
///
/// # Errors
/// Extents of an index that differ, or a number of them that is not the tensor's.
pub(super) fn settle(app: &App, given: &mut BTreeMap<String, FileExtents>) -> Result<()> {
    let accesses: Vec<(String, Vec<String>)> =
        app.comment.iter().flat_map(|line| accesses(app, line)).collect();
    let mut known: BTreeMap<String, KnownExtents> = BTreeMap::new();
    for (tensor, indices) in &accesses {
        let Some(FileExtents { dims, at_least }) = given.get(tensor) else { continue };
        if dims.len() != indices.len() {
            let error =
                format!("`{tensor}` has {} indices, and {} extents are given", indices.len(), dims.len());
            return Err(Failure::plain(error));
        }
        for (index, &extent) in indices.iter().zip(dims) {
            let own = KnownExtents { extent, at_least: *at_least, tensor: tensor.clone() };
            let all = match known.remove(index) {
                Some(other) => meet(index, other, own)?,
                None => own,
            };
            known.insert(index.clone(), all);
        }
    }
    for (tensor, indices) in accesses {
        let extents: Option<Vec<i64>> = indices.iter().map(|index| Some(known.get(index)?.extent)).collect();
        let is_settled = given.get(&tensor).is_some_and(|given| !given.at_least);
        if let Some(dims) = extents.filter(|_| !is_settled) {
            given.insert(tensor, FileExtents { dims, at_least: false });
        }
    }
    Ok(())
}

/// What two tensors say of an index.
fn meet(index: &str, one: KnownExtents, other: KnownExtents) -> Result<KnownExtents> {
    let (more, less) = if one.extent >= other.extent { (one, other) } else { (other, one) };
    if more.extent == less.extent || less.at_least {
        return Ok(KnownExtents { at_least: more.at_least && less.at_least, ..more });
    }
    let error = format!(
        "`{index}` has {} values in `{}`, and {} in `{}`",
        more.extent, more.tensor, less.extent, less.tensor
    );
    let hint = "give files of tensors that belong together, or other `--extents`";
    Err(Failure::hinted(error, hint))
}

/// The tensors of a line such as `y[i] = A[i, j] * x[j]`, with their indices.
fn accesses(app: &App, line: &str) -> Vec<(String, Vec<String>)> {
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    for (place, _) in line.match_indices('[') {
        let start = line[..place].rfind(|letter| !is_of_name(letter)).map_or(0, |before| before + 1);
        let name = &line[start..place];
        let Some(end) = line[place..].find(']') else { continue };
        let indices = line[place + 1..place + end].split(',').map(|index| index.trim().to_owned());
        if app.tensors.iter().any(|tensor| tensor.name == name && !tensor.levels.is_empty()) {
            found.push((name.to_owned(), indices.collect()));
        }
    }
    found
}
