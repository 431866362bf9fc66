//! The block of a node, by its type.

use comet_diag::Diagnostic;

use super::value::{choice, choice_of_or, choice_or, count_or, dropped, level, number, text, unfit};
use super::{Edges, join, parallel};
use crate::arithmetic::{block_type, reductions};
use crate::dot::network::{DotNode, Edge};
use crate::graph::{
    Accumulate, Alu, Apply, BlockKind, Constant, CoordinateForm, Dropped, Element, EmptyFiber, FiberNesting,
    Function, Locate, Merge, NumberFunction, Operator, Reduce, Reduction, Repeat, Scanner, StreamKind,
    ValueMask, ValuePlacement, WriteLevel, WriteValues,
};
use crate::named::Named as _;

pub(super) fn kind(node: &DotNode, edges: &Edges<'_>) -> Result<BlockKind, Diagnostic> {
    match of_reduction(node.type_name()).map_or(node.type_name(), |(name, _)| name) {
        "fiberlookup" => scanner(node, edges),
        "repeat" => repeat(node, edges),
        "repsiggen" => Ok(BlockKind::RepeatSignal { index: text(node, "index")? }),
        "intersect" => join::join(node, Merge::Intersect, edges),
        "union" => join::join(node, Merge::Union, edges),
        "towords" => parallel::to_words(node, edges),
        "parallelize" => parallel::parallelize(node),
        "serialize" => parallel::serialize(node),
        "fetch" => parallel::fetch(node),
        "arrayvals" => array(node),
        "locate" => locate(node, edges),
        "mask" => Ok(BlockKind::Mask(ValueMask { kept: choice(node, "kept")?, element: element(node)? })),
        "add" | "fp_add" => add(node, edges),
        "fp_relu" => apply(node, Function::Of(NumberFunction::Relu)),
        "fp_exp" => apply(node, Function::Of(NumberFunction::Exp)),
        "fp_mul" => alu(node, Operator::Mul, edges),
        "fp_div" => alu(node, Operator::Div, edges),
        "max" | "fp_max" | "smax" => max(node, edges),
        "convert" => apply(node, Function::Convert(choice(node, "to")?)),
        "reduce" => reduce(node),
        "spaccumulator" => accumulate(node),
        "vectorreducer" => reduce_vectors(node),
        "crddrop" => drop(node, edges),
        "crdhold" => Ok(BlockKind::Hold { outer: text(node, "outer")?, inner: text(node, "inner")? }),
        "fiberwrite" => write(node),
        other => match Operator::ALL.iter().find(|operator| block_type(**operator) == other) {
            Some(operator) => alu(node, *operator, edges),
            None => match Function::plain().find(|function| function.name() == other) {
                Some(function) => apply(node, function),
                None => Err(unknown(node)),
            },
        },
    }
}

/// What SAM's tools and their users have besides.
const OTHERS: [&str; 11] = [
    "expf",
    "faddiv",
    "faddiexp",
    "fgetfint",
    "fgetffrac",
    "leakyrelu",
    "crdlocate",
    "crdmask",
    "genref",
    "glb",
    "shift",
];

fn unknown(node: &DotNode) -> Diagnostic {
    const HINT: &str = "blocks are `fiberlookup`, `repeat`, `repsiggen`, `intersect`, `union`, `towords`, `parallelize`, `serialize`, `fetch`, `arrayvals`, `locate`, `mask`, `mul`, \
                        `add`, `div`, `min`, `max`, `any`, `first`, `second`, `pair`, `or`, `and`, `neg`, `convert`, `relu`, `exp`, `log`, `sqrt`, `rsqrt`, `sigmoid`, `tanh`, `abs`, `reduce`, `spaccumulator`, `vectorreducer`, `crddrop`, `crdhold`, `fiberwrite` and `broadcast`";
    let name = node.type_name();
    let span = node.attributes.get("type").map_or(node.id.span, |value| value.span);
    if OTHERS.contains(&name) {
        return Diagnostic::not_supported(span, format!("`{name}` blocks")).hint(HINT);
    }
    Diagnostic::error(span, format!("`{}` is no type of block", name.escape_debug())).hint(HINT)
}

fn scanner(node: &DotNode, edges: &Edges<'_>) -> Result<BlockKind, Diagnostic> {
    Ok(BlockKind::Scanner(Scanner {
        index: text(node, "index")?,
        tensor: text(node, "tensor")?,
        mode: number(node, "mode")?,
        level: level(node)?,
        root: root(node, edges)?,
        skips: choice_or(node, "skips", false)?,
    }))
}

