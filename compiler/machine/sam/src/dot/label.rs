//! What people call a block: the first line of its label.

use crate::graph::{Function, How, Kind, Operator, Reduction};

/// The name of a block, which others of its graph may share.
pub(crate) fn title(kind: &Kind) -> String {
    match kind {
        Kind::Scanner(scanner) => {
            format!("FiberLookup {}: {}{}", scanner.index, scanner.tensor, scanner.mode)
        }
        Kind::Repeat(repeat) => format!("Repeat {}: {}", repeat.index, repeat.tensor),
        Kind::RepeatSignal { index } => format!("RepeatSignalGenerator {index}"),
        Kind::Join(join) => match (join.taken_apart(), join.how) {
            (Some(width), _) => format!("FromWords {}: {width}", join.index),
            (None, How::Intersect) => format!("intersect {}", join.index),
            (None, How::Union) => format!("union {}", join.index),
        },
        Kind::Array { tensor, .. } => format!("Array Vals: {tensor}"),
        Kind::Locate(locate) => format!("Locate {}: {}{}", locate.index, locate.tensor, locate.mode),
        Kind::Mask(_) => "Mask".to_owned(),
        Kind::ToWords(words) => format!("ToWords {}: {}", words.index, words.width),
        Kind::Parallelize(parallelize) => {
            format!("Parallelize {}: {}", parallelize.index, parallelize.factor)
        }
        Kind::Serialize(serialize) => format!("Serialize {}: {}", serialize.index, serialize.factor),
        Kind::Fetch(fetch) => format!("Fetch {}{}", fetch.tensor, fetch.mode),
        Kind::Alu(alu) => operator(alu.operator).to_owned(),
        Kind::Apply(apply) => match apply.function {
            Function::Convert(to) => format!("Convert {}", to.name()),
            Function::With(of, constant) => format!("{} {}", operator(of), constant.number()),
            plain => capitalized(plain.name()),
        },
        Kind::Reduce(reduce) => format!("Reduce{}", reduction(reduce.reduction)),
        Kind::Accumulate(accumulate) if accumulate.is_vector_reducer() => {
            let indices = accumulate.indices.join(",");
            format!("VectorReducer {indices}{}", reduction(accumulate.reduction))
        }
        Kind::Accumulate(accumulate) => {
            format!("SparseAccumulator {}{}", accumulate.order, reduction(accumulate.reduction))
        }
        Kind::Drop { outer, inner, .. } => format!("CrdDrop {outer},{inner}"),
        Kind::Hold { outer, inner } => format!("CrdHold {outer},{inner}"),
        Kind::WriteLevel(write) => format!("FiberWrite {}: {}{}", write.index, write.tensor, write.mode),
        Kind::WriteValues(write) => format!("FiberWrite Vals: {}", write.tensor),
    }
}

/// How values are reduced, if not by their sum.
fn reduction(reduction: Reduction) -> String {
    if reduction == Reduction::Add { String::new() } else { format!(" {}", reduction.name()) }
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

fn operator(operator: Operator) -> &'static str {
    match operator {
        Operator::Multiply => "Mul",
        Operator::Divide => "Div",
        Operator::Add => "Add",
        Operator::Subtract => "Sub",
        Operator::Min => "Min",
        Operator::Max => "Max",
        Operator::Any => "Any",
        Operator::First => "First",
        Operator::Second => "Second",
        Operator::Pair => "Pair",
        Operator::Or => "Or",
        Operator::And => "And",
    }
}
