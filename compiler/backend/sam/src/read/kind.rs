//! What a block is.

use super::format_of;
use crate::cases::{Applied, EnumCase, Under};
use crate::element::of_type;
use comet_dialects::sam::SamDialectOperation as Sam;
use comet_ir::sam::{Stream, Tensor, Tokens};
use comet_ir::{IrError, Op, Result, Val, view_sam};
use comet_passes::nest::{integer, name};
use comet_sam::graph::{
    Accumulate, Alu, Apply, BlockKind, Carried, Dropped, Element, Fetch, FiberNesting, Function, Join,
    JoinOperand, Locate, Mask, Merge, Parallelize, Reduce, Repeat, Scanner, Serialize, StreamKind,
    TensorFormat, ToWords, ValuePlacement, WriteLevel, WriteValues,
};
use melior::ir::ValueLike;
use melior::ir::attribute::{
    ArrayAttribute, DenseI32ArrayAttribute, DenseI64ArrayAttribute, StringAttribute,
};

/// What a block is.
pub(super) fn kind<'c>(op: Op<'c>) -> Result<'c, BlockKind> {
    let view = view_sam(op).expect("a graph holds operations of sam");
    Ok(match &*view {
        Sam::Scan(_) => BlockKind::Scanner(scanner(op)),
        Sam::Intersect(_) => BlockKind::Join(join(op, Merge::Intersect)),
        Sam::ToWords(_) => BlockKind::ToWords(to_words(op)),
        Sam::Parallelize(_) => BlockKind::Parallelize(parallelize(op)),
        Sam::Serialize(_) => BlockKind::Serialize(serialize(op)),
        Sam::Fetch(_) => BlockKind::Fetch(fetch(op)),
        Sam::Union(_) => BlockKind::Join(join(op, Merge::Union)),
        Sam::RepeatSignal(_) => BlockKind::RepeatSignal { index: text(op, "index") },
        Sam::Repeat(_) => BlockKind::Repeat(repeat(op)),
        Sam::Locate(_) => BlockKind::Locate(locate(op)),
        Sam::Array(_) => BlockKind::Array { tensor: name(op.operand(0)), root: op.operands().len() == 1 },
        Sam::Alu(_) => BlockKind::Alu(alu(op)),
        Sam::Apply(_) => BlockKind::Apply(apply(op)),
        Sam::Mask(_) => {
            BlockKind::Mask(Mask { kept: EnumCase::of(op, "kept"), element: element(op.operand(1)) })
        }
        Sam::Reduce(_) => BlockKind::Reduce(reduce(op)),
        Sam::Accumulate(_) => BlockKind::Accumulate(accumulate(op)),
        Sam::Drop(_) => {
            let [outer, inner] = indices(op);
            BlockKind::Drop { outer, inner, what: dropped(op) }
        }
        Sam::Hold(_) => {
            let [outer, inner] = indices(op);
            BlockKind::Hold { outer, inner }
        }
        Sam::WriteLevel(_) => BlockKind::WriteLevel(write_level(op)),
        Sam::WriteValues(_) => BlockKind::WriteValues(write_values(op)),
        Sam::Graph(_) | Sam::Operand(_) | Sam::Scalar(_) | Sam::Universe(_) | Sam::Result(_) => {
            return Err(IrError::at(op.location(), format!("expected a block, found `{}`", op.name())));
        }
    })
}

/// The streams that a block reads, input by input; `None` where a root is built in.
pub(super) fn inputs<'c>(op: Op<'c>) -> Vec<Option<Val<'c>>> {
    let view = view_sam(op).expect("a graph holds operations of sam");
    let operands = op.operands();
    match &*view {
        Sam::Intersect(_) | Sam::Union(_) => {
            let (crds, carried) = operands.split_at(operands.len() / 2);
            crds.iter().zip(carried).flat_map(|(crd, carried)| [Some(*crd), Some(*carried)]).collect()
        }
        Sam::Serialize(_) => {
            let (crds, carried) = operands.split_at(segment(op, 0));
            crds.iter()
                .zip(0..)
                .flat_map(|(crd, copy)| [Some(*crd), carried.get(copy).copied()])
                .filter(Option::is_some)
                .collect()
        }
        // First the coordinates of all tensors, then their values.
        Sam::Accumulate(_) => {
            let (crds, values) = operands.split_at(segment(op, 0));
            let each = crds.len() / values.len();
            let tensors = crds.chunks(each).zip(values);
            tensors.flat_map(|(crds, value)| crds.iter().chain([value]).map(|stream| Some(*stream))).collect()
        }
        // The root is what it repeats of a tensor.
        Sam::Repeat(_) => {
            operands.into_iter().map(|value| Some(value).filter(|value| !is_tensor(*value))).collect()
        }
        // Places come before values.
        Sam::WriteValues(_) => {
            [2, 0].into_iter().filter_map(|place| operands.get(place)).map(|value| Some(*value)).collect()
        }
        _ => operands.into_iter().filter(|value| !is_tensor(*value)).map(Some).collect(),
    }
}

