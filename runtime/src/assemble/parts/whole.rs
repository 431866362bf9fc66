//! The arrays of a tensor that parts are copied into, several at the same time.

use super::Placed;
use crate::abi::PartTensor;
use crate::assemble::{never_fall, positions_of};
use crate::error::Error;
use crate::memory::Array;
use crate::memory::shared::SharedArray;
use crate::tensor::with_width;
use crate::tensor::{ArrayName, Index, IndexArray, Tensor};
use crate::values::Cell;
use crate::values::with_cell;
use comet_format::LevelGroup;

/// Arrays of some index width and type of values.
pub(super) trait Whole: Send + Sync {
    /// Where the outermost level is dense, a part stores positions in the array of the whole.
    fn share_positions(&self, part: &mut PartTensor);

    /// Copies a part to its place, after the coordinates of each group that come before.
    fn copy(&self, placed: &Placed) -> Result<(), Error>;

    /// The arrays become the tensor's again.
    fn give_back(self: Box<Self>, tensor: &mut Tensor);
}

/// Takes the arrays of a tensor that coordinates and values are appended to.
pub(super) fn take(tensor: &mut Tensor, groups: &[LevelGroup]) -> Box<dyn Whole> {
    with_width!(tensor.format.format.index_width, N => take_of_width::<N>(tensor, groups))
}

fn take_of_width<I: Index>(tensor: &mut Tensor, groups: &[LevelGroup]) -> Box<dyn Whole> {
    with_cell!(tensor.format.value, T => Box::new(Arrays::<I, T>::take(tensor, groups)))
}

struct Arrays<I: Index, V: Cell> {
    groups: Vec<GroupArrays<I>>,
    values: SharedArray<V>,
}

struct GroupArrays<I: Index> {
    group: LevelGroup,
    pos: SharedArray<I>,
    /// One a level of the group.
    crd: Vec<SharedArray<I>>,
}

impl<I: Index, V: Cell> Arrays<I, V> {
    fn take(tensor: &mut Tensor, groups: &[LevelGroup]) -> Self {
        let groups = groups.iter().map(|group| GroupArrays::take(tensor, group)).collect();
        let values = V::array_mut(&mut tensor.values).expect("the values are of this type");
        Self { groups, values: SharedArray::new(std::mem::replace(values, Array::empty())) }
    }

    /// Copies values, after those that come before.
    fn copy_values(&self, part: &Tensor, [start, len, all]: [usize; 3]) -> Result<(), Error> {
        let own = &V::array(&part.values).expect("a part has the tensor's type")[..len];
        let what = ArrayName { tensor: &part.name, part: "values" };
        self.values.write(start..start + len, all, &what, |place| place.copy_from_slice(own))
    }
}

impl<I: Index> GroupArrays<I> {
    fn take(tensor: &mut Tensor, group: &LevelGroup) -> Self {
        let take = |array: &mut IndexArray| SharedArray::new(I::take(array).expect("it is of this width"));
        let crd = group.levels.clone().map(|level| take(&mut tensor.levels[level].crd)).collect();
        Self { group: group.clone(), pos: take(&mut tensor.levels[group.levels.start].pos), crd }
    }

    /// Copies coordinates, after those that come before.
    fn copy_coordinates(&self, part: &Tensor, [start, count, all]: [usize; 3]) -> Result<(), Error> {
        let what = ArrayName { tensor: &part.name, part: "crd" };
        for (level, crd) in self.group.levels.clone().zip(&self.crd) {
            let own = &elements::<I>(&part.levels[level].crd)[..count];
            crd.write(start..start + count, all, &what, |place| place.copy_from_slice(own))?;
        }
        Ok(())
    }

    /// Copies the positions of some parents, after those of others, with `before` coordinates before them.
    fn copy_positions(
        &self,
        part: &Tensor,
        [start, len, all]: [usize; 3],
        before: usize,
    ) -> Result<(), Error> {
        let own = &elements::<I>(&part.levels[self.group.levels.start].pos)[1..=len];
        let what = ArrayName { tensor: &part.name, part: "pos" };
        self.pos.write(start + 1..start + len + 1, all + 1, &what, |place| {
            place.copy_from_slice(own);
            complete(place, before);
        })
    }
}

impl<I: Index, V: Cell> Whole for Arrays<I, V> {
    fn share_positions(&self, part: &mut PartTensor) {
        let outermost = &self.groups[0];
        if outermost.group.levels.start > 0 {
            part.share_positions(outermost.group.levels.start, &outermost.pos);
        }
    }

    fn copy(&self, Placed { part, entries, starts, expected }: &Placed) -> Result<(), Error> {
        let part = part.get();
        let outermost = &self.groups[0];
        let above = 1..outermost.group.levels.start;
        if outermost.group.levels.start > 0 {
            let from = positions_of(part, above.clone(), entries.iterations.start)?;
            let to = positions_of(part, above, entries.iterations.end)?;
            let what = ArrayName { tensor: &part.name, part: "pos" };
            outermost.pos.write(from + 1..to + 1, to + 1, &what, |place| complete(place, starts[0]))?;
        }
        for (number, arrays) in self.groups.iter().enumerate() {
            let counts = [starts[number], entries.counts[number], expected[number]];
            arrays.copy_coordinates(part, counts)?;
            let [start, len, all] = counts.map(|count| positions_of(part, arrays.group.dense.clone(), count));
            // More may be expected than an array can have.
            let positions = [start?, len?, all.unwrap_or(0)];
            match self.groups.get(number + 1) {
                Some(below) => below.copy_positions(part, positions, starts[number + 1])?,
                None => self.copy_values(part, positions)?,
            }
        }
        Ok(())
    }

    fn give_back(self: Box<Self>, tensor: &mut Tensor) {
        for GroupArrays { group, pos, crd } in self.groups {
            tensor.levels[group.levels.start].pos = I::store(pos.into_inner());
            for (level, crd) in group.levels.zip(crd) {
                tensor.levels[level].crd = I::store(crd.into_inner());
            }
        }
        tensor.values = V::store(self.values.into_inner(), tensor.format.value);
    }
}

fn elements<I: Index>(array: &IndexArray) -> &[I] {
    I::elements(array).expect("a part has the tensor's width")
}

/// Completes the positions of parents that no loop came to, and counts all from the first of the tensor on.
fn complete<I: Index>(pos: &mut [I], before: usize) {
    never_fall(pos);
    pos.iter_mut().for_each(|end| *end = I::truncate(end.number() + before as u64));
}
