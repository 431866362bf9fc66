//! Nodes: every one carries its attributes, and the comment that repeats them.

use super::quoted;
use super::size::ArraySizes;
use crate::dot::block::dropped;
use crate::dot::label;
use crate::graph::{
    Accumulate, Alu, Apply, BlockKind, Carried, CoordinateForm, Dropped, Element, EmptyFiber, FiberNesting,
    Function, GraphBlock, GraphLevel, Merge, Operator, Reduction, ValuePlacement, WriteValues,
};
use crate::named::Named;

type Pairs = Vec<(String, String)>;

pub(super) fn block(id: usize, block: &GraphBlock, sizes: &ArraySizes<'_>) -> String {
    let kind = &block.kind;
    let mut pairs = vec![pair("type", type_of(kind))];
    pairs.extend(attributes(kind, sizes));
    pairs.extend(several("lanes", block.lanes));
    let look = format!("label=\"{}\" color={} shape=box style=filled", quoted(&label(block)), color(kind));
    line(id, &pairs, &look)
}

pub(super) fn broadcast(id: usize) -> String {
    line(id, &vec![pair("type", "broadcast")], "shape=point style=invis")
}

fn line(id: usize, pairs: &Pairs, look: &str) -> String {
    let comment: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let own: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{name}=\"{}\"", quoted(value))).collect();
    format!("    {id} [comment=\"{}\" {look} {}]", quoted(&comment.join(",")), own.join(" "))
}

fn pair(name: &str, value: impl ToString) -> (String, String) {
    (name.to_owned(), value.to_string())
}

fn attributes(kind: &BlockKind, sizes: &ArraySizes<'_>) -> Pairs {
    match kind {
        BlockKind::Scanner(scanner) => {
            let tail = [pair("src", true), pair("root", scanner.root)];
            let skips = word("skips", scanner.skips, false);
            [level(&scanner.index, &scanner.tensor, scanner.mode, scanner.level), tail.into(), skips].concat()
        }
        BlockKind::Repeat(repeat) => {
            vec![pair("index", &repeat.index), pair("tensor", &repeat.tensor), pair("root", repeat.root)]
        }
        BlockKind::RepeatSignal { index } => vec![pair("index", index)],
        BlockKind::Join(join) => {
            let bits = join.width.map(|width| pair("bits", width));
            [pair("index", &join.index)].into_iter().chain(bits).collect()
        }
        BlockKind::Array { tensor, root } => {
            [vec![pair("tensor", tensor)], word("root", *root, false)].concat()
        }
        BlockKind::Locate(locate) => {
            [level(&locate.index, &locate.tensor, locate.mode, locate.level), vec![pair("root", locate.root)]]
                .concat()
        }
        BlockKind::ToWords(words) => vec![pair("index", &words.index), pair("bits", words.width)],
        BlockKind::Parallelize(parallelize) => {
            let carries = pair("carries", parallelize.carries.name());
            vec![pair("index", &parallelize.index), pair("factor", parallelize.factor), carries]
        }
        BlockKind::Serialize(serialize) => {
            let own = [pair("index", &serialize.index), pair("factor", serialize.factor)];
            own.into_iter().chain(serialize.carries.into_iter().flat_map(carried)).collect()
        }
        BlockKind::Fetch(fetch) => vec![pair("tensor", &fetch.tensor), pair("mode", fetch.mode)],
        BlockKind::Mask(mask) => [vec![pair("kept", mask.kept.name())], element(mask.element)].concat(),
        BlockKind::Alu(alu) => operator(*alu),
        BlockKind::Apply(apply) => function(*apply),
        BlockKind::Reduce(reduce) => [
            word("empty", reduce.empty, EmptyFiber::Zero),
            element(reduce.element),
            several("inputs", reduce.inputs),
        ]
        .concat(),
        BlockKind::Accumulate(accumulate) => accumulator(accumulate),
        BlockKind::Drop { outer, inner, what } => {
            let of = if let Dropped::Zeros(element) = what { *element } else { Element::F64 };
            let mode = word_of("mode", &dropped(of), *what, Dropped::EmptyFibers);
            [outer_and_inner(outer, inner), mode, element(of)].concat()
        }
        BlockKind::Hold { outer, inner } => outer_and_inner(outer, inner),
        BlockKind::WriteLevel(write) => {
            let mut pairs = level(&write.index, &write.tensor, write.mode, write.level);
            if write.level == GraphLevel::Compressed {
                pairs.push(pair("segsize", sizes.segments(write)));
                pairs.push(pair("crdsize", sizes.coordinates(write)));
            }
            pairs.push(pair("sink", true));
            [pairs, word("fibers", write.fibers, FiberNesting::Nested)].concat()
        }
        BlockKind::WriteValues(write) => values(write, sizes),
    }
}

fn values(write: &WriteValues, sizes: &ArraySizes<'_>) -> Pairs {
    let size = sizes.values(&write.tensor);
    let own =
        vec![pair("tensor", &write.tensor), pair("mode", "vals"), pair("size", size), pair("sink", true)];
    let places = word("places", write.places, ValuePlacement::InOrder);
    [own, word("fill", write.fill, Reduction::Add), element(write.element), places].concat()
}

/// One goes without saying.
fn several(name: &str, count: usize) -> Pairs {
    if count == 1 { Vec::new() } else { vec![pair(name, count)] }
}

