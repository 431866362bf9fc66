//! Table 1 of sam.txt: what the expressions ask for, and the blocks that they take.

use crate::notation::{statement, variables};
use comet_sam::dot;
use comet_sam::graph::{BlockKind, Graph, Merge, Operator};
use comet_sam::lower::{IndexExpression, IndexStatement, lower};
use std::collections::BTreeSet;

/// The right half of table 1, and the blocks of section 4. Signals of repeaters and holds are part of other
/// blocks there, and are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Primitives {
    scan: usize,
    repeat: usize,
    intersect: usize,
    union: usize,
    alu: usize,
    reduce: usize,
    drop: usize,
    write: usize,
    array: usize,
    locate: usize,
    /// Converters to bit vectors, and what takes these apart.
    convert: usize,
    parallel: usize,
    fetch: usize,
}

impl Primitives {
    fn of(graph: &Graph) -> Self {
        let mut counted = Self::default();
        for block in &graph.blocks {
            match &block.kind {
                BlockKind::Scanner(_) => counted.scan += 1,
                BlockKind::Repeat(_) => counted.repeat += 1,
                BlockKind::Join(join) if join.taken_apart().is_some() => counted.convert += 1,
                BlockKind::Join(join) if join.how == Merge::Intersect => counted.intersect += 1,
                BlockKind::Join(_) => counted.union += 1,
                BlockKind::Alu(_) | BlockKind::Apply(_) | BlockKind::Mask(_) => counted.alu += 1,
                BlockKind::Reduce(_) | BlockKind::Accumulate(_) => counted.reduce += 1,
                BlockKind::Drop { .. } => counted.drop += 1,
                BlockKind::WriteLevel(_) | BlockKind::WriteValues(_) => counted.write += 1,
                BlockKind::Array { .. } => counted.array += 1,
                BlockKind::Locate(_) => counted.locate += 1,
                BlockKind::ToWords(_) => counted.convert += 1,
                BlockKind::Parallelize(_) | BlockKind::Serialize(_) => counted.parallel += 1,
                BlockKind::Fetch(_) => counted.fetch += 1,
                BlockKind::RepeatSignal { .. } | BlockKind::Hold { .. } => {}
            }
        }
        counted
    }
}

/// The left half of table 1.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Features {
    output_order: usize,
    input_orders: BTreeSet<usize>,
    inputs: usize,
    /// The dimensions of the memory that its reducers need; none if it reduces nothing.
    reduce_orders: BTreeSet<usize>,
    broadcasts: bool,
    operators: Vec<Operator>,
}

impl Features {
    fn of(statement: &IndexStatement, graph: &Graph) -> Self {
        let accesses = statement.value.accesses();
        let mut operators = Vec::new();
        collect_operators(&statement.value, &mut operators);
        Self {
            output_order: statement.result.indices.len(),
            input_orders: accesses.iter().map(|access| access.indices.len()).collect(),
            inputs: accesses.len(),
            reduce_orders: graph.blocks.iter().filter_map(|block| reduce_order(&block.kind)).collect(),
            broadcasts: graph.blocks.iter().any(|block| matches!(block.kind, BlockKind::Repeat(_))),
            operators,
        }
    }
}

fn reduce_order(kind: &BlockKind) -> Option<usize> {
    match kind {
        BlockKind::Reduce(_) => Some(0),
        BlockKind::Accumulate(accumulate) => Some(accumulate.order),
        _ => None,
    }
}

fn collect_operators(expression: &IndexExpression, operators: &mut Vec<Operator>) {
    expression.parts().into_iter().for_each(|part| collect_operators(part, operators));
    if let IndexExpression::Combine(_, operator, ..) = expression
        && !operators.contains(operator)
    {
        operators.push(*operator);
    }
}

/// Expression, dataflow order (alphabetical where it is empty), and the columns scan, repeat, intersect,
/// union, ALU, reduce, drop, write, array.
const ROWS: [(&str, &str, [usize; 9]); 17] = [
    ("x(i) = B(i,j) * c(j)", "", [3, 1, 1, 0, 1, 1, 1, 2, 2]),
    ("X(i,j) = B(i,k) * C(k,j)", "ijk", [4, 2, 1, 0, 1, 1, 2, 3, 2]),
    ("X(i,j) = B(i,k) * C(k,j)", "jik", [4, 2, 1, 0, 1, 1, 2, 3, 2]),
    ("X(i,j) = B(i,k) * C(k,j)", "ikj", [4, 2, 1, 0, 1, 1, 1, 3, 2]),
    ("X(i,j) = B(i,k) * C(k,j)", "jki", [4, 2, 1, 0, 1, 1, 1, 3, 2]),
    ("X(i,j) = B(i,k) * C(k,j)", "kij", [4, 2, 1, 0, 1, 1, 0, 3, 2]),
    ("X(i,j) = B(i,k) * C(k,j)", "kji", [4, 2, 1, 0, 1, 1, 0, 3, 2]),
    ("X(i,j) = B(i,j) * C(i,k) * D(j,k)", "", [6, 3, 3, 0, 2, 1, 2, 3, 3]),
    ("x() = B(i,j,k) * C(i,j,k)", "", [6, 0, 3, 0, 1, 3, 0, 1, 2]),
    ("X(i,j) = B(i,j,k) * c(k)", "", [4, 2, 1, 0, 1, 1, 2, 3, 2]),
    ("X(i,j,k) = B(i,j,l) * C(k,l)", "", [5, 3, 1, 0, 1, 1, 3, 4, 2]),
    ("X(i,j) = B(i,k,l) * C(j,k) * D(j,l)", "", [7, 5, 3, 0, 2, 2, 3, 3, 3]),
    ("x(i) = b(i) - C(i,j) * d(j)", "", [4, 1, 1, 1, 2, 1, 1, 2, 3]),
    ("x(i) = a() * B(j,i) * c(j) + b() * d(i)", "", [4, 4, 1, 1, 4, 1, 1, 2, 5]),
    ("X(i,j) = B(i,j) + C(i,j)", "", [4, 0, 0, 2, 1, 0, 0, 3, 2]),
    ("X(i,j) = B(i,j) + C(i,j) + D(i,j)", "", [6, 0, 0, 2, 2, 0, 0, 3, 3]),
    ("X(i,j,k) = B(i,j,k) + C(i,j,k)", "", [6, 0, 0, 3, 1, 0, 0, 4, 2]),
];

