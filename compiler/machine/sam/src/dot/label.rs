//! What people call a block: the first line of its label.

use crate::graph::{BlockKind, Function, Merge, Reduction};
use crate::named::Named as _;

/// The name of a block, which others of its graph may share.
pub(crate) fn title(kind: &BlockKind) -> String {
    match kind {
        BlockKind::Scanner(scanner) => {
            format!("FiberLookup {}: {}{}", scanner.index, scanner.tensor, scanner.mode)
        }
        BlockKind::Repeat(repeat) => format!("Repeat {}: {}", repeat.index, repeat.tensor),
        BlockKind::RepeatSignal { index } => format!("RepeatSignalGenerator {index}"),
        BlockKind::Join(join) => match (join.taken_apart(), join.how) {
            (Some(width), _) => format!("FromWords {}: {width}", join.index),
            (None, Merge::Intersect) => format!("intersect {}", join.index),
            (None, Merge::Union) => format!("union {}", join.index),
        },
        BlockKind::Array { tensor, .. } => format!("Array Vals: {tensor}"),
        BlockKind::Locate(locate) => format!("Locate {}: {}{}", locate.index, locate.tensor, locate.mode),
        BlockKind::Mask(_) => "Mask".to_owned(),
        BlockKind::ToWords(words) => format!("ToWords {}: {}", words.index, words.width),
        BlockKind::Parallelize(parallelize) => {
            format!("Parallelize {}: {}", parallelize.index, parallelize.factor)
        }
        BlockKind::Serialize(serialize) => format!("Serialize {}: {}", serialize.index, serialize.factor),
        BlockKind::Fetch(fetch) => format!("Fetch {}{}", fetch.tensor, fetch.mode),
        BlockKind::Alu(alu) => capitalized(alu.operator.name()),
        BlockKind::Apply(apply) => match apply.function {
            Function::Convert(to) => format!("Convert {}", to.case_name()),
            Function::With(of, constant) => format!("{} {}", capitalized(of.name()), constant.number()),
            plain => capitalized(plain.name()),
        },
        BlockKind::Reduce(reduce) => format!("Reduce{}", reduction(reduce.reduction)),
        BlockKind::Accumulate(accumulate) if accumulate.is_vector_reducer() => {
            let indices = accumulate.indices.join(",");
            format!("VectorReducer {indices}{}", reduction(accumulate.reduction))
        }
        BlockKind::Accumulate(accumulate) => {
            format!("SparseAccumulator {}{}", accumulate.order, reduction(accumulate.reduction))
        }
        BlockKind::Drop { outer, inner, .. } => format!("CrdDrop {outer},{inner}"),
        BlockKind::Hold { outer, inner } => format!("CrdHold {outer},{inner}"),
        BlockKind::WriteLevel(write) => format!("FiberWrite {}: {}{}", write.index, write.tensor, write.mode),
        BlockKind::WriteValues(write) => format!("FiberWrite Vals: {}", write.tensor),
    }
}

fn reduction(reduction: Reduction) -> String {
    if reduction == Reduction::Add { String::new() } else { format!(" {}", reduction.case_name()) }
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}
