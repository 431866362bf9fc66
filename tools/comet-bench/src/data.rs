//! Matrices and tensors that are measured on.

use crate::setting::{Outcome, Setting, create_folder, output, write};
use comet_format::{TypedFormat, ValueType};
use comet_gen::{
    Amount, Coordinates, Generator, Kind, Points, PowerLaw, Rmat, Stencil, Uniform, position_value,
};
use comet_runtime::reorder::{Permutation, apply};
use comet_runtime::tensor::IndexArray;
use comet_runtime::values::Values;
use comet_runtime::{CoordinateTensor, ReadOptions, Tensor, pack, read_file};
use std::path::{Path, PathBuf};

/// The length of the headers that [`write_npy`] writes.
const NPY_HEADER: usize = 128;

/// The 27-point Laplacian of a 58³ grid: about five million entries in the order of its rows.
pub(crate) fn laplacian(setting: &Setting) -> Outcome<PathBuf> {
    generated(setting, "laplacian58.mtx", laplacian_entries)
}

/// The 27-point Laplacian of a 20³ grid.
pub(crate) fn small_laplacian(setting: &Setting) -> Outcome<PathBuf> {
    generated(setting, "laplacian20.mtx", || {
        let stencil = Stencil { points: Points::TwentySeven, grid: vec![20, 20, 20] };
        Generator::new(Kind::Stencil(stencil)).generate().map_err(|error| error.to_string())
    })
}

/// The entries of the large one in no order.
pub(crate) fn shuffled_laplacian(setting: &Setting) -> Outcome<PathBuf> {
    generated(setting, "laplacian58-shuffled.mtx", || Ok(shuffled(&laplacian_entries()?)))
}

/// A tensor of three modes where few indices hold most of the entries.
pub(crate) fn power_law_tensor(setting: &Setting) -> Outcome<PathBuf> {
    generated(setting, "power-law3.tns", || {
        let power_law = PowerLaw { dims: vec![300, 200, 400], entries: Amount::Entries(500_000), skew: 2 };
        Generator::new(Kind::PowerLaw(power_law)).generate().map_err(|error| error.to_string())
    })
}

/// A scale-free graph of 2¹⁸ vertices with 16 edges each.
pub(crate) fn rmat(setting: &Setting) -> Outcome<PathBuf> {
    generated(setting, "rmat18.mtx", || {
        Generator::new(Kind::Rmat(Rmat::graph500(18))).generate().map_err(|error| error.to_string())
    })
}

/// A larger tensor with a power law.
pub(crate) fn large_power_law_tensor(setting: &Setting) -> Outcome<PathBuf> {
    generated(setting, "power-law3-large.tns", || {
        let power_law =
            PowerLaw { dims: vec![2000, 1000, 5000], entries: Amount::Entries(3_000_000), skew: 2 };
        Generator::new(Kind::PowerLaw(power_law)).generate().map_err(|error| error.to_string())
    })
}

/// A matrix so small that threads have nothing to do.
pub(crate) fn tiny_matrix(setting: &Setting) -> Outcome<PathBuf> {
    generated(setting, "uniform100.mtx", || uniform(&[100, 100], 1000, 1))
}

/// A file of the shared data, which lies beside the repository.
///
/// # Errors
/// One that is not there.
pub(crate) fn shared(name: &str) -> Outcome<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = repository.join("../shared/data").join(name);
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("`../shared/data/{name}` is not there, seen from the repository"))
    }
}

/// A matrix whose dense counterpart fits the memory.
pub(crate) fn small_matrix(setting: &Setting) -> Outcome<PathBuf> {
    generated(setting, "uniform2000.mtx", || {
        let uniform = Uniform { dims: vec![2000, 2000], entries: Amount::Entries(80_000) };
        Generator::new(Kind::Uniform(uniform)).generate().map_err(|error| error.to_string())
    })
}

/// Writes a file of so many entries at any positions.
pub(crate) fn write_uniform(path: &Path, dims: &[usize], entries: u64, seed: u64) -> Outcome<()> {
    comet_gen::write(path, &uniform(dims, entries, seed)?).map_err(|error| error.to_string())
}

/// So many entries at random places.
pub(crate) fn uniform(dims: &[usize], entries: u64, seed: u64) -> Outcome<Coordinates> {
    let dims = dims.iter().map(|&extent| extent as u64).collect();
    let kind = Kind::Uniform(Uniform { dims, entries: Amount::Entries(entries) });
    Generator::new(kind).seed(seed).generate().map_err(|error| error.to_string())
}

