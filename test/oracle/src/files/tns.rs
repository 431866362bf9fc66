//! `.tns`: FROSTT's form, and COMET's with a header line.

use super::{FileData, FileLine, Lines, Request, TnsForm};
use crate::error::{OracleError, Result};

pub(super) fn read(lines: &Lines<'_>, request: Request) -> Result<FileData> {
    let lines = lines.without_comments('#');
    if request.rank == 0 {
        return read_scalar(&lines, request);
    }
    match request.form {
        TnsForm::Frostt => read_frostt(&lines, request),
        TnsForm::Comet => read_comet(&lines, request),
        TnsForm::Detect if has_header(&lines, request.rank) => read_comet(&lines, request),
        TnsForm::Detect => read_frostt(&lines, request),
    }
}

fn read_scalar(lines: &[FileLine<'_>], request: Request) -> Result<FileData> {
    let [line] = lines else { return Err(OracleError::new("expected one number")) };
    Ok(FileData {
        dims: Vec::new(),
        exact: true,
        entries: vec![(Vec::new(), line.value(0, request.element)?)],
    })
}

/// LANGUAGE.md, "Files": every field of the first line is an integer, the last one is the number of lines
/// after it, and all their indices are below the sizes it states.
fn has_header(lines: &[FileLine<'_>], rank: usize) -> bool {
    let Some((first, rest)) = lines.split_first() else { return false };
    let Some(sizes) = first.integers().filter(|sizes| sizes.len() == rank + 1) else { return false };
    let inside = |line: &FileLine<'_>| {
        line.position(rank, 0).is_ok_and(|at| at.iter().zip(&sizes).all(|(at, size)| at < size))
    };
    sizes[rank] == rest.len() && rest.iter().all(inside)
}

fn read_comet(lines: &[FileLine<'_>], request: Request) -> Result<FileData> {
    let Some((first, rest)) = lines.split_first() else { return Err(OracleError::new("expected a header")) };
    if !has_header(lines, request.rank) {
        return Err(first.error("a header that fits the entries"));
    }
    let dims = first.integers().unwrap_or_default();
    let entries = rest.iter().map(|line| entry(line, 0, request)).collect::<Result<_>>()?;
    Ok(FileData { dims: dims[..request.rank].to_vec(), exact: true, entries })
}

fn read_frostt(lines: &[FileLine<'_>], request: Request) -> Result<FileData> {
    let entries = lines.iter().map(|line| entry(line, 1, request)).collect::<Result<Vec<_>>>()?;
    let extent = |mode: usize| entries.iter().map(|(at, _)| at[mode] + 1).max().unwrap_or(0);
    Ok(FileData { dims: (0..request.rank).map(extent).collect(), exact: false, entries })
}

fn entry(line: &FileLine<'_>, first: usize, request: Request) -> Result<(Vec<usize>, crate::number::Number)> {
    if line.fields.len() != request.rank + 1 {
        return Err(line.error("an index for each mode and a value"));
    }
    Ok((line.position(request.rank, first)?, line.value(request.rank, request.element)?))
}
