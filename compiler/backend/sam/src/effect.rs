//! What a schedule chooses for graphs, and what has come of it: remarks on commands that change nothing.

use crate::statement::Computed;
use comet_sam::graph::{BlockKind, GraphBlock, GraphLevel};
use comet_sam::lower::Lowered;

/// A sentence for each command that the graphs of a statement have nothing of.
pub(crate) fn ignored(computed: &Computed<'_>, lowered: &Lowered) -> Vec<String> {
    let graphs = Graphs(lowered);
    let choices = &computed.choices;
    let skipped = choices.skipped.iter().filter(|index| !graphs.skip(index)).map(|index| {
        format!("`skip({index})` changes nothing: no two operands come right from compressed levels of `{index}` to be intersected")
    });
    let wide = choices.lanes.iter().filter(|(index, _)| !graphs.have_lanes(index)).map(|(index, lanes)| {
        format!("`vectorize({index}, {lanes})` changes nothing: no operand is scanned at `{index}`")
    });
    let whole_result = "zeros are left out of the whole result";
    let inner_sum = "a sum with coordinates of its own inside cannot be dealt out";
    let reason = if choices.drops_zeros { whole_result } else { inner_sum };
    let dealt = choices
        .parallel
        .iter()
        .filter(|(index, _)| !graphs.deal(index))
        .map(|(index, copies)| format!("nothing is dealt out to {copies} copies at `{index}`: {reason}"));
    let words = computed.in_words.iter().filter(|index| !graphs.have_words(index)).map(|index| {
        format!("`bitvector({index}, …)` changes nothing: the operands' levels of `{index}` are dense, or there is none")
    });
    skipped.chain(wide).chain(dealt).chain(words).collect()
}

struct Graphs<'l>(&'l Lowered);

impl Graphs<'_> {
    fn have(&self, is_it: impl Fn(&GraphBlock) -> bool) -> bool {
        self.0.graphs.iter().any(|graph| graph.blocks.iter().any(&is_it))
    }

    fn skip(&self, index: &str) -> bool {
        self.have(
            |block| matches!(&block.kind, BlockKind::Scanner(scanner) if scanner.skips && scanner.index == index),
        )
    }

    /// Whether what brings the coordinates of a variable, a scanner or what takes words apart, is a bus.
    fn have_lanes(&self, index: &str) -> bool {
        self.have(|block| {
            let brings = match &block.kind {
                BlockKind::Scanner(scanner) => scanner.index == index,
                BlockKind::Join(join) => join.width.is_some() && join.index == index,
                _ => false,
            };
            brings && block.lanes > 1
        })
    }

    fn deal(&self, index: &str) -> bool {
        self.have(
            |block| matches!(&block.kind, BlockKind::Parallelize(parallelize) if parallelize.index == index),
        )
    }

    fn have_words(&self, index: &str) -> bool {
        self.have(|block| match &block.kind {
            BlockKind::Scanner(scanner) => {
                scanner.index == index && matches!(scanner.level, GraphLevel::BitVector(_))
            }
            _ => false,
        })
    }
}
