//! One function for each operation of ta that becomes more than one call with its own operands.

use super::Lowering;
use super::calls::{CallArgument, element_kind};
use comet_abi::functions;
use comet_format::TypedFormat;
use comet_ir::file_mode::FileMode;
use comet_ir::{Attr, Builder, Compare, IrError, Loc, Op, Result, Ty, Val, format, location, ta, types};
use comet_passes::nest;
use melior::ir::ValueLike;
use melior::ir::attribute::{ArrayAttribute, DenseElementsAttribute, StringAttribute};

impl<'c> Lowering<'c> {
    pub(super) fn solve_size(&mut self, b: Builder<'c>, op: ta::SolveSize<'c>) -> Result<'c, ()> {
        let solver = self.made(b, &functions::SIZE_BEGIN, &[op.name().into(), CallArgument::Int(-1)])?;
        let sources = ArrayAttribute::try_from(op.sources())?;
        for index in 0..sources.len() {
            // The front end puts the places of the reads after the label's own.
            let place = location::other(op.location(), index);
            let FileMode { source, tensor, rank, mode } = FileMode::of_attribute(sources.element(index)?);
            let arguments = [
                solver.into(),
                source.as_str().into(),
                tensor.as_str().into(),
                CallArgument::Int(rank as i64),
                CallArgument::Int(mode as i64),
            ];
            self.call(b.with_location(place), &functions::SIZE_FROM_READ, &arguments)?;
        }
        self.call_for(b, op.size(), &functions::SIZE_END, &[solver.into()])
    }

    /// One call for each argument, then the launch.
    pub(super) fn launch(&mut self, b: Builder<'c>, op: ta::Launch<'c>) -> Result<'c, ()> {
        for argument in op.arguments() {
            let ty = argument.r#type();
            let function = match types::is_tensor(ty) {
                true => &functions::LAUNCH_TENSOR,
                false => functions::LAUNCH_NUMBER.of(element_kind(ty)).expect("numbers have an element type"),
            };
            self.call(b, function, &[argument.into()])?;
        }
        self.call(b, &functions::LAUNCH, &[CallArgument::Int(op.number())])
    }

    pub(super) fn distribute(&mut self, b: Builder<'c>, op: ta::Distribute<'c>) -> Result<'c, ()> {
        for tensor in op.tensors() {
            self.call(b, &functions::DISTRIBUTE_TENSOR, &[tensor.into()])?;
        }
        self.call(b, &functions::DISTRIBUTE, &[CallArgument::Text(op.statement())])
    }

    pub(super) fn distribute_pieces(
        &mut self,
        b: Builder<'c>,
        op: ta::DistributePieces<'c>,
    ) -> Result<'c, ()> {
        for tensor in op.tensors() {
            self.call(b, &functions::DISTRIBUTE_TENSOR, &[tensor.into()])?;
        }
        self.call_for(b, op.count(), &functions::DISTRIBUTE_PIECES, &[CallArgument::Text(op.statement())])
    }

    /// ⌈(end − start) / step⌉.
    pub(super) fn range_size(&mut self, b: Builder<'c>, op: ta::RangeSize<'c>) -> Result<'c, ()> {
        let size = extent(b, op.label())?;
        self.set(op.size(), size);
        Ok(())
    }

    pub(super) fn declare(&mut self, b: Builder<'c>, op: ta::TensorDecl<'c>) -> Result<'c, ()> {
        // The border of the kernel has checked an argument, extents included.
        if let Some(parameter) = op.argument().or(op.local()) {
            return self.call_for(b, op.tensor(), &functions::ARGUMENT, &[CallArgument::Int(parameter)]);
        }
        let (format, name) = (format_text(op.tensor().r#type()), nest::program_name(op.tensor()));
        let tensor = self.made(b, &functions::TENSOR_NEW, &[format.as_str().into(), name.as_str().into()])?;
        for (mode, label) in op.labels().into_iter().enumerate() {
            let size = extent(b, label)?;
            let arguments = [tensor.into(), CallArgument::Int(mode as i64), size.into()];
            self.call(b.with_location(stated_at(label)), &functions::TENSOR_SET_DIM, &arguments)?;
        }
        if op.returned() {
            let clear = CallArgument::from(!op.overwritten());
            self.call(b, &functions::RESULT_ALLOC, &[tensor.into(), clear])?;
        } else {
            self.call(b, &functions::TENSOR_ALLOC, &[tensor.into()])?;
        }
        self.set(op.tensor(), tensor);
        Ok(())
    }

    /// Complex elements get a real part.
    pub(super) fn fill(&mut self, b: Builder<'c>, op: ta::Fill<'c>) -> Result<'c, ()> {
        let element = types::part(computed(b, op.tensor()));
        let value = b.constant(op.value(), element)?;
        self.call(b, of_element(&functions::FILL, element), &[op.tensor().into(), value.into()])
    }

    pub(super) fn literal(&mut self, b: Builder<'c>, op: ta::Literal<'c>) -> Result<'c, ()> {
        let element = types::part(computed(b, op.tensor()));
        let count = DenseElementsAttribute::try_from(op.values())?.len();
        let table = self.calls.table(b, op.values(), element, count)?;
        let arguments = [op.tensor().into(), table.into(), CallArgument::Int(count as i64)];
        self.call(b, of_element(&functions::SET_LITERAL, element), &arguments)
    }

    pub(super) fn random(&mut self, b: Builder<'c>, op: ta::Random<'c>) -> Result<'c, ()> {
        let density = b.number(Ty::float64(b.context()), op.density(), 0)?;
        self.call(b, &functions::RANDOM, &[op.tensor().into(), density.into(), CallArgument::Int(op.seed())])
    }

    pub(super) fn extract(&mut self, b: Builder<'c>, op: ta::Extract<'c>) -> Result<'c, ()> {
        let of = types::value_of(types::element_of(op.tensor()));
        let ty = types::memref(types::stored(b.context(), of));
        let function = of_element(&functions::VALUES, types::element(ty));
        let values = self.called(b, function, &[op.tensor().into()], Some(ty))?.expect("it returns an array");
        let value = b.load_element(values, of, b.index(0)?)?;
        self.set(op.result(), value);
        Ok(())
    }

    pub(super) fn insert(&mut self, b: Builder<'c>, op: ta::Insert<'c>) -> Result<'c, ()> {
        let value = op.value();
        let point = CallArgument::Numbers(op.coordinates());
        if !types::is_complex(value.r#type()) {
            let function = of_element(&functions::INSERT, value.r#type());
            return self.call(b, function, &[op.tensor().into(), point, value.into()]);
        }
        let [re, im] = b.complex_parts(self.value(value))?;
        let function = of_element(&functions::INSERT_COMPLEX, re.r#type());
        self.call(b, function, &[op.tensor().into(), point, re.into(), im.into()])
    }

    pub(super) fn print_scalar(&mut self, b: Builder<'c>, op: ta::PrintScalar<'c>) -> Result<'c, ()> {
        if types::is_complex(op.value().r#type()) {
            return self.print_complex(b, op.value(), i64::from(op.bare()));
        }
        let function = of_element(&functions::PRINT_SCALAR, op.value().r#type());
        self.call(b, function, &[op.value().into(), op.bare().into()])
    }

    pub(super) fn print_number(&mut self, b: Builder<'c>, op: ta::PrintNumber<'c>) -> Result<'c, ()> {
        const AS_A_PART: i64 = 2;
        if types::is_complex(op.value().r#type()) {
            return self.print_complex(b, op.value(), AS_A_PART);
        }
        self.call(b, of_element(&functions::PRINT_NUMBER, op.value().r#type()), &[op.value().into()])
    }

    fn print_complex(&mut self, b: Builder<'c>, value: Val<'c>, form: i64) -> Result<'c, ()> {
        let [re, im] = b.complex_parts(self.value(value))?;
        let function = of_element(&functions::PRINT_COMPLEX, re.r#type());
        self.call(b, function, &[re.into(), im.into(), CallArgument::Int(form)])
    }

    /// A step of zero would never end.
    pub(super) fn checked_step(&mut self, b: Builder<'c>, op: ta::CheckedStep<'c>) -> Result<'c, ()> {
        let step = self.value(op.step());
        let zero = b.int(step.r#type(), 0)?;
        let is_zero = b.cmpi(Compare::Eq, step, zero)?;
        let message = "the step of a `for` loop is 0, expected another number";
        // Texts and places are constants of the module, made where they are first used.
        let message = self.calls.text(b, message)?;
        let place = self.calls.place(b)?;
        let fail = |b| self.calls.emit(b, &functions::FAIL, &[message, place], None).map(|_| ());
        b.branch(is_zero, fail, |_| Ok(()))?;
        self.set(op.result(), step);
        Ok(())
    }

    pub(super) fn points_begin(&mut self, b: Builder<'c>, op: ta::PointsBegin<'c>) -> Result<'c, ()> {
        let capacity = CallArgument::Int(op.capacity().unwrap_or(0));
        let arguments = [op.tensor().into(), op.reduction().into(), op.kind().into(), capacity];
        self.call(b, &functions::POINTS_BEGIN, &arguments)?;
        match op.counted() {
            Some(name) => self.call(b, &functions::POINTS_COUNT, &[op.tensor().into(), name.into()]),
            None => Ok(()),
        }
    }
}

