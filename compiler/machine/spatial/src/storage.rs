//! The arrays of a tensor as files: what they are called, and what is stored in them.

use crate::app::{Tensor, mode_of};
use crate::interpret::Column;
use comet_format::LevelExpr;
use std::collections::BTreeMap;

pub fn dims_file(tensor: &str) -> String {
    format!("{tensor}_dims.csv")
}

/// The file with the segments of a level, from 0 on.
pub fn pos_file(tensor: &str, level: usize) -> String {
    format!("{tensor}{}_pos.csv", level + 1)
}

/// The file with the coordinates of a level, from 0 on.
pub fn crd_file(tensor: &str, level: usize) -> String {
    format!("{tensor}{}_crd.csv", level + 1)
}

pub fn vals_file(tensor: &str) -> String {
    format!("{tensor}_vals.csv")
}

/// What a tensor stores: the coordinates of each entry, in the order of the modes, and its value.
///
/// # Errors
/// A file is missing, or files do not fit together.
pub fn entries(
    tensor: &Tensor,
    dims: &[usize],
    files: &BTreeMap<String, Column>,
) -> Result<Vec<(Vec<usize>, f64)>, String> {
    if dims.contains(&0) {
        return Ok(Vec::new());
    }
    // Points of dense levels are as many as some array has numbers, whatever the extents are.
    let levels = (0..tensor.levels.len())
        .flat_map(|level| [pos_file(&tensor.name, level), crd_file(&tensor.name, level)]);
    let own = levels.chain([vals_file(&tensor.name)]).filter_map(|name| files.get(&name));
    let longest = own.map(Column::len).max().unwrap_or(0);
    let mut points = vec![vec![0; dims.len()]];
    for (number, level) in tensor.levels.iter().enumerate() {
        let mode = mode_of(level);
        let extent = dims.get(mode).ok_or_else(|| format!("`{}` has too few extents", tensor.name))?;
        let extent = extent_of(level.expr, *extent);
        let fibers: Vec<Vec<usize>> = if !level.is_full() {
            fibers(tensor, number, points.len(), files)?
        } else if points.len().saturating_mul(extent) <= longest {
            vec![(0..extent).collect(); points.len()]
        } else {
            let (name, needed) = (&tensor.name, points.len().saturating_mul(extent));
            return Err(format!(
                "`{name}` has arrays of {longest} numbers at most, and its levels need {needed}"
            ));
        };
        let inner = points.iter().zip(fibers).flat_map(|(point, fiber)| {
            fiber.into_iter().map(|coordinate| {
                let mut point = point.clone();
                point[mode] +=
                    coordinate * if let LevelExpr::Div(_, size) = level.expr { size as usize } else { 1 };
                point
            })
        });
        points = inner.collect();
    }
    let values = reals(file(files, &vals_file(&tensor.name))?);
    match values.len() == points.len() {
        true => {
            // The last tile of a mode has coordinates behind the extent.
            let is_inside = |(point, _): &(Vec<usize>, f64)| point.iter().zip(dims).all(|(at, dim)| at < dim);
            Ok(points.into_iter().zip(values).filter(is_inside).collect())
        }
        false => {
            let (name, found, needed) = (&tensor.name, values.len(), points.len());
            Err(format!("`{name}` has {found} values, and its coordinates lead to {needed}"))
        }
    }
}

/// Returns how many coordinates a level has at most, of a mode of an extent.
pub fn extent_of(level: LevelExpr, of_mode: usize) -> usize {
    match level {
        LevelExpr::Div(_, size) => of_mode.div_ceil(size as usize),
        LevelExpr::Mod(_, size) => size as usize,
        LevelExpr::Mode(_) | LevelExpr::Slot => of_mode,
    }
}

/// The coordinates of a compressed level, under each parent.
fn fibers(
    tensor: &Tensor,
    level: usize,
    parents: usize,
    files: &BTreeMap<String, Column>,
) -> Result<Vec<Vec<usize>>, String> {
    let pos = naturals(files, &pos_file(&tensor.name, level))?;
    let crd = naturals(files, &crd_file(&tensor.name, level))?;
    if pos.len() != parents + 1 {
        let (file, needed) = (pos_file(&tensor.name, level), parents + 1);
        return Err(format!("`{file}` has {} numbers, and {needed} are needed", pos.len()));
    }
    let segment = |ends: &[usize]| {
        crd.get(ends[0]..ends[1]).map(<[usize]>::to_vec).ok_or_else(|| {
            let (file, from, to) = (crd_file(&tensor.name, level), ends[0], ends[1]);
            format!("`{file}` has {} numbers, and {from} up to {to} are a segment", crd.len())
        })
    };
    pos.windows(2).map(segment).collect()
}

