//! Stored tensors whose indices get new numbers.

use super::permutation::Permutation;
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::memory::Array;
use crate::pack::{self, DensePlaces};
use crate::tensor::{ArrayName, Tensor};
use crate::unpack::unpack;
use crate::values::Cell;
use crate::values::with_values;
use comet_format::LevelExpr;
use rayon::prelude::*;

/// Copies what a tensor holds into another of its format and extents, where it stands at the new numbers of
/// its indices; a mode without a permutation keeps its own. The values of tensors whose levels are all dense
/// are moved in blocks, all others are packed anew.
///
/// # Errors
/// What packing refuses; tensors and permutations that do not fit are internal errors.
pub fn permute(
    source: &Tensor,
    target: &mut Tensor,
    permutations: &[Option<Permutation>],
) -> Result<(), Error> {
    check(source, target, permutations)?;
    let expressions = source.format.format.levels.iter().map(|level| level.expr);
    let has_whole_modes = expressions.clone().all(|expr| matches!(expr, LevelExpr::Mode(_)));
    if source.format.format.is_dense() && has_whole_modes && !source.dims.is_empty() {
        return with_values!(&source.values, values => move_values(source, values, target, permutations));
    }
    let mut entries = unpack(source)?;
    permute_entries(&mut entries, permutations);
    pack::store(target, &entries)
}

/// Has entries stand at the new numbers of their indices; a mode without a permutation keeps its own.
pub(crate) fn permute_entries(entries: &mut CoordinateTensor, permutations: &[Option<Permutation>]) {
    for (column, permutation) in entries.coords.iter_mut().zip(permutations) {
        if let Some(permutation) = permutation {
            permutation.apply(column);
        }
    }
}

fn check(source: &Tensor, target: &Tensor, permutations: &[Option<Permutation>]) -> Result<(), Error> {
    if source.format != target.format || source.dims != target.dims || permutations.len() != source.dims.len()
    {
        let message = format!(
            "`{}` ({}) cannot take what `{}` ({}) holds in another order",
            target.name, target.format, source.name, source.format
        );
        return Err(Error::Internal(message));
    }
    let fits = |(permutation, &extent): (&Option<Permutation>, &i64)| {
        permutation.as_ref().is_none_or(|permutation| permutation.len() as i64 == extent)
    };
    match permutations.iter().zip(&source.dims).all(fits) {
        true => Ok(()),
        false => {
            Err(Error::Internal(format!("new numbers for `{}` are not as many as its indices", source.name)))
        }
    }
}

/// One level of a dense tensor that is walked: the old number of each index, where that is another one.
struct Outer {
    size: usize,
    old: Option<Permutation>,
}

fn move_values<V: Cell>(
    source: &Tensor,
    values: &[V],
    target: &mut Tensor,
    permutations: &[Option<Permutation>],
) -> Result<(), Error> {
    let name = ArrayName { tensor: &target.name, part: "values" };
    let len = DensePlaces::new(source)?.len;
    let mut moved = Array::<V>::unspecified(len, &name)?;
    let mut outer: Vec<Outer> = (0..source.levels.len())
        .map(|level| {
            let mode = source.format.format.levels[level].expr.mode().expect("a level stores a whole mode");
            let old = permutations[mode].as_ref().map(Permutation::inverse);
            Outer { size: source.level_size(level) as usize, old }
        })
        .collect();
    // Inside of the last level with new numbers, whole blocks are moved.
    let walked = outer.iter().rposition(|level| level.old.is_some()).map_or(0, |last| last + 1);
    let block: usize = outer.split_off(walked).iter().map(|level| level.size).product();
    if len > 0 {
        moved.par_chunks_mut(block).enumerate().for_each(|(number, to)| {
            let from = old_place(&outer, number) * block;
            to.copy_from_slice(&values[from..from + block]);
        });
    }
    if target.levels.iter().any(|level| level.pos.is_empty()) {
        pack::store_nothing(target)?;
    }
    target.values = V::store(moved, target.format.value);
    Ok(())
}

/// Returns the position before of the block that gets this one.
fn old_place(outer: &[Outer], number: usize) -> usize {
    let (mut rest, mut place, mut stride) = (number, 0, 1);
    for level in outer.iter().rev() {
        let index = rest % level.size;
        let old = level.old.as_ref().map_or(index, |old| old.numbers()[index] as usize);
        place += old * stride;
        (rest, stride) = (rest / level.size, stride * level.size);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::ValueColumn;

    /// Two of three modes get new numbers, in formats that store them in either order; undoing it leads back.
    #[test]
    fn entries_go_to_new_numbers_and_back() {
        let dims = vec![3, 2, 4];
        let coords = vec![vec![0, 0, 1, 2, 2, 2], vec![0, 1, 1, 0, 0, 1], vec![3, 0, 2, 0, 1, 3]];
        let entries =
            CoordinateTensor { dims, coords, values: ValueColumn::F64((1..=6).map(f64::from).collect()) };
        let of = |numbers: &[i64]| Some(Permutation::from_numbers(numbers.to_vec()).unwrap());
        let permutations = [of(&[2, 0, 1]), None, of(&[1, 3, 0, 2])];
        let back: Vec<Option<Permutation>> =
            permutations.iter().map(|permutation| permutation.as_ref().map(Permutation::inverse)).collect();
        let mut expected = entries.clone();
        for (column, permutation) in expected.coords.iter_mut().zip(&permutations) {
            permutation.iter().for_each(|permutation| permutation.apply(column));
        }
        for format in [
            "0 : D, 1 : D, 2 : D",
            "2 : D, 0 : D, 1 : D",
            "0 : CU, 1 : CU, 2 : CU",
            "1 : D, 2 : D, 0 : CU",
            "0 : CN, 1 : S, 2 : S",
        ] {
            let format = format!("f64 i32 ({format})").parse().unwrap();
            let source = pack::pack(&entries, &format).unwrap();
            let like = |entries| pack::pack(entries, &format).unwrap();
            let mut target = like(&entries);
            permute(&source, &mut target, &permutations).unwrap();
            assert_eq!(unpack(&target).unwrap(), unpack(&like(&expected)).unwrap(), "{format}");
            let mut undone = like(&expected);
            permute(&target, &mut undone, &back).unwrap();
            assert_eq!(unpack(&undone).unwrap(), unpack(&source).unwrap(), "{format}");
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let format = "f64 i32 (0 : D)".parse().unwrap();
        let vector = |extent| {
            let entries = CoordinateTensor {
                dims: vec![extent],
                coords: vec![vec![]],
                values: ValueColumn::F64(vec![]),
            };
            pack::pack(&entries, &format).unwrap()
        };
        let short = [Some(Permutation::identity(2).unwrap())];
        let message = |from: &Tensor, to: &mut Tensor| permute(from, to, &short).unwrap_err().to_string();
        assert!(message(&vector(3), &mut vector(3)).contains("not as many as its indices"));
        assert!(message(&vector(2), &mut vector(3)).contains("in another order"));
    }
}
