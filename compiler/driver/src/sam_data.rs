//! The folder of `--sam-data`: each run of a graph leaves the graph, and the tensors that it has read, in a
//! folder of its own.

use crate::failure::{Failure, Result};
use comet_runtime::error::reason;
use comet_sam::{dot, storage};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The folder of the run of that number.
pub(crate) fn of_run(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("graph-{number}"))
}

/// Removes what the runs of an earlier program have left, which might be taken for what this one leaves. What
/// no run has written stays, and so does the folder around it.
pub(crate) fn clear(folder: &Path) -> Result<()> {
    let entries = match folder.read_dir() {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::file("read", folder, reason(&error))),
    };
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.to_owned()));
    let numbers = names.filter_map(|name| name.strip_prefix("graph-")?.parse().ok());
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    numbers.into_iter().try_for_each(|number| clear_run(&of_run(folder, number)))
}

/// A folder without a graph, or that is a link to another place, is nobody's run.
fn clear_run(folder: &Path) -> Result<()> {
    let path = folder.join("graph.gv");
    if folder.is_symlink() {
        return Ok(());
    }
    let Some(graph) = std::fs::read_to_string(&path).ok().and_then(|text| dot::read(&text).ok()) else {
        return Ok(());
    };
    let written = graph.tensors.iter().skip(usize::from(!graph.keeps_elements()));
    let files = written.flat_map(|format| storage::text::paths(folder, format)).chain([path]);
    for file in files.filter(|file| file.exists()) {
        std::fs::remove_file(&file).map_err(|error| Failure::file("remove", &file, reason(&error)))?;
    }
    // Where something else is in it, it stays.
    let _ = std::fs::remove_dir(folder);
    Ok(())
}
