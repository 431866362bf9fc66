//! What passes on contractions ask of a `ta.tc`.

use comet_format::{Format, Level, LevelExpr};
use comet_ir::indexing::IndexingMaps;
use comet_ir::{Builder, Result, Ty, Val, format, ta, types};
use melior::ir::ValueLike;

/// A tensor with the label of each mode.
#[derive(Clone)]
pub(super) struct Operand<'c> {
    pub(super) tensor: Val<'c>,
    pub(super) labels: Vec<usize>,
}

impl<'c> Operand<'c> {
    pub(super) fn format(&self) -> Format {
        format::of(self.tensor)
    }

    pub(super) fn mode_of(&self, label: usize) -> Option<usize> {
        self.labels.iter().position(|other| *other == label)
    }

    /// Whether it has a level that stores every coordinate of the label, under one parent or more.
    pub(super) fn stores_all_of(&self, label: usize) -> bool {
        let is_its = |level: &Level| {
            level.kind.is_full() && matches!(level.expr, LevelExpr::Mode(mode) if self.labels[mode] == label)
        };
        self.format().levels.iter().any(is_its)
    }
}

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
        let operands = op.operands();
        let is_variable = |value: &Val<'c>| ta::TensorDecl::defining(*value).is_some();
        if !operands.iter().all(is_variable) {
            return Ok(None);
        }
        let maps = IndexingMaps::of_attribute(op.indexing_maps())?;
        let labeled = operands.into_iter().zip(maps.operands);
        let mut inputs: Vec<Operand<'c>> =
            labeled.map(|(tensor, labels)| Operand { tensor, labels }).collect();
        let output = inputs.pop().expect("the verifier demands an output");
        let extent = |label| {
            let named = inputs.iter().chain([&output]).find_map(|operand| {
                Some(types::static_dim(operand.tensor.r#type(), operand.mode_of(label)?))
            });
            named.flatten()
        };
        let extents = (0..maps.labels).map(extent).collect();
        Ok(Some(Self { op, inputs, output, extents, names: op.labels() }))
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

    /// The range that the declaration of an operand gives a label.
    pub(super) fn range(&self, label: usize) -> Val<'c> {
        let holder = self.operands().find_map(|operand| Some((operand.tensor, operand.mode_of(label)?)));
        let (tensor, mode) = holder.expect("the label is that of an operand");
        let variable = ta::TensorDecl::defining(tensor);
        variable.expect("it is a variable").labels()[mode]
    }
}
