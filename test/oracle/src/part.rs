//! Parts of tensors: indices that are more than labels, on both sides of an assignment.

use comet_syntax::ast::{Assign, AssignOp, Expr, Ident, Index, Window};

use crate::error::{OracleError, Result};
use crate::frame::Variables;
use crate::interpret::Interpreter;
use crate::layout;
use crate::number::TypedNumber;
use crate::resolve::Labels;
use crate::tensor::DenseTensor;
use crate::term::{BoundTerm, Shared};

/// Where an index stands, by where its label stands.
#[derive(Clone, Copy)]
pub(crate) struct PlacedIndex {
    /// None where it is one coordinate.
    pub(crate) label: Option<usize>,
    from: i64,
    step: i64,
    /// How many coordinates it has.
    extent: usize,
    /// Whether it may stand where the tensor has nothing.
    pub(crate) is_shifted: bool,
}

impl PlacedIndex {
    /// A label that goes over a whole mode.
    pub(crate) fn all(label: usize, extent: usize) -> Self {
        Self { label: Some(label), from: 0, step: 1, extent, is_shifted: false }
    }
}

/// Whether every index is a label.
pub(crate) fn is_whole(frame: &Variables, indices: &[Index]) -> bool {
    indices.iter().all(|index| index.name().is_some_and(|name| !frame.is_coordinate(&name.name)))
}

/// Whether every index is one coordinate.
pub(crate) fn is_element(frame: &Variables, indices: &[Index]) -> bool {
    indices.iter().all(|index| match index {
        Index::Name(name) => frame.is_coordinate(&name.name),
        Index::At(_) => index.shifted().is_none_or(|(name, _)| is_value(frame, &name)),
        Index::Window(_) => false,
    })
}

/// Whether the word of `n + 1` is a scalar.
fn is_value(frame: &Variables, name: &Ident) -> bool {
    frame.is_coordinate(&name.name)
}

/// The coordinates of an access, unless they are beyond the tensor.
pub(crate) fn coordinates(
    indices: &[PlacedIndex],
    dims: &[usize],
    at: impl Fn(usize) -> usize,
) -> Option<Vec<usize>> {
    let coordinate = |(index, &extent): (&PlacedIndex, &usize)| {
        let at = index.from + index.step * index.label.map_or(0, |label| at(label) as i64);
        usize::try_from(at).ok().filter(|&at| at < extent)
    };
    indices.iter().zip(dims).map(coordinate).collect()
}

/// An access; a single element is its value, and 0 where there is none.
pub(crate) fn access(tensor: Shared, indices: Vec<PlacedIndex>) -> BoundTerm {
    if indices.is_empty() || indices.iter().any(|index| index.label.is_some()) {
        return BoundTerm::access(tensor, indices);
    }
    let tensor = tensor.borrow();
    let at = coordinates(&indices, &tensor.dims, |_| 0);
    let value = at.and_then(|at| tensor.cells()[tensor.offset(at.into_iter())]);
    BoundTerm::constant(value.unwrap_or(TypedNumber::zero(tensor.element)))
}

