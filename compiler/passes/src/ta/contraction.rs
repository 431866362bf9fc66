//! What passes on contractions ask of a `ta.tc`.

use super::operand::Operand;
use comet_ir::{Builder, Result, Ty, Val, ta, types};
use melior::ir::ValueLike;

/// A `ta.tc` between variables of the function.
pub(super) struct Contraction<'c> {
    pub(super) op: ta::Tc<'c>,
    pub(super) inputs: Vec<Operand<'c>>,
    pub(super) output: Operand<'c>,
    /// The extent of each label, where it is known.
    pub(super) extents: Vec<Option<u64>>,
    /// What the program calls the labels, if that is known.
    pub(super) names: Option<Vec<String>>,
}

impl<'c> Contraction<'c> {
    /// That of a `ta.tc`; `None` where an operand is no variable.
    pub(super) fn of(op: ta::Tc<'c>) -> Result<'c, Option<Self>> {
        let is_variable = |value: Val<'c>| ta::TensorDecl::defining(value).is_some();
        if !op.operands().into_iter().all(is_variable) {
            return Ok(None);
        }
        let (mut inputs, labels) = Operand::of_contraction(op)?;
        let output = inputs.pop().expect("the verifier demands an output");
        let extent = |label| {
            let named = inputs.iter().chain([&output]).find_map(|operand| {
                Some(types::static_dim(operand.tensor.r#type(), operand.mode_of(label)?))
            });
            named.flatten()
        };
        let extents = (0..labels).map(extent).collect();
        Ok(Some(Self { op, inputs, output, extents, names: op.labels() }))
    }

    /// Rewrites the contraction where all demands hold that only the run time can decide; elsewhere it stays.
    pub(super) fn rewrite_where<D>(
        &self,
        undecided: &[D],
        ask: impl Fn(Builder<'c>, &D) -> Result<'c, Val<'c>>,
        rewritten: impl Fn(Builder<'c>) -> Result<'c, ()>,
    ) -> Result<'c, ()> {
        let b = Builder::before(self.op);
        let mut holds = None;
        for demand in undecided {
            holds = Some(b.joined("and", holds, ask(b, demand)?)?);
        }
        let Some(holds) = holds else {
            rewritten(b)?;
            self.op.erase();
            return Ok(());
        };
        b.branch(holds, rewritten, |b: Builder<'c>| {
            self.op.move_to_end(b.block());
            Ok(())
        })
    }

    pub(super) fn operands(&self) -> impl Iterator<Item = &Operand<'c>> {
        self.inputs.iter().chain([&self.output])
    }

    /// The number of positions that labels span, where it is known.
    pub(super) fn known_size(&self, labels: &[usize]) -> Option<f64> {
        labels.iter().map(|label| self.extents[*label].map(|extent| extent as f64)).product()
    }

    /// The number of positions that labels span, as a float: an integer may be too small for it.
    pub(super) fn size(&self, b: Builder<'c>, labels: &[usize]) -> Result<'c, Val<'c>> {
        let float = Ty::float64(b.context());
        let mut size = b.number(float, 1.0, 0)?;
        for label in labels {
            let extent = b.index_cast(self.extent(b, *label)?, types::int(b.context(), 64))?;
            size = b.value_op("mul", size, b.convert(extent, float)?)?;
        }
        Ok(size)
    }

    pub(super) fn extent(&self, b: Builder<'c>, label: usize) -> Result<'c, Val<'c>> {
        Ok(ta::RangeSize::build(b, self.range(label))?.size())
    }

    /// The range that a label has by the declaration of an operand.
    pub(super) fn range(&self, label: usize) -> Val<'c> {
        let holder = self.operands().find_map(|operand| Some((operand.tensor, operand.mode_of(label)?)));
        let (tensor, mode) = holder.expect("the label is that of an operand");
        let variable = ta::TensorDecl::defining(tensor);
        variable.expect("it is a variable").labels()[mode]
    }
}

/// Returns the demands that only the run time can decide; `None` where one is known not to hold.
pub(super) fn undecided<D>(demands: Vec<D>, holds: impl Fn(&D) -> Option<bool>) -> Option<Vec<D>> {
    let mut undecided = Vec::new();
    for demand in demands {
        match holds(&demand) {
            Some(false) => return None,
            Some(true) => {}
            None => undecided.push(demand),
        }
    }
    Some(undecided)
}
