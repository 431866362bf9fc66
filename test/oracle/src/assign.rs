//! Assignments to tensors.

use comet_syntax::ast::{Assign, AssignOp, Element, Expr, Ident, Mask, Operator};

use crate::action::{self, Action};
use crate::bind::bind;
use crate::error::{OracleError, Result};
use crate::eval::{LabelPoint, eval};
use crate::files::{self, Request};
use crate::frame::Variables;
use crate::interpret::Interpreter;
use crate::number::{TypedNumber, apply};
use crate::part;
use crate::random;
use crate::resolve::Labels;
use crate::tensor::DenseTensor;
use crate::term::{BoundTerm, Shared, TermKind};
use crate::write::{GivenValue, write};

impl Interpreter<'_> {
    /// Runs an assignment.
    pub(crate) fn assign(&mut self, frame: &Variables, assign: &Assign) -> Result<()> {
        let target = frame.tensor(&assign.tensor.name, assign.tensor.span)?;
        match part::is_whole(frame, &assign.indices) {
            true => self.assign_to(frame, &target, assign),
            false => self.assign_part(frame, &target, assign),
        }
    }

    /// Runs an assignment to a tensor under labels.
    pub(crate) fn assign_to(&mut self, frame: &Variables, target: &Shared, assign: &Assign) -> Result<()> {
        if target.borrow().dims.len() != assign.indices.len() {
            return Self::refuse(assign.target_span, "a label for each mode is expected");
        }
        let action = action::of(self.module, assign);
        let is_content = matches!(action, Action::Literal(_) | Action::Read(_) | Action::Random(_));
        let is_joined = assign.op != AssignOp::Set || assign.mask.is_some();
        if is_content && is_joined {
            return self.join_content(frame, target, assign);
        }
        match action {
            Action::Fill(value) => fill(&mut target.borrow_mut(), value),
            Action::Literal(_) | Action::Read(_) | Action::Random(_) => self.content(frame, target, assign),
            Action::Call(..) if action::joins(assign) => self.compute(frame, target, assign),
            Action::Call(function, args) => {
                let dims = target.borrow().dims.clone();
                let result = self.call(frame, function, args, Some(&dims))?.tensor;
                let result = result.ok_or_else(|| OracleError::new("the function returns no tensor"))?;
                let given = result
                    .borrow()
                    .cells()
                    .iter()
                    .map(|cell| cell.map_or(GivenValue::Nothing, GivenValue::Value))
                    .collect::<Vec<_>>();
                write(&mut target.borrow_mut(), assign.op, &given, TypedNumber::I64(0))
            }
            Action::Compute => self.compute(frame, target, assign),
        }
    }

    /// An array, a file or random numbers, which set every element of a tensor.
    fn content(&mut self, frame: &Variables, target: &Shared, assign: &Assign) -> Result<()> {
        match action::of(self.module, assign) {
            Action::Literal(literal) => set_literal(&mut target.borrow_mut(), literal),
            Action::Read(args) => self.read(frame, target, &assign.tensor, &args),
            Action::Random(args) => self.random(frame, target, &args),
            _ => Ok(()),
        }
    }

    /// The content goes into a tensor like the target, position by position from there.
    fn join_content(&mut self, frame: &Variables, target: &Shared, assign: &Assign) -> Result<()> {
        let like = target.borrow();
        let content = DenseTensor::new(like.element, like.dims.clone(), like.layout.clone())?;
        drop(like);
        let content = Shared::new(content.into());
        self.content(frame, &content, assign)?;
        let mask = assign.mask.as_ref().map(|mask| masked(frame, mask, target)).transpose()?;
        let lets_through = |offset: usize| mask.as_ref().is_none_or(|mask| mask[offset]);
        let given = |(offset, cell): (usize, &Option<TypedNumber>)| match cell {
            _ if !lets_through(offset) => GivenValue::Outside,
            cell => cell.map_or(GivenValue::Nothing, GivenValue::Value),
        };
        let given: Vec<GivenValue> = content.borrow().cells().iter().enumerate().map(given).collect();
        write(&mut target.borrow_mut(), assign.op, &given, TypedNumber::I64(0))
    }

    fn read(&mut self, frame: &Variables, target: &Shared, name: &Ident, args: &[&Expr]) -> Result<()> {
        let mode = args.get(1).map_or(Ok(TypedNumber::I64(1)), |mode| self.scalar(frame, mode))?;
        let path = action::file(self.inputs, name, args)?;
        let mut target = target.borrow_mut();
        let request = Request { rank: target.dims.len(), element: target.element, form: self.inputs.tns };
        let data = files::read(&path, request)?;
        let mut cells = vec![None; target.size()];
        for (at, value) in data.entries {
            if at.iter().zip(&target.dims).any(|(at, extent)| at >= extent) {
                return Self::refuse(name.span, "an index outside the tensor");
            }
            if !in_triangle(mode, &at)? {
                continue;
            }
            let cell = &mut cells[target.offset(at.iter().copied())];
            *cell = Some(cell.map_or(Ok(value), |old| apply(Operator::Add, old, value))?);
        }
        target.store(cells)
    }

    fn random(&mut self, frame: &Variables, target: &Shared, args: &[&Expr]) -> Result<()> {
        let density =
            args.first().map_or(Ok(TypedNumber::F64(1.0)), |density| self.scalar(frame, density))?;
        let seed = args.get(1).map_or(Ok(0), |seed| self.integer(frame, seed))?;
        random::fill(&mut target.borrow_mut(), density.to_f64(), seed as u64)
    }

    /// The right-hand side is evaluated in full before anything is written.
    fn compute(&mut self, frame: &Variables, target: &Shared, assign: &Assign) -> Result<()> {
        let mut labels = Labels::default();
        let placed = self.placed(frame, &mut labels, (target, &assign.tensor), &assign.indices)?;
        let written: Vec<usize> = placed.into_iter().filter_map(|index| index.label).collect();
        labels.written = Some(written.clone());
        let term = self.resolve(frame, &mut labels, &assign.value)?;
        let term = bind(term, &labels.except(&written));
        let mask = assign.mask.as_ref().map(|mask| masked(frame, mask, target)).transpose()?;
        let mut given = vec![GivenValue::Outside; target.borrow().size()];
        for (offset, given) in given.iter_mut().enumerate() {
            let at = target.borrow().position(offset);
            let Some(at) = label_positions(&labels, &written, &at) else { continue };
            if mask.as_ref().is_none_or(|mask| mask[offset]) {
                let value = eval(&term, &mut LabelPoint { extents: &labels.extents, at })?;
                *given = value.map_or(GivenValue::Nothing, GivenValue::Value);
            }
        }
        let nothing = nothing_reached(&term, target.borrow().element);
        write(&mut target.borrow_mut(), assign.op, &given, nothing)
    }
}

