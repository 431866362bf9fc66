//! Which rows of other processes a statement needs along a label.

use super::Processes;
use super::choice::DividedLabel;
use super::numbering::Numbering;
use super::partition::Partition;
use super::parts;
use super::statement::DivisibleStatement;
use crate::error::Error;
use crate::slices;
use crate::tensor::{Index, Tensor, with_indices};
use std::sync::Arc;

/// Gives local numbers to a label, where rows of other processes are needed along it, or partial results have
/// them, and tensors of this process list which. `folded` is the partition of the result along the label,
/// where partial results are put together along it.
pub(super) fn numbered(
    statement: &mut DivisibleStatement<'_>,
    divided: &DividedLabel,
    label: usize,
    folded: Option<&Arc<Partition>>,
    processes: &Processes,
) -> Result<Option<Arc<Numbering>>, Error> {
    // The extents of short labels are compiled in.
    if !statement.is_divisible(label) {
        return Ok(None);
    }
    let Some(listing) = listing(statement, divided, label, folded) else { return Ok(None) };
    let mode_of = |place: usize| statement.labeled(place).mode_of(label).expect("it has the label");
    let listing: Vec<(usize, usize)> = listing.into_iter().map(|place| (place, mode_of(place))).collect();
    let numbering =
        |(place, mode): &(usize, usize)| statement.tensor(*place).placement.known_numbering(*mode);
    let existing = numbering(&listing[0]).filter(|first| {
        listing.iter().all(|other| numbering(other).is_some_and(|other| Arc::ptr_eq(other, first)))
    });
    let existing = existing.cloned();
    // Partial results are put together where the result is, and operands move to its partition. Where nothing
    // is needed, tensors keep the local numbers that they have.
    let Some(partition) = folded.or_else(|| expanded(statement, divided, label)).cloned() else {
        let has =
            |(place, mode): &(usize, usize)| statement.tensor(*place).placement.numbering(*mode).is_some();
        return Ok(existing.filter(|_| listing.iter().all(has)));
    };
    let numbering = match existing.filter(|existing| *existing.partition() == partition) {
        Some(existing) => existing,
        None => {
            let mut needed = Needed::new(partition.extent());
            listing.iter().for_each(|(place, mode)| needed.add(statement.tensor(*place), *mode));
            Arc::new(Numbering::agreed(needed.coordinates(), &partition, processes)?)
        }
    };
    for (place, mode) in listing {
        let tensor = statement.tensor_mut(place);
        if !tensor.placement.numbering(mode).is_some_and(|own| Arc::ptr_eq(own, &numbering)) {
            parts::renumber(tensor, mode, Some(&numbering))?;
        }
    }
    Ok(Some(numbering))
}

/// The tensors that list which coordinates along a label this process needs: they have the divided label.
fn listing(
    statement: &DivisibleStatement<'_>,
    divided: &DividedLabel,
    label: usize,
    folded: Option<&Arc<Partition>>,
) -> Option<Vec<usize>> {
    let result = statement.result();
    let is_result = |place: usize| statement.places[place] == statement.places[result];
    let lists = |place: &usize| {
        let is_divided = statement.rows_along(*place, divided.label).is_some();
        is_divided && statement.lists(*place, label)
    };
    let listing = statement.description.bounds_of(label).iter().find(|places| places.iter().all(lists))?;
    let lists_result = listing.iter().any(|place| is_result(*place));
    // Partial results that list coordinates get them back, and dense ones have them along one label. A result
    // that is computed in place keeps local numbers, if it lists them anew.
    let is_dense = statement.tensor(result).format.format.is_dense();
    let gets_numbers = match divided.is_reduced {
        true => folded.is_some() && is_dense || statement.lists(result, label),
        false => (statement.overwrites_result() || lists_result) && statement.lists(result, label),
    };
    if statement.labeled(result).mode_of(label).is_some() && !gets_numbers {
        return None;
    }
    Some(listing.clone())
}

/// The partition of an operand that is divided along a label, and not along the divided one.
fn expanded<'a>(
    statement: &'a DivisibleStatement<'_>,
    divided: &DividedLabel,
    label: usize,
) -> Option<&'a Arc<Partition>> {
    let is_expanded = |place: &usize| statement.labeled(*place).mode_of(divided.label).is_none();
    let mut operands = (0..statement.result()).filter(is_expanded);
    operands.find_map(|place| Some(&statement.rows_along(place, label)?.partition))
}

/// The coordinates that tensors list.
struct Needed {
    marks: Vec<u64>,
}

impl Needed {
    fn new(extent: i64) -> Self {
        Self { marks: vec![0; (extent as usize).div_ceil(64)] }
    }

    fn add(&mut self, tensor: &Tensor, mode: usize) {
        let Some(level) = slices::listing_level(tensor, mode) else { return };
        let numbering = tensor.placement.numbering(mode);
        with_indices!(&tensor.levels[level].crd, crd => {
            for number in crd.iter().map(|number| number.signed()).filter(|number| *number >= 0) {
                let coordinate = numbering.map_or(number, |numbering| numbering.coordinate(number)) as usize;
                self.marks[coordinate / 64] |= 1 << (coordinate % 64);
            }
        });
    }

    fn coordinates(&self) -> impl Iterator<Item = i64> {
        let bits = |(word, mut marks): (usize, u64)| {
            std::iter::from_fn(move || {
                let bit = (marks != 0).then(|| marks.trailing_zeros())?;
                marks &= marks - 1;
                Some((word * 64) as i64 + i64::from(bit))
            })
        };
        self.marks.iter().copied().enumerate().flat_map(bits)
    }
}
