//! What the kernels are run on: data drawn at the densities of stardust.txt, Table 8, and parts of real
//! matrices and tensors that fit.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::compiler::{self, End};
use crate::directives::Generated;
use crate::program::Program;
use crate::real::entries::{self, Entries};

/// Entries for the sparse operands of a kernel.
#[derive(Clone, Debug)]
pub enum Dataset {
    /// So large a part of all places.
    Drawn(f64),
    /// The part of a file with the most entries.
    Cut(PathBuf),
}

/// The extents of the sparse operands in place of those that a kernel's own data has.
const MATRIX: [usize; 2] = [160, 120];
const TENSOR: [usize; 3] = [20, 24, 28];
/// All other extents become so many times as large.
const LARGER: usize = 7;

/// What a kernel is run on, of all files of a folder if there is one. Files are of matrices or tensors.
pub fn datasets(program: &Program, files: &[PathBuf]) -> Vec<Dataset> {
    let rank = GeneratedOperand::of(&program.directives.generated[0]).dims.len();
    let densities = match (rank, program.name().as_str()) {
        (_, "plus3" | "innerprod" | "plus2") => [0.01, 0.1, 0.5],
        // As many entries in a row of 120 as rows of the paper's matrices have.
        (2, _) => [0.6, 0.056, 0.23],
        // About one in each fiber, as facebook has; and more.
        _ => [0.036, 0.1, 0.5],
    };
    let is_of_rank = |path: &&PathBuf| path.to_string_lossy().ends_with(".mtx.gz") == (rank == 2);
    let cut = files.iter().filter(is_of_rank).cloned().map(Dataset::Cut);
    densities.into_iter().map(Dataset::Drawn).chain(cut).collect()
}

impl Dataset {
    /// For the name of a test.
    pub fn name(&self) -> String {
        match self {
            Self::Drawn(density) => format!("drawn-{density}"),
            Self::Cut(path) => {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                name.split('.').next().unwrap_or_default().to_owned()
            }
        }
    }

    /// Writes a kernel's operands into a folder; the arguments of its run.
    ///
    /// # Errors
    /// A file that cannot be read or written.
    pub fn inputs(&self, program: &Program, folder: &Path) -> Result<Vec<String>, String> {
        let generated = &program.directives.generated;
        let operands: Vec<GeneratedOperand> = generated.iter().map(GeneratedOperand::of).collect();
        let sizes = operands[0].dims.iter().copied().zip(if operands[0].dims.len() == 2 {
            MATRIX.to_vec()
        } else {
            TENSOR.to_vec()
        });
        let sizes: BTreeMap<usize, usize> = sizes.collect();
        let scaled = |extent: &usize| sizes.get(extent).copied().unwrap_or(LARGER * extent);
        let mut arguments = Vec::new();
        for (number, (operand, generated)) in operands.iter().zip(generated).enumerate() {
            let dims: Vec<usize> = operand.dims.iter().map(scaled).collect();
            let path = folder.join(&generated.file);
            match self {
                Self::Cut(source) if operand.is_sparse => {
                    let part = moved(cut(entries::read(source)?, &dims), number);
                    let text = text(&part, path.extension().is_some_and(|extension| extension == "mtx"));
                    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
                }
                _ => {
                    let places = dims.iter().product::<usize>() as f64;
                    let density = match self {
                        Self::Drawn(density) if operand.is_sparse => *density,
                        _ => 1.0,
                    };
                    let entries = ((places * density) as usize).max(1);
                    generate(&path, &dims, entries, number)?;
                }
            }
            if path.extension().is_some_and(|extension| extension == "tns") {
                add_corner(&path, &dims)?;
            }
            arguments.push(format!("--input={}={}", generated.input, path.display()));
        }
        Ok(arguments)
    }
}

/// An operand as a kernel's own data has it.
struct GeneratedOperand {
    dims: Vec<usize>,
    is_sparse: bool,
}