/// Whether a block begins with the root of its tensor: what does not say so does if nothing leads to it.
fn root(node: &DotNode, edges: &Edges<'_>) -> Result<bool, Diagnostic> {
    let leads = |edge: &&Edge| matches!(edge.kind, StreamKind::Ref | StreamKind::Val);
    choice_or(node, "root", !edges.incoming.iter().any(leads))
}

fn array(node: &DotNode) -> Result<BlockKind, Diagnostic> {
    Ok(BlockKind::Array { tensor: text(node, "tensor")?, root: choice_or(node, "root", false)? })
}

fn locate(node: &DotNode, edges: &Edges<'_>) -> Result<BlockKind, Diagnostic> {
    Ok(BlockKind::Locate(Locate {
        index: text(node, "index")?,
        tensor: text(node, "tensor")?,
        mode: number(node, "mode")?,
        level: level(node)?,
        root: root(node, edges)?,
    }))
}

fn repeat(node: &DotNode, edges: &Edges<'_>) -> Result<BlockKind, Diagnostic> {
    let takes_values = edges.incoming.iter().any(|edge| edge.kind == StreamKind::Val);
    Ok(BlockKind::Repeat(Repeat {
        index: text(node, "index")?,
        tensor: text(node, "tensor")?,
        root: root(node, edges)?,
        carries: if takes_values { StreamKind::Val } else { StreamKind::Ref },
    }))
}

fn add(node: &DotNode, edges: &Edges<'_>) -> Result<BlockKind, Diagnostic> {
    let operators = [("0", Operator::Add), ("1", Operator::Sub)];
    alu(node, choice_of_or(node, "sub", &operators, Operator::Add)?, edges)
}

/// The larger one of two values; of one stream the largest value of each fiber, as users of SAM draw it.
fn max(node: &DotNode, edges: &Edges<'_>) -> Result<BlockKind, Diagnostic> {
    if values(edges) != 1 || constant(node)?.is_some() {
        return alu(node, Operator::Max, edges);
    }
    let (empty, inputs) = (choice_or(node, "empty", EmptyFiber::Zero)?, 1);
    Ok(BlockKind::Reduce(Reduce { reduction: Reduction::Max, element: element(node)?, empty, inputs }))
}

fn values(edges: &Edges<'_>) -> usize {
    edges.incoming.iter().filter(|edge| edge.kind == StreamKind::Val).count()
}

/// What SAM's branches call the second operand of an operator with one stream.
const CONSTANTS: [&str; 3] = ["const0", "rb_const", "in2"];

fn constant(node: &DotNode) -> Result<Option<Constant>, Diagnostic> {
    let Some(name) = CONSTANTS.into_iter().find(|name| node.attributes.get(name).is_some()) else {
        return Ok(None);
    };
    let value = node.need(name)?;
    let number = value.text.parse().ok().filter(|number: &f64| number.is_finite());
    let unfit = || unfit(node, name, value, "a finite number", "write the number in digits");
    number.map(|number| Some(Constant::new(number))).ok_or_else(unfit)
}

/// An operator whose second operand is a number: one that the block's type has, and no divisor 0 of integers.
fn with_constant(node: &DotNode, operator: Operator, constant: Constant) -> Result<BlockKind, Diagnostic> {
    let (number, is_integer) = (constant.number(), element(node)? == Element::I64);
    let expected = match () {
        () if is_integer && number.fract() != 0.0 => "an integer",
        () if is_integer && operator == Operator::Div && number == 0.0 => "a divisor other than 0",
        () => return apply(node, Function::With(operator, constant)),
    };
    let value = CONSTANTS.into_iter().find_map(|name| Some((name, node.attributes.get(name)?)));
    let (name, value) = value.expect("the constant comes from one of them");
    Err(unfit(node, name, value, expected, "write another number"))
}

fn alu(node: &DotNode, operator: Operator, edges: &Edges<'_>) -> Result<BlockKind, Diagnostic> {
    if values(edges) == 1
        && let Some(constant) = constant(node)?
    {
        return with_constant(node, operator, constant);
    }
    let how = choice_or(node, "how", Merge::of(operator))?;
    Ok(BlockKind::Alu(Alu { operator, element: element(node)?, how }))
}

fn apply(node: &DotNode, function: Function) -> Result<BlockKind, Diagnostic> {
    Ok(BlockKind::Apply(Apply { function, element: element(node)? }))
}

fn element(node: &DotNode) -> Result<Element, Diagnostic> {
    let computed: Vec<(&str, Element)> =
        Element::streamed().map(|element| (element.case_name(), element)).collect();
    choice_of_or(node, "element", &computed, Element::F64)
}

fn reduction(node: &DotNode) -> Result<Reduction, Diagnostic> {
    if let Some((_, reduction)) = of_reduction(node.type_name()) {
        return Ok(reduction);
    }
    choice_of_or(node, "reduction", &reductions(), Reduction::Add)
}