fn laplacian_entries() -> Outcome<Coordinates> {
    let stencil = Stencil { points: Points::TwentySeven, grid: vec![58, 58, 58] };
    Generator::new(Kind::Stencil(stencil)).generate().map_err(|error| error.to_string())
}

/// Written once, under a name that only a complete file gets.
fn generated(
    setting: &Setting,
    name: &str,
    entries: impl FnOnce() -> Outcome<Coordinates>,
) -> Outcome<PathBuf> {
    let path = setting.kept.join(name);
    if !path.exists() {
        let unfinished = setting.kept.join(format!("unfinished-{name}"));
        comet_gen::write(&unfinished, &entries()?).map_err(|error| error.to_string())?;
        std::fs::rename(&unfinished, &path).map_err(|error| format!("cannot rename to `{name}`: {error}"))?;
    }
    Ok(path)
}

/// The same entries in another order.
fn shuffled(tensor: &Coordinates) -> Coordinates {
    let order = shuffled_order(tensor.len(), 1);
    let column = |mode: &Vec<u64>| order.iter().map(|&entry| mode[entry]).collect();
    Coordinates {
        dims: tensor.dims.clone(),
        coords: tensor.coords.iter().map(column).collect(),
        values: order.iter().map(|&entry| tensor.values[entry]).collect(),
    }
}

/// Permutes the indices of each mode at random.
pub(crate) fn shuffle_modes(entries: &mut CoordinateTensor) -> Outcome<()> {
    let permutation = |(mode, extent): (usize, &i64)| {
        let order = shuffled_order(*extent as usize, mode as u64 + 1);
        Permutation::from_numbers(order.into_iter().map(|number| number as i64).collect())
    };
    let permutations: Result<Vec<_>, _> = entries.dims.iter().enumerate().map(permutation).collect();
    permutations.and_then(|all| apply(entries, &all)).map_err(|error| error.to_string())
}

/// The numbers below a count in an order that a seed decides: Fisher and Yates with the numbers of Knuth's
/// MMIX.
fn shuffled_order(count: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    let mut state = seed;
    for last in (1..order.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = (u128::from(state) * (last as u128 + 1)) >> 64;
        order.swap(last, other as usize);
    }
    order
}