impl GeneratedOperand {
    fn of(generated: &Generated) -> Self {
        let value = |flag: &str| {
            let place = generated.args.iter().position(|arg| arg == flag);
            place.and_then(|place| generated.args.get(place + 1)).map_or("", String::as_str)
        };
        let dims: Vec<usize> = value("--dims").split(',').filter_map(|extent| extent.parse().ok()).collect();
        let is_sparse = value("--entries").parse() != Ok(dims.iter().product::<usize>());
        Self { dims, is_sparse }
    }
}

fn generate(path: &Path, dims: &[usize], entries: usize, seed: usize) -> Result<(), String> {
    let dims = dims.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let args =
        ["gen", "uniform", "--dims", &dims, "--entries", &entries.to_string(), "--seed", &seed.to_string()];
    let mut args: Vec<String> = args.map(String::from).to_vec();
    args.extend(["-o".to_owned(), path.to_string_lossy().into_owned()]);
    let folder = path.parent().unwrap_or(path);
    let finished =
        compiler::run(&compiler::locate()?, &args, &[], folder).map_err(|error| error.to_string())?;
    match finished.end {
        End::Exit(0) => Ok(()),
        _ => Err(format!("{args:?}: {finished:?}")),
    }
}

/// Adds an entry at the last place: a file of this kind has the extents that its entries reach.
fn add_corner(path: &Path, dims: &[usize]) -> Result<(), String> {
    let place: String = dims.iter().map(|extent| format!("{extent} ")).collect();
    let file = std::fs::OpenOptions::new().append(true).open(path);
    file.and_then(|mut file| writeln!(file, "{place}0.5"))
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// The part with so many indices of each mode: those with the most entries, mode by mode, in their order.
fn cut(mut entries: Entries, dims: &[usize]) -> Entries {
    for (mode, extent) in dims.iter().enumerate() {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        entries.list.iter().for_each(|(index, _)| *counts.entry(index[mode]).or_default() += 1);
        let mut indices: Vec<(usize, usize)> = counts.into_iter().collect();
        indices.sort_by_key(|(index, count)| (std::cmp::Reverse(*count), *index));
        let kept: BTreeSet<usize> = indices.into_iter().take(*extent).map(|(index, _)| index).collect();
        let numbers: BTreeMap<usize, usize> =
            kept.into_iter().enumerate().map(|(number, index)| (index, number)).collect();
        entries.list.retain(|(index, _)| numbers.contains_key(&index[mode]));
        entries.list.iter_mut().for_each(|(index, _)| index[mode] = numbers[&index[mode]]);
    }
    Entries { dims: dims.to_vec(), list: entries.list }
}

/// The same with coordinates in the last mode moved on by so many, so that operands are not alike.
fn moved(mut entries: Entries, by: usize) -> Entries {
    let last = entries.dims.len() - 1;
    let extent = entries.dims[last];
    entries.list.iter_mut().for_each(|(index, _)| index[last] = (index[last] + by) % extent);
    entries
}

/// A Matrix Market or FROSTT file. Patterns get values that differ.
fn text(entries: &Entries, is_matrix: bool) -> String {
    let extents = entries.dims.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let mut text = match is_matrix {
        true => format!("%%MatrixMarket matrix coordinate real general\n{extents} {}\n", entries.list.len()),
        false => String::new(),
    };
    for (number, (index, value)) in entries.list.iter().enumerate() {
        index.iter().for_each(|coordinate| {
            let _ = write!(text, "{} ", coordinate + 1);
        });
        let value = if *value == 1.0 { (1 + number % 9) as f64 / 4.0 } else { *value };
        let _ = writeln!(text, "{value:e}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row 1 and columns 0 and 3 have the most entries.
    #[test]
    fn the_fullest_part_is_cut_out() {
        let places = [[0, 2], [1, 0], [1, 3], [1, 4], [2, 0], [2, 3]];
        let list = places.iter().enumerate().map(|(value, place)| (place.to_vec(), value as f64)).collect();
        let part = cut(Entries { dims: vec![3, 5], list }, &[2, 2]);
        let expected = [([0, 0], 1.0), ([0, 1], 2.0), ([1, 0], 4.0), ([1, 1], 5.0)];
        assert_eq!(part.list, expected.map(|(place, value)| (place.to_vec(), value)));
    }
}
