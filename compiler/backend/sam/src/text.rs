//! Graphs in the program: a `sam.graph` holds the text of the graph's file, and the values that its tensors
//! are.

use comet_ir::sam::Graph as GraphOp;
use comet_ir::{Builder, IrError, Result, Val};
use comet_sam::dot;
use comet_sam::graph::Graph;
use std::collections::BTreeMap;

/// What the tensors of a graph are around it, by their names: tensors, numbers, and the extents of
/// universes.
pub type TensorValues<'c> = BTreeMap<String, Val<'c>>;

/// Writes a graph as a `sam.graph`.
///
/// # Errors
/// The graph is not well wired, or a tensor of it has no value.
pub fn write<'c>(b: Builder<'c>, graph: &Graph, values: &TensorValues<'c>) -> Result<'c, GraphOp<'c>> {
    graph.check_wiring().map_err(|error| IrError::at(b.location(), error.message))?;
    let names: Vec<String> = graph.tensor_names().into_iter().map(str::to_owned).collect();
    let value = |name: &String| {
        let lacks = || IrError::at(b.location(), format!("nothing stands for the tensor `{name}`"));
        values.get(name).copied().ok_or_else(lacks)
    };
    let given = names.iter().map(value).collect::<Result<'c, Vec<Val<'c>>>>()?;
    GraphOp::build(b, &given, &names, &dot::write(graph))
}

