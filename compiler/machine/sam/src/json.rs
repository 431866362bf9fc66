//! A graph as JSON, for programs that would rather not read DOT. The README has its fields.

use serde_json::{Value, json};

use crate::graph::{BlockId, Dropped, Function, Graph, Kind, Port, Stream, TensorFormat};

/// The tensors, the blocks and the streams, in the order of the graph.
pub fn graph(graph: &Graph) -> Value {
    let tensors: Vec<Value> = graph.tensors.iter().map(tensor).collect();
    let block = |block: &crate::graph::Block| json!({"name": block.name, "type": block.kind.type_name(), "lanes": block.lanes, "attributes": attributes(&block.kind)});
    let blocks: Vec<Value> = graph.blocks.iter().map(block).collect();
    let streams: Vec<Value> = graph.streams.iter().map(|stream| self::stream(graph, stream)).collect();
    json!({"tensors": tensors, "blocks": blocks, "streams": streams})
}

fn tensor(tensor: &TensorFormat) -> Value {
    let levels: Vec<&str> = tensor.levels.iter().map(|level| level.name()).collect();
    let widths: Vec<Option<u32>> = tensor.levels.iter().map(|level| level.width()).collect();
    let (order, element) = (&tensor.order, tensor.element.name());
    json!({"name": tensor.name, "levels": levels, "widths": widths, "order": order, "element": element})
}

fn stream(graph: &Graph, stream: &Stream) -> Value {
    let end =
        |&(block, Port(port)): &(BlockId, Port)| json!({"block": graph.blocks[block.0].name, "port": port});
    let to: Vec<Value> = stream.to.iter().map(end).collect();
    json!({"kind": stream.kind.name(), "from": end(&stream.from), "to": to})
}

fn attributes(kind: &Kind) -> Value {
    match kind {
        Kind::Scanner(scanner) => json!({
            "index": scanner.index,
            "tensor": scanner.tensor,
            "mode": scanner.mode,
            "format": scanner.level.name(),
            "width": scanner.level.width(),
            "root": scanner.root,
            "skips": scanner.skips,
        }),
        Kind::Repeat(repeat) => json!({
            "index": repeat.index,
            "tensor": repeat.tensor,
            "root": repeat.root,
            "carries": repeat.carries.name(),
        }),
        Kind::RepeatSignal { index } => json!({"index": index}),
        Kind::Join(join) => {
            let operand = |operand: &crate::graph::Operand| json!({"name": operand.name, "carries": operand.carries.name(), "skips": operand.skips});
            let operands: Vec<Value> = join.operands.iter().map(operand).collect();
            json!({"index": join.index, "operands": operands, "width": join.width})
        }
        Kind::Array { tensor, root } => json!({"tensor": tensor, "root": root}),
        Kind::Locate(locate) => json!({
            "index": locate.index,
            "tensor": locate.tensor,
            "mode": locate.mode,
            "format": locate.level.name(),
            "width": locate.level.width(),
            "root": locate.root,
        }),
        Kind::ToWords(words) => {
            json!({"index": words.index, "width": words.width, "refs": words.refs})
        }
        Kind::Parallelize(parallelize) => json!({
            "index": parallelize.index,
            "factor": parallelize.factor,
            "carries": parallelize.carries.name(),
        }),
        Kind::Serialize(serialize) => json!({
            "index": serialize.index,
            "factor": serialize.factor,
            "carries": serialize.carries.map(|carried| carried.kind.name()),
            "depth": serialize.carries.map(|carried| carried.depth),
        }),
        Kind::Fetch(fetch) => json!({"tensor": fetch.tensor, "mode": fetch.mode}),
        Kind::Mask(mask) => json!({"kept": mask.kept.name(), "element": mask.element.name()}),
        Kind::Alu(alu) => json!({
            "operator": alu.operator.name(),
            "element": alu.element.name(),
            "how": alu.how.name(),
        }),
        Kind::Apply(apply) => match apply.function {
            Function::Convert(to) => json!({"element": apply.element.name(), "to": to.name()}),
            Function::With(_, constant) => {
                json!({"element": apply.element.name(), "constant": constant.number()})
            }
            _ => json!({"element": apply.element.name()}),
        },
        Kind::Reduce(reduce) => json!({
            "reduction": reduce.reduction.name(),
            "element": reduce.element.name(),
            "empty": reduce.empty.name(),
            "inputs": reduce.inputs,
        }),
        Kind::Accumulate(accumulate) => json!({
            "order": accumulate.order,
            "indices": accumulate.indices,
            "form": accumulate.form.name(),
            "empty": accumulate.empty.name(),
            "reduction": accumulate.reduction.name(),
            "inputs": accumulate.inputs,
            "element": accumulate.element.name(),
        }),
        Kind::Drop { outer, inner, what: Dropped::Zeros(element) } => {
            json!({"outer": outer, "inner": inner, "drops": "zeros", "element": element.name()})
        }
        Kind::Drop { outer, inner, what } => json!({"outer": outer, "inner": inner, "drops": what.name()}),
        Kind::Hold { outer, inner } => json!({"outer": outer, "inner": inner}),
        Kind::WriteLevel(write) => json!({
            "index": write.index,
            "tensor": write.tensor,
            "mode": write.mode,
            "format": write.level.name(),
            "width": write.level.width(),
            "fibers": write.fibers.name(),
        }),
        Kind::WriteValues(write) => json!({
            "tensor": write.tensor,
            "fill": write.fill.name(),
            "element": write.element.name(),
            "places": write.places.name(),
        }),
    }
}
