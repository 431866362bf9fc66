//! Graphs to DOT: the layout, that nothing is lost, and that Custard's own graphs come out as they went in.

use crate::given;
use crate::notation;
use std::collections::BTreeSet;

use comet_sam::dot;
use comet_sam::graph::{
    Accumulate, Alu, BlockId, BlockKind, CoordinateForm, Dropped, Element, EmptyFiber, FiberNesting, Graph,
    GraphBlock, GraphLevel, Join, JoinOperand, Kept, Locate, Merge, Operator, Port, Reduce, Reduction,
    Repeat, Scanner, Stream, StreamKind, TensorFormat, ValueMask, ValuePlacement, WriteLevel, WriteValues,
};
use comet_sam::lower::lower;

const SPMV: &str = include_str!("graphs/spmv.gv");

fn read(text: &str) -> Graph {
    dot::read(text).unwrap_or_else(|error| panic!("{error:?}\n{text}"))
}

/// The graph without what a file need not keep: names, the order of streams, streams that nothing reads.
fn essence(graph: &Graph) -> (Vec<TensorFormat>, Vec<BlockKind>, BTreeSet<String>) {
    let kinds = graph.blocks.iter().map(|block| block.kind.clone()).collect();
    let mut streams = BTreeSet::new();
    for stream in &graph.streams {
        streams.extend(stream.to.iter().map(|to| format!("{:?} {:?} {to:?}", stream.kind, stream.from)));
    }
    (graph.tensors.clone(), kinds, streams)
}

fn assert_round_trip(graph: &Graph) {
    graph.check_wiring().expect("the graph is wired");
    let text = dot::write(graph);
    assert_eq!(essence(&read(&text)), essence(graph), "{text}");
}

/// The layout of the whole file.
#[test]
fn layout() {
    insta::assert_snapshot!(dot::write(&read(SPMV)));
}

#[test]
fn given_graphs_come_back() {
    assert_round_trip(&read(SPMV));
    given::graphs().iter().for_each(|(_, text)| assert_round_trip(&read(text)));
}

