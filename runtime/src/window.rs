//! Parts of tensors: copies of some coordinates of each mode, and back.

use crate::error::Error;
use crate::pack::{self, DensePlaces, KeyedEntries};
use crate::tensor::Tensor;
use crate::unpack::{for_each_entry, for_each_entry_within};
use crate::values::{Cell, Stores, Value, with_cell, with_stored};

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
    with_stored!(part.format.value, V, T => take_cells::<V, T>(whole, &window, part))
}

fn take_cells<V: Value, T: Stores<V>>(
    whole: &Tensor,
    window: &Window,
    part: &mut Tensor,
) -> Result<(), Error> {
    let Some(cells) = T::array(&whole.values) else { return Err(other_type(part)) };
    let has_each_once = whole.format.format.levels.iter().all(|level| !level.starts_tuple());
    if part.format.format.is_dense() && has_each_once {
        return take_elements(whole, cells, window, part);
    }
    let mut entries = KeyedEntries::<T>::new(part, 0, "entries")?;
    let mut coordinates = vec![0; part.dims.len()];
    let mut added = Ok(());
    for_each_entry_within(whole, &window.bounds(), |entry, position| {
        if let (Some(inside), Ok(())) = (window.inside(entry), &added) {
            coordinates.iter_mut().zip(inside).for_each(|(to, coordinate)| *to = coordinate);
            added = entries.push(&coordinates, cells[position]);
        }
    });
    added?;
    entries.store(part)
}

/// Copies cells to a dense part, which is zero elsewhere.
fn take_elements<T: Cell>(
    whole: &Tensor,
    cells: &[T],
    window: &Window,
    part: &mut Tensor,
) -> Result<(), Error> {
    pack::store_nothing(part)?;
    let places = DensePlaces::new(part)?;
    let mut coordinates = vec![0; part.dims.len()];
    let Some(elements) = T::array_mut(&mut part.values) else { return Err(other_type(whole)) };
    for_each_entry_within(whole, &window.bounds(), |entry, position| {
        if let Some(inside) = window.inside(entry) {
            coordinates.iter_mut().zip(inside).for_each(|(to, coordinate)| *to = coordinate);
            elements[places.of(|mode| coordinates[mode])] = cells[position];
        }
    });
    Ok(())
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
        with_stored!(whole.format.value, V, T => put_entries::<V, T>(part, &window, whole))
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

fn put_entries<V: Value, T: Stores<V>>(
    part: &Tensor,
    window: &Window,
    whole: &mut Tensor,
) -> Result<(), Error> {
    let (Some(old), Some(new)) = (T::array(&whole.values), T::array(&part.values)) else {
        return Err(other_type(part));
    };
    let mut entries = KeyedEntries::<T>::new(whole, old.len() + new.len(), "entries")?;
    let mut added = Ok(());
    for_each_entry(whole, |entry, position| {
        if window.inside(entry).is_none() && added.is_ok() {
            added = entries.push(entry, old[position]);
        }
    });
    let mut target = vec![0; whole.dims.len()];
    for_each_entry(part, |entry, position| {
        window.outside(entry, &mut target);
        if added.is_ok() {
            added = entries.push(&target, new[position]);
        }
    });
    added?;
    entries.store(whole)
}

fn other_type(tensor: &Tensor) -> Error {
    Error::Internal(format!("`{}` and the tensor of its part have different types", tensor.name))
}
