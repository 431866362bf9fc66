//! The entries of a file: Matrix Market `coordinate` and FROSTT, compressed. Slow and simple.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// The entries of a tensor in the order of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries {
    /// The extents.
    pub dims: Vec<usize>,
    /// The 0-based index and the value of each entry.
    pub list: Vec<(Vec<usize>, f64)>,
}

/// Reads a `.mtx.gz` or `.tns.gz` file.
///
/// # Errors
/// A file that cannot be read, and a line that is not understood, by its number.
pub fn read(path: &Path) -> Result<Entries, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let file = File::open(path).map_err(|error| failed(&error))?;
    let lines = BufReader::new(MultiGzDecoder::new(file)).lines();
    let lines = lines.collect::<Result<Vec<_>, _>>().map_err(|error| failed(&error))?;
    let is_matrix = lines.first().is_some_and(|line| line.starts_with("%%MatrixMarket"));
    let entries = if is_matrix { matrix(&lines) } else { tensor(&lines) };
    entries.map_err(|line| failed(&format!("line {} is not understood", line + 1)))
}

/// Errors are numbers of lines, from 0.
fn matrix(lines: &[String]) -> Result<Entries, usize> {
    let head = lines[0].to_lowercase();
    let sizes = lines.iter().position(|line| !line.starts_with('%')).ok_or(0usize)?;
    let dims = lines[sizes].split_whitespace().map(|field| field.parse().map_err(|_| sizes));
    let dims = dims.collect::<Result<Vec<usize>, _>>()?[..2].to_vec();
    let mut list = Vec::new();
    for (number, line) in lines.iter().enumerate().skip(sizes + 1) {
        let (index, value) = entry(line, 2, head.contains("pattern")).ok_or(number)?;
        if head.contains("symmetric") && index[0] != index[1] {
            list.push((vec![index[1], index[0]], value));
        }
        list.push((index, value));
    }
    Ok(Entries { dims, list })
}

fn tensor(lines: &[String]) -> Result<Entries, usize> {
    let rank =
        lines.first().map_or(0, |line| line.split_whitespace().count()).checked_sub(1).ok_or(0usize)?;
    let list = lines.iter().enumerate().map(|(number, line)| entry(line, rank, false).ok_or(number));
    let list = list.collect::<Result<Vec<_>, _>>()?;
    let extent = |mode: usize| list.iter().map(|(index, _)| index[mode] + 1).max().unwrap_or(0);
    Ok(Entries { dims: (0..rank).map(extent).collect(), list })
}

/// Indices that begin at 1, and a value unless the file has none.
fn entry(line: &str, rank: usize, is_pattern: bool) -> Option<(Vec<usize>, f64)> {
    let fields: Vec<&str> = line.split_whitespace().collect();
    if fields.len() != rank + usize::from(!is_pattern) {
        return None;
    }
    let index = fields[..rank]
        .iter()
        .map(|field| field.parse::<usize>().ok()?.checked_sub(1))
        .collect::<Option<_>>()?;
    let value = if is_pattern { 1.0 } else { fields[rank].parse().ok()? };
    Some((index, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn symmetric_files_are_completed() {
        let text = "%%MatrixMarket matrix coordinate pattern symmetric\n% a\n3 3 2\n2 1\n3 3\n";
        let entries = matrix(&lines(text)).unwrap();
        let list = [(vec![0, 1], 1.0), (vec![1, 0], 1.0), (vec![2, 2], 1.0)];
        assert_eq!(entries, Entries { dims: vec![3, 3], list: list.to_vec() });
    }

    #[test]
    fn tensors_have_the_extents_of_their_entries() {
        let entries = tensor(&lines("1 2 5 0.5\n3 1 1 -2\n")).unwrap();
        assert_eq!(entries.dims, [3, 2, 5]);
        assert_eq!(entries.list[1], (vec![2, 0, 0], -2.0));
        assert_eq!(tensor(&lines("1 2 5 0.5\n3 1 x -2\n")), Err(1));
    }
}