/// The type of a reducer whose own type says how it reduces, such as `reduce_min`, and how that is.
fn of_reduction(name: &str) -> Option<(&str, Reduction)> {
    let (name, reduction) = name.split_once('_')?;
    let (_, reduction) = reductions().into_iter().find(|(own, _)| *own == reduction)?;
    ["reduce", "spaccumulator", "vectorreducer"].contains(&name).then_some((name, reduction))
}

/// SAM's own reducers make a zero of an empty fiber; those that do not say so by an attribute.
fn reduce(node: &DotNode) -> Result<BlockKind, Diagnostic> {
    let empty = choice_or(node, "empty", EmptyFiber::Zero)?;
    let (reduction, element, inputs) = (reduction(node)?, element(node)?, inputs(node)?);
    Ok(BlockKind::Reduce(Reduce { reduction, element, empty, inputs }))
}

fn inputs(node: &DotNode) -> Result<usize, Diagnostic> {
    count_or(node, "inputs", 1)
}

/// SAM's own accumulator takes points; one that takes levels says so by an attribute.
fn accumulate(node: &DotNode) -> Result<BlockKind, Diagnostic> {
    let indices = accumulated(node)?;
    let form = choice_or(node, "form", CoordinateForm::Points)?;
    let order = number(node, "order")?;
    let least = if form == CoordinateForm::Levels { indices.len() } else { 1 };
    if !(least..=indices.len()).contains(&order) {
        let most = indices.len();
        let numbers = if least == most { most.to_string() } else { format!("{least} to {most}") };
        let expected = format!("{numbers}, as many as it has index variables");
        let hint = "`order` says how many of `in0`, `in1`, … are kept in memory";
        return Err(unfit(node, "order", node.need("order")?, &expected, hint));
    }
    let empty = choice_or(node, "empty", EmptyFiber::Removed)?;
    let (reduction, element, inputs) = (reduction(node)?, element(node)?, inputs(node)?);
    Ok(BlockKind::Accumulate(Accumulate { order, indices, form, empty, reduction, element, inputs }))
}

fn accumulated(node: &DotNode) -> Result<Vec<String>, Diagnostic> {
    let mut indices: Vec<String> = vec![text(node, "in0")?];
    loop {
        let name = format!("in{}", indices.len());
        let Some(index) = node.attributes.get(&name) else { return Ok(indices) };
        if indices.iter().any(|other| other == index.text) {
            let hint = "name each index variable once, the innermost first";
            return Err(unfit(node, &name, index, "another index variable", hint));
        }
        indices.push(index.text.to_owned());
    }
}

/// The reducer of order 1 that takes levels has a type of its own. Its index variable goes by two names.
fn reduce_vectors(node: &DotNode) -> Result<BlockKind, Diagnostic> {
    let name = if node.attributes.get("accum_index").is_some() { "accum_index" } else { "index" };
    let indices = vec![text(node, name)?];
    let empty = choice_or(node, "empty", EmptyFiber::Removed)?;
    let (form, reduction, element) = (CoordinateForm::Levels, reduction(node)?, element(node)?);
    let inputs = inputs(node)?;
    Ok(BlockKind::Accumulate(Accumulate { order: 1, indices, form, empty, reduction, element, inputs }))
}

/// A dropper with a mode looks at single values, and so does one whose inner stream is called `val` or
/// `vals`. Others look at fibers, of coordinates or of values.
fn drop(node: &DotNode, edges: &Edges<'_>) -> Result<BlockKind, Diagnostic> {
    let (outer, inner) = (text(node, "outer")?, text(node, "inner")?);
    let element = element(node)?;
    let default = match inner.as_str() {
        "val" | "vals" => Dropped::Zeros(element),
        _ if values(edges) > 0 => Dropped::EmptyFibersOfValues,
        _ => Dropped::EmptyFibers,
    };
    Ok(BlockKind::Drop { outer, inner, what: choice_of_or(node, "mode", &dropped(element), default)? })
}

fn write(node: &DotNode) -> Result<BlockKind, Diagnostic> {
    let tensor = text(node, "tensor")?;
    if node.need("mode")?.text == "vals" {
        return Ok(BlockKind::WriteValues(WriteValues {
            tensor,
            fill: choice_of_or(node, "fill", &reductions(), Reduction::Add)?,
            element: element(node)?,
            places: choice_or(node, "places", ValuePlacement::InOrder)?,
        }));
    }
    let (mode, level) = (number(node, "mode")?, level(node)?);
    let fibers = choice_or(node, "fibers", FiberNesting::Nested)?;
    Ok(BlockKind::WriteLevel(WriteLevel { index: text(node, "index")?, tensor, mode, level, fibers }))
}
