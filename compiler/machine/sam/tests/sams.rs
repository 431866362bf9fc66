//! Graphs of the blocks that SAM's own tools have: they compute what their statements say, take the cycles of
//! SAM's simulator, and what these tools lack is refused by its name.

use crate::draw::Draw;
use crate::notation::{statement, variables};
use crate::pack::pack;
use crate::random::{Case, case};
use crate::run::compare_entries;
use comet_sam::dot;
use comet_sam::graph::{BlockKind, CoordinateForm, Dropped, EmptyFiber, Foreign, Graph};
use comet_sam::lower::{Choices, Dialect, IndexStatement, Lowered, lower_with};
use comet_sam::simulate::{SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::BTreeMap;

/// Statements with the orders of their variables.
pub(crate) const KERNELS: [(&str, &str); 24] = [
    ("x(i) = B(i,j) * c(j)", "ij"),
    ("X(i,j) = B(i,k) * C(k,j)", "ijk"),
    ("X(i,j) = B(i,k) * C(k,j)", "jik"),
    ("X(i,j) = B(i,k) * C(k,j)", "ikj"),
    ("X(i,j) = B(i,k) * C(k,j)", "jki"),
    ("X(i,j) = B(i,k) * C(k,j)", "kij"),
    ("X(i,j) = B(i,k) * C(k,j)", "kji"),
    ("X(i,l) = B(i,j) * C(j,k) * D(k,l)", "ijkl"),
    ("X(i,j) = B(i,j,k) * c(k)", "ijk"),
    ("X(i,j,k) = B(i,j,l) * C(k,l)", "ijkl"),
    ("X(i,j) = B(i,k,l) * C(j,k) * D(j,l)", "ijkl"),
    ("X(i,j,k,m) = B(i,j,k,l) * C(m,l)", "ijkml"),
    ("x() = B(i,j,k) * C(i,j,k)", "ijk"),
    ("x(i) = B(i,j) * C(i,j)", "ij"),
    ("x(i) = B(i,j)", "ij"),
    ("x() = B(i,j)", "ij"),
    ("x(i) = b(i) - C(i,j) * d(j)", "ij"),
    ("x(i) = a() * B(j,i) * c(j) + b() * d(i)", "ij"),
    ("X(i,j) = B(i,j) + C(i,j) + D(i,j)", "ij"),
    ("X(i,j) = B(i,j) - C(i,j)", "ij"),
    ("X(i,j) = B(i,j) * C(i,j) * D(i,j)", "ij"),
    ("X(i,j) = B(i,j) * C(i,j) + D(i,j)", "ij"),
    ("X(i,j) = b(i) * c(j)", "ij"),
    ("x(i) = a() * b(i)", "i"),
];

fn sams() -> Choices {
    Choices { dialect: Dialect::Sam, ..Choices::default() }
}

/// The graphs for SAM's tools, as their files give them back.
fn for_sam(lowered: &Lowered) -> Result<Lowered, Foreign> {
    let again = |graph: &Graph| dot::read(&dot::write(graph)).expect("what is written can be read");
    let graphs = lowered.graphs.iter().map(|graph| graph.in_dialect(Dialect::Sam).map(|graph| again(&graph)));
    Ok(Lowered { graphs: graphs.collect::<Result<_, _>>()?, universes: lowered.universes.clone() })
}

/// What the last graph leaves in its result: zeros too, unless it has a dropper of them.
fn is_left(lowered: &Lowered) -> impl Fn(&Entry) -> bool + use<> {
    let is_dropper = |kind: &BlockKind| matches!(kind, BlockKind::Drop { what: Dropped::Zeros(_), .. });
    let drops = lowered.last().blocks.iter().any(|block| is_dropper(&block.kind));
    move |entry| !drops || !entry.1.is_zero()
}

/// Operands with an entry at least, of a third of the positions.
pub(crate) fn drawn(
    statement: &IndexStatement,
    draw: &mut Draw,
    extent: usize,
) -> BTreeMap<String, StoredTensor> {
    let operand = |format: &comet_sam::graph::TensorFormat| {
        let dims = vec![extent; format.order.len()];
        let mut points: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in &dims {
            let longer = |point: &Vec<usize>| -> Vec<Vec<usize>> {
                (0..extent).map(|place| [point.as_slice(), &[place]].concat()).collect()
            };
            points = points.iter().flat_map(longer).collect();
        }
        let first = points[0].clone();
        points.retain(|point| *point == first || draw.percent(35));
        let entry = |point| -> Entry { (point, (1.0 + draw.below(8) as f64).into()) };
        let entries: Vec<Entry> = points.into_iter().map(entry).collect();
        (format.name.clone(), pack(format, &dims, &entries))
    };
    statement.tensors[1..].iter().map(operand).collect()
}

#[test]
fn kernels_compute_what_they_say() {
    let mut draw = Draw::seeded(29);
    for (text, order) in KERNELS {
        let order: Vec<String> = order.chars().map(String::from).collect();
        let statement = statement(text, &order);
        let lowered = lower_with(&statement, &sams()).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        let lowered = for_sam(&lowered).unwrap_or_else(|foreign| panic!("{text}: {foreign}"));
        let kinds = || lowered.graphs.iter().flat_map(|graph| &graph.blocks).map(|block| &block.kind);
        assert!(
            kinds()
                .all(|kind| !matches!(kind, BlockKind::Reduce(reduce) if reduce.empty != EmptyFiber::Zero))
        );
        assert!(
            kinds().all(
                |kind| !matches!(kind, BlockKind::Accumulate(own) if own.form == CoordinateForm::Levels)
            )
        );
        for extent in [2, 4, 5, 6] {
            let tensors = drawn(&statement, &mut draw, extent);
            compare_entries(&statement, &lowered, &tensors, &|_| extent, &is_left(&lowered))
                .unwrap_or_else(|fault| panic!("{text} in the order {}: {fault}", order.concat()));
        }
    }
}

/// Statements drawn at random: what is not refused is right where operands have entries. SAM's reducers make
/// zeros of fibers that are none, and its droppers have no coordinate for them.
#[test]
fn random_statements_are_right_or_refused() {
    are_right_or_refused(
        &|statement| for_sam(&lower_with(statement, &sams()).ok()?).ok(),
        &|case, lowered| {
            let extent = |index: &str| case.extents[index];
            compare_entries(&case.statement, lowered, &case.tensors, &extent, &is_left(lowered))
        },
    );
}

/// Compares random statements that can be lowered, and whose operands have entries.
pub(crate) fn are_right_or_refused(
    lower: &dyn Fn(&IndexStatement) -> Option<Lowered>,
    compare: &dyn Fn(&Case, &Lowered) -> Result<(), String>,
) {
    let (mut right, mut refused) = (0, 0);
    for seed in 1..=1500 {
        let case = case(&mut Draw::seeded(seed));
        let has_zero_extent = case.extents.values().any(|extent| *extent == 0);
        if has_zero_extent || case.tensors.values().any(|tensor| tensor.entries().is_empty()) {
            continue;
        }
        let Some(lowered) = lower(&case.statement) else {
            refused += 1;
            continue;
        };
        compare(&case, &lowered).unwrap_or_else(|fault| panic!("seed {seed}: {}\n{fault}", case.told()));
        right += 1;
    }
    assert!(right >= 50, "{right} are right, {refused} are refused");
}

/// Cycles of SAM's own blocks on these graphs, on a 4 by 5 and a 5 by 3 matrix, by order.
const CYCLES: [(&str, u64); 6] =
    [("ijk", 81), ("jik", 81), ("ikj", 49), ("jki", 46), ("kij", 55), ("kji", 52)];

#[test]
fn products_take_the_cycles_of_sams_blocks() {
    let b = [[8, 6, 0, 0, 0], [0, 0, 2, 8, 3], [0, 2, 6, 8, 0], [9, 8, 3, 0, 0]];
    let c = [[6, 0, 2], [1, 0, 0], [0, 0, 7], [3, 0, 7], [4, 2, 6]];
    let entries = |rows: &[&[i32]]| -> Vec<Entry> {
        let of_row = |(i, row): (usize, &&[i32])| -> Vec<Entry> {
            let stored = row.iter().enumerate().filter(|(_, value)| **value != 0);
            stored.map(|(j, value)| (vec![i, j], f64::from(*value).into())).collect()
        };
        rows.iter().enumerate().flat_map(of_row).collect()
    };
    let [b, c] =
        [b.each_ref().map(|row| row.as_slice()).to_vec(), c.each_ref().map(|row| row.as_slice()).to_vec()]
            .map(|rows| (vec![rows.len(), rows[0].len()], entries(&rows)));
    for (order, cycles) in CYCLES {
        let order: Vec<String> = order.chars().map(String::from).collect();
        let statement = statement("X(i,j) = B(i,k) * C(k,j)", &order);
        let lowered =
            for_sam(&lower_with(&statement, &sams()).expect("it can be lowered")).expect("it is SAM's");
        let operands = statement.tensors[1..].iter().zip([&b, &c]);
        let stored = operands.map(|(format, (dims, own))| (format.name.clone(), pack(format, dims, own)));
        let outcome =
            simulate(lowered.last(), &stored.collect(), SimulationOptions::default()).expect("it runs");
        assert_eq!(outcome.cycles, cycles, "{}", order.concat());
    }
}

/// What is refused, and what is said of it.
const REFUSED: [(&str, &str, &str); 3] = [
    ("x(i) = B(i,j) * c(j)", "ji", "no accumulators of order 1 inside of 0 other variables"),
    ("X(i,j) = B(i,j) * C(i,k) * D(k,j)", "ijk", "no reducers that distinguish an empty fiber from none"),
    ("x(i) = B(i,i)", "i", "no `locate`"),
];

#[test]
fn what_sams_tools_lack_is_told() {
    for (text, order, expected) in REFUSED {
        let order: Vec<String> = order.chars().map(String::from).collect();
        assert_eq!(order.len(), variables(text).len(), "{text}");
        let lowered = lower_with(&statement(text, &order), &sams()).map_err(|refusal| refusal.to_string());
        let found = lowered.and_then(|lowered| for_sam(&lowered).map_err(|foreign| foreign.to_string()));
        let message = found.expect_err("it is refused");
        assert!(message.contains(expected), "{text}: {message}");
    }
}

/// A number that a program states is in the block that multiplies by it, and its tensor is gone.
#[test]
fn numbers_are_in_the_products() {
    let statement = statement("x(i) = a() * b(i) + c(i)", &["i".to_owned()]);
    let lowered = lower_with(&statement, &sams()).expect("it can be lowered");
    let name = statement.tensors[1].name.clone();
    let graph = lowered.last().with_numbers(&BTreeMap::from([(name.clone(), 3.0)]));
    graph.check_wiring().expect("its ports fit together");
    assert!(graph.tensors.iter().all(|tensor| tensor.name != name));
    let text = dot::write(&graph);
    assert!(text.contains("type=mul,const0=3"), "{text}");
    assert_eq!(dot::read(&text).expect("it can be read").blocks.len(), graph.blocks.len());
}