fn carried(carried: Carried) -> Pairs {
    let kind = vec![pair("carries", carried.kind.name())];
    if carried.depth == 0 { kind } else { [kind, vec![pair("depth", carried.depth)]].concat() }
}

fn level(index: &str, tensor: &str, mode: usize, level: GraphLevel) -> Pairs {
    let own =
        [pair("index", index), pair("tensor", tensor), pair("mode", mode), pair("format", level.name())];
    own.into_iter().chain(level.width().map(|width| pair("bits", width))).collect()
}

fn outer_and_inner(outer: &str, inner: &str) -> Pairs {
    vec![pair("outer", outer), pair("inner", inner)]
}

fn operator(alu: Alu) -> Pairs {
    let sub = match alu.operator {
        Operator::Add => vec![pair("sub", 0)],
        Operator::Sub => vec![pair("sub", 1)],
        _ => Vec::new(),
    };
    [sub, word("how", alu.how, Merge::of(alu.operator)), element(alu.element)].concat()
}

fn function(apply: Apply) -> Pairs {
    let to = match apply.function {
        Function::Convert(to) => vec![pair("to", to.case_name())],
        Function::With(operator, constant) => {
            let sub = if operator == Operator::Sub { vec![pair("sub", 1)] } else { Vec::new() };
            [sub, vec![pair("const0", constant.number())]].concat()
        }
        _ => Vec::new(),
    };
    [to, element(apply.element)].concat()
}

fn element(element: Element) -> Pairs {
    word("element", element, Element::F64)
}

/// The type of a block. Other tools take every `reduce` for a sum, so that other reductions have types of
/// their own.
fn type_of(kind: &BlockKind) -> String {
    let reduction = match kind {
        BlockKind::Reduce(reduce) => reduce.reduction,
        BlockKind::Accumulate(accumulate) => accumulate.reduction,
        _ => Reduction::Add,
    };
    match reduction {
        Reduction::Add => kind.type_name().to_owned(),
        other => format!("{}_{}", kind.type_name(), other.case_name()),
    }
}

/// What SAM's own blocks do goes without saying.
fn word<T: Named>(name: &str, value: T, default: T) -> Pairs {
    word_of(name, &T::cases(), value, default)
}

fn word_of<T: PartialEq>(name: &str, words: &[(&str, T)], value: T, default: T) -> Pairs {
    let word = words.iter().find(|(_, other)| *other == value && value != default);
    word.map(|(word, _)| pair(name, word)).into_iter().collect()
}

/// The reducer of order 1 that takes levels has a type of its own.
fn accumulator(accumulate: &Accumulate) -> Pairs {
    let empty = word("empty", accumulate.empty, EmptyFiber::Removed);
    let indices = accumulate.indices.iter();
    let computed = [element(accumulate.element), several("inputs", accumulate.inputs)].concat();
    if accumulate.is_vector_reducer() {
        return [indices.map(|index| pair("accum_index", index)).collect(), empty, computed].concat();
    }
    let form = word("form", accumulate.form, CoordinateForm::Points);
    let indices = indices.enumerate().map(|(number, index)| pair(&format!("in{number}"), index)).collect();
    [vec![pair("order", accumulate.order)], indices, form, empty, computed].concat()
}

/// The line break is an escape of DOT.
fn label(block: &GraphBlock) -> String {
    let label = label_of(&block.kind);
    if block.lanes == 1 { label } else { format!("{label}\\n{} lanes", block.lanes) }
}

fn label_of(kind: &BlockKind) -> String {
    let title = label::title(kind);
    match kind {
        BlockKind::Scanner(scanner) if scanner.skips => format!("{title}\\n{}, skips", scanner.level.name()),
        BlockKind::Scanner(scanner) => format!("{title}\\n{}", scanner.level.name()),
        BlockKind::Locate(locate) => format!("{title}\\n{}", locate.level.name()),
        BlockKind::Mask(mask) => format!("{title}\\n{}", mask.kept.name()),
        BlockKind::WriteLevel(write) => format!("{title}\\n{}", write.level.name()),
        BlockKind::Accumulate(accumulate) if !accumulate.is_vector_reducer() => {
            let indices = accumulate.indices.iter().enumerate();
            let indices: String = indices.map(|(number, index)| format!("{number}={index} ")).collect();
            format!("{title} \\n{indices}")
        }
        // What SAM's tools draw.
        BlockKind::Alu(Alu { operator: Operator::Sub, .. }) => "Add\\nsubtract".to_owned(),
        _ => title,
    }
}

fn color(kind: &BlockKind) -> &'static str {
    match kind {
        BlockKind::Scanner(_) => "green4",
        BlockKind::WriteLevel(_) | BlockKind::WriteValues(_) => "green3",
        BlockKind::Array { .. } => "green2",
        BlockKind::Repeat(_) => "cyan2",
        BlockKind::RepeatSignal { .. } => "cyan3",
        BlockKind::Join(_) | BlockKind::ToWords(_) => "purple",
        BlockKind::Parallelize(_) | BlockKind::Serialize(_) => "gold",
        BlockKind::Fetch(_) => "green1",
        BlockKind::Locate(_) => "cyan4",
        BlockKind::Alu(_)
        | BlockKind::Apply(_)
        | BlockKind::Mask(_)
        | BlockKind::Reduce(_)
        | BlockKind::Accumulate(_) => "brown",
        BlockKind::Drop { .. } | BlockKind::Hold { .. } => "orange",
    }
}
