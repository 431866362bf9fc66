//! The block of an operation.

use super::format_of;
use crate::cases::{Case, of_reduction};
use crate::element::of_type;
use comet_ir::sam::{self, Sam, Stream, Tokens};
use comet_ir::{IrError, Op, Result, Val};
use comet_sam::graph::{
    Accumulate, Alu, Apply, BlockKind, Carried, Dropped, Element, Fetch, FiberNesting, Function, Join,
    JoinOperand, Locate, Merge, Parallelize, Reduce, Repeat, Scanner, Serialize, StreamKind, TensorFormat,
    ToWords, ValueMask, ValuePlacement, WriteLevel, WriteValues,
};
use melior::ir::ValueLike;

pub(super) struct ReadBlock<'c> {
    pub(super) kind: BlockKind,
    /// The stream at each input; `None` where a root is built in.
    pub(super) inputs: Vec<Option<Val<'c>>>,
    pub(super) lanes: usize,
}

pub(super) fn block<'c>(op: Op<'c>) -> Result<'c, ReadBlock<'c>> {
    let (kind, inputs, lanes) = match Sam::of(op).expect("a graph holds operations of sam") {
        Sam::Scan(scan) => (BlockKind::Scanner(scanner(scan)), vec![scan.reference()], scan.lanes()),
        Sam::Intersect(join) => {
            let skips = join.skips().unwrap_or_default();
            let (index, names, crds) = (join.index(), join.names(), join.coordinates());
            let kind = self::join(Merge::Intersect, index, (names, &skips), crds[0], &join.passed());
            (kind, paired(&crds, &join.carried()), join.lanes())
        }
        Sam::Union(join) => {
            let (index, names, crds) = (join.index(), join.names(), join.coordinates());
            let kind = self::join(Merge::Union, index, (names, &[]), crds[0], &join.passed());
            (kind, paired(&crds, &join.carried()), join.lanes())
        }
        Sam::ToWords(words) => {
            let width = width(words.words()).expect("the verifier demands words");
            let (index, refs) = (words.index().to_owned(), words.references().is_some());
            let inputs =
                [Some(words.coordinates())].into_iter().chain(words.references().map(Some)).collect();
            (BlockKind::ToWords(ToWords { index, width, refs }), inputs, words.lanes())
        }
        Sam::Parallelize(parallelize) => {
            let (index, factor) = (parallelize.index().to_owned(), parallelize.dealt().len());
            let carries = carries(parallelize.elements());
            let kind = BlockKind::Parallelize(Parallelize { index, factor, carries });
            (kind, vec![Some(parallelize.elements())], parallelize.lanes())
        }
        Sam::Serialize(serialize) => {
            let (crds, carried) = (serialize.coordinates(), serialize.carried());
            let depth = depth(serialize.serial()) - depth(crds[0]);
            let carries = (!carried.is_empty()).then(|| Carried { kind: carries(serialize.serial()), depth });
            let kind = Serialize { index: serialize.index().to_owned(), factor: crds.len(), carries };
            let inputs = if carried.is_empty() { all(crds) } else { paired(&crds, &carried) };
            (BlockKind::Serialize(kind), inputs, serialize.lanes())
        }
        Sam::Fetch(fetch) => {
            let (tensor, level) = level(fetch.tensor(), fetch.level());
            let kind = BlockKind::Fetch(Fetch { mode: tensor.order[level], tensor: tensor.name });
            (kind, vec![Some(fetch.references())], fetch.lanes())
        }
        Sam::RepeatSignal(signal) => {
            let kind = BlockKind::RepeatSignal { index: signal.index().to_owned() };
            (kind, vec![Some(signal.coordinates())], signal.lanes())
        }
        Sam::Repeat(repeat) => {
            let repeated =
                Some(repeat.repeated()).filter(|value| sam::Fibertree::of_type(value.r#type()).is_none());
            let (index, tensor) = (repeat.index().to_owned(), repeat.name().to_owned());
            let (root, carries) = (repeated.is_none(), carries(repeat.result()));
            let kind = BlockKind::Repeat(Repeat { index, tensor, root, carries });
            (kind, vec![repeated, Some(repeat.signals())], repeat.lanes())
        }
        Sam::Locate(locate) => {
            let inputs = vec![Some(locate.coordinates()), locate.reference()];
            (BlockKind::Locate(locator(locate)), inputs, locate.lanes())
        }
        Sam::Array(array) => {
            let (tensor, root) = (name(array.tensor()), array.references().is_none());
            (BlockKind::Array { tensor, root }, vec![array.references()], array.lanes())
        }
        Sam::Alu(alu) => {
            let (operator, how) = (Case::of_dialect(alu.op()), Case::of_dialect(alu.meeting()));
            let kind = BlockKind::Alu(Alu { operator, element: element(alu.result()), how });
            (kind, all(vec![alu.left(), alu.right()]), alu.lanes())
        }
        Sam::Apply(apply) => {
            let function = match apply.function() {
                sam::Function::Neg => Function::Negate,
                sam::Function::Convert => Function::Convert(element(apply.result())),
                sam::Function::Relu => Function::Relu,
                sam::Function::Exp => Function::Exp,
            };
            let kind = BlockKind::Apply(Apply { function, element: element(apply.value()) });
            (kind, vec![Some(apply.value())], apply.lanes())
        }
        Sam::Mask(mask) => {
            let kind = ValueMask { kept: Case::of_dialect(mask.kept()), element: element(mask.mask()) };
            (BlockKind::Mask(kind), all(vec![mask.value(), mask.mask()]), mask.lanes())
        }
        Sam::Reduce(reduce) => {
            let values = reduce.values();
            let kind = BlockKind::Reduce(Reduce {
                reduction: of_reduction(reduce.reduction()),
                element: element(values[0]),
                empty: Case::of_dialect(reduce.empty()),
                inputs: values.len(),
            });
            (kind, values.into_iter().chain(reduce.around()).map(Some).collect(), reduce.lanes())
        }
        Sam::Accumulate(accumulate) => {
            // First the coordinates of all tensors, then their values.
            let (crds, values) = (accumulate.coordinates(), accumulate.values());
            let tensors = crds.chunks(crds.len() / values.len()).zip(&values);
            let inputs = tensors.flat_map(|(crds, value)| crds.iter().chain([value])).copied().collect();
            let kind = BlockKind::Accumulate(Accumulate {
                order: accumulate.order() as usize,
                element: element(accumulate.result()),
                indices: accumulate.indices(),
                form: Case::of_dialect(accumulate.form()),
                empty: Case::of_dialect(accumulate.empty()),
                reduction: of_reduction(accumulate.reduction()),
                inputs: values.len(),
            });
            (kind, all(inputs), accumulate.lanes())
        }
        Sam::Drop(drop) => {
            let what = match drop.dropped() {
                sam::Dropped::Fibers => Dropped::EmptyFibers,
                sam::Dropped::Absent => Dropped::Absent,
                sam::Dropped::Zeros => Dropped::Zeros(element(drop.inner())),
            };
            let (outer, inner) = (drop.outer_index().to_owned(), drop.inner_index().to_owned());
            (BlockKind::Drop { outer, inner, what }, all(vec![drop.outer(), drop.inner()]), drop.lanes())
        }
        Sam::Hold(hold) => {
            let (outer, inner) = (hold.outer_index().to_owned(), hold.inner_index().to_owned());
            (BlockKind::Hold { outer, inner }, all(vec![hold.outer(), hold.inner()]), hold.lanes())
        }
        Sam::WriteLevel(write) => {
            (BlockKind::WriteLevel(level_writer(write)), vec![Some(write.coordinates())], write.lanes())
        }
        Sam::WriteValues(write) => {
            let inputs = write.places().into_iter().chain([write.values()]).map(Some).collect();
            (BlockKind::WriteValues(values_writer(write)), inputs, write.lanes())
        }
        Sam::Graph(_) | Sam::Operand(_) | Sam::Scalar(_) | Sam::Universe(_) | Sam::Result(_) => {
            return Err(IrError::at(op.location(), format!("expected a block, found `{}`", op.name())));
        }
    };
    Ok(ReadBlock { kind, inputs, lanes: lanes.map_or(1, |lanes| lanes as usize) })
}

fn all(values: Vec<Val<'_>>) -> Vec<Option<Val<'_>>> {
    values.into_iter().map(Some).collect()
}

/// Returns the coordinates of each operand, with what comes with them.
fn paired<'c>(crds: &[Val<'c>], carried: &[Val<'c>]) -> Vec<Option<Val<'c>>> {
    crds.iter().zip(carried).flat_map(|(crd, carried)| [Some(*crd), Some(*carried)]).collect()
}

fn level(tensor: Val<'_>, number: i64) -> (TensorFormat, usize) {
    (format_of(Op::defining(tensor).expect("a graph declares its tensors")), number as usize)
}

fn name(tensor: Val<'_>) -> String {
    comet_passes::nest::name(tensor)
}

fn scanner(scan: sam::Scan<'_>) -> Scanner {
    let (tensor, level) = level(scan.tensor(), scan.level());
    Scanner {
        index: scan.index().to_owned(),
        mode: tensor.order[level],
        level: tensor.levels[level],
        tensor: tensor.name,
        root: scan.reference().is_none(),
        skips: scan.skip(),
    }
}

fn locator(locate: sam::Locate<'_>) -> Locate {
    let (tensor, level) = level(locate.tensor(), locate.level());
    Locate {
        index: locate.index().to_owned(),
        mode: tensor.order[level],
        level: tensor.levels[level],
        tensor: tensor.name,
        root: locate.reference().is_none(),
    }
}

fn level_writer(write: sam::WriteLevel<'_>) -> WriteLevel {
    let (tensor, level) = level(write.tensor(), write.level());
    WriteLevel {
        index: write.index().to_owned(),
        mode: tensor.order[level],
        level: tensor.levels[level],
        tensor: tensor.name,
        fibers: if write.single() { FiberNesting::Single } else { FiberNesting::Nested },
    }
}

fn values_writer(write: sam::WriteValues<'_>) -> WriteValues {
    WriteValues {
        tensor: name(write.tensor()),
        fill: of_reduction(write.fill()),
        element: element(write.values()),
        places: match write.places() {
            None => ValuePlacement::InOrder,
            Some(_) if write.kept() => ValuePlacement::Kept,
            Some(_) => ValuePlacement::Scattered,
        },
    }
}

/// Returns a joiner of operands with these names, whose first coordinates and results are given.
fn join(
    how: Merge,
    index: &str,
    (names, skips): (Vec<String>, &[i64]),
    first: Val<'_>,
    passed: &[Val<'_>],
) -> BlockKind {
    let operand = |((number, name), passed): ((i64, String), &Val<'_>)| JoinOperand {
        name,
        carries: carries(*passed),
        skips: skips.contains(&number),
    };
    let operands = (0..).zip(names).zip(passed).map(operand).collect();
    BlockKind::Join(Join { how, index: index.to_owned(), operands, width: width(first) })
}

fn width(value: Val<'_>) -> Option<u32> {
    match stream(value).tokens {
        Tokens::Bv(width) => Some(width),
        _ => None,
    }
}

fn stream<'c>(value: Val<'c>) -> Stream<'c> {
    Stream::of_type(value.r#type()).expect("blocks are connected by streams")
}

fn depth(value: Val<'_>) -> usize {
    stream(value).depth as usize
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
