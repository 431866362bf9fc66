//! Parts of tensors: copies of some coordinates of each mode, and back.

use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use crate::pack::{self, DensePlaces};
use crate::tensor::Tensor;
use crate::unpack::{for_each_entry, for_each_entry_within};
use crate::values::{Cell, Value as _, with_cell, with_type};

/// Which coordinates of a mode of the whole tensor belong to a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WindowMode {
    /// The coordinate that is the part's 0.
    pub(crate) from: i64,
    /// How far apart the part's coordinates are; 0 where it is one, and the part lacks the mode.
    pub(crate) step: i64,
    /// Whether the part may reach beyond the whole tensor, where there is nothing.
    pub(crate) is_shifted: bool,
}

/// A part of a tensor: its modes with the extents of the part, 1 where it lacks the mode.
struct Window {
    modes: Vec<(WindowMode, i64)>,
}

/// Replaces what a part holds by that part of a tensor.
///
/// # Errors
/// A coordinate that the whole tensor does not have; what packing refuses.
pub(crate) fn take(whole: &Tensor, modes: &[WindowMode], part: &mut Tensor) -> Result<(), Error> {
    let window = Window::new(whole, modes, part)?;
    let mut coords: Vec<Vec<i64>> = vec![Vec::new(); part.dims.len()];
    let mut positions = Vec::new();
    for_each_entry_within(whole, &window.bounds(), |entry, position| {
        if let Some(inside) = window.inside(entry) {
            coords.iter_mut().zip(inside).for_each(|(column, coordinate)| column.push(coordinate));
            positions.push(position);
        }
    });
    let values = whole.values.gather(positions.into_iter());
    let entries = CoordinateTensor { dims: part.dims.clone(), coords, values };
    pack::store(part, &entries)
}

/// Replaces a part of a tensor by what the part holds; the rest stays.
///
/// # Errors
/// Those of [`take`].
pub(crate) fn put(part: &Tensor, modes: &[WindowMode], whole: &mut Tensor) -> Result<(), Error> {
    let window = Window::new(whole, modes, part)?;
    if whole.format.format.is_dense() {
        with_cell!(whole.format.value, T => put_elements::<T>(part, &window, whole))
    } else {
        put_entries(part, &window, whole)
    }
}

impl Window {
    fn new(whole: &Tensor, modes: &[WindowMode], part: &Tensor) -> Result<Self, Error> {
        let kept = modes.iter().filter(|mode| mode.step != 0).count();
        if modes.len() != whole.dims.len() || kept != part.dims.len() {
            return Err(Error::Internal(format!("{modes:?} is no part of `{}`", whole.name)));
        }
        let mut extents = part.dims.iter();
        let extent = |mode: &WindowMode| match mode.step {
            0 => 1,
            _ => extents.next().copied().unwrap_or(0),
        };
        let extents: Vec<i64> = modes.iter().map(extent).collect();
        let window = Self { modes: modes.iter().copied().zip(extents).collect() };
        window.check(whole)?;
        Ok(window)
    }

    fn check(&self, whole: &Tensor) -> Result<(), Error> {
        for (number, ((mode, _), &extent)) in self.modes.iter().zip(&whole.dims).enumerate() {
            let (first, last) = self.reach(number);
            let is_outside = |index: &i64| *index < 0 || *index >= extent;
            let outside = [first, last].into_iter().find(is_outside).filter(|_| first <= last);
            if let Some(found) = outside.filter(|_| !mode.is_shifted) {
                return Err(Error::Shape(format!(
                    "index {found} is out of range: mode {number} of `{}` has extent {extent}",
                    whole.name
                )));
            }
        }
        Ok(())
    }

    /// The first and the last coordinate of the whole tensor.
    fn reach(&self, number: usize) -> (i64, i64) {
        let (mode, extent) = self.modes[number];
        (mode.from, mode.from.saturating_add(mode.step.max(1).saturating_mul(extent - 1)))
    }

    fn bounds(&self) -> Vec<(i64, i64)> {
        (0..self.modes.len()).map(|number| self.reach(number)).collect()
    }

    /// The coordinates in the part, of those of the whole tensor, where they belong to it.
    fn inside<'a>(&'a self, entry: &'a [i64]) -> Option<impl Iterator<Item = i64> + 'a> {
        let belongs = |(&(mode, extent), &coordinate): (&(WindowMode, i64), &i64)| {
            let distance = coordinate.saturating_sub(mode.from);
            distance >= 0 && distance % mode.step.max(1) == 0 && distance / mode.step.max(1) < extent
        };
        let kept = |(&(mode, _), &coordinate): (&(WindowMode, i64), &i64)| {
            (mode.step != 0).then(|| (coordinate - mode.from) / mode.step)
        };
        let all = self.modes.iter().zip(entry);
        all.clone().all(belongs).then(|| all.filter_map(kept))
    }

    /// Writes the coordinates in the whole tensor of those in the part.
    fn outside(&self, entry: &[i64], whole: &mut [i64]) {
        let mut entry = entry.iter();
        for ((mode, _), coordinate) in self.modes.iter().zip(whole) {
            let distance = if mode.step == 0 { 0 } else { entry.next().map_or(0, |at| at * mode.step) };
            *coordinate = mode.from + distance;
        }
    }
}

fn put_elements<T: Cell>(part: &Tensor, window: &Window, whole: &mut Tensor) -> Result<(), Error> {
    let places = DensePlaces::new(whole)?;
    let mut target = vec![0; whole.dims.len()];
    let (Some(values), Some(elements)) = (T::array(&part.values), T::array_mut(&mut whole.values)) else {
        return Err(other_type(part));
    };
    for_each_entry(part, |entry, position| {
        window.outside(entry, &mut target);
        elements[places.of(|mode| target[mode])] = values[position];
    });
    Ok(())
}

fn put_entries(part: &Tensor, window: &Window, whole: &mut Tensor) -> Result<(), Error> {
    let mut coords: Vec<Vec<i64>> = vec![Vec::new(); whole.dims.len()];
    let (mut old, mut new) = (Vec::new(), Vec::new());
    let mut keep = |entry: &[i64], positions: &mut Vec<usize>, position: usize| {
        coords.iter_mut().zip(entry).for_each(|(column, &coordinate)| column.push(coordinate));
        positions.push(position);
    };
    for_each_entry(whole, |entry, position| {
        if window.inside(entry).is_none() {
            keep(entry, &mut old, position);
        }
    });
    let mut target = vec![0; whole.dims.len()];
    for_each_entry(part, |entry, position| {
        window.outside(entry, &mut target);
        keep(&target, &mut new, position);
    });
    let mut values = whole.values.gather(old.into_iter());
    let added = part.values.gather(new.into_iter());
    with_type!(whole.format.value, T => match (T::column_mut(&mut values), T::slice(&added)) {
        (Some(values), Some(added)) => values.extend_from_slice(added),
        _ => return Err(other_type(part)),
    });
    let entries = CoordinateTensor { dims: whole.dims.clone(), coords, values };
    pack::store(whole, &entries)
}

fn other_type(tensor: &Tensor) -> Error {
    Error::Internal(format!("`{}` and the tensor of its part have different types", tensor.name))
}
