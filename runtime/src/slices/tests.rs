//! Slices of random tensors, against the entries in their ranges.

use super::*;
use crate::coordinates::CoordinateTensor;
use crate::pack::pack;
use crate::unpack::unpack;
use crate::values::ValueColumn;
use proptest::prelude::*;
use std::collections::BTreeMap;

const EXTENT: i64 = 9;

/// Formats of three modes of each way to join: dense ones, by the outermost level, and by entries.
const FORMATS: &[&str] = &[
    "f64 i32 (0 : D, 1 : D, 2 : D)",
    "f64 i64 (2 : D, 0 : D, 1 : D)",
    "f64 i32 (0 : D, 1 : CU, 2 : CU)",
    "f64 i32 (0 : CU, 1 : CU, 2 : D)",
    "f64 i64 (0 : CN, 1 : S, 2 : S)",
    "f64 i32 (0 : D, 1 : BV<64>, 2 : R)",
    "f64 i32 (0 : CU, 1 : H, 2 : CU)",
    "f64 i32 (1 : D, 0 : CU, 2 : CU)",
    "f64 i32 (0 : H, 1 : CU, 2 : CU)",
    "f64 i32 (0/2 : D, 1 : CU, 2 : CU, 0%2 : D)",
    "f64 i32 (0 : R, 1 : CU, 2 : BV<3>)",
    "f64 i32 (0 : D, slot : D, 1 : S, 2 : S)",
];

type Content = BTreeMap<Vec<i64>, i64>;

fn packed(content: &Content, dims: &[i64], format: &str) -> Tensor {
    let column = |mode: usize| content.keys().map(|entry| entry[mode]).collect();
    let entries = CoordinateTensor {
        dims: dims.to_vec(),
        coords: (0..dims.len()).map(column).collect(),
        values: ValueColumn::F64(content.values().map(|value| *value as f64).collect()),
    };
    pack(&entries, &format.parse().unwrap()).unwrap()
}

fn content(tensor: &Tensor) -> Content {
    let entries = unpack(tensor).unwrap();
    let ValueColumn::F64(values) = &entries.values else { panic!("the values are `double`") };
    let entry = |place: usize| entries.coords.iter().map(|column| column[place]).collect::<Vec<_>>();
    let all = values.iter().enumerate().map(|(place, value)| (entry(place), *value as i64));
    all.filter(|(_, value)| *value != 0).collect()
}

fn contents() -> impl Strategy<Value = Content> {
    let entry = proptest::collection::vec(0..EXTENT, 3);
    proptest::collection::btree_map(entry, 1i64..100, 0..40)
}

/// Ascending ranges, some of them empty or side by side.
fn ranges() -> impl Strategy<Value = Vec<Range<i64>>> {
    proptest::collection::vec(0..=EXTENT, 4).prop_map(|mut ends| {
        ends.sort_unstable();
        vec![ends[0]..ends[1], ends[2]..ends[3]]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn slices_have_the_entries_of_their_ranges(
        first in contents(),
        second in contents(),
        cut in (ranges(), ranges()),
        mode in 0usize..3,
    ) {
        for format in FORMATS {
            let tensors = [&first, &second].map(|content| packed(content, &[EXTENT; 3], format));
            let slices = [
                Slice { tensor: &tensors[0], ranges: cut.0.clone() },
                Slice { tensor: &tensors[1], ranges: cut.1.clone() },
            ];
            let joined = joined(&slices, mode).unwrap();
            let mut expected = Content::new();
            let mut next = 0;
            for (content, ranges) in [(&first, &cut.0), (&second, &cut.1)] {
                for range in ranges {
                    for (entry, value) in content.iter().filter(|(entry, _)| range.contains(&entry[mode])) {
                        let mut entry = entry.clone();
                        entry[mode] += next - range.start;
                        expected.insert(entry, *value);
                    }
                    next += range.end - range.start;
                }
            }
            prop_assert_eq!(joined.dims[mode], next);
            prop_assert_eq!(content(&joined), expected, "{}", format);
        }
    }

    #[test]
    fn listed_coordinates_are_renumbered(own in contents(), mode in 0usize..3) {
        for format in FORMATS {
            let mut tensor = packed(&own, &[EXTENT; 3], format);
            if listing_level(&tensor, mode).is_none() {
                continue;
            }
            renumber(&mut tensor, mode, 2 * EXTENT, |coordinate| 2 * coordinate + 1).unwrap();
            let moved = own.iter().map(|(entry, value)| {
                let mut entry = entry.clone();
                entry[mode] = 2 * entry[mode] + 1;
                (entry, *value)
            });
            prop_assert_eq!(content(&tensor), moved.collect::<Content>(), "{}", format);
        }
    }
}
