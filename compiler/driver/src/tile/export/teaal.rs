//! TeAAL's specification (Nayak et al., MICRO 2023): an Einsum, how it is mapped, formats of tensors, an
//! architecture and what is bound to it.
//!
//! Tiles are partitions of uniform shape. Numbers of tiles take no room; inside of a tile, a coordinate and
//! the payload that leads to the next level take 32 bits each and a value 64, as
//! [`comet_tiling::Machine::of_buffer`] has it.

use super::product::{ExportedOperand, ExportedProduct};
use super::{list, mapping, named};
use comet_tiling::Var;
use yaml_serde::Value;

/// What formats of tensors in tiles are called.
const FORMAT: &str = "tiled";

const CONFIGURATION: &str = "Buffered";

/// How wide the buffers and the main memory are, in bits: the largest element has to fit a line.
const LINE: u64 = 64;

const VALUE: u64 = 64;

/// Bits of a coordinate, and of a payload that leads to the next level.
const WORD: u64 = 32;

const CLOCK: u64 = 1_000_000_000;

/// Bits a second of the main memory: 68.256 GB/s, as ExTensor has it.
const BANDWIDTH: u64 = 546_048_000_000;

/// The whole file.
pub(super) fn description(product: &ExportedProduct<'_>) -> Value {
    let result = || product.result.name.clone();
    mapping([
        (
            "einsum",
            mapping([
                ("declaration", ranks(product, |tensor| &tensor.as_written)),
                ("expressions", list([product.expression()])),
            ]),
        ),
        (
            "mapping",
            mapping([
                ("rank-order", ranks(product, |tensor| &tensor.indices)),
                ("partitioning", named([(result(), partitioning(product))])),
                ("loop-order", named([(result(), loop_order(product))])),
                (
                    "spacetime",
                    named([(
                        result(),
                        mapping([("space", list([] as [Value; 0])), ("time", loop_order(product))]),
                    )]),
                ),
            ]),
        ),
        ("format", named(product.tensors().map(|tensor| (tensor.name.clone(), format(product, tensor))))),
        ("architecture", named([(CONFIGURATION.to_owned(), architecture(product))])),
        ("bindings", named([(result(), bindings(product))])),
    ])
}

/// The ranks of all tensors, in an order of their indices.
fn ranks(product: &ExportedProduct<'_>, order: fn(&ExportedOperand) -> &Vec<Var>) -> Value {
    let ranks = |tensor: &ExportedOperand| list(order(tensor).iter().map(|&var| product.rank(var)));
    named(product.tensors().map(|tensor| (tensor.name.clone(), ranks(tensor))))
}

fn partitioning(product: &ExportedProduct<'_>) -> Value {
    let tiled = product.variables().filter(|&var| product.is_tiled(var));
    let shape = |var| list([format!("uniform_shape({})", product.tile(var))]);
    named(tiled.map(|var| (product.rank(var), shape(var))))
}

/// The rank of the loop over tiles, if there is one.
fn outer(product: &ExportedProduct<'_>, var: Var) -> Option<String> {
    product.is_tiled(var).then(|| format!("{}1", product.rank(var)))
}

/// The rank of the loop inside of a tile.
fn inner(product: &ExportedProduct<'_>, var: Var) -> String {
    if product.is_tiled(var) { format!("{}0", product.rank(var)) } else { product.rank(var) }
}

fn loop_order(product: &ExportedProduct<'_>) -> Value {
    let outer = product.variables().filter_map(|var| outer(product, var));
    list(outer.chain(product.variables().map(|var| inner(product, var))))
}

fn format(product: &ExportedProduct<'_>, tensor: &ExportedOperand) -> Value {
    let outer: Vec<String> = tensor.indices.iter().filter_map(|&var| outer(product, var)).collect();
    let inner: Vec<String> = tensor.indices.iter().map(|&var| inner(product, var)).collect();
    let ranks = list(outer.iter().chain(&inner).cloned());
    let kind = || if tensor.is_dense { "U" } else { "C" }.into();
    let outer = outer.into_iter().map(|rank| (rank, mapping([("format", kind())])));
    let last = inner.len().saturating_sub(1);
    let inner = inner.into_iter().enumerate().map(|(place, rank)| {
        let payload = if place == last { VALUE } else { WORD };
        let own = match (tensor.is_dense, place == last) {
            (true, true) => mapping([("format", kind()), ("pbits", VALUE.into())]),
            (true, false) => mapping([("format", kind())]),
            (false, _) => mapping([("format", kind()), ("cbits", WORD.into()), ("pbits", payload.into())]),
        };
        (rank, own)
    });
    let ranks = std::iter::once(("rank-order".to_owned(), ranks)).chain(outer).chain(inner);
    named([(FORMAT.to_owned(), named(ranks))])
}

