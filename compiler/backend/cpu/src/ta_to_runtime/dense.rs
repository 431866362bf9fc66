//! Copies of whole tensors, and products of dense ones.

use super::Lowering;
use super::ops::{attribute, by_type, variable_name};
use crate::instrument::Instrument;
use comet_abi::contraction;
use comet_format::{LevelExpr, LevelKind};
use comet_ir::indexing::IndexingMaps;
use comet_ir::{Attr, Builder, Op, Result, Ty, Val, format, types};
use melior::ir::ValueLike;
use melior::ir::attribute::{
    DenseElementsAttribute, DenseI64ArrayAttribute, FloatAttribute, IntegerAttribute,
};

impl<'c> Lowering<'c> {
    /// Elements of dense tensors go to their places. Elsewhere the run time makes a new tensor, whose storage
    /// moves into the target.
    pub(super) fn convert(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let (source, target) = (op.operand(0), op.operand(1));
        let (count, table) = self.permutation(b, op)?;
        if self.instrument == Instrument::Nothing && is_copy(source.r#type(), target.r#type()) {
            let arguments = [self.value(source), self.value(target), table, count, self.calls.place(b)?];
            return self.calls.call(b, "comet_rt_copy", &arguments);
        }
        let format = self.format_text(b, target.r#type())?;
        let (name, place) = (self.calls.text(b, &variable_name(target))?, self.calls.place(b)?);
        let arguments = [self.value(source), format, name, table, count, place];
        let function = match self.instrument {
            Instrument::Nothing => "comet_rt_convert",
            Instrument::Workspaces => "comet_rt_convert_counted",
        };
        let copy = self.calls.value(b, function, &arguments, types::pointer(b.context()))?;
        self.calls.call(b, "comet_rt_tensor_move", &[copy, self.value(target)])?;
        self.calls.call(b, "comet_rt_tensor_free", &[copy])
    }

    /// The number of modes, and the mode of the source for each of the target.
    fn permutation(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, (Val<'c>, Val<'c>)> {
        let permutation = DenseI64ArrayAttribute::try_from(attribute(op, "permutation"))?;
        let rank = permutation.len();
        let i64_type = types::int(b.context(), 64);
        let modes =
            (0..rank).map(|mode| Ok(IntegerAttribute::new(i64_type, permutation.element(mode)?).into()));
        let modes = modes.collect::<Result<'c, Vec<Attr<'c>>>>()?;
        let elements =
            DenseElementsAttribute::new(types::tensor(&[Some(rank as u64)], i64_type, None), &modes)?;
        let table = self.calls.table(b, elements.into(), i64_type, rank)?;
        Ok((b.int(i64_type, rank as i64)?, table))
    }

    pub(super) fn gemm(&mut self, b: Builder<'c>, op: Op<'c>) -> Result<'c, ()> {
        let maps = IndexingMaps::of_attribute(attribute(op, "indexing_maps"))?;
        let letters =
            |labels: &Vec<usize>| labels.iter().map(|label| contraction::letter(*label)).collect::<String>();
        let letters: Vec<String> = maps.operands.iter().map(letters).collect();
        let labels = self.calls.text(b, &format!("{},{}->{}", letters[0], letters[1], letters[2]))?;
        let output = op.operand(2);
        let alpha = b.constant(attribute(op, "alpha"), types::element(output.r#type()))?;
        let accumulates = FloatAttribute::try_from(attribute(op, "beta"))?.value() != 0.0;
        let accumulates = b.int(types::int(b.context(), 64), i64::from(accumulates))?;
        let [left, right, to] = [op.operand(0), op.operand(1), output].map(|tensor| self.value(tensor));
        let arguments = [left, right, to, labels, alpha, accumulates, self.calls.place(b)?];
        self.calls.call(b, &by_type("comet_rt_gemm", output.r#type()), &arguments)
    }
}

/// Whether a conversion moves elements and nothing else: both are dense, of whole modes and of one type.
fn is_copy(source: Ty<'_>, target: Ty<'_>) -> bool {
    let is_dense = |ty| {
        let levels = format::of_type(ty).levels;
        levels.iter().all(|level| level.kind == LevelKind::Dense && matches!(level.expr, LevelExpr::Mode(_)))
    };
    is_dense(source) && is_dense(target) && types::element(source) == types::element(target)
}