/// Reads the graph of a `sam.graph`, as [`write()`] was given it.
///
/// # Errors
/// The text is no graph.
pub fn read<'c>(op: GraphOp<'c>) -> Result<'c, (Graph, TensorValues<'c>)> {
    let graph = dot::read(op.text()).map_err(|error| IrError::at(op.location(), error.message))?;
    Ok((graph.as_lowered(), op.names().into_iter().zip(op.values()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{permutations, statement, variables};
    use comet_dialects::registration::dialects;
    use comet_ir::Builder;
    use comet_ir::Op;
    use comet_sam::graph::{Element, GraphLevel, TensorFormat};
    use comet_sam::lower::{Choices, Universe, lower_with};
    use melior::Context;
    use melior::dialect::ods::func::FuncOperation;
    use melior::ir::Module;
    use melior::ir::operation::OperationLike;

    const EXPRESSIONS: [&str; 14] = [
        "x = a",
        "x(i) = a * b(i)",
        "x(i) = b(i) - c(i) + d(i)",
        "x(i) = b(i) + c(j)",
        "x(i) = B(i,j) * c(j)",
        "x = B(i,j) * C(i,j)",
        "x(i) = b(i) - A(i,j) * c(j)",
        "X(i,j) = B(i,k) * C(k,j)",
        "X(i,j) = B(i,k) * C(k,j) + D(i,j)",
        "X(i,j) = B(i,j) * C(i,k) * D(k,j)",
        "X(i,j) = B(i,k,l) * C(k,j) * D(l,j)",
        "X(i,j) = b(i) * c(j)",
        "x(i) = B(i,i)",
        "X(i,i) = b(i)",
    ];

    /// What section 4 of sam.txt adds: skipping, words of bits, copies, reducers of several inputs, tiles,
    /// lanes.
    const OPTIMIZED: [&str; 6] = [
        include_str!("../../../machine/sam/tests/graphs/skipping.gv"),
        include_str!("../../../machine/sam/tests/graphs/words.gv"),
        include_str!("../../../machine/sam/tests/graphs/apart.gv"),
        include_str!("../../../machine/sam/tests/graphs/copies.gv"),
        include_str!("../../../machine/sam/tests/graphs/row_sums_of_two.gv"),
        include_str!("../../../machine/sam/tests/graphs/column_sums_of_two.gv"),
    ];

    fn context() -> Context {
        let context = Context::new_with_registry(&dialects(), false);
        for name in ["func", "sam", "ta"] {
            context.get_or_load_dialect(name);
        }
        context
    }

    /// Of the result, and of the operands.
    const LEVELS: [(GraphLevel, GraphLevel); 3] = [
        (GraphLevel::Compressed, GraphLevel::Compressed),
        (GraphLevel::Dense, GraphLevel::Compressed),
        (GraphLevel::BitVector(8), GraphLevel::BitVector(8)),
    ];

    /// Blocks come back as they were: in their order, with their names, on the same streams.
    #[test]
    fn written_graphs_are_read_as_they_were() {
        let context = context();
        for text in EXPRESSIONS {
            for order in permutations(&variables(text)) {
                for (result, operands) in LEVELS {
                    let mut statement = statement(text, &order);
                    statement.tensors[1..].iter_mut().for_each(|tensor| tensor.levels.fill(operands));
                    statement.tensors[0].levels.fill(result);
                    for choices in choices(&order) {
                        let lowered = lower_with(&statement, &choices).expect("it can be lowered");
                        for graph in &lowered.graphs {
                            let again = again(&context, graph, &lowered.universes);
                            assert_eq!(again, *graph, "{text} {order:?} {choices:?}");
                        }
                    }
                }
            }
        }
    }

    /// Everything for all variables, and each of them for one.
    fn choices(order: &[String]) -> Vec<Choices> {
        let vars = || order.iter().cloned();
        let all = Choices {
            skipped: vars().collect(),
            lanes: vars().map(|var| (var, 4)).collect(),
            tiled_from: order.get(1).cloned(),
            ..Choices::default()
        };
        let dealt = |var| Choices { parallel: [(var, 2)].into(), ..Choices::default() };
        [Choices::default(), all].into_iter().chain(vars().map(dealt)).collect()
    }

    /// The same for graphs of files, whose nodes have other numbers and whose edges another order.
    #[test]
    fn optimized_graphs_are_read_as_they_were() {
        let context = context();
        for text in OPTIMIZED {
            let graph = dot::read(text).expect("it can be read");
            let again = again(&context, &graph, &[]);
            assert_eq!(without_names(again), without_names(graph), "{text}");
        }
    }

    /// Streams in the order of what they leave and enter, and no names.
    fn without_names(mut graph: Graph) -> Graph {
        graph.blocks.iter_mut().for_each(|block| block.name.clear());
        graph.streams.iter_mut().for_each(|stream| stream.to.sort());
        graph.streams.sort_by_key(|stream| stream.from);
        graph
    }

    /// What becomes of a graph that is written and read.
    fn again(context: &Context, graph: &Graph, universes: &[Universe]) -> Graph {
        let text = function(graph, universes);
        let module = Module::parse(context, &text).expect("it is well formed");
        let function = Op::of_module(&module).descendants::<FuncOperation>()[0];
        let names = graph.tensor_names().into_iter().enumerate();
        let sources =
            names.map(|(number, name)| (name.to_owned(), function.body(0).argument(number))).collect();
        let b = Builder::before(function.body(0).terminator());
        let written = write(b, graph, &sources).expect("it can be written");
        assert!(written.as_ref().verify(), "{}", *written);
        let (graph, values) = read(written).expect("it can be read");
        assert_eq!(values, sources);
        graph
    }

    /// A function that has the tensors as arguments.
    fn function(graph: &Graph, universes: &[Universe]) -> String {
        let argument = |(number, name): (usize, &str)| {
            let tensor = graph.tensors.iter().find(|tensor| tensor.name == name);
            let is_universe = universes.iter().any(|universe| universe.tensor == name);
            let ty = match tensor.expect("names are those of tensors") {
                _ if is_universe => "index".to_owned(),
                TensorFormat { levels, element: Element::F64, .. } if levels.is_empty() && number > 0 => {
                    "f64".to_owned()
                }
                tensor => tensor_type(tensor),
            };
            format!("%{number}: {ty}")
        };
        let arguments: Vec<String> = graph.tensor_names().into_iter().enumerate().map(argument).collect();
        format!("func.func @graph({}) {{ return }}", arguments.join(", "))
    }

    fn tensor_type(tensor: &TensorFormat) -> String {
        let level = |(level, mode): (&GraphLevel, &usize)| match level {
            GraphLevel::Dense => format!("d{mode} : D"),
            GraphLevel::Compressed => format!("d{mode} : CU"),
            GraphLevel::BitVector(width) => format!("d{mode} : BV<{width}>"),
        };
        let levels: Vec<String> = tensor.levels.iter().zip(&tensor.order).map(level).collect();
        let format = format!("#ta.format<[{}]>", levels.join(", "));
        let dims = "?x".repeat(levels.len());
        if levels.is_empty() { "tensor<f64>".to_owned() } else { format!("tensor<{dims}f64, {format}>") }
    }
}
