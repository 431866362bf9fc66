//! Tiled tensors as files: figure 2 of d2t2.txt, with the indices of tiles in front of those inside of them;
//! of packed tiles (section 6.7), those of the small tiles between them.

use super::report::Compared;
use crate::failure::{Failure, Result};
use comet_runtime::error::reason;
use comet_runtime::format::{Format, ValueType};
use comet_runtime::values::ValueColumn;
use comet_runtime::{CoordinateTensor, pack, write_file};
use comet_tiling::{Tiles, Var};
use std::path::{Path, PathBuf};

/// Writes what the statements read in the chosen tiles: `A.tns` for `A[i,k]` has the coordinates of
/// `A[i',k',i,k]` and the values, in packed tiles those of `A[i'',k'',i',k',i,k]`. Gives the files.
pub(crate) fn apply(folder: &Path, compared: &[Compared]) -> Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::file("create the folder", folder, reason(&error)))?;
    let mut written: Vec<PathBuf> = Vec::new();
    for own in compared {
        for (access, entries) in own.statement.accesses.iter().zip(&own.entries) {
            let Some((entries, vars)) = entries else { continue };
            let cuts = match &own.packed {
                Some(packed) => vec![&packed.tiles, &packed.small],
                None => vec![&own.chosen().tiles],
            };
            let tiled = tiled(entries, vars, &each_once(vars), &cuts);
            let packed = pack(&tiled, &Format::csf(tiled.rank()).of(ValueType::F64))?;
            let path = free(folder, &access.name, &written);
            write_file(&packed, &path)?;
            written.push(path);
        }
    }
    Ok(written)
}

/// The indices as they are written, each where it stands first.
fn each_once(vars: &[Var]) -> Vec<Var> {
    let is_first = |&place: &usize| !vars[..place].contains(&vars[place]);
    (0..vars.len()).filter(is_first).map(|place| vars[place]).collect()
}

/// A name that no other access has taken: one tensor may be read in several ways.
fn free(folder: &Path, name: &str, taken: &[PathBuf]) -> PathBuf {
    let others = (2..).map(|number| format!("{name}_{number}.tns"));
    let names = std::iter::once(format!("{name}.tns")).chain(others);
    let mut paths = names.map(|name| folder.join(name));
    paths.find(|path| !taken.contains(path)).expect("there are more numbers than accesses")
}

/// The tile of each entry and its place in that, index by index, cut once more for each of the sizes; entries
/// off the diagonal of a repeated index go.
fn tiled(entries: &CoordinateTensor, vars: &[Var], indices: &[Var], cuts: &[&Tiles]) -> CoordinateTensor {
    let modes_of = |var: &Var| (0..vars.len()).filter(|&mode| vars[mode] == *var).collect::<Vec<_>>();
    let modes: Vec<Vec<usize>> = indices.iter().map(modes_of).collect();
    let agrees = |place: &usize| {
        modes.iter().all(|modes| {
            modes.iter().all(|&mode| entries.coords[mode][*place] == entries.coords[modes[0]][*place])
        })
    };
    let kept: Vec<usize> = (0..entries.len()).filter(agrees).collect();
    let (mut dims, mut coords) = (Vec::new(), Vec::new());
    for part in 0..=cuts.len() {
        for (modes, &var) in modes.iter().zip(indices) {
            // What is cut here lies in one of the parts before; the last part is not cut.
            let whole = part.checked_sub(1).map(|before| cuts[before].of(var).cast_signed());
            let side = cuts.get(part).map_or(1, |tiles| tiles.of(var).cast_signed());
            let of = |at: i64| whole.map_or(at, |whole| at % whole) / side;
            dims.push(whole.map_or(of(entries.dims[modes[0]] - 1), |whole| of(whole - 1)) + 1);
            coords.push(kept.iter().map(|&place| of(entries.coords[modes[0]][place])).collect());
        }
    }
    CoordinateTensor { dims, coords, values: values(&entries.values, &kept) }
}

fn values(all: &ValueColumn, kept: &[usize]) -> ValueColumn {
    match all {
        ValueColumn::F64(all) => ValueColumn::F64(kept.iter().map(|&place| all[place]).collect()),
        ValueColumn::F32(all) => ValueColumn::F32(kept.iter().map(|&place| all[place]).collect()),
        ValueColumn::I64(all) => ValueColumn::I64(kept.iter().map(|&place| all[place]).collect()),
    }
}
