use super::*;
use crate::memory::measured::peak_of;
use crate::unpack::unpack;
use comet_format::TypedFormat;
use comet_notation::Operator;
use std::collections::{BTreeMap, BTreeSet};

/// Coordinates and values that repeat, in no order.
fn some_points(dims: &[i64], count: usize) -> Vec<(Vec<i64>, i64)> {
    let mut state = 11u64;
    let mut next = |below: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below as u64) as i64
    };
    (0..count).map(|_| (dims.iter().map(|extent| next(*extent)).collect(), next(19) - 9)).collect()
}

fn collected_and_counted<V: Value>(
    dims: &[i64],
    format: &str,
    reduction: PointReduction,
    kind: AccumulatorKind,
    capacity: Option<usize>,
    points: &[(Vec<i64>, V)],
) -> (Tensor, PointCounts) {
    let mut tensor = Tensor::new("C", format.parse::<TypedFormat>().unwrap());
    tensor.dims = dims.to_vec();
    begin(&mut tensor, reduction, kind, capacity).unwrap();
    points.iter().for_each(|(point, value)| insert(&mut tensor, point, *value).unwrap());
    let counts = end(&mut tensor).unwrap();
    (tensor, counts)
}

fn collected(
    dims: &[i64],
    format: &str,
    reduction: PointReduction,
    kind: AccumulatorKind,
    capacity: Option<usize>,
    points: &[(Vec<i64>, i64)],
) -> BTreeMap<Vec<i64>, i64> {
    entries_of(&collected_and_counted(dims, format, reduction, kind, capacity, points).0)
}

fn entries_of(tensor: &Tensor) -> BTreeMap<Vec<i64>, i64> {
    let entries = unpack(tensor).unwrap();
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
        let mut all = some_points(&dims, 200);
        all.extend(all.clone().into_iter().rev());
        for reduction in [
            PointReduction(Operator::Add),
            PointReduction(Operator::Second),
            PointReduction(Operator::Max),
            PointReduction(Operator::Or),
        ] {
            let mut expected: BTreeMap<Vec<i64>, i64> = BTreeMap::new();
            for (point, value) in &all {
                let first = reduction.begin(*value);
                let combine = |old: &mut i64| *old = reduction.combine(*old, *value);
                expected.entry(point.clone()).and_modify(combine).or_insert(first);
            }
            for kind in [AccumulatorKind::List, AccumulatorKind::Sequence, AccumulatorKind::Hash] {
                for capacity in [Some(1), Some(2), Some(13), Some(1000), None] {
                    let found = collected(&dims, format, reduction, kind, capacity, &all);
                    assert_eq!(found, expected, "{format} {reduction:?} {kind:?} {capacity:?}");
                }
            }
        }
    }
}

/// The points of a sequence combine from the first to the last, whatever the room is and however often a
/// block ends: the sums are inexact.
#[test]
fn sequences_keep_the_order() {
    let dims = [9, 7];
    let value = |number: i64| (number as f64).exp2() / 3.0;
    let all: Vec<_> =
        some_points(&dims, 3000).into_iter().map(|(point, number)| (point, value(4 * number))).collect();
    let mut expected: BTreeMap<Vec<i64>, f64> = BTreeMap::new();
    for (point, value) in &all {
        expected.entry(point.clone()).and_modify(|sum| *sum += value).or_insert(*value);
    }
    for capacity in [Some(1), Some(13), Some(1000), None] {
        let mut tensor = Tensor::new("C", "f64 i32 (0 : D, 1 : CU)".parse::<TypedFormat>().unwrap());
        tensor.dims = dims.to_vec();
        begin(&mut tensor, PointReduction(Operator::Add), AccumulatorKind::Sequence, capacity).unwrap();
        for (number, (point, value)) in all.iter().enumerate() {
            insert(&mut tensor, point, *value).unwrap();
            if number % 100 == 0 {
                next(&mut tensor).unwrap();
            }
        }
        end(&mut tensor).unwrap();
        let entries = unpack(&tensor).unwrap();
        let sums = f64::slice(&entries.values).unwrap();
        assert!(sums.iter().eq(expected.values()), "{capacity:?}");
    }
}

