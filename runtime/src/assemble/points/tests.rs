use super::*;
use crate::format::TypedFormat;
use crate::unpack::unpack;
use std::collections::BTreeMap;

/// Coordinates and values that repeat, in no order.
fn points(dims: &[i64], count: usize) -> Vec<(Vec<i64>, i64)> {
    let mut state = 11u64;
    let mut next = |below: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below as u64) as i64
    };
    (0..count).map(|_| (dims.iter().map(|extent| next(*extent)).collect(), next(19) - 9)).collect()
}

fn collected(
    dims: &[i64],
    format: &str,
    reduction: Reduction,
    kind: Kind,
    capacity: Option<usize>,
    points: &[(Vec<i64>, i64)],
) -> BTreeMap<Vec<i64>, i64> {
    let mut tensor = Tensor::new("C", format.parse::<TypedFormat>().unwrap());
    tensor.dims = dims.to_vec();
    begin(&mut tensor, reduction, kind, capacity).unwrap();
    points.iter().for_each(|(point, value)| insert(&mut tensor, point, *value).unwrap());
    end(&mut tensor).unwrap();
    let entries = unpack(&tensor).unwrap();
    let values = i64::slice(&entries.values).unwrap();
    let entry = |n: usize| (entries.coords.iter().map(|column| column[n]).collect(), values[n]);
    (0..entries.len()).map(entry).collect()
}

/// Whatever the room and its kind, into formats of one word of key, of several, and with blocks.
#[test]
fn points_combine_in_any_room() {
    let small = ["i64 i32 (0 : D, 1 : CU)", "i64 i32 (1 : D, 0 : CU)", "i64 i64 (1 : CN, 0 : S)"];
    let cases = small.map(|format| (vec![9, 7], format));
    let wide = (vec![1 << 40, 1 << 50], "i64 i64 (1 : CU, 0 : CU)");
    for (dims, format) in cases.into_iter().chain([wide]) {
        let mut all = points(&dims, 200);
        all.extend(all.clone().into_iter().rev());
        for reduction in [Reduction::Add, Reduction::Set, Reduction::Max, Reduction::Any, Reduction::Or] {
            let mut expected: BTreeMap<Vec<i64>, i64> = BTreeMap::new();
            for (point, value) in &all {
                let first = reduction.begin(*value);
                let combine = |old: &mut i64| *old = reduction.combine(*old, *value);
                expected.entry(point.clone()).and_modify(combine).or_insert(first);
            }
            for kind in [Kind::List, Kind::Hash] {
                for capacity in [Some(1), Some(2), Some(13), Some(1000), None] {
                    let found = collected(&dims, format, reduction, kind, capacity, &all);
                    assert_eq!(found, expected, "{format} {reduction:?} {kind:?} {capacity:?}");
                }
            }
        }
    }
}

#[test]
fn nothing_is_collected_in_no_time() {
    for kind in [Kind::List, Kind::Hash] {
        let format = "i64 i32 (0 : D, 1 : CU)";
        assert!(collected(&[0, 5], format, Reduction::Add, kind, Some(3), &[]).is_empty());
    }
}

/// Blocks that end anywhere change no result: the points of each are accumulated apart, and merged.
#[test]
fn blocks_are_merged() {
    let dims = vec![9, 7];
    let all = points(&dims, 300);
    for kind in [Kind::List, Kind::Hash] {
        for reduction in [Reduction::Add, Reduction::Set, Reduction::Any, Reduction::Min] {
            let whole = collected(&dims, "i64 i32 (1 : D, 0 : CU)", reduction, kind, Some(20), &all);
            for block in [1, 7, 43, 300] {
                let mut tensor = Tensor::new("C", "i64 i32 (1 : D, 0 : CU)".parse::<TypedFormat>().unwrap());
                tensor.dims.clone_from(&dims);
                begin(&mut tensor, reduction, kind, Some(20)).unwrap();
                for points in all.chunks(block) {
                    points.iter().for_each(|(point, value)| insert(&mut tensor, point, *value).unwrap());
                    next(&mut tensor).unwrap();
                }
                end(&mut tensor).unwrap();
                let entries = unpack(&tensor).unwrap();
                assert_eq!(entries.len(), whole.len(), "{kind:?} {reduction:?} {block}");
                let values = i64::slice(&entries.values).unwrap();
                for (entry, value) in values.iter().enumerate() {
                    let point: Vec<i64> = entries.coords.iter().map(|column| column[entry]).collect();
                    assert_eq!(whole.get(&point), Some(value), "{kind:?} {reduction:?} {block} {point:?}");
                }
            }
        }
    }
}