/// The file itself, or where it holds no values, a copy with the values of `comet gen --values-for`.
pub(crate) fn with_values(setting: &Setting, path: &Path) -> Outcome<PathBuf> {
    if !is_pattern(path)? {
        return Ok(path.to_owned());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let filled = setting.kept.join(format!("values-{}.mtx", name.split('.').next().unwrap_or_default()));
    if !filled.exists() {
        let arguments =
            ["gen".as_ref(), "--values-for".as_ref(), path.as_os_str(), "-o".as_ref(), filled.as_os_str()];
        output(&setting.comet, &arguments)?;
    }
    Ok(filled)
}

fn is_pattern(path: &Path) -> Outcome<bool> {
    use std::io::BufRead;
    let file =
        std::fs::File::open(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let mut first = Vec::new();
    let mut reader: Box<dyn BufRead> = if path.extension().is_some_and(|extension| extension == "gz") {
        Box::new(std::io::BufReader::new(flate2::read::MultiGzDecoder::new(file)))
    } else {
        Box::new(std::io::BufReader::new(file))
    };
    reader
        .read_until(b'\n', &mut first)
        .map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let first = String::from_utf8_lossy(&first).to_lowercase();
    Ok(first.starts_with("%%matrixmarket") && first.split_whitespace().any(|word| word == "pattern"))
}

/// A file's entries in a format.
pub(crate) fn packed(path: &Path, format: comet_format::Format) -> Outcome<Tensor> {
    let entries = read_file(path, &ReadOptions::default()).map_err(|error| error.to_string())?;
    pack(&entries, &TypedFormat { value: ValueType::F64, format }).map_err(|error| error.to_string())
}

/// Writes the arrays of a tensor as `peers/kernels.c` reads them.
pub(crate) fn write_arrays(tensor: &Tensor, folder: &Path) -> Outcome<()> {
    create_folder(folder)?;
    for (number, level) in tensor.levels.iter().enumerate() {
        write_indices(&folder.join(format!("pos{number}")), &level.pos)?;
        write_indices(&folder.join(format!("crd{number}")), &level.crd)?;
    }
    write_values(&folder.join("val"), &tensor.values)
}

/// Writes a tensor as `peers/run/driver.c` reads it, into files of that stem.
pub(crate) fn write_operand(tensor: &Tensor, stem: &Path) -> Outcome<()> {
    write_dims(tensor.dims.iter().map(|dim| *dim as usize), stem)?;
    for (number, level) in tensor.levels.iter().enumerate() {
        for (part, array) in [("pos", &level.pos), ("crd", &level.crd)] {
            if !array.is_empty() {
                write_indices(&stem.with_extension(format!("{part}{number}")), array)?;
            }
        }
    }
    write_values(&stem.with_extension("val"), &tensor.values)
}

/// The same for a dense tensor with the values of [`position_value`].
pub(crate) fn write_dense_operand(dims: &[usize], stem: &Path) -> Outcome<()> {
    write_dims(dims.iter().copied(), stem)?;
    write(&stem.with_extension("val"), positional_values(dims))
}

fn write_dims(dims: impl Iterator<Item = usize>, stem: &Path) -> Outcome<()> {
    write(&stem.with_extension("dims"), dims.map(|dim| format!("{dim}\n")).collect::<String>())
}

/// Writes 32-bit indices and nothing else.
pub(crate) fn write_indices(path: &Path, array: &IndexArray) -> Outcome<()> {
    let IndexArray::I32(array) = array else { return Err("the indices are wider than 32 bits".to_owned()) };
    write(path, array.iter().flat_map(|index| index.to_le_bytes()).collect::<Vec<u8>>())
}

/// Writes doubles and nothing else.
pub(crate) fn write_values(path: &Path, values: &Values) -> Outcome<()> {
    let Values::F64(values) = values else { return Err("the values are no doubles".to_owned()) };
    write(path, values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
}

/// Writes a dense tensor with the values of [`position_value`].
pub(crate) fn write_npy(path: &Path, dims: &[usize]) -> Outcome<()> {
    let shape: String = dims.iter().map(|dim| format!("{dim},")).collect();
    let head = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({shape}), }}");
    // Magic, version 1.0 and the length of what follows take ten bytes.
    let mut content = b"\x93NUMPY\x01\x00".to_vec();
    content.extend(((NPY_HEADER - 10) as u16).to_le_bytes());
    content.extend(format!("{head:<width$}\n", width = NPY_HEADER - 11).bytes());
    content.extend(positional_values(dims));
    write(path, content)
}

/// The values of [`position_value`] in row-major order.
fn positional_values(dims: &[usize]) -> Vec<u8> {
    let count = dims.iter().product::<usize>();
    let mut content = Vec::with_capacity(count * 8);
    let mut index = vec![0u64; dims.len()];
    for _ in 0..count {
        content.extend(position_value(index.iter().copied()).to_le_bytes());
        advance(&mut index, dims);
    }
    content
}

/// The next index in row-major order.
fn advance(index: &mut [u64], dims: &[usize]) {
    for (coordinate, &dim) in index.iter_mut().zip(dims).rev() {
        *coordinate += 1;
        if *coordinate < dim as u64 {
            return;
        }
        *coordinate = 0;
    }
}

/// The numbers of a `.npy` file of doubles, or of a file of nothing but doubles.
pub(crate) fn read_doubles(path: &Path) -> Outcome<Vec<f64>> {
    let content =
        std::fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let header = match content.strip_prefix(b"\x93NUMPY\x01\x00") {
        Some([low, high, ..]) => 10 + usize::from(u16::from_le_bytes([*low, *high])),
        _ => 0,
    };
    let (numbers, []) = content[header..].as_chunks::<8>() else {
        return Err(format!("`{}` does not hold whole doubles", path.display()));
    };
    Ok(numbers.iter().map(|number| f64::from_le_bytes(*number)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn npy_files_are_those_of_the_run_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npy");
        write_npy(&path, &[2, 3]).unwrap();
        let values = read_doubles(&path).unwrap();
        assert_eq!(values[5], position_value([1, 2]));
        let tensor = packed(&path, comet_format::Format::dense(2)).unwrap();
        assert_eq!(tensor.dims, [2, 3]);
        assert!(matches!(&tensor.values, Values::F64(stored) if stored[..] == values[..]));
    }

    #[test]
    fn shuffling_keeps_the_entries() {
        let stencil = Stencil { points: Points::Five, grid: vec![9, 9] };
        let tensor = Generator::new(Kind::Stencil(stencil)).generate().unwrap();
        let entries = |tensor: &Coordinates| -> Vec<(u64, u64, u64)> {
            let entry = |e: usize| (tensor.coords[0][e], tensor.coords[1][e], tensor.values[e].to_bits());
            (0..tensor.len()).map(entry).collect()
        };
        let mut moved = entries(&shuffled(&tensor));
        assert!(!moved.is_sorted());
        moved.sort_unstable();
        assert_eq!(moved, entries(&tensor));
    }
}
