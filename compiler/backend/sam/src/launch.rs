//! Takes the graphs out of a module: `ta.launch` runs them.

use crate::device::is_whole;
use crate::text::read;
use comet_ir::{Builder, IrError, Op, Result, Val, format, sam, ta, types};
use comet_sam::graph::Graph;
use comet_sam::lower::Dialect;
use melior::ir::attribute::{FloatAttribute, IntegerAttribute};
use melior::ir::{TypeLike, ValueLike};
use std::collections::BTreeSet;

#[derive(Clone, Debug)]
pub struct LaunchedGraph {
    pub graph: Graph,
    /// The names of the tensors that the arguments are, in their order: the result first.
    pub arguments: Vec<GraphArgument>,
    pub dialect: Dialect,
    /// The tensors that it reads, and graphs before it have computed as parts of the result of a statement in
    /// tiles.
    pub sums: BTreeSet<String>,
    pub has_dense_result: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GraphArgument {
    /// The tensor of that name, stored as the graph says.
    Tensor(String),
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

impl GraphArgument {
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
pub fn take<'c>(module: Op<'c>, dialect: Dialect) -> Result<'c, Vec<LaunchedGraph>> {
    let graphs = module.walk::<sam::Graph<'_>>().into_iter().enumerate();
    let pieces: Result<'c, Vec<(LaunchedGraph, bool)>> =
        graphs.map(|(number, graph)| launch(number, graph, dialect)).collect();
    Ok(of_statements(pieces?))
}

/// Records for the graphs of a statement in tiles which tensors are parts of its result. Of each it is known
/// whether it computes a temporary; the others compute what their statement does.
fn of_statements(pieces: Vec<(LaunchedGraph, bool)>) -> Vec<LaunchedGraph> {
    let mut statements = Vec::new();
    for mut statement in pieces.split_inclusive(|(_, is_temporary)| !is_temporary).map(<[_]>::to_vec) {
        let has_dense_result = statement.last().is_some_and(|(last, _)| last.has_dense_result);
        let names = statement.iter().filter(|(_, is_temporary)| *is_temporary);
        let names: BTreeSet<String> = names.map(|(piece, _)| piece.graph.tensors[0].name.clone()).collect();
        let has_tiles = statement.iter().any(|(piece, _)| piece.graph.has_tiles());
        for (piece, _) in &mut statement {
            piece.has_dense_result = has_dense_result;
            let reads =
                |name: &&String| piece.arguments[1..].contains(&GraphArgument::Tensor((*name).clone()));
            piece.sums = names.iter().filter(reads).filter(|_| has_tiles).cloned().collect();
        }
        statements.extend(statement.into_iter().map(|(piece, _)| piece));
    }
    statements
}

/// The piece of a graph, and whether that computes a temporary.
fn launch<'c>(number: usize, op: sam::Graph<'c>, dialect: Dialect) -> Result<'c, (LaunchedGraph, bool)> {
    let (mut graph, sources) = read(op)?;
    if dialect != Dialect::Comet {
        let numbers = sources.iter().filter_map(|(name, source)| Some((name.clone(), stated(*source)?)));
        graph = graph.with_numbers(&numbers.collect()).in_dialect(dialect).map_err(|foreign| {
            let hint =
                "leave `--dialect` out, or the commands that ask for this, or compute it in another way";
            IrError::at(op.location(), foreign.to_string()).hint(hint)
        })?;
    }
    let (mut values, mut arguments) = (Vec::new(), Vec::new());
    for name in graph.tensor_names() {
        values.push(sources[name]);
        arguments.push(GraphArgument::of(name.to_owned(), sources[name]));
    }
    let result = values[0];
    let is_temporary =
        Op::defining(result).and_then(Op::cast::<ta::TensorDecl<'_>>).is_some_and(ta::TensorDecl::temporary);
    let has_dense_result = is_whole(&format::of_type(result.r#type()));
    let b = Builder::before(*op);
    ta::Launch::build(b, number as i64, &values)?;
    op.erase();
    let piece = LaunchedGraph { graph, arguments, dialect, sums: BTreeSet::new(), has_dense_result };
    Ok((piece, is_temporary))
}
