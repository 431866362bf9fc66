//! Operations of sam as graphs.

mod kind;

use crate::element::of_type;
use crate::emit::TensorValues;
use crate::level;
use comet_ir::sam::{self, Sam};
use comet_ir::{Op, Result, Val};
use comet_passes::nest::name;
use comet_sam::graph::{BlockId, BlockKind, Graph, GraphBlock, Port, Stream, StreamKind, TensorFormat};
use kind::{ReadBlock, block};
use melior::ir::ValueLike;
use std::collections::HashMap;

#[derive(Clone, Debug)]
pub struct ReadGraph<'c> {
    pub graph: Graph,
    pub values: TensorValues<'c>,
}

/// Reads a `sam.graph` that the verifier has seen. Blocks are named by what they do and by their
/// numbers.
///
/// # Errors
/// The graph has what the simulator does not have.
pub fn read<'c>(graph: sam::Graph<'c>) -> Result<'c, ReadGraph<'c>> {
    let mut reader = GraphReader {
        graph: Graph::default(),
        values: TensorValues::new(),
        blocks: HashMap::new(),
        streams: HashMap::new(),
    };
    let mut blocks = Vec::new();
    for op in graph.body().ops() {
        match Sam::of(op) {
            Some(Sam::Result(_) | Sam::Operand(_) | Sam::Scalar(_) | Sam::Universe(_)) => reader.tensor(op),
            _ => blocks.push(op),
        }
    }
    reader.blocks = blocks.iter().enumerate().map(|(number, op)| (*op, BlockId(number))).collect();
    blocks.into_iter().try_for_each(|op| reader.block(op))?;
    Ok(ReadGraph { graph: reader.graph, values: reader.values })
}

struct GraphReader<'c> {
    graph: Graph,
    values: TensorValues<'c>,
    blocks: HashMap<Op<'c>, BlockId>,
    streams: HashMap<(BlockId, Port), usize>,
}

impl<'c> GraphReader<'c> {
    /// Reads a declaration. The result is the first one, wherever it is declared.
    fn tensor(&mut self, op: Op<'c>) {
        let tensor = format_of(op);
        self.values.insert(tensor.name.clone(), op.operands()[0]);
        let place = if op.is::<sam::Result<'_>>() { 0 } else { self.graph.tensors.len() };
        self.graph.tensors.insert(place, tensor);
    }

    fn block(&mut self, op: Op<'c>) -> Result<'c, ()> {
        let (ReadBlock { kind, inputs, lanes }, id) = (block(op)?, self.blocks[&op]);
        let types = kind.inputs();
        for (port, input) in inputs.iter().enumerate() {
            if let Some(value) = input {
                self.connect(*value, types[port], (id, Port(port)));
            }
        }
        if let BlockKind::Join(join) = &kind {
            // The coordinates of an operand that skips come straight from its scanner.
            for operand in 0..join.operands.len() {
                let crd = inputs[Port::operand_crd(operand).0].and_then(Op::defining);
                if let (Some(skip), Some(scan)) = (join.skip(operand), crd) {
                    self.stream(StreamKind::Crd, (id, skip), (self.blocks[&scan], Port::SKIP));
                }
            }
        }
        self.graph.blocks.push(GraphBlock { lanes, ..GraphBlock::numbered(kind, id.0) });
        Ok(())
    }

    fn connect(&mut self, value: Val<'c>, kind: StreamKind, to: (BlockId, Port)) {
        let maker = Op::defining(value).expect("a stream starts at a block");
        let output = maker.results().into_iter().position(|output| output == value);
        let from = (self.blocks[&maker], Port(output.expect("a value is a result of its operation")));
        self.stream(kind, from, to);
    }

    fn stream(&mut self, kind: StreamKind, from: (BlockId, Port), to: (BlockId, Port)) {
        let streams = &mut self.graph.streams;
        let number = *self.streams.entry(from).or_insert_with(|| {
            streams.push(Stream { kind, from, to: Vec::new() });
            streams.len() - 1
        });
        streams[number].to.push(to);
    }
}

fn format_of(declaration: Op<'_>) -> TensorFormat {
    let tensor = declaration.result(0);
    let stored = sam::Fibertree::of_type(tensor.r#type()).expect("a declaration gives a tensor");
    let levels = stored
        .levels
        .iter()
        .map(|stored| level::of_kind(stored.kind).expect("the dialect has the levels of graphs"))
        .collect();
    let order = stored.levels.iter().map(|level| level.mode).collect();
    TensorFormat { name: name(tensor), levels, order, element: of_type(stored.element) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::emit;
    use crate::notation::{permutations, statement, variables};
    use comet_dialects::registration::dialects;
    use comet_ir::Builder;
    use comet_sam::dot;
    use comet_sam::graph::{Element, GraphLevel};
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
        let names = names(graph).into_iter().enumerate();
        let sources = names.map(|(number, name)| (name, function.body(0).argument(number))).collect();
        let b = Builder::before(function.body(0).terminator());
        let written = emit(b, graph, &sources).expect("it can be written");
        assert!(written.as_ref().verify(), "{}", *written);
        let read = read(written).expect("it can be read");
        assert_eq!(read.values, sources);
        read.graph
    }

    /// Those of the tensors, each once.
    fn names(graph: &Graph) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for tensor in &graph.tensors {
            if !names.contains(&tensor.name) {
                names.push(tensor.name.clone());
            }
        }
        names
    }

    /// A function that has the tensors as arguments.
    fn function(graph: &Graph, universes: &[Universe]) -> String {
        let argument = |(number, name): (usize, &String)| {
            let tensor = graph.tensors.iter().find(|tensor| tensor.name == *name);
            let is_universe = universes.iter().any(|universe| universe.tensor == *name);
            let ty = match tensor.expect("names are those of tensors") {
                _ if is_universe => "index".to_owned(),
                TensorFormat { levels, element: Element::F64, .. } if levels.is_empty() && number > 0 => {
                    "f64".to_owned()
                }
                tensor => tensor_type(tensor),
            };
            format!("%{number}: {ty}")
        };
        let arguments: Vec<String> = names(graph).iter().enumerate().map(argument).collect();
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
