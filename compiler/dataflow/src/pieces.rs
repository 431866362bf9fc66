//! Takes the computes out of a module: each becomes one graph or several, and `ta.launch` runs them.

use crate::copies as copies_of_program;
use crate::statement::{self, Computed, Source};
use comet_dialects::cin::{AssignOperation, ComputeOperation};
use comet_ir::{Builder, IrError, Op, Result, Val, format, types};
use comet_passes::cin::clear;
use comet_passes::copies;
use comet_runtime::format::{Format, IndexWidth, Level, LevelExpr, LevelKind};
use comet_sam::arithmetic::Element;
use comet_sam::graph::{self, Graph, Kind, TensorFormat};
use comet_sam::lower::Lowered;
use melior::ir::{Type, ValueLike};
use std::collections::BTreeMap;

/// A graph of a program, and what its launches are given.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The graph.
    pub graph: Graph,
    /// The names of the tensors that the arguments are, in their order: the result first.
    pub arguments: Vec<Role>,
}

/// What an argument of a launch is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The tensor of that name, stored as the graph says.
    Tensor(String),
    /// The one value of a tensor of rank 0.
    Number(String),
    /// The extent of the tensor that stands for all coordinates of an index variable.
    Universe(String),
}

/// Replaces every compute by launches; the pieces are in the order of their numbers, which is that of the
/// program.
pub fn take<'c>(module: Op<'c>) -> Result<'c, Vec<Piece>> {
    copies_of_program::as_computes(module)?;
    let mut pieces = Vec::new();
    let computes = module.descendants::<ComputeOperation>();
    let clearing: Vec<Option<Op<'c>>> = computes.iter().map(|compute| clearing(*compute)).collect();
    for (compute, cleared) in computes.iter().zip(&clearing) {
        if clearing.contains(&Some(*compute)) {
            continue;
        }
        let computed = statement::read(*compute, cleared.is_some())?;
        let lowered = computed.lower().map_err(|refusal| {
            let error = IrError::at(compute.location(), refusal.message);
            IrError { hint: refusal.hint, ..error }
        })?;
        let b = Builder::before(*compute);
        Launches { b, pieces: &mut pieces, computed: &computed, values: BTreeMap::new() }.all(lowered)?;
    }
    computes.into_iter().for_each(Op::erase);
    Ok(pieces)
}

/// The compute that only clears what this one computes.
fn clearing<'c>(compute: Op<'c>) -> Option<Op<'c>> {
    let assigns = compute.descendants::<AssignOperation>().into_iter();
    let mut whole = assigns.filter(|assign| !statement::keeps_elements(*assign));
    whole.find_map(|assign| clear::cleared_by(compute, assign))
}

