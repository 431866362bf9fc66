//! A graph as JSON, for programs that would rather not read DOT. The README has its fields.

use serde_json::{Value, json};

use crate::graph::{BlockId, Graph, GraphBlock, Port, Stream, TensorFormat};
use crate::named::Named as _;

pub fn graph(graph: &Graph) -> Value {
    let tensor = |TensorFormat { name, levels, order, element }: &TensorFormat| {
        let widths: Vec<Option<u32>> = levels.iter().map(|level| level.width()).collect();
        let levels: Vec<&str> = levels.iter().map(|level| level.name()).collect();
        json!({"name": name, "levels": levels, "widths": widths, "order": order, "element": element.case_name()})
    };
    let block = |GraphBlock { name, kind, lanes }: &GraphBlock| json!({"name": name, "type": kind.type_name(), "lanes": lanes, "attributes": kind});
    let end =
        |&(block, Port(port)): &(BlockId, Port)| json!({"block": graph.blocks[block.0].name, "port": port});
    let stream = |Stream { kind, from, to }: &Stream| json!({"kind": kind, "from": end(from), "to": to.iter().map(end).collect::<Vec<_>>()});
    json!({
        "tensors": graph.tensors.iter().map(tensor).collect::<Vec<_>>(),
        "blocks": graph.blocks.iter().map(block).collect::<Vec<_>>(),
        "streams": graph.streams.iter().map(stream).collect::<Vec<_>>(),
    })
}