impl Interpreter<'_> {
    /// The indices of an access.
    pub(crate) fn placed(
        &mut self,
        frame: &Variables,
        labels: &mut Labels,
        (tensor, name): (&Shared, &Ident),
        indices: &[Index],
    ) -> Result<Vec<PlacedIndex>> {
        let dims = tensor.borrow().dims.clone();
        if dims.len() != indices.len() {
            return Err(OracleError::at(name.span, format!("`{}` has {} modes", name.name, dims.len())));
        }
        let mut slices = 0;
        let mut placed = Vec::new();
        for (index, extent) in indices.iter().zip(dims) {
            placed.push(self.placed_index(frame, labels, index, (extent, &mut slices))?);
        }
        Ok(placed)
    }

    fn placed_index(
        &mut self,
        frame: &Variables,
        labels: &mut Labels,
        index: &Index,
        (extent, slices): (usize, &mut usize),
    ) -> Result<PlacedIndex> {
        let mut shifted = |label: &Ident, extent, from| -> Result<PlacedIndex> {
            let label = Some(labels.number(label, extent)?);
            Ok(PlacedIndex { label, from, step: 1, extent, is_shifted: true })
        };
        match index {
            Index::Name(name) if frame.is_coordinate(&name.name) => {
                let value = frame.scalars.get(&name.name).map(|scalar| scalar.value);
                let value = value.ok_or_else(|| OracleError::at(name.span, "a scalar without a value"))?;
                coordinate(value, extent)
            }
            Index::Name(label) => Ok(PlacedIndex::all(labels.number(label, extent)?, extent)),
            Index::At(expr) => match index.shifted() {
                Some((label, by)) if !is_value(frame, &label) => {
                    shifted(&label, frame.label_extent(&label)?, by)
                }
                _ => coordinate(self.scalar(frame, expr)?, extent),
            },
            Index::Window(window) => {
                let [from, end, step] = self.bounds(frame, window, extent)?;
                let length = (end - from).max(0);
                let length = (length / step + i64::from(length % step != 0)) as usize;
                if from < 0 || (length > 0 && from + step * (length as i64 - 1) >= extent as i64) {
                    return Err(OracleError::at(window.span, "a slice beyond the tensor"));
                }
                let name = Ident { name: format!("#{slices}"), span: window.span };
                *slices += usize::from(window.label.is_none());
                let label = labels.number(window.label.as_ref().unwrap_or(&name), length)?;
                Ok(PlacedIndex { label: Some(label), from, step, extent: length, is_shifted: false })
            }
        }
    }

    fn bounds(&mut self, frame: &Variables, window: &Window, extent: usize) -> Result<[i64; 3]> {
        let mut bound = |expr: &Option<Expr>, otherwise| match expr {
            Some(expr) => self.integer(frame, expr),
            None => Ok(otherwise),
        };
        let bounds = [bound(&window.lo, 0)?, bound(&window.hi, extent as i64)?, bound(&window.step, 1)?];
        if bounds[2] < 1 || bounds[1] < bounds[0] {
            return Err(OracleError::at(window.span, "a slice that goes back"));
        }
        Ok(bounds)
    }

    /// Assigns to a tensor of the part's shape, which is then written into the whole one.
    pub(crate) fn assign_part(&mut self, frame: &Variables, whole: &Shared, assign: &Assign) -> Result<()> {
        let mut labels = Labels::default();
        let placed = self.placed(frame, &mut labels, (whole, &assign.tensor), &assign.indices)?;
        let mut part = taken(&whole.borrow(), &placed)?;
        if assign.op == AssignOp::Set {
            part = DenseTensor::new(part.element, part.dims.clone(), part.layout.clone())?;
        }
        let part = Shared::new(part.into());
        let mut slices = 0;
        let mut names = Vec::new();
        for index in assign.indices.iter().zip(&placed).filter(|(_, placed)| placed.label.is_some()) {
            let slice = Ident { name: format!("#{slices}"), span: index.0.span() };
            let label = index.0.label();
            slices += usize::from(label.is_none());
            names.push(Index::Name(label.unwrap_or(slice)));
        }
        self.assign_to(frame, &part, &Assign { indices: names, ..assign.clone() })?;
        put(&mut whole.borrow_mut(), &placed, &part.borrow())
    }
}

fn coordinate(value: TypedNumber, extent: usize) -> Result<PlacedIndex> {
    let TypedNumber::I64(from) = value else { return Err(OracleError::new("an index is an integer")) };
    if from < 0 || from >= extent as i64 {
        return Err(OracleError::new(format!("index {from} is out of range")));
    }
    Ok(PlacedIndex { label: None, from, step: 0, extent: 1, is_shifted: false })
}

/// Where a part's position is in the whole tensor, if there is such a position.
fn offset(whole: &DenseTensor, placed: &[PlacedIndex], at: &[usize]) -> Option<usize> {
    let mut at = at.iter();
    let kept = placed.iter().map(|index| PlacedIndex {
        from: index.from + index.step * index.label.and_then(|_| at.next()).map_or(0, |&at| at as i64),
        ..PlacedIndex { label: None, ..*index }
    });
    let fixed: Vec<PlacedIndex> = kept.collect();
    coordinates(&fixed, &whole.dims, |_| 0).map(|at| whole.offset(at.into_iter()))
}

fn taken(whole: &DenseTensor, placed: &[PlacedIndex]) -> Result<DenseTensor> {
    let dims: Vec<usize> = placed.iter().filter_map(|index| index.label.map(|_| index.extent)).collect();
    let layout = layout::of_part(&whole.layout, dims.len());
    let mut part = DenseTensor::new(whole.element, dims, layout)?;
    let cell = |number| offset(whole, placed, &part.position(number)).and_then(|at| whole.cells()[at]);
    let cells: Vec<Option<TypedNumber>> = (0..part.size()).map(cell).collect();
    part.store(cells)?;
    Ok(part)
}

fn put(whole: &mut DenseTensor, placed: &[PlacedIndex], part: &DenseTensor) -> Result<()> {
    let mut cells = whole.cells().to_vec();
    for (number, cell) in part.cells().iter().enumerate() {
        if let Some(at) = offset(whole, placed, &part.position(number)) {
            cells[at] = *cell;
        }
    }
    whole.store(cells)
}
