//! Tensors of which each process has rows: every array is printed part by part, in the order of ranks.

use super::{Printed, all_numbers};
use crate::distributed::{self, Share};
use crate::error::Error;
use crate::options;
use crate::output;
use crate::pack::DensePlaces;
use crate::tensor::Tensor;
use comet_format::{Children, LevelArray};

/// Prints a tensor by shares, and a dense one whose storage is in another order as a whole.
pub(super) fn print_share(tensor: &Tensor, share: &Share<'_>) -> Result<(), Error> {
    if tensor.format.format.is_dense() {
        return match DensePlaces::new(tensor)?.are_row_major {
            true => print_array(share, all_numbers(&tensor.values)),
            false => distributed::with_whole(tensor, super::print_whole),
        };
    }
    // Children count from those of the first process on.
    let counts: Vec<u64> = (0..tensor.levels.len()).map(|level| positions(tensor, level)).collect();
    let (before, _) = share.sums(&counts)?;
    for (level, before) in before.into_iter().enumerate() {
        print_positions(tensor, share, level, before)?;
        print_coordinates(tensor, share, level)?;
    }
    print_array(share, all_numbers(&tensor.values))
}

/// How many positions a level has, where its `pos` or the outermost level says so.
fn positions(tensor: &Tensor, level: usize) -> u64 {
    let pos = &tensor.levels[level].pos;
    match tensor.format.format.levels[level].kind.children() {
        Children::Segment if !pos.is_empty() => pos.get(pos.len() - 1) as u64,
        _ => 0,
    }
}

fn print_positions(tensor: &Tensor, share: &Share<'_>, level: usize, before: u64) -> Result<(), Error> {
    let pos = &tensor.levels[level].pos;
    let own = match (tensor.format.format.levels[level].kind.children(), level) {
        (Children::One, _) => Vec::from_iter(share.is_first().then_some(-1)),
        (Children::Every, 0) => Vec::from_iter(share.is_first().then(|| tensor.whole_extent(share.mode()))),
        (Children::Every, _) => {
            if share.is_first() {
                pos.iter().collect()
            } else {
                Vec::new()
            }
        }
        (Children::Segment, 0) => {
            let (_, all) = share.sums(&[positions(tensor, 0)])?;
            if share.is_first() { vec![0, all[0] as i64] } else { Vec::new() }
        }
        // The first one is the last one of the process before.
        (Children::Segment, _) => {
            let skipped = usize::from(!share.is_first());
            pos.iter().skip(skipped).map(|position| position + before as i64).collect()
        }
    };
    print_array(share, own.into_iter())
}

fn print_coordinates(tensor: &Tensor, share: &Share<'_>, level: usize) -> Result<(), Error> {
    let format = &tensor.format.format.levels[level];
    let crd = tensor.levels[level].crd.iter();
    match (format.kind.coordinate_array(), format.expr.mode()) {
        (Some(LevelArray::Words), _) => print_array(share, crd.map(|word| word as u64)),
        (Some(LevelArray::Crd), Some(mode)) => {
            print_array(share, crd.map(|number| share.coordinate(mode, number)))
        }
        (Some(_), _) => print_array(share, crd),
        (None, _) => print_array(share, share.is_first().then_some(-1i64).into_iter()),
    }
}

/// `data = ` and the elements of all processes, each with a comma; nothing where there is none.
fn print_array<N: Printed>(share: &Share<'_>, elements: impl Iterator<Item = N>) -> Result<(), Error> {
    let mut own = Vec::new();
    for element in elements {
        element.write(&mut own, options::number_style());
        own.push(b',');
    }
    let (_, all) = share.sums(&[own.len() as u64])?;
    if all[0] == 0 {
        return Ok(());
    }
    // Only the first process prints.
    output::write(b"data = \n");
    share.in_turn(&own, |text| {
        output::write(text);
        Ok(())
    })?;
    output::write(b"\n");
    Ok(())
}
