//! The matrices and tensors that are measured on, and the operands that are made of them.

use crate::data;
use crate::setting::{Outcome, Setting};
use comet_format::{Format, TypedFormat, ValueType};
use comet_runtime::{CoordinateTensor, ReadOptions, pack, read_file};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Which kernels an input is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum InputKind {
    Matrix,
    /// A matrix for products of matrices only.
    Product,
    Tensor,
}

/// An input that is known by its name.
pub(crate) struct Known {
    pub(crate) name: &'static str,
    pub(crate) kind: InputKind,
    /// Makes its file; without it, the file is one of the shared data.
    made: Option<fn(&Setting) -> Outcome<PathBuf>>,
}

const fn shared(name: &'static str, kind: InputKind) -> Known {
    Known { name, kind, made: None }
}

pub(crate) const KNOWN: [Known; 12] = [
    shared("ship_001", InputKind::Matrix),
    shared("bcsstk16", InputKind::Matrix),
    shared("ego-twitter", InputKind::Matrix),
    shared("fast0507", InputKind::Matrix),
    shared("soc-slashdot0902", InputKind::Matrix),
    Known { name: "laplacian58", kind: InputKind::Matrix, made: Some(data::laplacian) },
    Known { name: "rmat18", kind: InputKind::Matrix, made: Some(data::rmat) },
    shared("ca-AstroPh", InputKind::Product),
    shared("memplus", InputKind::Product),
    shared("kg_FB15K237", InputKind::Tensor),
    shared("splatt_med", InputKind::Tensor),
    Known { name: "power-law", kind: InputKind::Tensor, made: Some(data::large_power_law_tensor) },
];

impl Known {
    /// # Errors
    /// A file of the shared data that is not there.
    pub(crate) fn path(&self, setting: &Setting) -> Outcome<PathBuf> {
        match (self.made, self.kind) {
            (Some(make), _) => make(setting),
            (None, InputKind::Tensor) => data::shared(&format!("{}.tns.gz", self.name)),
            (None, _) => data::shared(&format!("{}.mtx.gz", self.name)),
        }
    }
}

/// What a kernel takes, made of an input.
#[derive(Clone, Copy, Debug)]
pub(crate) enum InputOperand {
    /// The input itself, a matrix in CSR, a tensor in CSF.
    Stored,
    /// The matrix in COO.
    Coo,
    /// The matrix in CSR with its columns moved on by so many, the last ones to the front: of the same
    /// structure, yet another pattern also where the matrix is symmetric.
    Moved(i64),
    /// What a product multiplies the matrix by: a square one by itself, others by their transposes.
    Factor,
    /// A dense matrix with a row for each index of a mode, or a vector where the rows have one element.
    Dense { mode: usize, width: usize },
}

/// An input with its entries in memory.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(super) kind: InputKind,
    pub(crate) entries: CoordinateTensor,
    /// Where its operands are, as long as it is there.
    folder: TempDir,
    entries_of_product: OnceCell<usize>,
}

impl Input {
    pub(crate) fn read(setting: &Setting, name: &str, path: &Path, parent: &Path) -> Outcome<Self> {
        let path = data::with_values(setting, path)?;
        let entries = read_file(&path, &ReadOptions::default()).map_err(|error| error.to_string())?;
        Self::of(name, entries, parent)
    }

    /// The operands go into a folder of their own in `parent`.
    ///
    /// # Errors
    /// Entries that no kernel takes.
    pub(super) fn of(name: &str, entries: CoordinateTensor, parent: &Path) -> Outcome<Self> {
        let kind = kind(name, entries.rank())?;
        let folder = tempfile::Builder::new().prefix("operands-").tempdir_in(parent);
        let folder = folder.map_err(|error| format!("cannot create a folder for `{name}`: {error}"))?;
        Ok(Self { name: name.to_owned(), kind, entries, folder, entries_of_product: OnceCell::new() })
    }

    /// The stem of the operand's files, which are written when they are not there.
    pub(crate) fn operand(&self, operand: InputOperand) -> Outcome<PathBuf> {
        let stem = self.folder.path().join(match operand {
            InputOperand::Stored => "stored".to_owned(),
            InputOperand::Coo => "coo".to_owned(),
            InputOperand::Moved(by) => format!("moved{by}"),
            InputOperand::Factor => "factor".to_owned(),
            InputOperand::Dense { mode, width } => format!("dense{mode}x{width}"),
        });
        if !stem.with_extension("val").exists() {
            self.write(operand, &stem)?;
        }
        Ok(stem)
    }