/// Expression, and the columns output order, input orders, number of inputs, reduce orders, broadcast. The
/// paper has reduce order 1 for the last but one, whose blocks it counts for the order i, j; there the sum
/// over j is a number.
type FeaturesRow = (&'static str, usize, &'static [usize], usize, &'static [usize], bool);

const FEATURES: [FeaturesRow; 12] = [
    ("x(i) = B(i,j) * c(j)", 1, &[1, 2], 2, &[0], true),
    ("X(i,j) = B(i,k) * C(k,j)", 2, &[2], 2, &[0], true),
    ("X(i,j) = B(i,j) * C(i,k) * D(j,k)", 2, &[2], 3, &[0], true),
    ("x() = B(i,j,k) * C(i,j,k)", 0, &[3], 2, &[0], false),
    ("X(i,j) = B(i,j,k) * c(k)", 2, &[1, 3], 2, &[0], true),
    ("X(i,j,k) = B(i,j,l) * C(k,l)", 3, &[2, 3], 2, &[0], true),
    ("X(i,j) = B(i,k,l) * C(j,k) * D(j,l)", 2, &[2, 3], 3, &[0], true),
    ("x(i) = b(i) - C(i,j) * d(j)", 1, &[1, 2], 3, &[0], true),
    ("X(i,j) = B(i,j) + C(i,j)", 2, &[2], 2, &[], false),
    ("X(i,j) = B(i,j) + C(i,j) + D(i,j)", 2, &[2], 3, &[], false),
    ("x(i) = a() * B(j,i) * c(j) + b() * d(i)", 1, &[0, 1, 2], 5, &[0], true),
    ("X(i,j,k) = B(i,j,k) + C(i,j,k)", 3, &[3], 2, &[], false),
];

fn counts(primitives: Primitives) -> [usize; 9] {
    let Primitives { scan, repeat, intersect, union, alu, reduce, drop, write, array, .. } = primitives;
    [scan, repeat, intersect, union, alu, reduce, drop, write, array]
}

#[test]
fn lowering_takes_the_blocks_of_the_table() {
    let mut wrong = Vec::new();
    for (text, order, expected) in ROWS {
        let order = match order {
            "" => variables(text),
            order => order.chars().map(String::from).collect(),
        };
        let lowered = lower(&statement(text, &order)).expect("it can be lowered");
        let found = counts(Primitives::of(lowered.last()));
        if found != expected {
            wrong.push(format!("{text} {}: expected {expected:?}, found {found:?}", order.concat()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn analysis_finds_the_features_of_the_table() {
    for (text, output, inputs, number, reduce, broadcasts) in FEATURES {
        let statement = statement(text, &variables(text));
        let found = Features::of(&statement, lower(&statement).expect("it can be lowered").last());
        assert_eq!(found.output_order, output, "{text}");
        assert!(found.input_orders.iter().eq(inputs), "{text}: {found:?}");
        assert_eq!(found.inputs, number, "{text}");
        assert!(found.reduce_orders.iter().eq(reduce), "{text}: {found:?}");
        assert_eq!(found.broadcasts, broadcasts, "{text}");
    }
    let orders = ["ijk", "ikj", "kij"].map(|order| {
        let order: Vec<String> = order.chars().map(String::from).collect();
        let statement = statement("X(i,j) = B(i,k) * C(k,j)", &order);
        Features::of(&statement, lower(&statement).expect("it can be lowered").last()).reduce_orders
    });
    assert_eq!(orders.map(|orders| orders.into_iter().collect::<Vec<_>>()), [[0], [1], [2]]);
}

/// Words that are taken apart meet no others.
#[test]
fn what_takes_words_apart_is_no_intersecter() {
    let graph = dot::read(include_str!("graphs/apart.gv")).expect("it can be read");
    let found = Primitives::of(&graph);
    assert_eq!((found.intersect, found.convert), (0, 1));
}
