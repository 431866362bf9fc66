//! One function for each operation of ta: the call, or the few calls, that it becomes.

use super::Lowering;
use comet_format::TypedFormat;
use comet_ir::file_mode::FileMode;
use comet_ir::{Attr, Builder, Compare, IrError, Loc, Op, Result, Ty, Val, format, location, ta, types};
use comet_passes::nest::integer;
use melior::ir::attribute::{ArrayAttribute, DenseElementsAttribute, FloatAttribute, StringAttribute};
use melior::ir::{TypeLike, ValueLike};

impl<'c> Lowering<'c> {
    /// Labels are read by their users; variables are moved and freed, and so are permutations.
    pub(super) fn lifetime(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        if op.is::<ta::IndexLabelStatic>() {
            return Ok(());
        }
        let operands: Vec<Val<'c>> = op.operands().into_iter().map(|operand| self.value(operand)).collect();
        let name = if op.is::<ta::Move>() {
            "comet_rt_tensor_move"
        } else if types::is_tensor(op.operand(0).r#type()) {
            "comet_rt_tensor_free"
        } else {
            "comet_rt_permutation_free"
        };
        self.calls.call(b, name, &operands)
    }

    pub(super) fn solve_size(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let (name, place) = (self.text_attribute(b, op, "name")?, self.calls.place(b)?);
        let unknown = b.int(types::int(b.context(), 64), -1)?;
        let solver = self.calls.value(
            b,
            "comet_rt_size_begin",
            &[name, unknown, place],
            types::pointer(b.context()),
        )?;
        let sources = ArrayAttribute::try_from(attribute(op, "sources"))?;
        for index in 0..sources.len() {
            // The front end puts the places of the reads behind the label's own.
            let place = location::other(op.location(), index);
            self.size_source(b.with_location(place), solver, sources.element(index)?)?;
        }
        let size = self.calls.value(b, "comet_rt_size_end", &[solver], types::int(b.context(), 64))?;
        let size = b.index_cast(size, types::index(b.context()))?;
        self.set(op, size);
        Ok(())
    }

