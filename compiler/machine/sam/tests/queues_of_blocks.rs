//! Blocks of each kind in queues of a limited depth, on data that is much longer than these.

use crate::draw::Draw;
use crate::notation::{accesses, statement, variables};
use crate::pack::pack;
use comet_sam::graph::{BlockKind, Dropped, Graph, GraphLevel};
use comet_sam::lower::{Choices, lower_with};
use comet_sam::simulate::{SimulationOptions, simulate};
use comet_sam::storage::{Entry, StoredTensor};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

const EXTENT: usize = 40;

/// What queues are to be between.
struct Case {
    text: &'static str,
    level: GraphLevel,
    choices: Choices,
    /// The blocks that the graph has, so that they are tested.
    is_there: fn(&BlockKind) -> bool,
}

fn set<T: Ord>(of: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    of.into_iter().collect()
}

fn copies(numbers: &[(&str, usize)]) -> Choices {
    let parallel = numbers.iter().map(|(var, number)| ((*var).to_owned(), *number)).collect();
    Choices { parallel, ..Choices::default() }
}

fn skipped(vars: &[&str]) -> Choices {
    Choices { skipped: set(vars.iter().map(|var| (*var).to_owned())), ..Choices::default() }
}

fn cases() -> Vec<Case> {
    let located = |tensors: &[usize]| Choices { located: set(tensors.iter().copied()), ..Choices::default() };
    let lanes = Choices { lanes: BTreeMap::from([("j".to_owned(), 4)]), ..Choices::default() };
    let (plain, words, dense) = (GraphLevel::Compressed, GraphLevel::BitVector(16), GraphLevel::Dense);
    let none = Choices::default;
    let case = |text, level, choices, is_there| Case { text, level, choices, is_there };
    vec![
        case("X(i,j) = B(i,j) * C(i,j)", plain, copies(&[("i", 4)]), is_serializer),
        case("X(i,j) = B(i,j) * C(i,j)", plain, copies(&[("i", 2), ("j", 3)]), is_serializer),
        case("X(i,j) = B(i,k) * C(k,j)", plain, copies(&[("i", 5), ("k", 2)]), is_serializer),
        case("X(i,j) = B(i,j) + C(i,j)", plain, copies(&[("i", 3)]), is_serializer),
        case("X(i,j) = B(i,j) * C(i,j)", plain, none(), is_dropper),
        case("x(i) = B(i,j) * C(i,j) * d(j)", plain, none(), is_dropper),
        case("X(i,j) = B(i,j) * C(i,j) + D(i,j)", plain, none(), |kind| {
            matches!(kind, BlockKind::Drop { .. } | BlockKind::Join(_))
        }),
        case("X(i,j) = B(i,j) * C(i,j)", plain, skipped(&["i", "j"]), skips),
        case("x(i) = B(i,j) * C(i,j) * d(j)", plain, skipped(&["j"]), skips),
        case("X(i,j) = B(i,k) * C(k,j)", plain, skipped(&["i", "j", "k"]), skips),
        case("X(i,j) = B(i,j) * C(i,j)", words, none(), is_of_words),
        case("X(i,j) = B(i,j) + C(i,j)", words, none(), is_of_words),
        case("x(i) = B(i,j) * d(j)", words, none(), is_of_words),
        case("X(i,j) = B(i,j) * C(i,j)", words, copies(&[("i", 3)]), is_of_words),
        case("X(i,j) = B(i,j) * C(i,j)", plain, located(&[2]), is_locator),
        case("x(i) = B(i,j) * d(j)", plain, located(&[2]), is_locator),
        case("X(i,j) = B(i,k) * C(k,j)", dense, located(&[2]), is_locator),
        case("X(i,j) = B(i,j) * C(i,j)", words, located(&[1]), is_locator),
        case("X(i,j) = B(i,j) * a()", plain, lanes, |kind| matches!(kind, BlockKind::Repeat(_))),
    ]
}

fn is_serializer(kind: &BlockKind) -> bool {
    matches!(kind, BlockKind::Serialize(_))
}

fn is_dropper(kind: &BlockKind) -> bool {
    matches!(kind, BlockKind::Drop { what: Dropped::EmptyFibers, .. })
}

fn skips(kind: &BlockKind) -> bool {
    matches!(kind, BlockKind::Scanner(scanner) if scanner.skips)
}

fn is_of_words(kind: &BlockKind) -> bool {
    matches!(kind, BlockKind::Join(join) if join.width.is_some())
}

fn is_locator(kind: &BlockKind) -> bool {
    matches!(kind, BlockKind::Locate(_))
}

/// Operands with many short fibers, long ones, and empty ones.
fn operands(case: &Case, graph: &Graph, seed: u64) -> BTreeMap<String, StoredTensor> {
    let mut draw = Draw::new(seed);
    let accesses = accesses(case.text);
    let operands = accesses.iter().enumerate().skip(1).map(|(number, (name, indices))| {
        let format = graph.tensors.iter().find(|format| format.name == format!("{name}{number}"));
        let format = format.expect("the graph has all operands");
        let mut entries: Vec<Entry> = Vec::new();
        for outer in 0..if indices.is_empty() { 1 } else { EXTENT } {
            let density = draw.one(&[0, 5, 30, 100]);
            for inner in 0..if indices.len() < 2 { 1 } else { EXTENT } {
                if indices.is_empty() || draw.percent(density) {
                    let point = [outer, inner][..indices.len()].to_vec();
                    entries.push((point, (1.0 + draw.below(9) as f64).into()));
                }
            }
        }
        (format.name.clone(), pack(format, &vec![EXTENT; indices.len()], &entries))
    });
    operands.collect()
}

/// Queues that are deep enough change neither the result nor the cycles, and others no result.
#[test]
fn blocks_compute_the_same_in_bounded_queues() {
    for case in cases() {
        let mut statement = statement(case.text, &variables(case.text));
        statement.tensors[1..].iter_mut().for_each(|format| format.levels.fill(case.level));
        let lowered = lower_with(&statement, &case.choices).expect("it can be lowered");
        let graph = lowered.last();
        assert!(graph.blocks.iter().any(|block| (case.is_there)(&block.kind)), "{}", case.text);
        for seed in 1..=3 {
            let tensors = operands(&case, graph, seed);
            let free = simulate(graph, &tensors, SimulationOptions::default()).expect("it runs");
            for depth in [4, 9, 1 << 20] {
                let options = SimulationOptions {
                    queue_depth: NonZeroUsize::new(depth),
                    ..SimulationOptions::default()
                };
                let told = format!("{}, {:?}, seed {seed}, depth {depth}", case.text, case.choices);
                let outcome =
                    simulate(graph, &tensors, options).unwrap_or_else(|fault| panic!("{told}: {fault}"));
                assert_eq!(outcome.result, free.result, "{told}");
                assert!(depth < 1 << 20 || outcome.cycles == free.cycles, "{told}");
            }
        }
    }
}
