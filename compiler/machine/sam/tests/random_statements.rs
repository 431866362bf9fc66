//! Random statements: reductions, sums, products, masks, scalars and broadcasts nested at random, tensors
//! that are used again, in random orders and levels, on extents from 0 on; also in bounded queues, with
//! blocks in another order, as graphs that files give back, and with joiners of two operands.
//! `COMET_CASES` says how many, `COMET_SEED` where they begin.

use crate::draw::Draw;
use crate::random::shuffle::shuffled;
use crate::random::{Case, case};
use crate::run;
use crate::run::queues::{Run, compare_queues};
use comet_sam::dot;
use comet_sam::graph::{BlockKind, Graph};
use comet_sam::lower::{Choices, Lowered, lower_with};
use comet_sam::storage::Entry;

/// Of fewer cases any share may be stuck.
const FEW: u64 = 100;

fn number(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).unwrap_or_default();
    if text.is_empty() { default } else { text.parse().expect("a number") }
}

/// Compares all that a case becomes. The result is what came of it in bounded queues.
fn check(case: &Case) -> Result<Run, String> {
    let lowered = lower_with(&case.statement, &case.choices).map_err(|refusal| refusal.to_string())?;
    let extent = |index: &str| case.extents[index];
    let is_left = |entry: &Entry| !case.choices.drops_zeros || !entry.1.is_zero();
    run::compare_entries(&case.statement, &lowered, &case.tensors, &extent, &is_left)?;
    let shuffled = shuffled(&lowered, &mut Draw::seeded(case.shuffle));
    run::compare_times(&lowered, &shuffled, &case.tensors, &extent)?;
    let bounded = compare_queues(&lowered, &shuffled, &case.tensors, &extent, case.depth)?;
    let read_again = |graph| dot::read(&dot::write(graph)).map_err(|error| format!("{error:?}"));
    let graphs = lowered.graphs.iter().map(read_again).collect::<Result<_, _>>()?;
    let again = Lowered { graphs, universes: lowered.universes };
    run::compare_entries(&case.statement, &again, &case.tensors, &extent, &is_left)
        .map_err(|fault| format!("from a file: {fault}"))?;
    let graphs: Vec<Graph> = again.graphs.iter().map(Graph::with_binary_joiners).collect();
    let mut blocks = graphs.iter().flat_map(|graph| &graph.blocks);
    if blocks.any(|block| matches!(&block.kind, BlockKind::Join(join) if join.operands.len() > 2)) {
        return Err("joiners of two have more operands".to_owned());
    }
    let binary = Lowered { graphs, universes: again.universes };
    run::compare_entries(&case.statement, &binary, &case.tensors, &extent, &is_left)
        .map_err(|fault| format!("with joiners of two: {fault}"))?;
    Ok(bounded)
}

/// The case without the choices that it fails without.
fn with_fewer_choices(mut case: Case, mut fault: String) -> (Case, String) {
    let clear: [fn(&mut Choices); 6] = [
        |choices| choices.drops_zeros = false,
        |choices| choices.tiled_from = None,
        |choices| choices.located.clear(),
        |choices| choices.skipped.clear(),
        |choices| choices.parallel.clear(),
        |choices| choices.lanes.clear(),
    ];
    for clear in clear {
        let before = case.choices.clone();
        clear(&mut case.choices);
        match check(&case) {
            Ok(_) => case.choices = before,
            Err(still) => fault = still,
        }
    }
    (case, fault)
}

#[test]
fn random_statements_are_lowered() {
    let (cases, seed) = (number("COMET_CASES", 400), number("COMET_SEED", 1));
    let (mut wrong, mut stuck) = (Vec::new(), 0);
    for number in seed..seed + cases {
        let case = case(&mut Draw::seeded(number));
        match check(&case) {
            Ok(run) => stuck += u64::from(run == Run::Stuck),
            Err(fault) => {
                let (case, fault) = with_fewer_choices(case, fault);
                wrong.push((case.told(), format!("seed {number}: {fault}")));
            }
        }
    }
    // The smallest is the easiest to read.
    let smallest = wrong.iter().min_by_key(|(told, _)| told.len());
    if let Some((told, fault)) = smallest {
        panic!("{} of {cases} fail; the smallest:\n{told}\n{fault}", wrong.len());
    }
    // Queues of 2 tokens are too shallow for one of twenty.
    assert!(cases < FEW || stuck <= cases / 10, "{stuck} of {cases} are stuck in bounded queues");
}
