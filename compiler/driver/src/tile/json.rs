//! What `comet tile` reports, for programs: `compiler/docs/guides/tiling.md`, "What the JSON has".

use super::report::{Base, CHOSEN, ComparedSchemes, Evaluated, GIVEN};
use super::schemes::{Other, OtherOutcome};
use comet_tiling::{Moved, Pattern, Prediction, Statement, Tiles, Traffic};
use serde_json::{Value, json};

/// Of one statement what is known of it, of several that of the first one with all under `statements`.
/// Traffic and tiles are in bytes, sizes in coordinates.
pub(crate) fn json(compared: &[ComparedSchemes]) -> Value {
    first_with_all(compared.iter().map(statement).collect())
}

/// The report of the first statement, with those of all statements where there are several.
pub(super) fn first_with_all(all: Vec<Value>) -> Value {
    let mut report = all.first().cloned().unwrap_or(Value::Null);
    if all.len() > 1 {
        report["statements"] = Value::Array(all);
    }
    report
}

fn statement(own: &ComparedSchemes) -> Value {
    let mut report = json!({
        "statement": own.text,
        "buffer": own.machine.buffer,
        "schemes": schemes(own),
        "chosen": CHOSEN.name(),
        "statistics": statistics(own),
    });
    if let Some(orders) = &own.orders {
        report["orders"] = orders.json();
    }
    if let Some(packed) = &own.packed {
        report["packed"] = json!({
            "small": sizes(own, &packed.small),
            "tiles": sizes(own, &packed.tiles),
            "measured": measured_bytes(&packed.measured),
        });
    }
    report
}

/// In the order of the table.
fn schemes(own: &ComparedSchemes) -> Vec<Value> {
    let (given, chosen): (Vec<_>, Vec<_>) = own.evaluated.iter().partition(|own| own.name == GIVEN);
    let chosen = chosen.into_iter().map(|evaluated| scheme(own, evaluated));
    let others = own.others.iter().map(|other| other_scheme(own, other));
    chosen.chain(others).chain(given.into_iter().map(|evaluated| scheme(own, evaluated))).collect()
}

fn scheme(own: &ComparedSchemes, evaluated: &Evaluated) -> Value {
    let Evaluated { name, tiles, predicted, interval, measured, by_paper } = evaluated;
    let mut report = movement(&own.statement, tiles, predicted, measured.as_ref());
    report["name"] = json!(name);
    report["order"] = json!(order(own));
    report["buffer"] = json!(own.machine.buffer);
    report["fill"] = json!(own.fill(tiles));
    report["interval"] = json!(interval.map(|bytes| bytes.round() as u64));
    if let Some(by_paper) = by_paper {
        report["predicted_by_paper"] = predicted_bytes(by_paper);
        for (access, bytes) in by_paper.inputs.iter().enumerate() {
            report["operands"][access]["predicted_by_paper"] = json!(bytes.round() as u64);
        }
    }
    report
}

/// What tiles of a statement move, as expected and, where that was done, as counted.
pub(super) fn movement(
    statement: &Statement,
    tiles: &Tiles,
    expected: &Prediction,
    counted: Option<&Traffic>,
) -> Value {
    let operands = expected.inputs.iter().enumerate().map(|(access, &expected)| {
        traffic(statement.access_name(access), expected, counted.map(|traffic| &traffic.inputs[access]))
    });
    let result = counted.map(|traffic| &traffic.output);
    let mut report = json!({
        "tiles": sizes_of(statement, tiles),
        "predicted": predicted_bytes(expected),
        "rounds": { "predicted": expected.iterations.round() as u64 },
        "operands": operands.collect::<Vec<_>>(),
        "result": traffic(statement.target_name(), expected.output, result),
    });
    if let Some(counted) = counted {
        report["measured"] = measured_bytes(counted);
        report["rounds"]["measured"] = json!(counted.iterations);
    }
    report
}

