//! A function: its extents, its tensor variables, its statements.

use crate::call::{self, Call, Calls};
use crate::{assign, control, overwritten, part, print, scalar, size};
use comet_diag::{Diagnostic, Source, Span};
use comet_ir::{Attr, Builder, IrError, Loc, Ty, Val, format, location, ta, types};
use comet_sema::kernel;
use comet_sema::program::{
    Element, Function, LabelId, MemoryRegion, Number, ParamId, Program, ReadSource, ScalarId, SizeId, Stmt,
    StmtKind, Tensor, TensorId, Triangle,
};
use melior::ir::ValueLike;
use std::collections::HashMap;

pub(crate) struct Lowering<'a, 'c> {
    /// At the end of the function's block.
    pub(crate) b: Builder<'c>,
    pub(crate) program: &'a Program,
    pub(crate) function: &'a Function,
    pub(crate) source: &'a Source,
    pub(crate) ranges: HashMap<SizeId, Val<'c>>,
    labels: HashMap<LabelId, Val<'c>>,
    tensors: HashMap<TensorId, Val<'c>>,
    /// The value that each scalar has at this point of the program.
    pub(crate) scalars: HashMap<ScalarId, Val<'c>>,
    /// The tensors of a kernel that its caller passes and gets.
    arguments: HashMap<TensorId, Argument>,
    /// The calls around this function, and those that have been put in their place so far.
    pub(crate) calls: Calls,
}

/// What a step of the lowering returns; failures of the IR layer become diagnostics at the statement.
pub(crate) type Lowered<T> = Result<T, Diagnostic>;

/// Lowers `main` into `func.func @main`.
pub(crate) fn lower(b: Builder<'_>, program: &Program, main: &Function, source: &Source) -> Lowered<()> {
    let op = b.define_function("main", &[], &[]).map_err(|error| internal(main.span, &error))?;
    let mut lowering = Lowering::new(b.inside(op.body(0)), program, main, source);
    lowering.run_body(&[])?;
    lowering.at(lowering.end(), |b| b.return_values(&[]).map(|_| ()))
}

/// Lowers a function that another program calls into `func.func @kernel.NAME`.
pub(crate) fn lower_kernel(
    b: Builder<'_>,
    program: &Program,
    function: &Function,
    source: &Source,
) -> Lowered<()> {
    let mut lowering = Lowering::new(b, program, function, source);
    let sizes = (0..function.sizes.len()).map(SizeId).filter(|id| kernel::is_argument(function, *id));
    let sizes: Vec<SizeId> = sizes.collect();
    let scalars: Vec<ScalarId> = function.params.iter().filter_map(|param| scalar_of(*param)).collect();
    let type_of = |scalar: &ScalarId| lowering.element(function.scalars[scalar.0].element.computed());
    let extents = sizes.iter().map(|_| types::index(b.context()));
    let inputs: Vec<Ty<'_>> = extents.chain(scalars.iter().map(type_of)).collect();
    let result = function.result.and_then(scalar_of);
    let results: Vec<Ty<'_>> = result.iter().map(type_of).collect();
    let op = b
        .define_function(&format!("kernel.{}", function.name), &inputs, &results)
        .map_err(|error| internal(function.span, &error))?;
    let body = op.body(0);
    lowering.b = b.inside(body);
    for (index, id) in sizes.iter().enumerate() {
        let size = &function.sizes[id.0];
        let label = lowering.at(size.span, |b| size::label(b, &size.name, body.argument(index)))?;
        lowering.ranges.insert(*id, label);
    }
    for (index, id) in scalars.iter().enumerate() {
        lowering.scalars.insert(*id, body.argument(sizes.len() + index));
    }
    lowering.bind_arguments();
    let kept: Vec<TensorId> = lowering.arguments.keys().copied().collect();
    lowering.run_body(&kept)?;
    if let Some(ParamId::Tensor(id)) = function.result {
        overwritten::mark(lowering.tensor(id));
    }
    let values: Vec<Val<'_>> = result.iter().map(|id| lowering.scalars[id]).collect();
    lowering.at(lowering.end(), |b| b.return_values(&values).map(|_| ()))
}

