//! What computes a result in a sparse format: one call of the run time each.

use super::Lowering;
use super::ops::by_type;
use comet_ir::{Builder, Op, Result, Val, types};
use comet_passes::nest::{integer, optional_integer};
use melior::ir::ValueLike;

impl<'c> Lowering<'c> {
    pub(super) fn append_begin(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_append_begin", &[self.value(op.operand(0)), place])
    }

    pub(super) fn same_pattern(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let levels = b.int(types::int(b.context(), 64), integer(op, "levels"))?;
        let [tensor, stored] = [0, 1].map(|operand| self.value(op.operand(operand)));
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_same_pattern", &[tensor, stored, levels, place])
    }

    pub(super) fn append_grow(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let is_guess = op.attribute("if_possible").is_some();
        self.make_room(b, op, if is_guess { "comet_rt_append_expect" } else { "comet_rt_append_grow" })
    }

    pub(super) fn append_reserve(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        self.make_room(b, op, "comet_rt_append_reserve")
    }

    fn make_room(&mut self, b: Builder<'c>, op: Op<'c>, function: &str) -> Result<'c, ()> {
        let i64_type = types::int(b.context(), 64);
        let level = b.int(i64_type, integer(op, "level"))?;
        let (count, place) = (b.index_cast(op.operand(1), i64_type)?, self.calls.place(b)?);
        let arguments = [self.value(op.operand(0)), level, count, place];
        self.calls.call(b, function, &arguments)
    }

    pub(super) fn append_end(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let (counts, place) = (self.integers(b, &op.operands()[1..])?, self.calls.place(b)?);
        self.calls.call_with_memrefs(b, "comet_rt_append_end", &[self.value(op.operand(0)), counts, place])
    }

    pub(super) fn parts_begin(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let count = b.index_cast(op.operand(1), types::int(b.context(), 64))?;
        let arguments = [self.value(op.operand(0)), count, self.calls.place(b)?];
        self.calls.call(b, "comet_rt_parts_begin", &arguments)
    }

    pub(super) fn part_claim(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let arguments = [self.value(op.operand(0)), self.calls.place(b)?];
        let number = self.calls.value(b, "comet_rt_part_claim", &arguments, types::int(b.context(), 64))?;
        let number = b.index_cast(number, types::index(b.context()))?;
        self.set(op, number);
        Ok(())
    }

    pub(super) fn part(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let number = b.index_cast(op.operand(1), types::int(b.context(), 64))?;
        let arguments = [self.value(op.operand(0)), number, self.calls.place(b)?];
        let part = self.calls.value(b, "comet_rt_part", &arguments, types::pointer(b.context()))?;
        self.set(op, part);
        Ok(())
    }

    pub(super) fn part_end(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let mut arguments = vec![self.value(op.operand(0))];
        for number in &op.operands()[1..4] {
            arguments.push(b.index_cast(*number, types::int(b.context(), 64))?);
        }
        arguments.extend([self.integers(b, &op.operands()[4..])?, self.calls.place(b)?]);
        self.calls.call_with_memrefs(b, "comet_rt_part_end", &arguments)
    }

    pub(super) fn parts_end(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_parts_end", &[self.value(op.operand(0)), place])
    }

    /// Numbers in memory, for a function that takes any number of them.
    fn integers(&mut self, b: Builder<'c>, numbers: &[Val<'c>]) -> Result<'c, Val<'c>> {
        let room = b.integers(numbers.len() as u64)?;
        for (place, number) in numbers.iter().enumerate() {
            let (number, place) =
                (b.index_cast(*number, types::int(b.context(), 64))?, b.index(place as i64)?);
            b.store(number, room, place)?;
        }
        Ok(room)
    }

    pub(super) fn points_begin(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let reduction = self.text_attribute(b, op, "reduction")?;
        let kind = self.text_attribute(b, op, "kind")?;
        let capacity = b.int(types::int(b.context(), 64), optional_integer(op, "capacity").unwrap_or(0))?;
        let arguments = [self.value(op.operand(0)), reduction, kind, capacity, self.calls.place(b)?];
        self.calls.call(b, "comet_rt_points_begin", &arguments)?;
        if op.attribute("counted").is_none() {
            return Ok(());
        }
        let arguments =
            [self.value(op.operand(0)), self.text_attribute(b, op, "counted")?, self.calls.place(b)?];
        self.calls.call(b, "comet_rt_points_count", &arguments)
    }

    pub(super) fn count_dense(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let i64_type = types::int(b.context(), 64);
        let mut arguments = vec![self.text_attribute(b, op, "name")?];
        for number in op.operands() {
            arguments.push(b.index_cast(number, i64_type)?);
        }
        arguments.push(b.int(i64_type, i64::from(op.attribute("sorted").is_some()))?);
        arguments.push(self.calls.place(b)?);
        self.calls.call(b, "comet_rt_dense_count", &arguments)
    }

    /// An array of an accumulator, for generated code to work in.
    pub(super) fn points_array(&mut self, b: Builder<'c>, op: Op<'c>, function: &str) -> Result<'c, ()> {
        let arguments = [self.value(op.operand(0)), self.calls.place(b)?];
        let array = self.calls.value_with_memrefs(b, function, &arguments, op.result(0).r#type())?;
        self.set(op, array);
        Ok(())
    }

    pub(super) fn points_next(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_points_next", &[self.value(op.operand(0)), place])
    }

    pub(super) fn insert(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let (value, tensor) = (op.operand(0), op.operand(1));
        let (point, place) = (self.integers(b, &op.operands()[2..])?, self.calls.place(b)?);
        let arguments = [self.value(tensor), point, value, place];
        self.calls.call_with_memrefs(b, &by_type("comet_rt_insert", tensor.r#type()), &arguments)
    }

    pub(super) fn points_end(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_points_end", &[self.value(op.operand(0)), place])
    }

    pub(super) fn workspace(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let ty = op.result(0).r#type();
        let element = types::element(ty);
        let name = match types::is_float(element) {
            true => format!("comet_rt_workspace_f{}", types::width(element)),
            false => format!("comet_rt_workspace_{element}"),
        };
        let sizes = self.integers(b, &op.operands()[1..])?;
        let arguments = [self.value(op.operand(0)), sizes, self.calls.place(b)?];
        let array = self.calls.value_with_memrefs(b, &name, &arguments, ty)?;
        self.set(op, array);
        Ok(())
    }

    pub(super) fn workspaces_end(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_workspaces_end", &[self.value(op.operand(0)), place])
    }

    pub(super) fn collect_marked(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let i64_type = types::int(b.context(), 64);
        let [size, shift] = [b.index_cast(op.operand(1), i64_type)?, b.index_cast(op.operand(2), i64_type)?];
        let list = op.operand(3);
        let name = format!("comet_rt_collect_marked_{}", types::element(list.r#type()));
        let arguments = [self.value(op.operand(0)), size, shift, self.value(list)];
        let count = self.calls.value_with_memrefs(b, &name, &arguments, i64_type)?;
        self.set(op, b.index_cast(count, types::index(b.context()))?);
        Ok(())
    }
}
