//! The declarations of a graph.

use super::TensorValues;
use crate::element::element_type;
use crate::level;
use comet_ir::{Builder, IrError, Loc, Result, Ty, Val, sam, types};
use comet_sam::graph::{BlockId, Graph, GraphLevel, TensorFormat};
use melior::ir::{TypeLike, ValueLike};
use std::collections::HashMap;

pub(super) struct TensorDeclarations<'a, 'c> {
    graph: &'a Graph,
    location: Loc<'c>,
    result: Val<'c>,
    /// For each operand a declaration for each of its uses.
    operands: HashMap<&'a str, Vec<Val<'c>>>,
    begun: HashMap<&'a str, usize>,
    of_references: HashMap<BlockId, Val<'c>>,
}

impl<'a, 'c> TensorDeclarations<'a, 'c> {
    pub(super) fn declare(b: Builder<'c>, graph: &'a Graph, values: &TensorValues<'c>) -> Result<'c, Self> {
        let (mut result, mut operands) = (None, HashMap::<&str, Vec<Val<'c>>>::new());
        for tensor in &graph.tensors {
            let lacks =
                || IrError::at(b.location(), format!("nothing stands for the tensor `{}`", tensor.name));
            let source = *values.get(&tensor.name).ok_or_else(lacks)?;
            if result.is_none() {
                result = Some(sam::Result::build(b, &tensor.name, source, tensor_type(b, tensor))?.result());
            } else {
                let operand = operand(b, tensor, source)?;
                operands.entry(&tensor.name).or_default().push(operand);
            }
        }
        let result = result.ok_or_else(|| IrError::at(b.location(), "expected a graph with a result"))?;
        let (location, begun, of_references) = (b.location(), HashMap::new(), HashMap::new());
        Ok(Self { graph, location, result, operands, begun, of_references })
    }

    pub(super) fn result(&self) -> Val<'c> {
        self.result
    }

    /// The tensor of that name: the operand whose references come to a block, one of whose uses begins in
    /// it, or the result.
    pub(super) fn tensor(&mut self, name: &str, maker: Option<BlockId>) -> Result<'c, Val<'c>> {
        if self.graph.tensors[0].name == name {
            return Ok(self.result);
        }
        let Some((&name, uses)) = self.operands.get_key_value(name) else {
            return Err(self.undeclared(name));
        };
        let known = maker.and_then(|block| self.of_references.get(&block)).copied();
        if let Some(known) = known.filter(|known| uses.contains(known)) {
            return Ok(known);
        }
        let begun = self.begun.entry(name).or_default();
        *begun += 1;
        Ok(uses[(*begun - 1).min(uses.len() - 1)])
    }

    pub(super) fn belong(&mut self, block: BlockId, tensor: Val<'c>) {
        self.of_references.insert(block, tensor);
    }

    pub(super) fn level(&self, name: &str, mode: usize, level: GraphLevel) -> Result<'c, i64> {
        let (tensor, number) = self.stored(name, mode)?;
        match number.filter(|number| tensor.levels[*number] == level) {
            Some(number) => Ok(number as i64),
            None => {
                let message = format!("expected a {} level of `{tensor}` for mode {mode}", level.name());
                Err(IrError::at(self.location, message))
            }
        }
    }

    pub(super) fn number(&self, name: &str, mode: usize) -> Result<'c, i64> {
        let (tensor, number) = self.stored(name, mode)?;
        let none = || IrError::at(self.location, format!("expected a level of `{tensor}` for mode {mode}"));
        number.map(|number| number as i64).ok_or_else(none)
    }

    fn stored(&self, name: &str, mode: usize) -> Result<'c, (&'a TensorFormat, Option<usize>)> {
        let tensor = self.graph.tensors.iter().find(|tensor| tensor.name == name);
        let tensor = tensor.ok_or_else(|| self.undeclared(name))?;
        Ok((tensor, tensor.level_of(mode)))
    }

    fn undeclared(&self, name: &str) -> IrError<'c> {
        IrError::at(self.location, format!("a block has the tensor `{name}`, which the graph does not list"))
    }
}

fn operand<'c>(b: Builder<'c>, tensor: &TensorFormat, source: Val<'c>) -> Result<'c, Val<'c>> {
    let (name, read, ty) = (&tensor.name, source.r#type(), tensor_type(b, tensor));
    Ok(if read.is_index() {
        sam::Universe::build(b, name, source, ty)?.result()
    } else if types::is_tensor(read) {
        sam::Operand::build(b, name, source, ty)?.result()
    } else {
        sam::Scalar::build(b, name, source, ty)?.result()
    })
}

fn tensor_type<'c>(b: Builder<'c>, tensor: &TensorFormat) -> Ty<'c> {
    let level =
        |(level, mode): (&GraphLevel, &usize)| sam::Level { kind: level::to_kind(*level), mode: *mode };
    let levels = tensor.levels.iter().zip(&tensor.order).map(level).collect();
    sam::Fibertree { levels, element: element_type(b.context(), tensor.element) }.to_type(b.context())
}