/// What stands for a tensor of a graph.
#[derive(Clone, Copy)]
enum Bound<'c> {
    Tensor(Val<'c>),
    Number(Val<'c>),
    Universe(Val<'c>),
}

/// Writes the launches of one statement.
struct Launches<'a, 'c> {
    b: Builder<'c>,
    pieces: &'a mut Vec<Piece>,
    computed: &'a Computed<'c>,
    values: BTreeMap<String, Bound<'c>>,
}

impl<'c> Launches<'_, 'c> {
    fn all(mut self, lowered: Lowered) -> Result<'c, ()> {
        let b = self.b;
        let mut made = self.operands()?;
        for universe in &lowered.universes {
            let extent = self.extent(&universe.index);
            self.values.insert(universe.tensor.clone(), Bound::Universe(extent));
        }
        let count = lowered.graphs.len();
        for (number, graph) in lowered.graphs.into_iter().enumerate() {
            let is_last = number + 1 == count;
            let written = graph.tensors[0].clone();
            let result = if is_last { self.result(&written)? } else { self.temporary(&graph)? };
            self.launch(graph, result)?;
            self.values.insert(written.name, Bound::Tensor(result));
            if !is_last {
                made.push(result);
                continue;
            }
            let Source::Tensor(target, _) = self.computed.sources[0] else { continue };
            if target != result {
                copies::convert(b, result, target)?;
                made.push(result);
            }
        }
        made.into_iter().try_for_each(|tensor| b.op("ta.release", &[tensor], &[], &[]).map(|_| ()))
    }

    /// Binds the operands, the copies of some first, which are given back.
    fn operands(&mut self) -> Result<'c, Vec<Val<'c>>> {
        let mut copied = Vec::new();
        let operands = self.computed.statement.tensors.iter().zip(&self.computed.sources);
        for (tensor, source) in operands.skip(1) {
            let bound = match source {
                Source::Tensor(operand, None) => Bound::Tensor(*operand),
                Source::Tensor(operand, Some(format)) => {
                    let copy = copies::copy_of(self.b, *operand, format)?;
                    copied.push(copy);
                    Bound::Tensor(copy)
                }
                Source::Number(value) => Bound::Number(*value),
            };
            self.values.insert(tensor.name.clone(), bound);
        }
        Ok(copied)
    }

    fn extent(&self, index: &str) -> Val<'c> {
        let found = self.computed.extents.iter().find(|(name, _)| name == index);
        found.expect("lowering makes no index variables").1
    }

    /// What the last graph writes: the target, or a tensor stored in another way.
    fn result(&self, written: &TensorFormat) -> Result<'c, Val<'c>> {
        let Source::Tensor(target, _) = &self.computed.sources[0] else {
            unreachable!("the target of a compute is a tensor")
        };
        let own = format::of_type(target.r#type());
        let format = stored(written, own.index_width);
        if format == own { Ok(*target) } else { copies::declare(self.b, *target, &format) }
    }

    /// A tensor that later graphs read.
    fn temporary(&self, graph: &Graph) -> Result<'c, Val<'c>> {
        let b = self.b;
        let written = &graph.tensors[0];
        let mut labels = Vec::new();
        let mut dims = Vec::new();
        for mode in 0..written.order.len() {
            let index = graph.blocks.iter().find_map(|block| match &block.kind {
                Kind::WriteLevel(level) if level.tensor == written.name && level.mode == mode => {
                    Some(&level.index)
                }
                _ => None,
            });
            let index = index.expect("a graph writes every mode of its result");
            let bounds = [b.index(0)?, self.extent(index), b.index(1)?];
            let name = [("name", b.string_attribute(index))];
            let label = b.op("ta.index_label_static", &bounds, &[types::range(b.context())], &name)?;
            labels.push(label.result(0));
            dims.push(None);
        }
        let format = stored(written, IndexWidth::I64);
        let encoding = format::to_attribute(b.context(), &format, format::Memory::Unspecified);
        let element = match written.element {
            Element::F64 => Type::float64(b.context()),
            Element::F32 => Type::float32(b.context()),
            Element::I64 => types::int(b.context(), 64),
        };
        let name = [("name", b.string_attribute(&written.name))];
        let ty = types::tensor(&dims, element, encoding);
        Ok(b.op("ta.tensor_decl", &labels, &[ty], &name)?.result(0))
    }

    fn launch(&mut self, graph: Graph, result: Val<'c>) -> Result<'c, ()> {
        let (mut arguments, mut roles) = (vec![result], vec![Role::Tensor(graph.tensors[0].name.clone())]);
        for name in graph.tensors[1..].iter().map(|tensor| &tensor.name) {
            let (value, role) = match self.values[name] {
                Bound::Tensor(value) => (value, Role::Tensor(name.clone())),
                Bound::Number(value) => (value, Role::Number(name.clone())),
                Bound::Universe(value) => (value, Role::Universe(name.clone())),
            };
            if !roles.contains(&role) {
                arguments.push(value);
                roles.push(role);
            }
        }
        let number = self.b.i64_attribute(self.pieces.len() as i64);
        self.b.op("ta.launch", &arguments, &[], &[("number", number)])?;
        self.pieces.push(Piece { graph, arguments: roles });
        Ok(())
    }
}

/// The format of a tensor as a graph stores it.
fn stored(tensor: &TensorFormat, index_width: IndexWidth) -> Format {
    let level = |(level, mode): (&graph::Level, &usize)| Level {
        expr: LevelExpr::Mode(*mode),
        kind: match level {
            graph::Level::Dense => LevelKind::Dense,
            graph::Level::Compressed => LevelKind::CompressedUnique,
        },
    };
    let levels = tensor.levels.iter().zip(&tensor.order).map(level).collect();
    Format { rank: tensor.order.len(), levels, index_width }
}