/// Whichever it is.
#[test]
fn any_is_one_of_the_values() {
    let dims = [9, 7];
    let all = some_points(&dims, 400);
    for kind in [AccumulatorKind::List, AccumulatorKind::Hash] {
        for capacity in [Some(1), Some(13), None] {
            let found = collected(
                &dims,
                "i64 i32 (0 : D, 1 : CU)",
                PointReduction(Operator::Any),
                kind,
                capacity,
                &all,
            );
            let places: BTreeSet<&Vec<i64>> = all.iter().map(|(place, _)| place).collect();
            assert!(found.keys().eq(places), "{kind:?} {capacity:?}");
            assert!(found.into_iter().all(|entry| all.contains(&entry)), "{kind:?} {capacity:?}");
        }
    }
}

#[test]
fn nothing_is_collected_in_no_time() {
    for kind in [AccumulatorKind::List, AccumulatorKind::Hash] {
        let format = "i64 i32 (0 : D, 1 : CU)";
        assert!(collected(&[0, 5], format, PointReduction(Operator::Add), kind, Some(3), &[]).is_empty());
    }
}

/// The elements 3, 1, 3, 2 of a vector come in this order: inserts, hits, sorts, sorted, n log₂ n,
/// merges, merged, copied. Worked out by hand; with room for one point, 1 and 2 move 3 when they are merged.
#[test]
fn everything_that_happens_is_counted() {
    let points: Vec<(Vec<i64>, i64)> = [3, 1, 3, 2].into_iter().map(|place| (vec![place], place)).collect();
    let cases = [
        (AccumulatorKind::List, Some(1), [4, 0, 4, 4, 0, 3, 6, 3]),
        (AccumulatorKind::Hash, Some(1), [4, 0, 4, 4, 0, 3, 6, 3]),
        (AccumulatorKind::List, Some(2), [4, 0, 2, 4, 4, 1, 4, 2]),
        (AccumulatorKind::Hash, Some(2), [4, 1, 2, 3, 2, 1, 4, 2]),
        (AccumulatorKind::List, None, [4, 0, 1, 4, 8, 0, 3, 0]),
        (AccumulatorKind::Hash, None, [4, 1, 1, 3, 5, 0, 3, 0]),
    ];
    for (kind, capacity, expected) in cases {
        let format = "i64 i32 (0 : CU)";
        let (_, counts) =
            collected_and_counted(&[9], format, PointReduction(Operator::Add), kind, capacity, &points);
        let PointCounts { inserts, hits, sorts, sorted, steps, merges, merged, copied, .. } = counts;
        let found = [inserts, hits, sorts, sorted, steps.round() as u64, merges, merged, copied];
        assert_eq!(found, expected, "{kind:?} {capacity:?}");
        assert_eq!((counts.elements, counts.element_bytes, counts.point_bytes), (3, 12, 16));
        assert_eq!(counts.capacity.min(2), capacity.unwrap_or(2), "{kind:?} {capacity:?}");
    }
}

/// A list of one point, by hand: when the three elements are packed, there are their keys (24 bytes), where
/// they begin and end (16), pos (8), crd (12) and values (24). A moment before, when there was room for two
/// of them and then three: keys of three (24), values of two and of three (40), and the point (16).
#[test]
fn bytes_are_counted_as_they_are_in_use() {
    let points: Vec<(Vec<i64>, i64)> = [3, 1, 3, 2].into_iter().map(|place| (vec![place], place)).collect();
    let format = "i64 i32 (0 : CU)";
    let (_, counts) = collected_and_counted(
        &[9],
        format,
        PointReduction(Operator::Add),
        AccumulatorKind::List,
        Some(1),
        &points,
    );
    assert_eq!(counts.peak, 24 + 16 + 8 + 12 + 24);
}

