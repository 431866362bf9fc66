//! Takes the graphs out of a module: `ta.launch` runs them.

use crate::read::read;
use comet_dialects::sam::GraphOperation;
use comet_ir::{Builder, IrError, Op, Result, Val, types};
use comet_sam::graph::Graph;
use comet_sam::lower::Dialect;
use melior::ir::attribute::{FloatAttribute, IntegerAttribute};
use melior::ir::{TypeLike, ValueLike};

/// A graph of a program, and what its launches are given.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The graph.
    pub graph: Graph,
    /// The names of the tensors that the arguments are, in their order: the result first.
    pub arguments: Vec<Role>,
    /// Whose blocks the graph has.
    pub dialect: Dialect,
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

/// The number that a program states for a scalar, if a block can hold it.
fn stated(source: Val<'_>) -> Option<f64> {
    let constant = Op::defining(source)?.attribute("value")?;
    let float = FloatAttribute::try_from(constant).map(|number| number.value());
    let exact = |number: i64| Some(number as f64).filter(|float| *float as i64 == number);
    float.ok().or_else(|| exact(IntegerAttribute::try_from(constant).ok()?.value()))
}

impl Role {
    fn of(name: String, source: Val<'_>) -> Self {
        let ty = source.r#type();
        if types::is_tensor(ty) {
            Self::Tensor(name)
        } else if ty.is_index() {
            Self::Universe(name)
        } else {
            Self::Number(name)
        }
    }
}

/// Replaces every graph by a launch; the pieces are in the order of their numbers, which is that of the
/// program.
///
/// # Errors
/// A graph has what the simulator does not have, or blocks that the tools do not have that it is for.
pub fn take<'c>(module: Op<'c>, dialect: Dialect) -> Result<'c, Vec<Piece>> {
    let graphs = module.descendants::<GraphOperation>();
    graphs.into_iter().enumerate().map(|(number, graph)| launch(number, graph, dialect)).collect()
}

fn launch<'c>(number: usize, op: Op<'c>, dialect: Dialect) -> Result<'c, Piece> {
    let mut read = read(op)?;
    if dialect != Dialect::Comet {
        let numbers = read.sources.iter().filter_map(|(name, source)| Some((name.clone(), stated(*source)?)));
        read.graph = read.graph.with_numbers(&numbers.collect()).in_dialect(dialect).map_err(|foreign| {
            let hint =
                "leave `--dialect` out, or the commands that ask for this, or compute it in another way";
            IrError::at(op.location(), foreign.to_string()).hint(hint)
        })?;
    }
    let (mut values, mut arguments) = (Vec::new(), Vec::new());
    for tensor in &read.graph.tensors {
        let source = read.sources[&tensor.name];
        let role = Role::of(tensor.name.clone(), source);
        if !arguments.contains(&role) {
            values.push(source);
            arguments.push(role);
        }
    }
    let b = Builder::before(op);
    b.op("ta.launch", &values, &[], &[("number", b.i64_attribute(number as i64))])?;
    op.erase();
    Ok(Piece { graph: read.graph, arguments, dialect })
}