/// Those that lowering makes of products and sums in all dataflow orders, with what stands behind reducers in
/// joiners.
#[test]
fn lowered_graphs_come_back() {
    let expressions = [
        "X(i,j) = B(i,k) * C(k,j) + D(i,j)",
        "X(i,j) = B(i,j) * C(i,k) * D(k,j) - E(i,j)",
        "x(i) = a() * B(j,i) * c(j) + b() * d(i)",
        "x(i) = B(i,j) * c(j) - D(i,k) * e(k)",
        "x() = b(i) + c(j)",
        "X(i,j) = B(i,k,l) * C(j,k) * D(j,l)",
    ];
    let mut count = 0;
    for expression in expressions {
        for order in notation::permutations(&notation::variables(expression)) {
            let Ok(lowered) = lower(&notation::statement(expression, &order)) else { continue };
            let graph = lowered.last();
            graph.check_wiring().expect("the graph is wired");
            let again = read(&dot::write(graph));
            assert_eq!(without_operands(&again), without_operands(graph), "{expression} {order:?}");
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

/// Operands that share a name get others.
fn without_operands(graph: &Graph) -> (Vec<TensorFormat>, Vec<BlockKind>, BTreeSet<String>) {
    let mut graph = graph.clone();
    for block in &mut graph.blocks {
        if let BlockKind::Join(join) = &mut block.kind {
            join.operands.iter_mut().for_each(|operand| operand.name.clear());
        }
    }
    essence(&graph)
}

/// `name="value"` of the brackets of a line, in any order; the parts of a node's comment as well.
fn attributes(line: &str) -> BTreeSet<String> {
    let mut rest = line.split_once('[').expect("every line has attributes").1.trim_end_matches(']');
    let mut attributes = BTreeSet::new();
    while let Some((name, value)) = rest.split_once('=') {
        let is_quoted = value.starts_with('"');
        let (value, behind) = if is_quoted { &value[1..] } else { value }
            .split_once(if is_quoted { '"' } else { ' ' })
            .unwrap_or((value, ""));
        let parts: BTreeSet<&str> = value.split(',').collect();
        attributes.insert(format!("{}={parts:?}", name.trim()));
        rest = behind;
    }
    attributes
}

/// A line break in a string as the escape that means it.
fn escape_breaks(text: &str) -> String {
    let parts = text.split('"').enumerate();
    let escaped =
        parts.map(|(part, text)| if part % 2 == 0 { text.to_owned() } else { text.replace('\n', "\\n") });
    escaped.collect::<Vec<_>>().join("\"")
}

/// Nodes and edges by their attributes; an edge also by its nodes.
fn lines(text: &str) -> Vec<String> {
    let text = escape_breaks(text);
    let lines: Vec<&str> = text.lines().skip(2).filter(|line| line.contains('[')).map(str::trim).collect();
    let node = |id: &str| {
        let line = lines.iter().find(|line| line.split(' ').next() == Some(id) && !line.contains("->"));
        attributes(line.expect("edges connect nodes"))
    };
    let describe =
        |line: &&str| match line.split_once(" [").expect("a line has attributes").0.split_once("->") {
            None => format!("{:?}", attributes(line)),
            Some((from, to)) => {
                format!("{:?} {:?} {:?}", node(from.trim()), node(to.trim()), attributes(line))
            }
        };
    let mut lines: Vec<String> = lines.iter().map(describe).collect();
    lines.sort();
    lines
}

/// What Custard has written for us comes out with all of its attributes, sizes and comments.
#[test]
fn given_files_come_back() {
    for (name, text) in given::graphs() {
        let written = dot::write(&read(&text));
        assert_eq!(written.lines().nth(1), text.lines().nth(1), "{name}");
        assert_eq!(lines(&written), lines(&text), "{name}\n{written}");
    }
}

/// A graph in the making.
struct Making(Graph);

impl Making {
    fn new(formats: &[(&str, &[GraphLevel])]) -> Self {
        let tensor = |(name, levels): &(&str, &[GraphLevel])| TensorFormat {
            name: (*name).to_owned(),
            levels: levels.to_vec(),
            order: (0..levels.len()).collect(),
            element: Element::F64,
        };
        Self(Graph { tensors: formats.iter().map(tensor).collect(), ..Graph::default() })
    }

    /// A block that takes these outputs; its first output.
    fn block(&mut self, kind: BlockKind, inputs: &[(BlockId, Port)]) -> (BlockId, Port) {
        let id = BlockId(self.0.blocks.len());
        for (port, &from) in inputs.iter().enumerate() {
            self.stream(from, (id, Port(port)));
        }
        self.0.blocks.push(GraphBlock { name: String::new(), kind, lanes: 1 });
        (id, Port(0))
    }

    fn stream(&mut self, from: (BlockId, Port), to: (BlockId, Port)) {
        let kind = self.0.blocks[from.0.0].kind.outputs()[from.1.0];
        match self.0.streams.iter_mut().find(|stream| stream.from == from) {
            Some(stream) => stream.to.push(to),
            None => self.0.streams.push(Stream { kind, from, to: vec![to] }),
        }
    }

    fn scanner(
        &mut self,
        index: &str,
        tensor: &str,
        mode: usize,
        from: Option<(BlockId, Port)>,
    ) -> (BlockId, Port) {
        let (index, tensor, root) = (index.to_owned(), tensor.to_owned(), from.is_none());
        let scanner = Scanner { index, tensor, mode, level: GraphLevel::Compressed, root, skips: false };
        self.block(BlockKind::Scanner(scanner), from.as_slice())
    }

    fn array(&mut self, tensor: &str, from: (BlockId, Port)) -> (BlockId, Port) {
        self.block(BlockKind::Array { tensor: tensor.to_owned(), root: false }, &[from])
    }

    fn write(&mut self, index: &str, mode: usize, from: (BlockId, Port)) {
        let (index, tensor) = (index.to_owned(), "x".to_owned());
        let (level, fibers) = (GraphLevel::Compressed, FiberNesting::Nested);
        self.block(BlockKind::WriteLevel(WriteLevel { index, tensor, mode, level, fibers }), &[from]);
    }

    fn write_values(&mut self, from: (BlockId, Port)) {
        let (fill, element, places) = (Reduction::Add, Element::F64, ValuePlacement::InOrder);
        let write = WriteValues { tensor: "x".to_owned(), fill, element, places };
        self.block(BlockKind::WriteValues(write), &[from]);
    }
}

fn output((block, _): (BlockId, Port), port: usize) -> (BlockId, Port) {
    (block, Port(port))
}

const S: GraphLevel = GraphLevel::Compressed;

fn operand(name: &str, carries: StreamKind) -> JoinOperand {
    JoinOperand { name: name.to_owned(), carries, skips: false }
}

/// What SAM's own files do not have: reducers and droppers that say what they do, values in joiners and
/// repeaters, one joiner behind another.
#[test]
fn all_blocks_come_back() {
    for empty in [EmptyFiber::Zero, EmptyFiber::Removed, EmptyFiber::Absent, EmptyFiber::Token] {
        for what in [Dropped::Absent, Dropped::Zeros(Element::F64)] {
            assert_round_trip(&graph_of_reductions(empty, what));
        }
    }
}

fn graph_of_reductions(empty: EmptyFiber, what: Dropped) -> Graph {
    let mut making = Making::new(&[("x", &[S, S]), ("B", &[S, S]), ("c", &[S]), ("d", &[])]);
    let i = making.scanner("i", "B", 0, None);
    let j = making.scanner("j", "B", 1, Some(output(i, 1)));
    let value = making.array("B", output(j, 1));
    let inputs = if empty == EmptyFiber::Absent { vec![value, i] } else { vec![value] };
    let sum = making.block(
        BlockKind::Reduce(Reduce { reduction: Reduction::Add, element: Element::F64, empty, inputs: 1 }),
        &inputs,
    );
    let (outer, inner) = ("i".to_owned(), "val".to_owned());
    let dropped = making.block(BlockKind::Drop { outer, inner, what }, &[i, sum]);
    let c = making.scanner("i", "c", 0, None);
    let operands = vec![operand("sum", StreamKind::Val), operand("c", StreamKind::Ref)];
    let first =
        Join { how: Merge::Intersect, index: "i".to_owned(), operands: operands.clone(), width: None };
    let first = making.block(BlockKind::Join(first), &[dropped, output(dropped, 1), c, output(c, 1)]);
    let second = Join { how: Merge::Union, index: "i".to_owned(), operands, width: None };
    let second = making.block(BlockKind::Join(second), &[first, output(first, 1), first, output(first, 2)]);
    let signal = making.block(BlockKind::RepeatSignal { index: "j".to_owned() }, &[j]);
    let (index, tensor) = ("j".to_owned(), "sum".to_owned());
    let repeat = Repeat { index, tensor, root: false, carries: StreamKind::Val };
    let repeat = making.block(BlockKind::Repeat(repeat), &[output(second, 1), signal]);
    let (outer, inner) = ("i".to_owned(), "j".to_owned());
    let hold = making.block(BlockKind::Hold { outer: outer.clone(), inner: inner.clone() }, &[second, j]);
    let indices = vec![inner, outer];
    let accumulate = |order, indices, form| {
        let (reduction, element) = (Reduction::Add, Element::F64);
        BlockKind::Accumulate(Accumulate { order, indices, form, empty, reduction, element, inputs: 1 })
    };
    let points = accumulate(1, indices.clone(), CoordinateForm::Points);
    let points = making.block(points, &[output(hold, 1), hold, repeat]);
    let levels = accumulate(2, indices, CoordinateForm::Levels);
    let levels = making.block(levels, &[points, output(points, 1), output(points, 2)]);
    let vector = accumulate(1, vec!["j".to_owned()], CoordinateForm::Levels);
    let vector = making.block(vector, &[levels, output(levels, 2)]);
    let subtract = || BlockKind::Alu(Alu::new(Operator::Sub, Element::F64));
    let difference = making.block(subtract(), &[output(vector, 1), output(levels, 2)]);
    let number = making.block(BlockKind::Array { tensor: "d".to_owned(), root: true }, &[]);
    let difference = making.block(subtract(), &[difference, number]);
    making.write("i", 0, output(levels, 1));
    making.write("j", 1, vector);
    making.write_values(difference);
    making.0
}

/// Locators in operands and in a result that is scattered into, masks, scalars, coordinates that are fibers
/// of their own.
#[test]
fn places_come_back() {
    for kept in [Kept::Stored, Kept::NotStored, Kept::NotZero, Kept::Zero] {
        assert_round_trip(&scattered(kept));
    }
    let mut making = Making::new(&[("x", &[S, S]), ("a", &[])]);
    let value = making.block(BlockKind::Array { tensor: "a".to_owned(), root: true }, &[]);
    let i = making.scanner("i", "a", 0, None);
    making.write("i", 0, i);
    let (index, tensor) = ("i".to_owned(), "x".to_owned());
    let fibers = FiberNesting::Single;
    making.block(BlockKind::WriteLevel(WriteLevel { index, tensor, mode: 1, level: S, fibers }), &[i]);
    making.write_values(value);
    making.0.tensors[1] = TensorFormat { levels: vec![S], order: vec![0], ..making.0.tensors[1].clone() };
    assert_round_trip(&making.0);
}

fn scattered(kept: Kept) -> Graph {
    let mut making = Making::new(&[("x", &[GraphLevel::Dense]), ("B", &[S, S]), ("m", &[S])]);
    let i = making.scanner("i", "B", 0, None);
    let locate = |tensor: &str, mode, level, root| {
        let (index, tensor) = ("i".to_owned(), tensor.to_owned());
        BlockKind::Locate(Locate { index, tensor, mode, level, root })
    };
    let diagonal = making.block(locate("B", 1, S, false), &[i, output(i, 1)]);
    let masked = making.block(locate("m", 0, S, true), &[i]);
    let (value, mask) = (making.array("B", output(diagonal, 1)), making.array("m", output(masked, 1)));
    let value = making.block(BlockKind::Mask(ValueMask { kept, element: Element::F64 }), &[value, mask]);
    let place = making.block(locate("x", 0, GraphLevel::Dense, true), &[i]);
    let (fill, element, places) = (Reduction::Min, Element::F64, ValuePlacement::Scattered);
    let write = WriteValues { tensor: "x".to_owned(), fill, element, places };
    making.block(BlockKind::WriteValues(write), &[output(place, 1), value]);
    making.0
}

/// What section 4 of sam.txt adds: skipping, words of bits, copies, reducers of several inputs, tiles, lanes.
const OPTIMIZED: [&str; 6] = [
    include_str!("graphs/skipping.gv"),
    include_str!("graphs/words.gv"),
    include_str!("graphs/apart.gv"),
    include_str!("graphs/copies.gv"),
    include_str!("graphs/row_sums_of_two.gv"),
    include_str!("graphs/column_sums_of_two.gv"),
];

#[test]
fn optimized_graphs_come_back() {
    OPTIMIZED.iter().for_each(|text| assert_round_trip(&read(text)));
    insta::assert_snapshot!(OPTIMIZED.map(|text| dot::write(&read(text))).join("\n"));
}

/// Operands of one name lead to their own scanners, in the order of the edges.
#[test]
fn skipping_operands_of_one_name_are_told_apart() {
    let text = include_str!("graphs/skipping.gv").replace("c=s0", "b=s0").replace("tensor=c", "tensor=b");
    let graph = read(&text.replace("-c\"", "-b\""));
    let again = read(&dot::write(&graph));
    assert_eq!(essence(&again).2, essence(&graph).2);
}

/// A tensor that is used twice has two operands of one name at a joiner. Which is which stays.
#[test]
fn operands_of_one_name_are_told_apart() {
    let mut making = Making::new(&[("x", &[S]), ("b", &[S]), ("b", &[S])]);
    let (first, second) = (making.scanner("i", "b", 0, None), making.scanner("i", "b", 0, None));
    let operands = vec![operand("b", StreamKind::Ref), operand("b", StreamKind::Ref)];
    let join = Join { how: Merge::Intersect, index: "i".to_owned(), operands, width: None };
    let join = making.block(BlockKind::Join(join), &[first, output(first, 1), second, output(second, 1)]);
    // The second operand's is read by the block that comes first.
    let minuend = making.array("b", output(join, 2));
    let subtrahend = making.array("b", output(join, 1));
    let value = making.block(BlockKind::Alu(Alu::new(Operator::Sub, Element::F64)), &[minuend, subtrahend]);
    making.write("i", 0, join);
    making.write_values(value);
    let again = read(&dot::write(&making.0));
    assert_eq!(essence(&again).2, essence(&making.0).2);
    insta::assert_snapshot!(dot::write(&making.0));
}