    fn size_source(&mut self, b: Builder<'c>, solver: Val<'c>, source: Attr<'c>) -> Result<'c, ()> {
        let FileMode { source, tensor, rank, mode } = FileMode::of_attribute(source);
        let (file, tensor) = (self.calls.text(b, &source)?, self.calls.text(b, &tensor)?);
        let (rank, mode) = (rank as i64, mode as i64);
        let i64_type = types::int(b.context(), 64);
        let (rank, mode, place) = (b.int(i64_type, rank)?, b.int(i64_type, mode)?, self.calls.place(b)?);
        self.calls.call(b, "comet_rt_size_from_read", &[solver, file, tensor, rank, mode, place])
    }

    /// One call for each argument, then the launch.
    pub(super) fn launch(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let i64_type = types::int(b.context(), 64);
        for argument in op.operands() {
            let ty = argument.r#type();
            let argument = self.value(argument);
            if types::is_tensor(ty) {
                self.calls.call(b, "comet_rt_launch_tensor", &[argument])?;
            } else if ty.is_index() {
                let extent = b.index_cast(argument, i64_type)?;
                self.calls.call(b, "comet_rt_launch_i64", &[extent])?;
            } else {
                self.calls.call(b, &format!("comet_rt_launch_{}", suffix(ty)), &[argument])?;
            }
        }
        let number = b.int(i64_type, integer(op, "number"))?;
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_launch", &[number, place])
    }

    /// ⌈(end − start) / step⌉.
    pub(super) fn range_size(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let size = extent(b, op.operand(0))?;
        self.set(op, size);
        Ok(())
    }

    pub(super) fn declare(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        if op.attribute("argument").is_some() {
            return self.argument(b, op);
        }
        let format = self.format_text(b, op.result(0).r#type())?;
        let (name, place) = (self.text_attribute(b, op, "name")?, self.calls.place(b)?);
        let tensor = self.calls.value(
            b,
            "comet_rt_tensor_new",
            &[format, name, place],
            types::pointer(b.context()),
        )?;
        let i64_type = types::int(b.context(), 64);
        for (mode, label) in op.operands().into_iter().enumerate() {
            let size = extent(b, label)?;
            let (mode, size) = (b.int(i64_type, mode as i64)?, b.index_cast(size, i64_type)?);
            let stated = self.calls.place(b.with_location(stated_at(label)))?;
            self.calls.call(b, "comet_rt_tensor_set_dim", &[tensor, mode, size, stated])?;
        }
        if op.attribute("returned").is_some() {
            let is_overwritten = op.attribute("overwritten").is_some();
            let clear = b.int(i64_type, i64::from(!is_overwritten))?;
            self.calls.call(b, "comet_rt_result_alloc", &[tensor, clear, place])?;
        } else {
            self.calls.call(b, "comet_rt_tensor_alloc", &[tensor, place])?;
        }
        self.set(op, tensor);
        Ok(())
    }

    /// The border of the kernel has checked the tensor, extents included.
    fn argument(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let place = b.int(types::int(b.context(), 64), integer(op, "argument"))?;
        let at = self.calls.place(b)?;
        let tensor = self.calls.value(b, "comet_rt_argument", &[place, at], types::pointer(b.context()))?;
        self.set(op, tensor);
        Ok(())
    }

    pub(super) fn fill(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let tensor = op.operand(0);
        let value = b.constant(attribute(op, "value"), types::element(tensor.r#type()))?;
        let place = self.calls.place(b)?;
        self.calls.call(b, &by_type("comet_rt_fill", tensor.r#type()), &[self.value(tensor), value, place])
    }

    pub(super) fn literal(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let tensor = op.operand(0);
        let elements = attribute(op, "values");
        let count = DenseElementsAttribute::try_from(elements)?.len();
        let table = self.calls.table(b, elements, types::element(tensor.r#type()), count)?;
        let (count, place) = (b.int(types::int(b.context(), 64), count as i64)?, self.calls.place(b)?);
        self.calls.call(
            b,
            &by_type("comet_rt_set_literal", tensor.r#type()),
            &[self.value(tensor), table, count, place],
        )
    }

    pub(super) fn read(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let source = self.text_attribute(b, op, "source")?;
        let triangle = b.int(types::int(b.context(), 64), integer(op, "triangle"))?;
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_read", &[self.value(op.operand(0)), source, triangle, place])
    }

    pub(super) fn write(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let (path, place) = (self.text_attribute(b, op, "path")?, self.calls.place(b)?);
        self.calls.call(b, "comet_rt_write", &[self.value(op.operand(0)), path, place])
    }

    pub(super) fn random(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let density = FloatAttribute::try_from(attribute(op, "density"))?.value();
        let density = b.number(Ty::float64(b.context()), density, 0)?;
        let seed = b.int(types::int(b.context(), 64), integer(op, "seed"))?;
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_random", &[self.value(op.operand(0)), density, seed, place])
    }

    pub(super) fn extract(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let values = self.values_of(b, op.operand(0))?;
        let zero = b.index(0)?;
        let value = b.load(values, zero)?;
        self.set(op, value);
        Ok(())
    }

    pub(super) fn magnitude(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let tensor = self.value(op.operand(0));
        let magnitude = self.calls.value(b, "comet_rt_magnitude", &[tensor], op.result(0).r#type())?;
        self.set(op, magnitude);
        Ok(())
    }

    pub(super) fn checked_div(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let place = self.calls.place(b)?;
        let operands = [self.value(op.operand(0)), self.value(op.operand(1)), place];
        let quotient = self.calls.value(b, "comet_rt_div_i64", &operands, types::int(b.context(), 64))?;
        self.set(op, quotient);
        Ok(())
    }

    /// A step of zero would never end.
    pub(super) fn checked_step(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let step = self.value(op.operand(0));
        let zero = b.int(step.r#type(), 0)?;
        let is_zero = b.cmpi(Compare::Eq, step, zero)?;
        let (message, place) = (
            self.calls.text(b, "the step of a `for` loop is 0, expected another number")?,
            self.calls.place(b)?,
        );
        b.if_else(
            is_zero,
            &[],
            |b| self.calls.call(b, "comet_rt_fail", &[message, place]).map(|()| Vec::new()),
            |_| Ok(Vec::new()),
        )?;
        self.set(op, step);
        Ok(())
    }

    pub(super) fn print(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_print", &[self.value(op.operand(0)), place])
    }

    pub(super) fn print_scalar(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let value = self.value(op.operand(0));
        let bare = b.int(types::int(b.context(), 8), i64::from(op.attribute("bare").is_some()))?;
        self.calls.call(b, &format!("comet_rt_print_scalar_{}", suffix(value.r#type())), &[value, bare])
    }

    pub(super) fn time(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let seconds = self.calls.value(b, "comet_rt_time", &[], Ty::float64(b.context()))?;
        self.set(op, seconds);
        Ok(())
    }

    pub(super) fn print_elapsed(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let operands = [self.value(op.operand(0)), self.value(op.operand(1))];
        self.calls.call(b, "comet_rt_print_elapsed", &operands)
    }

    pub(super) fn level_size(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let i64_type = types::int(b.context(), 64);
        let level = b.int(i64_type, integer(op, "level"))?;
        let size =
            self.calls.value(b, "comet_rt_level_size", &[self.value(op.operand(0)), level], i64_type)?;
        let size = b.index_cast(size, types::index(b.context()))?;
        self.set(op, size);
        Ok(())
    }

    /// The pos or crd array of a level.
    pub(super) fn index_array(&mut self, b: Builder<'c>, op: Op<'c>, array: &str) -> Result<'c, ()> {
        let tensor = op.operand(0);
        let memref_type = op.result(0).r#type();
        let wide = types::element(memref_type) == types::int(b.context(), 64);
        let level = b.int(types::int(b.context(), 64), integer(op, "level"))?;
        let name = format!("comet_rt_{array}_{}", if wide { "i64" } else { "i32" });
        let memref = self.calls.value_with_memrefs(b, &name, &[self.value(tensor), level], memref_type)?;
        self.set(op, memref);
        Ok(())
    }

    pub(super) fn values_array(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let values = self.values_of(b, op.operand(0))?;
        self.set(op, values);
        Ok(())
    }

    fn values_of(&mut self, b: Builder<'c>, tensor: Val<'c>) -> Result<'c, Val<'c>> {
        let ty = types::memref(types::element(tensor.r#type()));
        self.calls.value_with_memrefs(
            b,
            &by_type("comet_rt_values", tensor.r#type()),
            &[self.value(tensor)],
            ty,
        )
    }

    pub(super) fn format_text(&mut self, b: Builder<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        let text = TypedFormat { value: format::value_type(ty), format: format::of_type(ty) }.to_string();
        self.calls.text(b, &text)
    }

    pub(super) fn text_attribute(&mut self, b: Builder<'c>, op: Op<'c>, name: &str) -> Result<'c, Val<'c>> {
        let text = StringAttribute::try_from(attribute(op, name))?;
        self.calls.text(b, text.value())
    }
}

/// The extent of a static label: 0 where the end comes before the start.
fn extent<'c>(b: Builder<'c>, range: Val<'c>) -> Result<'c, Val<'c>> {
    let Some(label) = Op::defining(range).filter(|op| op.is::<ta::IndexLabelStatic>()) else {
        return Err(IrError::at(b.location(), "expected static labels").hint("run `ta-resolve-sizes` first"));
    };
    let (start, end, step) = (label.operand(0), label.operand(1), label.operand(2));
    let span = b.subi(end, start)?;
    let span = b.maxi(span, b.index(0)?)?;
    b.value("arith.ceildivui", &[span, step], types::index(b.context()))
}

/// Where the program states the extent of a label.
fn stated_at(range: Val<'_>) -> Loc<'_> {
    let label = Op::defining(range).expect("`extent` has found the label");
    label.location()
}

/// The name that the variable was declared under.
pub(super) fn variable_name(tensor: Val<'_>) -> String {
    let name = Op::defining(tensor).and_then(|op| op.attribute("name"));
    name.and_then(|name| StringAttribute::try_from(name).ok())
        .map_or_else(String::new, |name| name.value().to_owned())
}

pub(super) fn attribute<'c>(op: Op<'c>, name: &str) -> Attr<'c> {
    op.attribute(name).expect("the verifier demands the attribute")
}

/// `name_f64`, by the element type of a tensor type.
pub(super) fn by_type(name: &str, tensor: Ty<'_>) -> String {
    format!("{name}_{}", suffix(types::element(tensor)))
}

pub(super) fn suffix(ty: Ty<'_>) -> &'static str {
    if ty.is_f64() {
        "f64"
    } else if ty.is_f32() {
        "f32"
    } else {
        "i64"
    }
}