/// The bar: its capacity and three times the output, as coordinates and values, also where a coordinate is
/// taken as the four bytes that it is stored in. Whether there are many points for an element or one, and
/// where they are all of one element. It holds for what is counted, and for what the system was asked for.
#[test]
fn memory_stays_within_the_capacity_and_three_times_the_output() {
    let formats = [
        ("f64 i32 (0 : D, 1 : CU)", vec![700, 800]),
        ("f64 i32 (1 : D, 0 : CU)", vec![700, 800]),
        ("f64 i32 (0 : CN, 1 : S)", vec![700, 800]),
        ("f64 i32 (0 : CU, 1 : CU)", vec![1 << 20, 1 << 20]),
        ("f64 i32 (0 : CU, 1 : CU, 2 : CU)", vec![90, 80, 70]),
        ("f64 i32 (0 : CU, 1 : CU, 2 : CU)", vec![1 << 25, 1 << 25, 1 << 25]),
        ("f64 i32 (0 : CU)", vec![400_000]),
        ("f32 i32 (0 : CU)", vec![400_000]),
    ];
    for (format, dims) in formats {
        for (points, reduction) in [(3, PointReduction(Operator::Add)), (1, PointReduction(Operator::Second))]
        {
            let elements = some_points(&dims, 40_000);
            let points: Vec<_> = (0..points).flat_map(|_| elements.iter().cloned()).collect();
            check_memory(&dims, format, reduction, &points);
        }
        let same = vec![(vec![1; dims.len()], 1); 50_000];
        check_memory(&dims, format, PointReduction(Operator::Add), &same);
        check_memory(&dims, format, PointReduction(Operator::Any), &same);
    }
}

fn check_memory(dims: &[i64], format: &str, reduction: PointReduction, points: &[(Vec<i64>, i64)]) {
    /// What is of the same size for any points: the collector, names, what a sort puts aside on the heap.
    const SMALL: usize = 4096;
    for kind in [AccumulatorKind::List, AccumulatorKind::Hash] {
        for capacity in [Some(10_000), Some(30_000), Some(1_000_000), None] {
            let (measured, counts) = match format.starts_with("f32") {
                true => counts_of::<f32>(dims, format, reduction, kind, capacity, points),
                false => counts_of::<f64>(dims, format, reduction, kind, capacity, points),
            };
            let PointCounts { peak, elements, element_bytes, capacity_bytes, .. } = counts;
            let bound = capacity_bytes + 3 * elements * element_bytes;
            let case = format!("{format} {reduction:?} {kind:?} {capacity:?} {elements}");
            assert!(peak <= bound, "{case}: {peak} > {bound}");
            assert!(measured <= bound + SMALL, "{case}: {measured} > {bound}, {peak} counted");
        }
    }
}

/// The most bytes that were in use, and the counts.
fn counts_of<V: Value>(
    dims: &[i64],
    format: &str,
    reduction: PointReduction,
    kind: AccumulatorKind,
    capacity: Option<usize>,
    points: &[(Vec<i64>, i64)],
) -> (usize, PointCounts) {
    let points: Vec<_> = points.iter().map(|(point, value)| (point.clone(), V::from_i64(*value))).collect();
    let collect = || collected_and_counted(dims, format, reduction, kind, capacity, &points);
    let (measured, (_, counts)) = peak_of(collect);
    (measured, counts)
}

/// Blocks that end anywhere change no result: the points of each are accumulated apart, and merged.
#[test]
fn blocks_are_merged() {
    let dims = vec![9, 7];
    let all = some_points(&dims, 300);
    for kind in [AccumulatorKind::List, AccumulatorKind::Hash] {
        for reduction in
            [PointReduction(Operator::Add), PointReduction(Operator::Second), PointReduction(Operator::Min)]
        {
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
                assert_eq!(entries_of(&tensor), whole, "{kind:?} {reduction:?} {block}");
            }
        }
    }
}