/// A main memory, and one buffer a tensor.
fn architecture(product: &ExportedProduct<'_>) -> Value {
    let lines = (product.own.machine.buffer / (LINE / 8)).max(1);
    let component = |name: String, class: &str, attributes: Value| {
        mapping([("name", name.into()), ("class", class.into()), ("attributes", attributes)])
    };
    let buffers = product.tensors().map(|tensor| {
        let attributes = mapping([("width", LINE.into()), ("depth", lines.into())]);
        component(buffer(tensor), "Buffet", attributes)
    });
    let computes = [("Multiply", "mul"), ("Add", "add")]
        .map(|(name, kind)| component(name.to_owned(), "compute", mapping([("type", kind.into())])));
    let memory = component("MainMemory".to_owned(), "DRAM", mapping([("bandwidth", BANDWIDTH.into())]));
    list([mapping([
        ("name", "System".into()),
        ("attributes", mapping([("clock_frequency", CLOCK.into())])),
        ("local", list([memory])),
        ("subtree", list([mapping([("name", "Element".into()), ("local", list(buffers.chain(computes)))])])),
    ])])
}

fn buffer(tensor: &ExportedOperand) -> String {
    format!("{}Buffer", tensor.name)
}

fn bindings(product: &ExportedProduct<'_>) -> Value {
    let component = |name: String, bindings: Vec<Value>| {
        mapping([("component", name.into()), ("bindings", Value::Sequence(bindings))])
    };
    let configuration = mapping([
        ("config", CONFIGURATION.into()),
        ("prefix", format!("tmp/{}", product.result.name).into()),
    ]);
    let moved = product.tensors().flat_map(|tensor| moved(product, tensor)).collect();
    let buffers = product.tensors().filter(|tensor| !tensor.indices.is_empty());
    let buffers = buffers.map(|tensor| component(buffer(tensor), buffered(product, tensor)));
    let computes = [("Multiply", "mul"), ("Add", "add")]
        .map(|(name, kind)| component(name.to_owned(), vec![mapping([("op", kind.into())])]));
    let memory = component("MainMemory".to_owned(), moved);
    list([configuration, memory].into_iter().chain(buffers).chain(computes))
}

/// All that a tile is made of comes from the main memory.
fn moved(product: &ExportedProduct<'_>, tensor: &ExportedOperand) -> Vec<Value> {
    parts(tensor).into_iter().map(|part| mapping(binding(product, tensor, part))).collect()
}

/// The arrays that a tile is made of, by the index and the type that TeAAL calls each.
fn parts(tensor: &ExportedOperand) -> Vec<(Var, &'static str)> {
    let both = |&var: &Var| [(var, "coord"), (var, "payload")];
    match tensor.is_dense {
        true => tensor.indices.last().map(|&var| (var, "payload")).into_iter().collect(),
        false => tensor.indices.iter().flat_map(both).collect(),
    }
}

fn binding(
    product: &ExportedProduct<'_>,
    tensor: &ExportedOperand,
    (var, kind): (Var, &str),
) -> [(&'static str, Value); 4] {
    [
        ("tensor", tensor.name.clone().into()),
        ("rank", inner(product, var).into()),
        ("type", kind.into()),
        ("format", FORMAT.into()),
    ]
}

/// A tile of an operand comes whole with the first access, and goes where the loop over tiles goes on. Of the
/// result, what an iteration adds to comes and goes; and of a tensor that is one tile, each part comes once,
/// as TeAAL brings no tensor whole.
fn buffered(product: &ExportedProduct<'_>, tensor: &ExportedOperand) -> Vec<Value> {
    let evict_on = product.moves_in(tensor).and_then(|var| outer(product, var));
    let is_eager = evict_on.is_some() && !product.is_result(tensor);
    let style = if is_eager { "eager" } else { "lazy" };
    let evict_on = evict_on.unwrap_or_else(|| "root".to_owned());
    let parts = parts(tensor).into_iter().take(if is_eager { 1 } else { usize::MAX });
    let bound = |part| {
        let [tensor, rank, kind, format] = binding(product, tensor, part);
        mapping([tensor, rank, kind, ("evict-on", evict_on.clone().into()), format, ("style", style.into())])
    };
    parts.map(bound).collect()
}