fn fill(target: &mut DenseTensor, value: TypedNumber) -> Result<()> {
    if !target.is_dense() {
        return Err(OracleError::new("only a dense tensor is filled"));
    }
    target.store(vec![Some(value); target.size()])
}

fn set_literal(target: &mut DenseTensor, literal: &Expr) -> Result<()> {
    let values = action::literal_values(literal)?;
    if values.len() != target.size() {
        return Interpreter::refuse(literal.span, "the literal does not fit the tensor");
    }
    let is_dense = target.is_dense();
    // What a sparse tensor holds as a value is decided in its own type.
    let element = target.element;
    let is_entry = |value: &TypedNumber| is_dense || !value.to(element).is_zero();
    target.store(values.into_iter().map(|value| Some(value).filter(is_entry)).collect())
}

/// `comet_read`'s mode: 1 all, 2 strictly lower, 3 lower, 4 strictly upper, 5 upper triangle.
fn in_triangle(mode: TypedNumber, at: &[usize]) -> Result<bool> {
    match (mode, at) {
        (TypedNumber::I64(1), _) => Ok(true),
        (TypedNumber::I64(2), [row, column]) => Ok(row > column),
        (TypedNumber::I64(3), [row, column]) => Ok(row >= column),
        (TypedNumber::I64(4), [row, column]) => Ok(row < column),
        (TypedNumber::I64(5), [row, column]) => Ok(row <= column),
        _ => Err(OracleError::new("the mode of a read is 1 to 5, for matrices")),
    }
}

/// The positions that a mask lets through: those a sparse one stores, those where a dense one is not 0.
fn masked(frame: &Variables, mask: &Mask, target: &Shared) -> Result<Vec<bool>> {
    let tensor = frame.tensor(&mask.tensor.name, mask.tensor.span)?;
    let tensor = tensor.borrow();
    if tensor.dims != target.borrow().dims {
        return Interpreter::refuse(mask.span, "a mask has the shape of what it masks");
    }
    let counts =
        |cell: &Option<TypedNumber>| cell.is_some_and(|value| !tensor.is_dense() || !value.is_zero());
    Ok(tensor.cells().iter().map(|cell| counts(cell) != mask.complement).collect())
}

/// Where every label stands when the target stands at `at`; none if a repeated label would stand at two
/// places.
fn label_positions(labels: &Labels, written: &[usize], at: &[usize]) -> Option<Vec<usize>> {
    let mut positions = vec![0; labels.extents.len()];
    written.iter().zip(at).for_each(|(&label, &at)| positions[label] = at);
    written.iter().zip(at).all(|(&label, &at)| positions[label] == at).then_some(positions)
}

/// What a dense target of a type, or a scalar, holds where nothing is reached: the identity of the reduction
/// around the whole, else 0.
pub(crate) fn nothing_reached(term: &BoundTerm, element: Element) -> TypedNumber {
    match &term.kind {
        TermKind::Reduce { op, .. } => op.nothing(element),
        _ => TypedNumber::zero(element),
    }
}
