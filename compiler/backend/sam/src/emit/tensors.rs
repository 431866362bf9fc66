//! The declarations of a graph.

use super::Sources;
use crate::element::element_type;
use comet_ir::{Builder, IrError, Loc, Result, Ty, Val, sam, types};
use comet_sam::graph::{BlockId, Graph, GraphLevel, Port, TensorFormat};
use melior::ir::{TypeLike, ValueLike};
use std::collections::HashMap;

/// What has been declared.
pub(super) struct TensorDeclarations<'a, 'c> {
    graph: &'a Graph,
    /// Where the graph comes from.
    location: Loc<'c>,
    result: Val<'c>,
    /// For each operand a declaration for each of its uses.
    operands: HashMap<&'a str, Vec<Val<'c>>>,
    /// How many uses of an operand have begun.
    begun: HashMap<&'a str, usize>,
    /// The declaration that references belong to.
    of_references: HashMap<(BlockId, Port), Val<'c>>,
}

impl<'a, 'c> TensorDeclarations<'a, 'c> {
    /// Declares the tensors of a graph in their order.
    pub(super) fn declare(b: Builder<'c>, graph: &'a Graph, sources: &Sources<'c>) -> Result<'c, Self> {
        let (mut result, mut operands) = (None, HashMap::<&str, Vec<Val<'c>>>::new());
        for tensor in &graph.tensors {
            let lacks =
                || IrError::at(b.location(), format!("nothing stands for the tensor `{}`", tensor.name));
            let source = *sources.get(&tensor.name).ok_or_else(lacks)?;
            if result.is_none() {
                result = Some(declaration(b, "sam.result", tensor, source)?);
            } else {
                let operand = declaration(b, operation(source.r#type()), tensor, source)?;
                operands.entry(&tensor.name).or_default().push(operand);
            }
        }
        let result = result.ok_or_else(|| IrError::at(b.location(), "expected a graph with a result"))?;
        let (location, begun, of_references) = (b.location(), HashMap::new(), HashMap::new());
        Ok(Self { graph, location, result, operands, begun, of_references })
    }

    /// What is written.
    pub(super) fn result(&self) -> Val<'c> {
        self.result
    }

    /// The tensor of that name: the operand whose references come to a block, one of whose uses begins in
    /// it, or the result.
    pub(super) fn tensor(&mut self, name: &str, references: Option<(BlockId, Port)>) -> Result<'c, Val<'c>> {
        if self.graph.tensors[0].name == name {
            return Ok(self.result);
        }
        let Some((&name, uses)) = self.operands.get_key_value(name) else {
            return Err(self.undeclared(name));
        };
        let known = references.and_then(|port| self.of_references.get(&port)).copied();
        if let Some(known) = known.filter(|known| uses.contains(known)) {
            return Ok(known);
        }
        let begun = self.begun.entry(name).or_default();
        *begun += 1;
        Ok(uses[(*begun - 1).min(uses.len() - 1)])
    }

    /// The references of an output belong to the same use as those of another one.
    pub(super) fn pass(&mut self, from: (BlockId, Port), to: (BlockId, Port)) {
        if let Some(tensor) = self.of_references.get(&from).copied() {
            self.belong(to, tensor);
        }
    }

    /// The references of an output belong to a declaration.
    pub(super) fn belong(&mut self, output: (BlockId, Port), tensor: Val<'c>) {
        self.of_references.insert(output, tensor);
    }

    /// The number of the level that stores a mode, and how it does.
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

    /// The number of the level that stores a mode.
    pub(super) fn number(&self, name: &str, mode: usize) -> Result<'c, i64> {
        let (tensor, number) = self.stored(name, mode)?;
        let none = || IrError::at(self.location, format!("expected a level of `{tensor}` for mode {mode}"));
        number.map(|number| number as i64).ok_or_else(none)
    }

    fn stored(&self, name: &str, mode: usize) -> Result<'c, (&'a TensorFormat, Option<usize>)> {
        let tensor = self.graph.tensors.iter().find(|tensor| tensor.name == name);
        let tensor = tensor.ok_or_else(|| self.undeclared(name))?;
        Ok((tensor, tensor.order.iter().position(|stored| *stored == mode)))
    }

    fn undeclared(&self, name: &str) -> IrError<'c> {
        IrError::at(self.location, format!("a block has the tensor `{name}`, which the graph does not list"))
    }
}

/// The operation that declares what a value is read as.
fn operation(source: Ty<'_>) -> &'static str {
    if source.is_index() {
        "sam.universe"
    } else if types::is_tensor(source) {
        "sam.operand"
    } else {
        "sam.scalar"
    }
}

fn declaration<'c>(
    b: Builder<'c>,
    operation: &str,
    tensor: &TensorFormat,
    source: Val<'c>,
) -> Result<'c, Val<'c>> {
    let ty = sam_tensor(b, tensor).to_type(b.context());
    let name = [("name", b.string_attribute(&tensor.name))];
    Ok(b.op(operation, &[source], &[ty], &name)?.result(0))
}

fn sam_tensor<'c>(b: Builder<'c>, tensor: &TensorFormat) -> sam::Tensor<'c> {
    let level = |(level, mode): (&GraphLevel, &usize)| sam::Level { kind: level_kind(*level), mode: *mode };
    let levels = tensor.levels.iter().zip(&tensor.order).map(level).collect();
    sam::Tensor { levels, element: element_type(b.context(), tensor.element) }
}

fn level_kind(level: GraphLevel) -> sam::LevelKind {
    match level {
        GraphLevel::Dense => sam::LevelKind::Dense,
        GraphLevel::Compressed => sam::LevelKind::Compressed,
        GraphLevel::BitVector(width) => sam::LevelKind::BitVector(width),
    }
}