fn scalar_of(param: ParamId) -> Option<ScalarId> {
    if let ParamId::Scalar(id) = param { Some(id) } else { None }
}

/// Where the tensor of a kernel comes from.
#[derive(Clone, Copy)]
pub(crate) enum Argument {
    Given(usize),
    Made,
}

/// A failure to build an operation is a fault of this compiler.
pub(crate) fn internal(span: Span, error: &IrError<'_>) -> Diagnostic {
    Diagnostic::error(span, format!("{}{}", comet_ir::pass::INTERNAL_ERROR, error.text()))
}

impl<'a, 'c> Lowering<'a, 'c> {
    /// Nothing is known yet.
    pub(crate) fn new(
        b: Builder<'c>,
        program: &'a Program,
        function: &'a Function,
        source: &'a Source,
    ) -> Self {
        Self {
            b,
            program,
            function,
            source,
            ranges: HashMap::new(),
            labels: HashMap::new(),
            tensors: HashMap::new(),
            scalars: HashMap::new(),
            arguments: HashMap::new(),
            calls: Calls::default(),
        }
    }

    /// The extents, the variables that are not bound yet, the statements; then the variables made here end,
    /// but for those of `kept`.
    pub(crate) fn run_body(&mut self, kept: &[TensorId]) -> Lowered<()> {
        size::lower_all(self)?;
        // Labels are made here and not at their first use, which may be inside a loop or a branch.
        for index in 0..self.function.labels.len() {
            self.make_label(LabelId(index))?;
        }
        let mut own = Vec::new();
        for id in (0..self.function.tensors.len()).map(TensorId) {
            if !self.tensors.contains_key(&id) {
                let value = self.declare(id)?;
                self.tensors.insert(id, value);
                own.push(id);
            }
        }
        for stmt in &self.function.body {
            self.stmt(stmt)?;
        }
        for id in own.into_iter().filter(|id| !kept.contains(id)) {
            self.emit(self.end(), |b| ta::Release::build(b, self.tensor(id)))?;
        }
        Ok(())
    }

    /// Makes the parameters and the result those of a kernel's caller.
    fn bind_arguments(&mut self) {
        for (place, param) in self.function.params.iter().enumerate() {
            if let ParamId::Tensor(id) = param {
                self.arguments.insert(*id, Argument::Given(place));
            }
        }
        if let Some(ParamId::Tensor(id)) = self.function.result {
            self.arguments.insert(id, Argument::Made);
        }
    }

