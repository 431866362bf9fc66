//! Tiled tensors as files: figure 2 of d2t2.txt, with the indices of tiles in front of those inside of them.

use super::report::{CHOSEN, Compared};
use crate::failure::{Failure, Result};
use comet_runtime::error::reason;
use comet_runtime::format::{Format, ValueType};
use comet_runtime::values::ValueColumn;
use comet_runtime::{CoordinateTensor, pack, write_file};
use comet_tiling::{Tiles, Var};
use std::path::{Path, PathBuf};

/// Writes what the statements read in the chosen tiles: `A.tns` for `A[i,k]` has the coordinates of
/// `A[i',k',i,k]` and the values. Gives the files.
pub(crate) fn apply(folder: &Path, compared: &[Compared]) -> Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder)
        .map_err(|error| Failure::file("create the folder", folder, reason(&error)))?;
    let mut written: Vec<PathBuf> = Vec::new();
    for own in compared {
        let Some(chosen) = own.outcomes.iter().find(|outcome| outcome.scheme == CHOSEN) else { continue };
        for (access, entries) in own.statement.accesses.iter().zip(&own.entries) {
            let Some((entries, vars)) = entries else { continue };
            let tiled = tiled(entries, vars, &access.indices, &chosen.tiles);
            let packed = pack(&tiled, &Format::csf(tiled.rank()).of(ValueType::F64))?;
            let path = free(folder, &access.name, &written);
            write_file(&packed, &path)?;
            written.push(path);
        }
    }
    Ok(written)
}

/// A name that no other access has taken: one tensor may be read in several ways.
fn free(folder: &Path, name: &str, taken: &[PathBuf]) -> PathBuf {
    let others = (2..).map(|number| format!("{name}_{number}.tns"));
    let names = std::iter::once(format!("{name}.tns")).chain(others);
    let mut paths = names.map(|name| folder.join(name));
    paths.find(|path| !taken.contains(path)).expect("there are more numbers than accesses")
}

/// The tile of each entry and its place in that, index by index; entries off the diagonal of a repeated index
/// go.
fn tiled(entries: &CoordinateTensor, vars: &[Var], indices: &[Var], tiles: &Tiles) -> CoordinateTensor {
    let modes_of = |var: &Var| (0..vars.len()).filter(|&mode| vars[mode] == *var).collect::<Vec<_>>();
    let modes: Vec<Vec<usize>> = indices.iter().map(modes_of).collect();
    let agrees = |place: &usize| {
        modes.iter().all(|modes| {
            modes.iter().all(|&mode| entries.coords[mode][*place] == entries.coords[modes[0]][*place])
        })
    };
    let kept: Vec<usize> = (0..entries.len()).filter(agrees).collect();
    let of = |part: &dyn Fn(i64, i64) -> i64| -> Vec<(i64, Vec<i64>)> {
        let column = |(modes, &var): (&Vec<usize>, &Var)| {
            let size = tiles.of(var).cast_signed();
            let column = kept.iter().map(|&place| part(entries.coords[modes[0]][place], size)).collect();
            (part(entries.dims[modes[0]] - 1, size), column)
        };
        modes.iter().zip(indices).map(column).collect()
    };
    let outer = of(&|coordinate, size| coordinate / size);
    let inner = of(&|coordinate, size| coordinate % size);
    let inner_dims = indices.iter().map(|&var| tiles.of(var).cast_signed());
    let dims = outer.iter().map(|(last, _)| last + 1).chain(inner_dims).collect();
    let coords = outer.into_iter().chain(inner).map(|(_, column)| column).collect();
    CoordinateTensor { dims, coords, values: values(&entries.values, &kept) }
}

fn values(all: &ValueColumn, kept: &[usize]) -> ValueColumn {
    match all {
        ValueColumn::F64(all) => ValueColumn::F64(kept.iter().map(|&place| all[place]).collect()),
        ValueColumn::F32(all) => ValueColumn::F32(kept.iter().map(|&place| all[place]).collect()),
        ValueColumn::I64(all) => ValueColumn::I64(kept.iter().map(|&place| all[place]).collect()),
    }
}