/// The type that the elements of a tensor are computed in.
fn computed<'c>(b: Builder<'c>, tensor: Val<'c>) -> Ty<'c> {
    types::of_value(b.context(), types::value_of(types::element_of(tensor)).computed())
}

/// The function of a family for an element type.
pub(super) fn of_element(family: &functions::Family, element: Ty<'_>) -> &'static functions::AbiFunction {
    family.of(element_kind(element)).expect("the family has the element types of tensors")
}

/// The extent of a static label: 0 where the end comes before the start.
fn extent<'c>(b: Builder<'c>, range: Val<'c>) -> Result<'c, Val<'c>> {
    let Some(label) = ta::IndexLabelStatic::defining(range) else {
        return Err(IrError::at(b.location(), "expected static labels").hint("run `ta-resolve-sizes` first"));
    };
    let span = b.subi(label.end(), label.start())?;
    let span = b.maxi(span, b.index(0)?)?;
    b.value("arith.ceildivui", &[span, label.step()], types::index(b.context()))
}

/// Where the program states the extent of a label.
fn stated_at(range: Val<'_>) -> Loc<'_> {
    let label = Op::defining(range).expect("`extent` has found the label");
    label.location()
}

pub(super) fn format_text(ty: Ty<'_>) -> String {
    TypedFormat { value: format::value_type(ty), format: format::of_type(ty) }.to_string()
}

/// The name that the variable was declared under.
pub(super) fn variable_name(tensor: Val<'_>) -> String {
    let name: Option<Attr<'_>> = Op::defining(tensor).and_then(|op| op.attribute("name"));
    name.and_then(|name| StringAttribute::try_from(name).ok())
        .map_or_else(String::new, |name| name.value().to_owned())
}