    /// A variable of the function; one of a kernel's caller says so.
    fn declare(&self, id: TensorId) -> Lowered<Val<'c>> {
        let tensor = self.tensor_info(id);
        let declaration = self.declare_variable(&tensor.name, tensor, self.tensor_type(tensor))?;
        match self.arguments.get(&id) {
            Some(Argument::Given(place)) => declaration.set_argument(Some(*place as i64)),
            Some(Argument::Made) => declaration.set_returned(true),
            None => declaration,
        };
        Ok(declaration.tensor())
    }

    /// The closing brace.
    fn end(&self) -> Span {
        Span::new(self.function.span.end.saturating_sub(1), self.function.span.end)
    }

    /// Makes a tensor of the function stand for a variable that is there already.
    pub(crate) fn bind_tensor(&mut self, id: TensorId, variable: Val<'c>) {
        self.tensors.insert(id, variable);
    }

    /// Runs `build` with a builder at the end of the function that has the location of `span`.
    pub(crate) fn at<T>(
        &self,
        span: Span,
        build: impl FnOnce(Builder<'c>) -> comet_ir::Result<'c, T>,
    ) -> Lowered<T> {
        build(self.b.with_location(self.location(span))).map_err(|error| internal(span, &error))
    }

    pub(crate) fn location(&self, span: Span) -> Loc<'c> {
        location::of_span(self.b.context(), self.source, span)
    }

    pub(crate) fn tensor(&self, id: TensorId) -> Val<'c> {
        self.tensors[&id]
    }

    pub(crate) fn tensor_info(&self, id: TensorId) -> &'a Tensor {
        &self.function.tensors[id.0]
    }

    pub(crate) fn element(&self, element: Element) -> Ty<'c> {
        types::of_value(self.b.context(), element)
    }

    pub(crate) fn label(&self, id: LabelId) -> Val<'c> {
        self.labels[&id]
    }

    pub(crate) fn label_name(&self, id: LabelId) -> &str {
        &self.function.labels[id.0].name
    }

    /// The label that names its extent is that extent's range; others are ranges of their own over the same
    /// extent. So are labels of a callee whose extents are one range of the caller's, or that the caller
    /// calls something else.
    fn make_label(&mut self, id: LabelId) -> Lowered<()> {
        let label = &self.function.labels[id.0];
        let range = self.ranges[&label.size];
        let value = if name(range) == label.name && !self.labels.values().any(|other| *other == range) {
            range
        } else {
            self.at(label.span, |b| size::same_extent(b, &label.name, range))?
        };
        self.labels.insert(id, value);
        Ok(())
    }

    /// The type of a tensor: its extents where they are known, its format.
    pub(crate) fn tensor_type(&self, tensor: &Tensor) -> Ty<'c> {
        let dims: Vec<Option<u64>> =
            tensor.dims.iter().map(|size| self.function.sizes[size.0].known).collect();
        let encoding = format::to_attribute(self.b.context(), &tensor.format, memory(tensor));
        types::tensor(&dims, self.element(tensor.element), encoding)
    }

    /// A variable that takes the place of another one later; `tensor` is what is known of that. A parameter
    /// has the type of the argument, which may fix extents that the function leaves open.
    pub(crate) fn variable_like(&self, other: Val<'c>, tensor: &Tensor) -> Lowered<Val<'c>> {
        self.variable_of_type(&format!("{}.new", tensor.name), tensor, other.r#type())
    }

    /// A variable with the shape of `tensor`, and of that type.
    pub(crate) fn variable_of_type(&self, name: &str, tensor: &Tensor, ty: Ty<'c>) -> Lowered<Val<'c>> {
        Ok(self.declare_variable(name, tensor, ty)?.tensor())
    }

    fn declare_variable(&self, name: &str, tensor: &Tensor, ty: Ty<'c>) -> Lowered<ta::TensorDecl<'c>> {
        let ranges: Vec<Val<'c>> = tensor.dims.iter().map(|size| self.ranges[size]).collect();
        let declaration = self.at(tensor.span, |b| ta::TensorDecl::build(b, name, &ranges, ty))?;
        declaration.set_on(tensor.on.map(<&str>::from));
        Ok(declaration)
    }

    /// Builds an operation on variables.
    pub(crate) fn emit<T>(
        &self,
        span: Span,
        build: impl FnOnce(Builder<'c>) -> comet_ir::Result<'c, T>,
    ) -> Lowered<()> {
        self.at(span, build).map(|_| ())
    }

    pub(crate) fn labels_of(&self, labels: &[LabelId]) -> Vec<Val<'c>> {
        labels.iter().map(|label| self.label(*label)).collect()
    }

    pub(crate) fn stmt(&mut self, stmt: &Stmt) -> Lowered<()> {
        let span = stmt.span;
        match &stmt.kind {
            StmtKind::Fill { tensor, value } => self.fill(span, *tensor, *value),
            StmtKind::Read { tensor, source, triangle } => self.read(span, *tensor, source, *triangle),
            StmtKind::Random { tensor, density, seed } => self.random(span, *tensor, *density, *seed),
            StmtKind::Literal { tensor, values } => self.literal(span, *tensor, values),
            StmtKind::Write { tensor, path } => {
                self.emit(span, |b| ta::Write::build(b, self.tensor(*tensor), path))
            }
            StmtKind::PrintTensor(tensor) => self.emit(span, |b| ta::Print::build(b, self.tensor(*tensor))),
            StmtKind::TakePart(part) => part::take(self, part, span),
            StmtKind::PutPart(part) => part::put(self, part, span),
            StmtKind::Assign(assign) => assign::lower(self, assign, span),
            StmtKind::SetScalar { scalar, value } => scalar::set(self, *scalar, value),
            StmtKind::PrintScalar(value) => scalar::print(self, value, span),
            StmtKind::PrintLine(items) => print::line(self, items, span),
            StmtKind::PrintElapsed(start, end) => scalar::print_elapsed(self, start, end, span),
            StmtKind::For { var, start, stop, step, body } => {
                control::count(self, &control::Range { var: *var, start, stop, step }, body, span)
            }
            StmtKind::While { condition, body } => control::repeat(self, condition, body, span),
            StmtKind::If { condition, then_body, else_body } => {
                control::branch(self, condition, then_body, else_body, span)
            }
            StmtKind::Call { callee, args, result } => {
                call::statement(self, &Call { callee, args, span }, *result)
            }
            StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => {
                unreachable!("`jumps` has taken them out")
            }
        }
    }

    /// `A[..] = value`.
    pub(crate) fn fill(&mut self, span: Span, id: TensorId, value: Number) -> Lowered<()> {
        let stored = self.tensor_info(id).element;
        let value = number_attribute(self.b, self.element(stored.computed().part()), of_type(stored, value));
        self.emit(span, |b| ta::Fill::build(b, self.tensor(id), value))
    }

    fn read(&mut self, span: Span, id: TensorId, source: &ReadSource, triangle: Triangle) -> Lowered<()> {
        self.emit(span, |b| ta::Read::build(b, self.tensor(id), &source.text(), triangle as i64))
    }

    fn random(&mut self, span: Span, id: TensorId, density: f64, seed: u64) -> Lowered<()> {
        self.emit(span, |b| ta::Random::build(b, self.tensor(id), density, seed as i64))
    }

    fn literal(&mut self, span: Span, id: TensorId, values: &[Number]) -> Lowered<()> {
        let stored = self.tensor_info(id).element;
        let element = self.element(stored.computed().part());
        let ty = types::tensor(&[Some(values.len() as u64)], element, None);
        let numbers = values.iter().map(|value| of_type(stored, *value));
        let elements: Vec<Attr<'c>> =
            numbers.map(|number| number_attribute(self.b, element, number)).collect();
        let values = melior::ir::attribute::DenseElementsAttribute::new(ty, &elements)
            .map_err(|error| internal(span, &error.into()))?;
        self.emit(span, |b| ta::Literal::build(b, self.tensor(id), values.into()))
    }
}

fn memory(tensor: &Tensor) -> format::Memory {
    match tensor.memory {
        None => format::Memory::Unspecified,
        Some(MemoryRegion::OnChip) => format::Memory::OnChip,
        Some(MemoryRegion::OffChip) => format::Memory::OffChip,
    }
}

pub(crate) fn number_attribute<'c>(b: Builder<'c>, element: Ty<'c>, number: Number) -> Attr<'c> {
    let (value, exact) = number_parts(number);
    b.number_attribute(element, value, exact)
}

/// A number of the text as a type stores it, where that is one of integers.
fn of_type(stored: Element, number: Number) -> Number {
    match number {
        Number::Float(value) if stored.computed() == Element::I64 => {
            Number::Int(stored.integer_of_float(value))
        }
        number => number,
    }
}

/// A number as a float and as an integer; a fraction is cut off.
pub(crate) fn number_parts(number: Number) -> (f64, i64) {
    match number {
        Number::Float(value) => (value, value as i64),
        Number::Int(value) => (value as f64, value),
    }
}

/// The name that a label or a tensor is declared under.
pub(crate) fn name(value: Val<'_>) -> String {
    comet_ir::declared_name(value).unwrap_or_default().to_owned()
}
