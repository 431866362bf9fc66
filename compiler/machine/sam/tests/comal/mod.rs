//! Graphs of Comal: what is written computes what its statement says when it is read again, and files that
//! others make are read.

mod by_hand;
mod wire;

use crate::draw::Draw;
use crate::notation::statement;
use crate::run::compare_nonzeros;
use crate::sams::{KERNELS, are_right_or_refused, drawn};
use comet_sam::comal;
use comet_sam::graph::{BlockKind, Dropped, Foreign, Graph};
use comet_sam::lower::{Choices, Dialect, Lowered, lower_with};

fn comals() -> Choices {
    Choices { dialect: Dialect::Comal, ..Choices::default() }
}

/// The graphs for Comal, as their files give them back.
fn for_comal(lowered: &Lowered) -> Result<Lowered, Foreign> {
    let read = |file: &[u8]| comal::read(file).unwrap_or_else(|error| panic!("{error} ({})", error.hint));
    let again = |graph: &Graph| -> Result<Graph, Foreign> {
        let graph = read(&comal::write(&graph.in_dialect(Dialect::Comal)?)?);
        let file = comal::write(&graph)?;
        assert_eq!(comal::write(&read(&file))?, file, "what is read is written as it was");
        Ok(graph)
    };
    let graphs = lowered.graphs.iter().map(again).collect::<Result<_, _>>()?;
    Ok(Lowered { graphs, universes: lowered.universes.clone() })
}

#[test]
fn kernels_compute_what_they_say() {
    let mut draw = Draw::seeded(31);
    for (text, order) in KERNELS {
        let order: Vec<String> = order.chars().map(String::from).collect();
        let statement = statement(text, &order);
        let lowered = lower_with(&statement, &comals()).unwrap_or_else(|refusal| panic!("{text}: {refusal}"));
        let lowered = for_comal(&lowered).unwrap_or_else(|foreign| panic!("{text}: {foreign}"));
        let mut kinds = lowered.graphs.iter().flat_map(|graph| &graph.blocks).map(|block| &block.kind);
        assert!(
            kinds.all(|kind| !matches!(kind, BlockKind::Drop { what, .. } if *what != Dropped::EmptyFibers)),
            "{text}"
        );
        for extent in [2, 4, 5, 6] {
            let tensors = drawn(&statement, &mut draw, extent);
            compare_nonzeros(&statement, &lowered, &tensors, &|_| extent)
                .unwrap_or_else(|fault| panic!("{text} in the order {}: {fault}", order.concat()));
        }
    }
}

/// Statements drawn at random: what is not refused is right where operands have entries.
#[test]
fn random_statements_are_right_or_refused() {
    are_right_or_refused(
        &|statement| for_comal(&lower_with(statement, &comals()).ok()?).ok(),
        &|case, lowered| {
            compare_nonzeros(&case.statement, lowered, &case.tensors, &|index| case.extents[index])
        },
    );
}