fn is_tensor(value: Val<'_>) -> bool {
    Tensor::of_type(value.r#type()).is_some()
}

/// The declaration of the tensor, and the number of the level there.
fn level<'c>(op: Op<'c>, tensor: Val<'c>) -> (TensorFormat, usize) {
    let declaration = Op::defining(tensor).expect("a graph declares its tensors");
    (format_of(declaration), integer(op, "level") as usize)
}

fn scanner(op: Op<'_>) -> Scanner {
    let (tensor, level) = level(op, op.operand(0));
    Scanner {
        index: text(op, "index"),
        mode: tensor.order[level],
        level: tensor.levels[level],
        tensor: tensor.name,
        root: op.operands().len() == 1,
        skips: op.attribute("skip").is_some(),
    }
}

fn write_level(op: Op<'_>) -> WriteLevel {
    let (tensor, level) = level(op, op.operand(1));
    WriteLevel {
        index: text(op, "index"),
        mode: tensor.order[level],
        level: tensor.levels[level],
        tensor: tensor.name,
        fibers: if op.attribute("single").is_some() { FiberNesting::Single } else { FiberNesting::Nested },
    }
}

fn write_values(op: Op<'_>) -> WriteValues {
    WriteValues {
        tensor: name(op.operand(1)),
        fill: EnumCase::of(op, "fill"),
        element: element(op.operand(0)),
        places: match (op.operands().len(), op.attribute("kept")) {
            (2, _) => ValuePlacement::InOrder,
            (_, None) => ValuePlacement::Scattered,
            (_, Some(_)) => ValuePlacement::Kept,
        },
    }
}

fn locate(op: Op<'_>) -> Locate {
    let (tensor, level) = level(op, op.operand(1));
    Locate {
        index: text(op, "index"),
        mode: tensor.order[level],
        level: tensor.levels[level],
        tensor: tensor.name,
        root: op.operands().len() == 2,
    }
}

fn dropped(op: Op<'_>) -> Dropped {
    match EnumCase::of(op, "dropped") {
        Under::Fibers => Dropped::EmptyFibers,
        Under::Absent => Dropped::Absent,
        Under::Zeros => Dropped::Zeros(element(op.operand(1))),
    }
}

fn join(op: Op<'_>, how: Merge) -> Join {
    let (names, skips) = (texts(op, "names"), skips(op));
    let operand = |(number, name)| JoinOperand {
        name,
        carries: carries(op.result(number + 1)),
        skips: skips.contains(&number),
    };
    let operands = names.into_iter().enumerate().map(operand).collect();
    Join { how, index: text(op, "index"), operands, width: width(op.operand(0)) }
}

/// The operands of an intersecter that skip, by their numbers.
pub(super) fn skips(op: Op<'_>) -> Vec<usize> {
    let list = op.attribute("skips").and_then(|attribute| DenseI64ArrayAttribute::try_from(attribute).ok());
    let number = |list: &DenseI64ArrayAttribute<'_>, place| list.element(place).ok()?.try_into().ok();
    list.map_or(Vec::new(), |list| (0..list.len()).filter_map(|place| number(&list, place)).collect())
}

/// How many bits words have.
fn width(value: Val<'_>) -> Option<u32> {
    match stream(value).tokens {
        Tokens::Bv(width) => Some(width),
        _ => None,
    }
}

fn to_words(op: Op<'_>) -> ToWords {
    ToWords {
        index: text(op, "index"),
        width: width(op.result(0)).expect("the verifier demands words"),
        refs: op.operands().len() == 2,
    }
}

