//! AccelForge's specification: a workload, an architecture and a mapping.
//!
//! AccelForge knows dense tensors only. What it can say of sparse ones is how many bits a point takes, which
//! is the mean over the points of a tensor here: coordinates, segments and values of all its tiles over the
//! extents. Actions of memories are bytes; energy, area and time are left at nothing, to be filled in.

use super::product::{ExportedOperand, ExportedProduct};
use super::{list, mapping, named};
use yaml_serde::Value;
use yaml_serde::value::{Tag, TaggedValue};

/// The whole file. An error says what AccelForge has no words for.
pub(super) fn description(product: &ExportedProduct<'_>) -> Result<Value, String> {
    if product.tensors().any(|tensor| tensor.indices.is_empty()) {
        return Err(format!("a tensor of rank 0 to AccelForge, as in `{}`", product.own.text));
    }
    Ok(mapping([
        ("workload", workload(product)),
        ("arch", mapping([("nodes", architecture(product))])),
        ("mapping", mapping([("nodes", loops(product))])),
    ]))
}

fn workload(product: &ExportedProduct<'_>) -> Value {
    let bounds = product.variables().map(|var| {
        let index = product.index(var);
        (index.to_owned(), format!("0 <= {index} < {}", product.extent(var)).into())
    });
    mapping([
        ("bits_per_value", mapping([("All", 64.into())])),
        ("iteration_space_shape", named(bounds)),
        ("einsums", list([mapping([("einsum", product.expression().into())])])),
    ])
}

/// A main memory, one buffer a tensor, and what computes.
fn architecture(product: &ExportedProduct<'_>) -> Value {
    let memory = |name: String, size: Value, keep: &str, tensors: Vec<&ExportedOperand>| {
        let bits = tensors.into_iter().map(|tensor| (tensor.name.clone(), tensor.bits.into()));
        component(
            "Memory",
            name,
            vec![
                ("size", size),
                ("tensors", mapping([("keep", keep.into())])),
                ("bits_per_value", named(bits)),
                ("actions", list(["read", "write"].map(|action| action_of(action, Some(8))))),
            ],
        )
    };
    let main = memory(MAIN.to_owned(), f64::INFINITY.into(), "All", product.tensors().collect());
    let bits = product.own.machine.buffer.saturating_mul(8);
    let buffers =
        product.tensors().map(|tensor| memory(buffer(tensor), bits.into(), &tensor.name, vec![tensor]));
    let compute =
        component("Compute", COMPUTE.to_owned(), vec![("actions", list([action_of("compute", None)]))]);
    list([main].into_iter().chain(buffers).chain([compute]))
}

const MAIN: &str = "MainMemory";
const COMPUTE: &str = "MultiplyAdd";

fn buffer(tensor: &ExportedOperand) -> String {
    format!("{}Buffer", tensor.name)
}

fn component(kind: &str, name: String, own: Vec<(&str, Value)>) -> Value {
    let all = [("name", name.into()), ("area", 0.into()), ("leak_power", 0.into())];
    let all = all.into_iter().chain(own).map(|(key, value)| (key.to_owned(), value));
    tagged(kind, named(all))
}

fn action_of(name: &str, bits: Option<u64>) -> Value {
    let all = [("name", Value::from(name)), ("energy", 0.into()), ("throughput", f64::INFINITY.into())];
    let bits = bits.map(|bits| ("bits_per_action", bits.into()));
    named(all.into_iter().chain(bits).map(|(key, value)| (key.to_owned(), value)))
}

/// Loops over tiles, with the place of each tensor's tiles in them, and the loops inside of a tile.
fn loops(product: &ExportedProduct<'_>) -> Value {
    let storage = |component: String, tensors: Vec<String>| {
        tagged("Storage", mapping([("component", component.into()), ("tensors", list(tensors))]))
    };
    let temporal = |index: &str, size: u64| {
        tagged("Temporal", mapping([("rank_variable", index.into()), ("tile_shape", size.into())]))
    };
    let held = |place| {
        let here = product.tensors().filter(move |tensor| product.moves_in(tensor) == place);
        here.map(|tensor| storage(buffer(tensor), vec![tensor.name.clone()]))
    };
    let mut nodes = vec![storage(MAIN.to_owned(), product.tensors().map(|own| own.name.clone()).collect())];
    nodes.extend(held(None));
    for var in product.variables().filter(|&var| product.is_tiled(var)) {
        nodes.push(temporal(product.index(var), product.tile(var)));
        nodes.extend(held(Some(var)));
    }
    nodes.extend(product.variables().map(|var| temporal(product.index(var), 1)));
    let compute = [("einsum", product.result.name.clone().into()), ("component", COMPUTE.into())];
    nodes.push(tagged("Compute", mapping(compute)));
    Value::Sequence(nodes)
}

fn tagged(tag: &str, value: Value) -> Value {
    Value::Tagged(Box::new(TaggedValue { tag: Tag::new(tag), value }))
}
