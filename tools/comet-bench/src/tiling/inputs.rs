//! What is measured on: files, the shared data, and generated matrices of several kinds.

use super::kernels;
use super::stand_ins::{STAND_INS, StandIn};
use crate::data;
use crate::setting::{Outcome, Setting};
use comet_gen::{Amount, Banded, Block, Coordinates, Generator, Kind, PowerLaw, Rmat, Stencil, Uniform};
use comet_tiling::Points;
use std::path::{Path, PathBuf};

/// A matrix or a tensor.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    origin: MatrixOrigin,
}

#[derive(Clone, Debug)]
enum MatrixOrigin {
    File(PathBuf),
    Generated(Kind),
    StandIn(&'static StandIn),
}

/// Files of the shared data that are small enough for Opal's memories.
const SMALL: [&str; 3] = ["lp_scsd1.mtx.gz", "rajat01.mtx.gz", "bcsstk13.mtx.gz"];

impl Input {
    pub(crate) fn file(path: PathBuf) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.split('.').next().unwrap_or_default().to_owned();
        Self { name, origin: MatrixOrigin::File(path) }
    }

    pub(crate) fn generated(name: &str, kind: Kind) -> Self {
        Self { name: name.to_owned(), origin: MatrixOrigin::Generated(kind) }
    }

    /// The entries, of a matrix or a tensor of three modes.
    ///
    /// # Errors
    /// What cannot be read, and what has no tiles.
    pub(crate) fn points(&self) -> Outcome<Points> {
        let points = match &self.origin {
            MatrixOrigin::File(path) => kernels::points(path)?,
            MatrixOrigin::Generated(kind) => {
                let drawn = Generator::new(kind.clone()).seed(1).generate();
                kernels::located(drawn.map_err(|error| error.to_string())?)?
            }
            MatrixOrigin::StandIn(stand_in) => stand_in.points()?,
        };
        match (points.rank(), points.len()) {
            (0 | 1, _) => Err(format!("`{}` is no matrix and no tensor of more modes", self.name)),
            (_, 0) => Err(format!("`{}` has no entries", self.name)),
            _ => Ok(points),
        }
    }

    /// Whether it has two modes, as far as its name shows.
    pub(crate) fn is_matrix(&self) -> bool {
        match &self.origin {
            MatrixOrigin::File(path) => path.to_string_lossy().contains(".mtx"),
            _ => true,
        }
    }

    /// A file with its entries, which is put into a folder where there is none, and values.
    pub(crate) fn written(&self, setting: &Setting, folder: &Path) -> Outcome<PathBuf> {
        if let MatrixOrigin::File(path) = &self.origin {
            return data::with_values(setting, path);
        }
        let path = folder.join(format!("{}.mtx", self.name));
        let points = self.points()?;
        let column = |mode: usize| points.column(mode).iter().map(|&at| u64::from(at)).collect();
        let entries = Coordinates::of_pattern(points.extents(), &[column(0), column(1)]);
        let entries = entries.map_err(|error| error.to_string())?;
        comet_gen::write(&path, &entries).map_err(|error| error.to_string())?;
        Ok(path)
    }

    /// Improvement over prescient tiles in Table 5 of d2t2.txt, if this stands in for one of its matrices.
    pub(super) fn paper(&self) -> Option<f64> {
        match &self.origin {
            MatrixOrigin::StandIn(stand_in) => Some(stand_in.paper),
            _ => None,
        }
    }
}

/// All files of the shared data, the smallest first, and the generated matrices. Where the data is absent,
/// that is reported.
pub(crate) fn all() -> Vec<Input> {
    let files = shared_files().unwrap_or_else(|reason| {
        eprintln!("WARNING: WITHOUT THE SHARED DATA ({reason}): GENERATED MATRICES ONLY");
        Vec::new()
    });
    files.into_iter().map(Input::file).chain(generated()).collect()
}

/// What stands in for the matrices of Opal's evaluation, and small files.
pub(super) fn opal() -> Vec<Input> {
    let stand_in = |stand_in: &'static StandIn| Input {
        name: format!("like-{}", stand_in.original),
        origin: MatrixOrigin::StandIn(stand_in),
    };
    let mut inputs: Vec<Input> = STAND_INS.iter().map(stand_in).collect();
    for name in SMALL {
        match data::shared(name) {
            Ok(path) => inputs.push(Input::file(path)),
            Err(reason) => eprintln!("WARNING: WITHOUT {name}: {reason}"),
        }
    }
    inputs
}

/// Bands, operators on grids as finite elements have them, graphs with a power law, and entries anywhere.
fn generated() -> Vec<Input> {
    let grid = |points, grid: [u64; 3]| Kind::Stencil(Stencil { points, grid: grid.to_vec() });
    let five = Stencil { points: comet_gen::Points::Five, grid: vec![260, 260] };
    let blocks = Block {
        rows: 12_000,
        columns: 12_000,
        block_rows: 6,
        block_columns: 6,
        blocks: Amount::Entries(8000),
    };
    let power_law = PowerLaw { dims: vec![5000, 20_000], entries: Amount::Entries(150_000), skew: 2 };
    let kinds = [
        ("banded", Kind::Banded(Banded { rows: 20_000, columns: 20_000, below: 8, above: 8 })),
        ("grid5", Kind::Stencil(five)),
        // One layer of the 27 points is the 9 points of a plane.
        ("fem9", grid(comet_gen::Points::TwentySeven, [200, 200, 1])),
        ("fem27", grid(comet_gen::Points::TwentySeven, [24, 24, 24])),
        ("blocks", Kind::Block(blocks)),
        ("rmat", Kind::Rmat(Rmat { entries: Amount::Entries(131_072), ..Rmat::graph500(14) })),
        ("power-law", Kind::PowerLaw(power_law)),
        ("uniform", uniform(20_000, 200_000)),
    ];
    kinds.into_iter().map(|(name, kind)| Input::generated(name, kind)).collect()
}

/// So many entries of a square matrix anywhere.
pub(crate) fn uniform(extent: u64, entries: u64) -> Kind {
    Kind::Uniform(Uniform { dims: vec![extent, extent], entries: Amount::Entries(entries) })
}

/// The matrices and tensors of the shared data, the smallest file first.
fn shared_files() -> Outcome<Vec<PathBuf>> {
    let folder = data::shared("README.md")?;
    let folder = folder.parent().unwrap_or(Path::new(""));
    let listed = folder.read_dir().map_err(|error| format!("cannot list `{}`: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "gz"));
    files.sort_by_key(|file| file.metadata().map_or(0, |data| data.len()));
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Generated matrices have the entries that make a row of the table take seconds.
    #[test]
    fn generated_matrices_are_of_a_size() {
        for input in generated() {
            let entries = input.points().unwrap().len();
            assert!((100_000..700_000).contains(&entries), "{}: {entries}", input.name);
        }
    }

    /// Tensors without tiles are reported without a panic.
    #[test]
    fn what_has_no_tiles_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let described = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            Input::file(path).points().unwrap_err()
        };
        assert_eq!(described("v.tns", "2 1.0\n3 1.5\n"), "`v` is no matrix and no tensor of more modes");
        let empty = "%%MatrixMarket matrix coordinate real general\n3 4 0\n";
        assert_eq!(described("none.mtx", empty), "`none` has no entries");
    }
}
