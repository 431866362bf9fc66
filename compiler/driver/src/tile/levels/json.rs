//! What `comet tile --machine` reports, as JSON. `compiler/docs/guides/tiling.md` has all fields.

use super::{LevelRow, OnLevels};
use crate::tile::json::{first_with_all, movement};
use crate::tile::report::CHOSEN;
use comet_tiling::{Bound, Cost, Hierarchy, LevelTiles, MemoryLevel, Objective, Room};
use serde_json::{Map, Value, json};

/// Of one statement what is known of it, of several that of the first one with all under `statements`.
/// Traffic and buffers are in bytes, sizes in coordinates.
pub(crate) fn json(hierarchy: &Hierarchy, all: &[OnLevels]) -> Value {
    first_with_all(all.iter().map(|own| statement(hierarchy, own)).collect())
}

fn statement(hierarchy: &Hierarchy, own: &OnLevels) -> Value {
    let objective = match own.objective {
        Objective::Bytes => "bytes",
        Objective::Time => "time",
        Objective::Energy => "energy",
    };
    json!({
        "statement": own.text,
        "machine": hierarchy.name,
        "levels": hierarchy.levels.iter().map(memory).collect::<Vec<_>>(),
        "objective": objective,
        "products": own.products,
        "schemes": own.rows.iter().map(|row| scheme(hierarchy, own, row)).collect::<Vec<_>>(),
        "chosen": CHOSEN.name(),
    })
}

fn memory(level: &MemoryLevel) -> Value {
    let mut report = json!({ "name": level.name, "count": level.count });
    match &level.room {
        Room::Shared(buffer) => report["shared"] = json!(buffer),
        Room::Each(named, others) => {
            let named = named.iter().map(|(tensor, buffer)| (tensor.clone(), json!(buffer)));
            report["buffers"] = Value::Object(named.collect());
            report["buffer"] = json!(others);
        }
    }
    report
}

fn scheme(hierarchy: &Hierarchy, own: &OnLevels, row: &LevelRow) -> Value {
    let levels = hierarchy.levels.iter().zip(&row.leveled.levels);
    let mut report = json!({
        "name": row.name,
        "order": own.statement.names(),
        "predicted": cost(hierarchy, row.leveled.expected),
        "levels": levels.map(|(memory, level)| of_level(own, memory, level)).collect::<Vec<_>>(),
    });
    if let Some(counted) = row.leveled.counted {
        report["measured"] = cost(hierarchy, counted);
    }
    report
}

/// `{"seconds", "joules", "bound"}`, where the bound is the level that takes longest, or `products`; it is
/// left out where nothing takes time.
fn cost(hierarchy: &Hierarchy, cost: Cost) -> Value {
    let mut report = Map::from_iter([
        ("seconds".to_owned(), json!(cost.seconds)),
        ("joules".to_owned(), json!(cost.joules)),
    ]);
    let bound = match cost.bound {
        Bound::Level(level) => Some(&hierarchy.levels[level].name[..]),
        Bound::Products => Some("products"),
        Bound::Nothing => None,
    };
    report.extend(bound.map(|bound| ("bound".to_owned(), json!(bound))));
    Value::Object(report)
}

fn of_level(own: &OnLevels, memory: &MemoryLevel, level: &LevelTiles) -> Value {
    let LevelTiles { tiles, predicted, measured, fill } = level;
    let mut report = movement(&own.statement, tiles, predicted, measured.as_ref());
    report["name"] = json!(memory.name);
    report["fill"] = json!(fill);
    report
}