/// The column of a file.
///
/// # Errors
/// It is missing.
pub fn file<'f>(files: &'f BTreeMap<String, Column>, name: &str) -> Result<&'f Column, String> {
    files.get(name).ok_or_else(|| format!("`{name}` is not written"))
}

/// The numbers of a file that has positions or coordinates.
///
/// # Errors
/// It is missing, or has other numbers.
pub fn naturals(files: &BTreeMap<String, Column>, name: &str) -> Result<Vec<usize>, String> {
    let Column::Integers(numbers) = file(files, name)? else {
        return Err(format!("`{name}` has numbers with fractions"));
    };
    let naturals = numbers.iter().map(|&number| usize::try_from(number)).collect::<Result<_, _>>();
    naturals.map_err(|_| format!("`{name}` has negative numbers"))
}

fn reals(column: &Column) -> Vec<f64> {
    match column {
        Column::Integers(numbers) => numbers.iter().map(|&number| number as f64).collect(),
        Column::Singles(numbers) => numbers.iter().map(|&number| f64::from(number)).collect(),
        Column::Doubles(numbers) => numbers.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::{Role, Scalar, whole};
    use comet_format::{Level, LevelKind};

    /// A tensor of two modes, the second of which is stored first and all there.
    fn columns() -> Tensor {
        let levels = vec![whole(1, LevelKind::Dense), whole(0, LevelKind::CompressedUnique)];
        Tensor { name: "A".to_owned(), element: Scalar::Double, levels, role: Role::Result }
    }

    fn files(pos: &[i64], crd: &[i64], values: &[f64]) -> BTreeMap<String, Column> {
        BTreeMap::from([
            (pos_file("A", 1), Column::Integers(pos.to_vec())),
            (crd_file("A", 1), Column::Integers(crd.to_vec())),
            (vals_file("A"), Column::Doubles(values.to_vec())),
        ])
    }

    /// Coordinates come in the order of the modes, whatever that of the levels is.
    #[test]
    fn entries_of_columns() {
        let found = entries(&columns(), &[4, 2], &files(&[0, 1, 3], &[2, 0, 3], &[1.5, 2.5, 3.5]));
        assert_eq!(found, Ok(vec![(vec![2, 0], 1.5), (vec![0, 1], 2.5), (vec![3, 1], 3.5)]));
    }

    /// Tiles of 2 by the whole: what the last tile has behind the extent is left out.
    #[test]
    fn entries_of_tiles() {
        let part = |expr| Level { expr, kind: LevelKind::Dense };
        let levels = vec![part(LevelExpr::Div(0, 2)), part(LevelExpr::Mod(0, 2))];
        let tensor = Tensor { name: "A".to_owned(), element: Scalar::Double, levels, role: Role::Result };
        let files = BTreeMap::from([(vals_file("A"), Column::Doubles(vec![1.5, 2.5, 3.5, f64::NAN]))]);
        let found = entries(&tensor, &[3], &files);
        assert_eq!(found, Ok(vec![(vec![0], 1.5), (vec![1], 2.5), (vec![2], 3.5)]));
    }

    /// Arrays that do not fit together are reported.
    #[test]
    fn arrays_that_do_not_fit() {
        let found = |pos: &[i64], values: &[f64]| {
            entries(&columns(), &[4, 2], &files(pos, &[2, 0, 3], values)).unwrap_err()
        };
        assert_eq!(found(&[0, 1], &[1.0]), "`A2_pos.csv` has 2 numbers, and 3 are needed");
        assert_eq!(found(&[0, 1, 4], &[1.0]), "`A2_crd.csv` has 3 numbers, and 1 up to 4 are a segment");
        assert_eq!(found(&[0, -1, 3], &[1.0]), "`A2_pos.csv` has negative numbers");
        assert_eq!(found(&[0, 1, 3], &[1.0]), "`A` has 1 values, and its coordinates lead to 3");
    }
}