    fn write(&self, operand: InputOperand, stem: &Path) -> Outcome<()> {
        let rank = self.entries.dims.len();
        let stored = if rank == 2 { Format::csr() } else { Format::csf(rank) };
        let write = |entries: &CoordinateTensor, format: Format| {
            let format = TypedFormat { value: ValueType::F64, format };
            let packed = pack(entries, &format).map_err(|error| error.to_string())?;
            data::write_operand(&packed, stem)
        };
        match operand {
            InputOperand::Stored => write(&self.entries, stored),
            InputOperand::Coo => write(&self.entries, Format::coo(rank)),
            InputOperand::Moved(by) => write(&self.moved(by), stored),
            InputOperand::Factor if self.is_square() => write(&self.entries, stored),
            InputOperand::Factor => write(&self.transposed(), stored),
            InputOperand::Dense { mode, width: 1 } => data::write_dense_operand(&[self.extent(mode)], stem),
            InputOperand::Dense { mode, width } => {
                data::write_dense_operand(&[self.extent(mode), width], stem)
            }
        }
    }

    pub(crate) fn extent(&self, mode: usize) -> usize {
        self.entries.dims[mode] as usize
    }

    pub(super) fn is_square(&self) -> bool {
        self.entries.dims[0] == self.entries.dims[1]
    }

    fn moved(&self, by: i64) -> CoordinateTensor {
        let mut moved = self.entries.clone();
        let columns = moved.dims[1];
        moved.coords[1].iter_mut().for_each(|column| *column = (*column + by) % columns);
        moved
    }

    fn transposed(&self) -> CoordinateTensor {
        let mut transposed = self.entries.clone();
        transposed.dims.reverse();
        transposed.coords.reverse();
        transposed
    }

    /// How many entries the product by [`InputOperand::Factor`] has, or some number above a bound.
    pub(crate) fn entries_of_product(&self, bound: usize) -> usize {
        *self.entries_of_product.get_or_init(|| {
            let left = lists(&self.entries, self.extent(0));
            if self.is_square() {
                return entries_of_product(&left, &left, self.extent(1), bound);
            }
            entries_of_product(&left, &lists(&self.transposed(), self.extent(1)), self.extent(0), bound)
        })
    }
}

/// Which kernels take an input; a name that is known says more than the number of modes.
fn kind(name: &str, rank: usize) -> Outcome<InputKind> {
    let known = KNOWN.iter().find(|known| known.name == name).map(|known| known.kind);
    match rank {
        2 => Ok(known.filter(|kind| *kind == InputKind::Product).unwrap_or(InputKind::Matrix)),
        3 => Ok(InputKind::Tensor),
        _ => Err(format!("`{name}` has {rank} modes, expected 2 or 3")),
    }
}

/// The columns of each row.
fn lists(entries: &CoordinateTensor, rows: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); rows];
    let pairs = entries.coords[0].iter().zip(&entries.coords[1]);
    pairs.for_each(|(row, column)| lists[*row as usize].push(*column as usize));
    lists
}

fn entries_of_product(left: &[Vec<usize>], right: &[Vec<usize>], columns: usize, bound: usize) -> usize {
    let mut last_row = vec![usize::MAX; columns];
    let mut count = 0;
    for (row, entries) in left.iter().enumerate() {
        for &column in entries.iter().flat_map(|&inner| &right[inner]) {
            count += usize::from(last_row[column] != row);
            last_row[column] = row;
        }
        if count > bound {
            break;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use comet_runtime::values::ValueColumn;

    fn of_rank(rank: usize, parent: &Path) -> Outcome<Input> {
        let (dims, coords, values) = (vec![1; rank], vec![vec![0]; rank], ValueColumn::F64(vec![1.5]));
        Input::of("library", CoordinateTensor { dims, coords, values }, parent)
    }

    /// An input leaves alone what lies where its operands go, whatever it is called.
    #[test]
    fn operands_are_in_folders_of_their_own() {
        let parent = tempfile::tempdir().unwrap();
        let library = parent.path().join("library");
        std::fs::create_dir(&library).unwrap();
        let [first, second] = [2, 2].map(|rank| of_rank(rank, parent.path()).unwrap());
        let [first, second] = [first, second].map(|input| input.operand(InputOperand::Stored).unwrap());
        assert_ne!(first, second);
        assert!(library.exists());
    }

    /// There are kernels for matrices and for tensors with three modes.
    #[test]
    fn other_ranks_are_refused() {
        let parent = tempfile::tempdir().unwrap();
        let refused = |rank: usize| of_rank(rank, parent.path()).err();
        assert_eq!([2, 3].map(refused), [None, None]);
        for rank in [1, 4] {
            assert_eq!(refused(rank), Some(format!("`library` has {rank} modes, expected 2 or 3")));
        }
        assert_eq!(kind("kg_FB15K237", 2), Ok(InputKind::Matrix), "another file of that name");
        assert_eq!(kind("memplus", 2), Ok(InputKind::Product));
    }

    /// [1 1; 0 1] by itself has three entries; counting stops behind the bound.
    #[test]
    fn entries_of_products_are_counted() {
        let rows = [vec![0, 1], vec![1]];
        assert_eq!(entries_of_product(&rows, &rows, 2, 9), 3);
        assert_eq!(entries_of_product(&rows, &rows, 2, 1), 2);
    }
}