/// The reported capacity is the number of points that were allocated, and no more than fitted.
#[test]
fn capacities_are_those_there_was_room_for() {
    let points: Vec<(Vec<i64>, i64)> = (0..30_000).map(|place| (vec![place], place)).collect();
    let counts = |kind, reduction, capacity| {
        collected_and_counted(&[30_000], "i64 i32 (0 : CU)", reduction, kind, capacity, &points).1
    };
    let huge = counts(AccumulatorKind::List, PointReduction(Operator::Add), Some(1 << 62));
    assert!((30_000..1 << 40).contains(&huge.capacity), "{huge:?}");
    assert_eq!(huge.capacity_bytes, 16 * huge.capacity);
    let ordered = counts(AccumulatorKind::List, PointReduction(Operator::Second), None);
    assert_eq!((ordered.capacity, ordered.capacity_bytes), (65_536, 2 * 16 * 65_536));
    let any = counts(AccumulatorKind::List, PointReduction(Operator::Any), Some(20_000));
    assert_eq!((any.capacity, any.capacity_bytes), (20_000, 16 * 20_000));
}

/// A sort of a table looks at all of its slots, so that it must be small for a block of few points.
#[test]
fn blocks_of_few_points_have_small_tables() {
    let mut acc = Acc::<i64, 1>::new(
        AccumulatorKind::Hash,
        Capacity::Given(1 << 17),
        PointReduction(Operator::Any),
        vec![0],
    );
    let what = ArrayName { tensor: "C", part: "points" };
    let mut room_for = |keys: std::ops::Range<u64>| {
        for key in keys {
            while !acc.try_insert([key], 0, |old| old) {
                assert!(acc.grow(&what).unwrap());
            }
        }
        let words = acc.room().1;
        acc.sort();
        acc.clear();
        acc.begin_block();
        words
    };
    assert_eq!(room_for(0..100_000), 2 << 17);
    assert!(room_for(0..3) < 2 << 14);
}

/// What becomes of the points of a block is the same, to the last bit, whichever blocks the same accumulator
/// had before: each of these has elements of its own, so that its sums stay as they are.
#[test]
fn sums_of_a_block_do_not_follow_from_other_blocks() {
    const POINTS: i64 = 20_000;
    let block = |number: i64| -> Vec<(Vec<i64>, f64)> {
        let value = |place: i64| 1.0 / ((place * 7919 + number) % POINTS + 3) as f64;
        (0..POINTS).map(|place| (vec![3 * number + place % 3], value(place))).collect()
    };
    let blocks: Vec<_> = (0..6).map(block).collect();
    for kind in [AccumulatorKind::List, AccumulatorKind::Hash] {
        for capacity in [Some(1), Some(300), Some(9000), Some(50_000), None] {
            let dealt = |size: usize| -> Vec<u64> {
                blocks.chunks(size).flat_map(|task| sums_of_blocks(kind, capacity, task)).collect()
            };
            let apart = dealt(1);
            for size in [2, 5, 6] {
                assert_eq!(dealt(size), apart, "{kind:?} {capacity:?} {size}");
            }
        }
    }
}

/// The bits of what comes to each element of a vector, block by block.
fn sums_of_blocks(
    kind: AccumulatorKind,
    capacity: Option<usize>,
    blocks: &[Vec<(Vec<i64>, f64)>],
) -> Vec<u64> {
    let mut tensor = Tensor::new("C", "f64 i32 (0 : CU)".parse::<TypedFormat>().unwrap());
    tensor.dims = vec![18];
    begin(&mut tensor, PointReduction(Operator::Add), kind, capacity).unwrap();
    for points in blocks {
        points.iter().for_each(|(point, value)| insert(&mut tensor, point, *value).unwrap());
        next(&mut tensor).unwrap();
    }
    end(&mut tensor).unwrap();
    let entries = unpack(&tensor).unwrap();
    f64::slice(&entries.values).unwrap().iter().map(|value| value.to_bits()).collect()
}
