//! What a schedule chooses for graphs, and what has come of it: commands that change nothing are told.

use crate::statement::Computed;
use comet_sam::graph::{Block, Kind, Level};
use comet_sam::lower::Lowered;

/// A sentence for each command that the graphs of a statement have nothing of.
pub(crate) fn ignored(computed: &Computed<'_>, lowered: &Lowered) -> Vec<String> {
    let has =
        |test: &dyn Fn(&Block) -> bool| lowered.graphs.iter().any(|graph| graph.blocks.iter().any(test));
    let choices = &computed.choices;
    let mut told = Vec::new();
    for index in &choices.skipped {
        if !has(&|block| matches!(&block.kind, Kind::Scanner(it) if it.skips && it.index == *index)) {
            told.push(format!(
                "`skip({index})` changes nothing: no two operands come right from compressed levels of `{index}` to be intersected"
            ));
        }
    }
    for (index, lanes) in &choices.lanes {
        if !has(&|block| block.lanes > 1 && brings(&block.kind, index)) {
            told.push(format!(
                "`vectorize({index}, {lanes})` changes nothing: no operand is scanned at `{index}`"
            ));
        }
    }
    for (index, copies) in &choices.parallel {
        if !has(&|block| matches!(&block.kind, Kind::Parallelize(it) if it.index == *index)) {
            let reason = match choices.drops_zeros {
                true => "zeros are left out of the whole result",
                false => "a sum with coordinates of its own inside cannot be dealt out",
            };
            told.push(format!("nothing is dealt out to {copies} copies at `{index}`: {reason}"));
        }
    }
    for index in &computed.in_words {
        if !has(&|block| matches!(&block.kind, Kind::Scanner(it) if it.index == *index && is_words(it.level)))
        {
            told.push(format!(
                "`bitvector({index}, …)` changes nothing: the operands' levels of `{index}` are dense, or there is none"
            ));
        }
    }
    told
}

/// Whether a block brings the coordinates of a variable: it scans them, or takes words of them apart.
fn brings(kind: &Kind, index: &str) -> bool {
    match kind {
        Kind::Scanner(scanner) => scanner.index == index,
        Kind::Join(join) => join.width.is_some() && join.index == index,
        _ => false,
    }
}

fn is_words(level: Level) -> bool {
    matches!(level, Level::BitVector(_))
}
