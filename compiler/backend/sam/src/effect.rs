//! What a schedule chooses for graphs, and what has come of it: remarks on commands that change nothing.

use crate::statement::Computed;
use comet_sam::graph::{BlockKind, GraphBlock};
use comet_sam::lower::Lowered;

/// A sentence for each command that the graphs of a statement have nothing of.
pub(crate) fn ignored(computed: &Computed<'_>, lowered: &Lowered) -> Vec<String> {
    let have = |is_it: &dyn Fn(&GraphBlock) -> bool| {
        lowered.graphs.iter().flat_map(|graph| &graph.blocks).any(is_it)
    };
    let choices = &computed.choices;
    let skips = |index: &str| {
        have(&|block| matches!(&block.kind, BlockKind::Scanner(own) if own.skips && own.index == index))
    };
    let skipped = choices.skipped.iter().filter(|index| !skips(index)).map(|index| {
        format!("`skip({index})` changes nothing: no two operands come right from compressed levels of `{index}` to be intersected")
    });
    // What brings the coordinates of a variable, a scanner or what takes words apart, is a bus.
    let brings = |kind: &BlockKind, index: &str| match kind {
        BlockKind::Scanner(scanner) => scanner.index == index,
        BlockKind::Join(join) => join.width.is_some() && join.index == index,
        _ => false,
    };
    let is_wide = |index: &str| have(&|block| block.lanes > 1 && brings(&block.kind, index));
    let wide = choices.lanes.iter().filter(|(index, _)| !is_wide(index)).map(|(index, lanes)| {
        format!("`vectorize({index}, {lanes})` changes nothing: no operand is scanned at `{index}`")
    });
    let whole_result = "zeros are left out of the whole result";
    let inner_sum = "a sum with coordinates of its own inside cannot be dealt out";
    let reason = if choices.drops_zeros { whole_result } else { inner_sum };
    let is_dealt =
        |index: &str| have(&|block| matches!(&block.kind, BlockKind::Parallelize(own) if own.index == index));
    let dealt = choices
        .parallel
        .iter()
        .filter(|(index, _)| !is_dealt(index))
        .map(|(index, copies)| format!("nothing is dealt out to {copies} copies at `{index}`: {reason}"));
    let has_words = |index: &str| {
        have(
            &|block| matches!(&block.kind, BlockKind::Scanner(own) if own.index == index && own.level.width().is_some()),
        )
    };
    let words = computed.in_words.iter().filter(|index| !has_words(index)).map(|index| {
        format!("`bitvector({index}, …)` changes nothing: the operands' levels of `{index}` are dense, or there is none")
    });
    skipped.chain(wide).chain(dealt).chain(words).collect()
}