fn parallelize(op: Op<'_>) -> Parallelize {
    let carries = carries(op.operand(0));
    Parallelize { index: text(op, "index"), factor: op.result_count(), carries }
}

fn serialize(op: Op<'_>) -> Serialize {
    let factor = segment(op, 0);
    let depth = |value| stream(value).depth as usize;
    let carries = (segment(op, 1) > 0)
        .then(|| Carried { kind: carries(op.result(0)), depth: depth(op.result(0)) - depth(op.operand(0)) });
    Serialize { index: text(op, "index"), factor, carries }
}

fn fetch(op: Op<'_>) -> Fetch {
    let (tensor, level) = level(op, op.operand(0));
    Fetch { mode: tensor.order[level], tensor: tensor.name }
}

/// How many operands there are of a sort, where several sorts may have any number.
fn segment(op: Op<'_>, sort: usize) -> usize {
    let sizes = op.attribute("operandSegmentSizes");
    let sizes = sizes.and_then(|attribute| DenseI32ArrayAttribute::try_from(attribute).ok());
    let size = sizes.and_then(|sizes| sizes.element(sort).ok()).and_then(|size| size.try_into().ok());
    size.expect("the verifier demands the numbers of operands")
}

fn repeat(op: Op<'_>) -> Repeat {
    Repeat {
        index: text(op, "index"),
        tensor: text(op, "name"),
        root: is_tensor(op.operand(0)),
        carries: carries(op.result(0)),
    }
}

fn alu(op: Op<'_>) -> Alu {
    Alu { operator: EnumCase::of(op, "op"), element: element(op.result(0)), how: EnumCase::of(op, "meeting") }
}

fn apply(op: Op<'_>) -> Apply {
    let function = match EnumCase::of(op, "function") {
        Applied::Negate => Function::Negate,
        Applied::Convert => Function::Convert(element(op.result(0))),
        Applied::Relu => Function::Relu,
        Applied::Exp => Function::Exp,
    };
    Apply { function, element: element(op.operand(0)) }
}

fn reduce(op: Op<'_>) -> Reduce {
    Reduce {
        reduction: EnumCase::of(op, "reduction"),
        element: element(op.operand(0)),
        empty: EnumCase::of(op, "empty"),
        inputs: segment(op, 0),
    }
}

fn accumulate(op: Op<'_>) -> Accumulate {
    let indices = texts(op, "indices");
    Accumulate {
        order: integer(op, "order") as usize,
        element: element(op.result(indices.len())),
        indices,
        form: EnumCase::of(op, "form"),
        empty: EnumCase::of(op, "empty"),
        reduction: EnumCase::of(op, "reduction"),
        inputs: segment(op, 1),
    }
}

fn indices(op: Op<'_>) -> [String; 2] {
    ["outer_index", "inner_index"].map(|name| text(op, name))
}

fn stream<'c>(value: Val<'c>) -> Stream<'c> {
    Stream::of_type(value.r#type()).expect("blocks are connected by streams")
}

fn carries(value: Val<'_>) -> StreamKind {
    match stream(value).tokens {
        Tokens::Crd => StreamKind::Crd,
        Tokens::Ref => StreamKind::Ref,
        Tokens::Val(_) => StreamKind::Val,
        Tokens::Repsig => StreamKind::Repsig,
        Tokens::Bv(_) => StreamKind::Bv,
    }
}

fn element(value: Val<'_>) -> Element {
    match stream(value).tokens {
        Tokens::Val(element) => of_type(element),
        _ => unreachable!("the verifier demands values"),
    }
}

fn text(op: Op<'_>, name: &str) -> String {
    let attribute = op.attribute(name).and_then(|attribute| StringAttribute::try_from(attribute).ok());
    attribute.expect("the verifier demands the attribute").value().to_owned()
}

fn texts(op: Op<'_>, name: &str) -> Vec<String> {
    let list = op.attribute(name).and_then(|attribute| ArrayAttribute::try_from(attribute).ok());
    let list = list.expect("the verifier demands the attribute");
    let element = |number| StringAttribute::try_from(list.element(number).ok()?).ok();
    (0..list.len()).filter_map(element).map(|text| text.value().to_owned()).collect()
}