/// Of a scheme without tiles of one size.
fn other_scheme(own: &ComparedSchemes, Other { name, outcome }: &Other) -> Value {
    let mut report =
        json!({ "name": name, "tiles": null, "order": order(own), "buffer": own.machine.buffer });
    match outcome {
        OtherOutcome::Occupancy(occupancy) => {
            report["bounds"] = bounds(own, &occupancy.bounds);
            report["fill"] = json!(occupancy.fill);
            report["predicted"] = predicted_bytes(&occupancy.predicted);
            report["interval"] = json!(occupancy.interval.map(|bytes| bytes.round() as u64));
        }
        OtherOutcome::Packed(packed) => {
            report["tiles"] = sizes(own, &packed.tiles);
            report["small"] = sizes(own, &packed.small);
            report["fill"] = json!(packed.fill);
        }
        OtherOutcome::Dynamic(_) => {}
        OtherOutcome::Unsupported(reason) => report["unsupported"] = json!(reason),
    }
    if let Some(counted) = outcome.traffic() {
        let operands = counted.inputs.iter().enumerate();
        let operands =
            operands.map(|(access, moved)| counted_access(own.statement.access_name(access), moved));
        report["operands"] = operands.collect();
        report["result"] = counted_access(own.statement.target_name(), &counted.output);
        report["measured"] = measured_bytes(counted);
        report["rounds"] = json!({ "measured": counted.iterations });
    }
    report
}

fn counted_access(access: String, moved: &Moved) -> Value {
    json!({ "access": access, "measured": moved.bytes, "tiles_moved": moved.tiles })
}

/// The names of the variables, the outermost loop's first.
fn order(own: &ComparedSchemes) -> Vec<&str> {
    own.statement.names()
}

/// Of one access: bytes that are expected and bytes that were counted, and how many tiles these were.
fn traffic(access: String, predicted: f64, moved: Option<&Moved>) -> Value {
    let mut report = json!({ "access": access, "predicted": predicted.round() as u64 });
    if let Some(moved) = moved {
        report["measured"] = json!(moved.bytes);
        report["tiles_moved"] = json!(moved.tiles);
    }
    report
}

/// What is known of each sparse operand: how large it is, and the small tiles that statistics are made of.
fn statistics(own: &ComparedSchemes) -> Vec<Value> {
    let statement = &own.statement;
    let of = |(access, base): (usize, &Option<Base>)| {
        let base = base.as_ref()?;
        let Pattern::Points(points) = &statement.accesses[access].pattern else { return None };
        let indices = &statement.accesses[access].indices;
        let names = indices.iter().map(|&var| statement.name(var));
        let by_name = |sizes: &[u64]| -> Value {
            let sizes = names.clone().zip(sizes).map(|(name, &size)| (name.to_owned(), json!(size)));
            Value::Object(sizes.collect())
        };
        let mean = if base.tiles == 0 { 0.0 } else { base.bytes as f64 / base.tiles as f64 };
        let mut report = json!({
            "access": statement.access_name(access),
            "extents": by_name(points.extents()),
            "entries": points.len(),
            "base": {
                "sizes": by_name(&base.sizes),
                "tiles": base.tiles,
                "mean_bytes": mean,
                "largest_bytes": base.largest,
            },
        });
        if own.is_computed(access) {
            report["computed"] = json!(true);
        }
        Some(report)
    };
    own.base.iter().enumerate().filter_map(of).collect()
}

pub(crate) fn sizes(own: &ComparedSchemes, tiles: &Tiles) -> Value {
    sizes_of(&own.statement, tiles)
}

pub(super) fn sizes_of(statement: &Statement, tiles: &Tiles) -> Value {
    let sizes = statement.variables.iter().zip(&tiles.0);
    Value::Object(sizes.map(|(variable, &size)| (variable.name.clone(), json!(size))).collect())
}

/// Where tiles begin, by the names of the variables.
pub(crate) fn bounds(own: &ComparedSchemes, bounds: &[Vec<u64>]) -> Value {
    let bounds = own.statement.variables.iter().zip(bounds);
    Value::Object(bounds.map(|(variable, begins)| (variable.name.clone(), json!(begins))).collect())
}

pub(super) fn predicted_bytes(prediction: &Prediction) -> Value {
    json!({ "input": prediction.input().round() as u64, "output": prediction.output.round() as u64 })
}

pub(super) fn measured_bytes(traffic: &Traffic) -> Value {
    json!({ "input": traffic.input(), "output": traffic.output.bytes })
}
