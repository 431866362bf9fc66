//! The data of Table 8 of stardust.txt, drawn by seeds, and the operands of a kernel on it.

use super::kernels::{CapstanKernel, Data, Filling};
use crate::data::uniform;
use crate::setting::Outcome;
use comet_gen::Coordinates;
use std::path::{Path, PathBuf};

/// The columns of dense factors.
const RANK: usize = 16;

/// Data to run on: extents, and how many entries are drawn.
pub(super) struct Dataset {
    pub(super) name: &'static str,
    dims: &'static [usize],
    entries: u64,
}

const fn dataset(name: &'static str, dims: &'static [usize], entries: u64) -> Dataset {
    Dataset { name, dims, entries }
}

/// As large as bcsstk30, ckt11752_dc_1 and Trefethen_20000, with as many entries.
const MATRICES: [Dataset; 3] = [
    dataset("28924², 2.48e-3", &[28924, 28924], 2_074_774),
    dataset("49702², 1.35e-4", &[49702, 49702], 333_489),
    dataset("20000², 1.39e-3", &[20000, 20000], 556_000),
];
const DENSE_MATRICES: [Dataset; 3] = [
    dataset("800², 1 %", &[800, 800], 6_400),
    dataset("800², 10 %", &[800, 800], 64_000),
    dataset("800², 50 %", &[800, 800], 320_000),
];
/// As many entries in a slice as facebook has, in a fortieth of its slices, of extents that are a fortieth.
const TENSORS: [Dataset; 1] = [dataset("40×1597×1597", &[40, 1597, 1597], 18_500)];
const DENSE_TENSORS: [Dataset; 3] = [
    dataset("200³, 1 %", &[200, 200, 200], 80_000),
    dataset("200³, 10 %", &[200, 200, 200], 800_000),
    dataset("200³, 50 %", &[200, 200, 200], 4_000_000),
];

/// What a kernel runs on.
pub(super) fn datasets(data: Data) -> &'static [Dataset] {
    match data {
        Data::Matrices => &MATRICES,
        Data::DenseMatrices => &DENSE_MATRICES,
        Data::Tensor => &TENSORS,
        Data::DenseTensors => &DENSE_TENSORS,
    }
}

/// Writes the operands of a kernel into a folder; the arguments that `comet sim` of its text takes for them.
pub(super) fn write(kernel: &CapstanKernel, dataset: &Dataset, folder: &Path) -> Outcome<Vec<String>> {
    let drawn = uniform(dataset.dims, dataset.entries, 1)?;
    let extent = |index: char| {
        let sparse = &kernel.operands[0];
        sparse.indices.find(index).map_or(RANK, |mode| dataset.dims[mode])
    };
    let extents = |indices: &str| indices.chars().map(extent).collect::<Vec<usize>>();
    let mut arguments = Vec::new();
    for operand in kernel.operands {
        let entries = match operand.filling {
            Filling::Drawn => drawn.clone(),
            Filling::Moved(by) => moved(drawn.clone(), |place| place + by),
            Filling::MovedEven => {
                moved(drawn.clone(), |place| if place % 2 == 0 { place + 2 } else { place })
            }
            Filling::Dense => {
                let dims = extents(operand.indices);
                uniform(&dims, dims.iter().product::<usize>() as u64, 2)?
            }
        };
        let path = file(folder, operand.name, entries.dims.len());
        comet_gen::write(&path, &entries).map_err(|error| error.to_string())?;
        arguments.extend(["--input".to_owned(), format!("{}={}", operand.name, path.display())]);
    }
    let (result, indices) = kernel.result;
    if !indices.is_empty() {
        let extents: Vec<String> = extents(indices).iter().map(usize::to_string).collect();
        arguments.extend(["--extents".to_owned(), format!("{result}={}", extents.join(","))]);
    }
    Ok(arguments)
}

fn file(folder: &Path, name: &str, rank: usize) -> PathBuf {
    folder.join(format!("{name}.{}", if rank == 2 { "mtx" } else { "tns" }))
}

/// The same entries with other coordinates in the last mode, of which each is there once.
fn moved(mut entries: Coordinates, to: impl Fn(u64) -> u64) -> Coordinates {
    let last = entries.dims.len() - 1;
    let extent = entries.dims[last];
    entries.coords[last].iter_mut().for_each(|place| *place = to(*place) % extent);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_moved_around() {
        let entries =
            Coordinates { dims: vec![2, 4], coords: vec![vec![0, 1], vec![2, 3]], values: vec![1.0, 2.0] };
        assert_eq!(moved(entries, |place| place + 1).coords, [[0, 1], [3, 0]]);
    }
}
