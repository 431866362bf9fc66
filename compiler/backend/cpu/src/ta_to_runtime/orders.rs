//! New numbers for indices, which the run time finds and applies: a call for each mode, between one that
//! begins and one that ends.

use super::{Lowering, key};
use comet_ir::{Builder, Op, Result, types};
use comet_passes::nest::optional_integer;
use melior::ir::attribute::DenseI64ArrayAttribute;

impl<'c> Lowering<'c> {
    pub(super) fn reorder(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let (i64_type, pointer) = (types::int(b.context(), 64), types::pointer(b.context()));
        let method = self.text_attribute(b, op, "method")?;
        let iterations = b.int(i64_type, optional_integer(op, "iterations").unwrap_or(0))?;
        let told = b.int(types::int(b.context(), 8), i64::from(op.attribute("told").is_some()))?;
        let arguments = [self.value(op.operand(0)), method, iterations, told, self.calls.place(b)?];
        let found = self.calls.value(b, "comet_rt_reorder_begin", &arguments, pointer)?;
        for mode in 0..op.result_count() {
            let number = b.int(i64_type, mode as i64)?;
            let numbers = self.calls.value(b, "comet_rt_reorder_mode", &[found, number], pointer)?;
            self.values.insert(key(op.result(mode)), numbers);
        }
        self.calls.call(b, "comet_rt_reorder_end", &[found])
    }

    pub(super) fn permute(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let (i64_type, pointer) = (types::int(b.context(), 64), types::pointer(b.context()));
        let modes = op.attribute("modes").expect("the verifier demands the attribute");
        let modes = DenseI64ArrayAttribute::try_from(modes)?;
        let undone = b.int(types::int(b.context(), 8), i64::from(op.attribute("undone").is_some()))?;
        let from = self.value(op.operand(0));
        let copying = self.calls.value(b, "comet_rt_permute_begin", &[from], pointer)?;
        for place in 0..modes.len() {
            let mode = b.int(i64_type, modes.element(place)?)?;
            let numbers = self.value(op.operand(2 + place));
            self.calls.call(b, "comet_rt_permute_mode", &[copying, mode, numbers, undone])?;
        }
        let to = self.value(op.operand(1));
        let place = self.calls.place(b)?;
        self.calls.call(b, "comet_rt_permute_end", &[copying, to, place])
    }
}
