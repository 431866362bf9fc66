//! Copies of whole tensors, products of dense ones, and permutations of indices.

use super::Lowering;
use super::calls::CallArgument;
use super::ops::{format_text, of_element, variable_name};
use crate::instrument::Instrument;
use comet_abi::contraction;
use comet_abi::functions::{self, AbiFunction};
use comet_format::LevelExpr;
use comet_ir::indexing::IndexingMaps;
use comet_ir::{Attr, Builder, Op, Result, Ty, Val, format, ta, types};
use melior::ir::ValueLike;
use melior::ir::attribute::{DenseElementsAttribute, IntegerAttribute};

impl<'c> Lowering<'c> {
    /// Elements of dense tensors go to their places. Elsewhere the run time makes a new tensor, whose storage
    /// moves into the target.
    pub(super) fn convert(&mut self, b: Builder<'c>, op: ta::Convert<'c>) -> Result<'c, ()> {
        let (source, target) = (op.source(), op.target());
        let modes = op.permutation();
        let (table, rank) = (self.permutation(b, &modes)?, CallArgument::Int(modes.len() as i64));
        if self.instrument == Instrument::Nothing && is_copy(source.r#type(), target.r#type()) {
            return self.call(b, &functions::COPY, &[source.into(), target.into(), table.into(), rank]);
        }
        let (format, name) = (format_text(target.r#type()), variable_name(target));
        let function = match self.instrument {
            Instrument::Nothing => &functions::CONVERT,
            Instrument::Workspaces => &functions::CONVERT_COUNTED,
        };
        let arguments = [
            source.into(),
            format.as_str().into(),
            name.as_str().into(),
            table.into(),
            rank,
            is_last_use(*op, source).into(),
        ];
        let copy = self.made(b, function, &arguments)?;
        self.call(b, &functions::TENSOR_MOVE, &[copy.into(), target.into()])?;
        self.call(b, &functions::TENSOR_FREE, &[copy.into()])
    }

    /// Copies a part of a tensor or puts it back: three numbers for each mode of the whole.
    pub(super) fn window(
        &mut self,
        b: Builder<'c>,
        function: &AbiFunction,
        [whole, part]: [Val<'c>; 2],
        from: &[Val<'c>],
        [steps, shifted]: [&[i64]; 2],
    ) -> Result<'c, ()> {
        let mut numbers = Vec::new();
        for (mode, (from, step)) in from.iter().zip(steps).enumerate() {
            let is_shifted = shifted.contains(&(mode as i64));
            numbers.extend([*from, b.index(*step)?, b.index(i64::from(is_shifted))?]);
        }
        self.call(b, function, &[whole.into(), part.into(), CallArgument::Numbers(numbers)])
    }

    /// The mode of the source for each of the target.
    fn permutation(&mut self, b: Builder<'c>, modes: &[i64]) -> Result<'c, Val<'c>> {
        let i64_type = types::int(b.context(), 64);
        let elements: Vec<Attr<'c>> =
            modes.iter().map(|mode| IntegerAttribute::new(i64_type, *mode).into()).collect();
        let ty = types::tensor(&[Some(modes.len() as u64)], i64_type, None);
        let elements = DenseElementsAttribute::new(ty, &elements)?;
        self.calls.table(b, elements.into(), i64_type, modes.len())
    }

    pub(super) fn gemm(&mut self, b: Builder<'c>, op: ta::Gemm<'c>) -> Result<'c, ()> {
        let maps = IndexingMaps::of_attribute(op.indexing_maps())?;
        let letters =
            |labels: &Vec<usize>| labels.iter().map(|label| contraction::letter(*label)).collect::<String>();
        let letters: Vec<String> = maps.operands.iter().map(letters).collect();
        let labels = format!("{},{}->{}", letters[0], letters[1], letters[2]);
        let element = types::element_of(op.output());
        let alpha = b.constant(op.alpha(), element)?;
        let arguments = [
            op.left().into(),
            op.right().into(),
            op.output().into(),
            labels.as_str().into(),
            alpha.into(),
            (op.beta() != 0.0).into(),
        ];
        self.call(b, of_element(&functions::GEMM, element), &arguments)
    }

    /// The run time finds permutations: a call for each mode, between one that begins and one that ends.
    pub(super) fn reorder(&mut self, b: Builder<'c>, op: ta::Reorder<'c>) -> Result<'c, ()> {
        let iterations = CallArgument::Int(op.iterations().unwrap_or(0));
        let arguments = [op.tensor().into(), op.method().into(), iterations, op.told().into()];
        let found = self.made(b, &functions::REORDER_BEGIN, &arguments)?;
        for (mode, permutation) in op.permutations().into_iter().enumerate() {
            let arguments = [found.into(), CallArgument::Int(mode as i64)];
            let numbers = self.made(b, &functions::REORDER_MODE, &arguments)?;
            self.set(permutation, numbers);
        }
        self.call(b, &functions::REORDER_END, &[found.into()])
    }

    pub(super) fn permute(&mut self, b: Builder<'c>, op: ta::Permute<'c>) -> Result<'c, ()> {
        let copying = self.made(b, &functions::PERMUTE_BEGIN, &[op.source().into()])?;
        for (mode, permutation) in op.modes().into_iter().zip(op.permutations()) {
            let arguments = [copying.into(), CallArgument::Int(mode), permutation.into(), op.undone().into()];
            self.call(b, &functions::PERMUTE_MODE, &arguments)?;
        }
        self.call(b, &functions::PERMUTE_END, &[copying.into(), op.target().into()])
    }
}

/// True if a tensor is only released after an operation.
fn is_last_use<'c>(op: Op<'c>, tensor: Val<'c>) -> bool {
    let mut others = op.following().filter(|other| other.names(tensor));
    others.next().is_some_and(|other| other.is::<ta::Release>()) && others.next().is_none()
}

/// Whether a conversion moves elements and nothing else: both are dense, of whole modes and of one type.
fn is_copy(source: Ty<'_>, target: Ty<'_>) -> bool {
    let is_dense = |ty| {
        let levels = format::of_type(ty).levels;
        levels.iter().all(|level| level.kind.is_full() && matches!(level.expr, LevelExpr::Mode(_)))
    };
    is_dense(source) && is_dense(target) && types::element(source) == types::element(target)
}
