//! Packing into random lists of levels and unpacking again, against a map of coordinates to sums.

use comet_format::{Format, IndexWidth, Level, LevelExpr, LevelKind, TypedFormat, ValueType};
use comet_runtime::pack::weigh;
use comet_runtime::values::ValueColumn;
use comet_runtime::{CoordinateTensor, Error, ReadOptions, Tensor, convert, pack, read_file, unpack};
use proptest::prelude::*;
use std::collections::BTreeMap;

type Content = BTreeMap<Vec<i64>, i64>;

/// What a case is made from: everything else follows.
#[derive(Clone, Debug)]
struct Case {
    dims: Vec<i64>,
    order: Vec<usize>,
    /// A divisor splits the mode into quotient and remainder.
    splits: Vec<Option<u64>>,
    /// The remainders of split modes come last, as in blocks, or right after the quotient.
    remainders_last: bool,
    kinds: Vec<u8>,
    wide: bool,
    entries: Vec<(Vec<i64>, i64)>,
}

fn case() -> impl Strategy<Value = Case> {
    (1usize..5).prop_flat_map(|rank| {
        let dims = proptest::collection::vec(1i64..8, rank);
        dims.prop_flat_map(move |dims| {
            let entry = dims.iter().map(|&extent| 0..extent).collect::<Vec<_>>();
            (
                Just(dims),
                Just((0..rank).collect::<Vec<_>>()).prop_shuffle(),
                proptest::collection::vec(proptest::option::weighted(0.3, 1u64..5), rank),
                any::<bool>(),
                proptest::collection::vec(0u8..9, rank * 2),
                any::<bool>(),
                proptest::collection::vec((entry, -9i64..10), 0..40),
            )
                .prop_map(|(dims, order, splits, remainders_last, kinds, wide, entries)| Case {
                    dims,
                    order,
                    splits,
                    remainders_last,
                    kinds,
                    wide,
                    entries,
                })
        })
    })
}

fn exprs(case: &Case) -> Vec<LevelExpr> {
    let mut exprs = Vec::new();
    let mut remainders = Vec::new();
    for &mode in &case.order {
        let Some(n) = case.splits[mode] else {
            exprs.push(LevelExpr::Mode(mode));
            continue;
        };
        exprs.push(LevelExpr::Div(mode, n));
        if case.remainders_last { &mut remainders } else { &mut exprs }.push(LevelExpr::Mod(mode, n));
    }
    exprs.extend(remainders);
    exprs
}

/// Levels of the drawn kinds; the kind 8 is a slot level above an S level.
fn levels(case: &Case) -> Vec<Level> {
    let mut levels = Vec::new();
    for (position, (expr, kind)) in exprs(case).into_iter().zip(&case.kinds).enumerate() {
        let kind = match kind {
            0 => LevelKind::Dense,
            1 => LevelKind::CompressedUnique,
            2 => LevelKind::CompressedNonUnique,
            3 => LevelKind::BitVector(3),
            4 => LevelKind::BitVector(64),
            5 if position > 0 => LevelKind::Singleton,
            5 => LevelKind::CompressedNonUnique,
            6 => LevelKind::Range,
            7 => LevelKind::Hashed,
            _ => {
                levels.push(Level { expr: LevelExpr::Slot, kind: LevelKind::Dense });
                LevelKind::Singleton
            }
        };
        levels.push(Level { expr, kind });
    }
    levels
}

fn format(case: &Case) -> TypedFormat {
    let width = if case.wide { IndexWidth::I64 } else { IndexWidth::I32 };
    Format::from_map(case.dims.len(), levels(case)).unwrap().with_index_width(width).of(ValueType::I64)
}

/// Returns whether the parents of an S level may have several coordinates.
fn has_lone_singleton(format: &Format) -> bool {
    let mut may_be_lone = true;
    format.levels.iter().any(|level| {
        let starts_group = level.kind == LevelKind::CompressedNonUnique || level.expr == LevelExpr::Slot;
        let is_singleton = level.kind == LevelKind::Singleton;
        may_be_lone = if is_singleton { may_be_lone } else { !starts_group };
        is_singleton && may_be_lone
    })
}

fn coordinates(dims: &[i64], entries: &[(Vec<i64>, i64)]) -> CoordinateTensor {
    CoordinateTensor {
        dims: dims.to_vec(),
        coords: (0..dims.len()).map(|mode| entries.iter().map(|(entry, _)| entry[mode]).collect()).collect(),
        values: ValueColumn::I64(entries.iter().map(|(_, value)| *value).collect()),
    }
}

fn content(entries: &[(Vec<i64>, i64)]) -> Content {
    let mut content = Content::new();
    for (entry, value) in entries {
        *content.entry(entry.clone()).or_default() += value;
    }
    content
}

/// The entries of a tensor; fails if one comes twice.
fn unpacked(tensor: &Tensor) -> Content {
    let entries = unpack(tensor).unwrap();
    let ValueColumn::I64(values) = &entries.values else { panic!("the values are integers") };
    let entry = |n: usize| (entries.coords.iter().map(|column| column[n]).collect::<Vec<_>>(), values[n]);
    let content: Content = (0..entries.len()).map(entry).collect();
    assert_eq!(content.len(), entries.len(), "an entry came twice");
    content
}

fn is_sparse(format: &Format) -> bool {
    !format.levels.iter().any(Level::is_contiguous)
}

/// Stored positions hold the sums of the entries there, all others zero.
fn check_content(tensor: &Tensor, expected: &Content) -> Result<(), TestCaseError> {
    let found = unpacked(tensor);
    for (entry, value) in &found {
        prop_assert_eq!(expected.get(entry).copied().unwrap_or(0), *value, "at {:?}", entry);
    }
    prop_assert!(expected.keys().all(|entry| found.contains_key(entry)));
    if is_sparse(&tensor.format.format) {
        prop_assert_eq!(found.len(), expected.len());
    }
    Ok(())
}

/// What is counted is what packing makes, errors included.
fn check_weight(entries: &CoordinateTensor, format: &TypedFormat) -> Result<(), TestCaseError> {
    match (pack(entries, format), weigh(entries, format)) {
        (Ok(tensor), Ok(weight)) => {
            prop_assert_eq!(weight.bytes, Some(tensor.bytes() as u64), "{}", format);
            let coo = pack(entries, &Format::coo(entries.rank()).of(format.value)).unwrap();
            prop_assert_eq!(weight.entries, coo.values.len());
        }
        // What no memory holds is counted all the same.
        (Err(Error::OutOfMemory { .. }), Ok(_)) => {}
        (Err(packed), Err(weighed)) if format.format.is_ordered() => {
            prop_assert_eq!(packed.to_string(), weighed.to_string());
        }
        // Which parent is refused first depends on the order of the entries.
        (Err(Error::Singleton { level, .. }), Err(Error::Singleton { level: other, .. })) => {
            prop_assert_eq!(level, other, "{}", format);
        }
        (packed, weighed) => prop_assert!(false, "{}: {:?} {:?}", format, packed, weighed),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_levels_hold_the_sums_of_the_entries(case in case()) {
        let format = format(&case);
        check_weight(&coordinates(&case.dims, &case.entries), &format)?;
        match pack(&coordinates(&case.dims, &case.entries), &format) {
            Ok(tensor) => check_content(&tensor, &content(&case.entries))?,
            Err(Error::Singleton { .. }) => prop_assert!(has_lone_singleton(&format.format)),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }

    #[test]
    fn conversion_permutes_and_comes_back(case in case(), target in case()) {
        let Ok(source) = pack(&coordinates(&case.dims, &case.entries), &format(&case)) else { return Ok(()) };
        let target = Case { dims: case.dims.clone(), order: case.order.clone(), splits: case.splits.clone(), ..target };
        let back: Vec<usize> = (0..case.dims.len()).map(|mode| case.order.iter().position(|&m| m == mode).unwrap()).collect();
        let target = Case { kinds: target.kinds.iter().copied().cycle().take(2 * case.dims.len()).collect(), ..target };
        let Ok(there) = convert(&source, &format(&target), "B", &case.order) else { return Ok(()) };
        let again = convert(&there, &Format::coo(case.dims.len()).of(ValueType::I64), "C", &back).unwrap();
        prop_assert_eq!(&again.dims, &case.dims);
        check_content(&there, &unpacked(&source).into_iter().map(|(entry, value)| {
            (case.order.iter().map(|&mode| entry[mode]).collect(), value)
        }).collect())?;
        let found = unpacked(&again);
        prop_assert!(unpacked(&source).iter().all(|(entry, value)| found.get(entry) == Some(value)));
    }

}

/// The formats that store a matrix line by line.
fn formats_of_lines() -> Vec<Format> {
    let by_column = [LevelKind::CompressedNonUnique, LevelKind::Singleton];
    let by_column = Format::from_levels(&by_column, &[1, 0]).unwrap();
    vec![Format::csr(), Format::csc(), Format::dcsr(), Format::dcsc(), Format::coo(2), by_column]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Conversions between formats of lines take a way of their own; it ends where packing does.
    #[test]
    fn conversions_of_lines_equal_packing(
        rows in 0i64..9, columns in 0i64..9, entries in proptest::collection::vec((0i64..9, 0i64..9, -9i64..10), 0..40),
        from in 0usize..6, to in 0usize..6, wide in any::<(bool, bool)>(), transposed in any::<bool>(),
    ) {
        let entries: Vec<_> = entries.into_iter().filter(|(i, j, _)| *i < rows && *j < columns)
            .map(|(i, j, value)| (vec![i, j], value)).collect();
        let format = |number: usize, wide: bool| {
            let width = if wide { IndexWidth::I64 } else { IndexWidth::I32 };
            formats_of_lines().swap_remove(number).with_index_width(width).of(ValueType::I64)
        };
        let source = pack(&coordinates(&[rows, columns], &entries), &format(from, wide.0)).unwrap();
        let permutation = if transposed { [1, 0] } else { [0, 1] };
        let found = convert(&source, &format(to, wide.1), "the tensor", &permutation).unwrap();
        let permuted: Vec<_> = entries.iter()
            .map(|(entry, value)| (permutation.map(|mode: usize| entry[mode]).to_vec(), *value)).collect();
        let dims = permutation.map(|mode| [rows, columns][mode]);
        let expected = pack(&coordinates(&dims, &permuted), &format(to, wide.1)).unwrap();
        prop_assert_eq!(format!("{:?}", (&found.dims, &found.levels, &found.values)),
                        format!("{:?}", (&expected.dims, &expected.levels, &expected.values)));
    }
}

/// So many entries that several threads convert them, in lines of very different lengths.
#[test]
fn conversions_of_many_lines_equal_packing() {
    let (rows, columns) = (700, 900);
    // The last column has a good part of the entries.
    let is_stored = |i: i64, j: i64| j == columns - 1 || i % 97 == 5 || (i * 31 + j * 17) % (2 + i % 11) == 0;
    let all = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let entries: Vec<_> =
        all.filter(|(i, j)| is_stored(*i, *j)).map(|(i, j)| (vec![i, j], 1 + (7 * i + j) % 13)).collect();
    assert!(entries.len() > 100_000);
    for (from, to) in formats_of_lines()
        .into_iter()
        .flat_map(|from| formats_of_lines().into_iter().map(move |to| (from.clone(), to)))
    {
        let source = pack(&coordinates(&[rows, columns], &entries), &from.of(ValueType::I64)).unwrap();
        let found = convert(&source, &to.clone().of(ValueType::I64), "the tensor", &[0, 1]).unwrap();
        let expected = pack(&coordinates(&[rows, columns], &entries), &to.of(ValueType::I64)).unwrap();
        assert!(
            format!("{:?}", (&found.levels, &found.values))
                == format!("{:?}", (&expected.levels, &expected.values))
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn large_inputs_are_sorted_and_summed_as_small_ones(seed in 0u64..1000, spread in 1i64..60) {
        let next = |state: &mut u64| {
            *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*state >> 33) as i64
        };
        let mut state = seed;
        // Beyond the length from which entries are partitioned, with skew where the spread is small.
        let entries: Vec<_> = (0..70_000)
            .map(|_| (vec![next(&mut state) % spread, next(&mut state) % 5000, next(&mut state) % (1 << 40)], next(&mut state) % 9))
            .collect();
        let dims = [1 << 60, 5000, 1 << 40];
        let format = Format::csf(3).with_index_width(IndexWidth::I64).of(ValueType::I64);
        let tensor = pack(&coordinates(&dims, &entries), &format).unwrap();
        prop_assert_eq!(unpacked(&tensor), content(&entries));
        let narrow: Vec<_> = entries.iter().map(|(entry, value)| (vec![entry[0], entry[1]], *value)).collect();
        let tensor = pack(&coordinates(&[60, 5000], &narrow), &Format::csr().of(ValueType::I64)).unwrap();
        prop_assert_eq!(unpacked(&tensor), content(&narrow));
        // Thousands of rows are several buckets, and each thread partitions a stretch of the entries.
        let tensor = pack(&coordinates(&[60, 5000], &narrow), &Format::csc().of(ValueType::I64)).unwrap();
        prop_assert_eq!(unpacked(&tensor), content(&narrow));
    }
}

fn matrix() -> CoordinateTensor {
    let entries = [(vec![2, 1], 5), (vec![0, 3], 1), (vec![0, 0], 2), (vec![3, 2], 4)];
    coordinates(&[4, 4], &entries)
}

fn arrays(format: Format) -> Vec<(Vec<i64>, Vec<i64>)> {
    let tensor = pack(&matrix(), &format.of(ValueType::I64)).unwrap();
    tensor.levels.iter().map(|level| (level.pos.iter().collect(), level.crd.iter().collect())).collect()
}

/// The arrays are those that the README's storage rules give by hand.
#[test]
fn named_formats_store_what_the_rules_say() {
    let none = Vec::new;
    assert_eq!(arrays(Format::csr()), [(vec![4], none()), (vec![0, 2, 2, 3, 4], vec![0, 3, 1, 2])]);
    assert_eq!(arrays(Format::csc()), [(vec![4], none()), (vec![0, 1, 2, 3, 4], vec![0, 2, 3, 0])]);
    assert_eq!(arrays(Format::dcsr()), [(vec![0, 3], vec![0, 2, 3]), (vec![0, 2, 3, 4], vec![0, 3, 1, 2])]);
    assert_eq!(arrays(Format::coo(2)), [(vec![0, 4], vec![0, 0, 2, 3]), (none(), vec![0, 3, 1, 2])]);
    let ell = [(vec![4], none()), (vec![2], none()), (none(), vec![0, 3, -1, -1, 1, -1, 2, -1])];
    assert_eq!(arrays(Format::ell()), ell);
    let block = (vec![2], none());
    let bcsr = [block.clone(), (vec![0, 2, 4], vec![0, 1, 0, 1]), block.clone(), block.clone()];
    assert_eq!(arrays(Format::bcsr(2, 2).unwrap()), bcsr);
    let csb = [block.clone(), block, (vec![0, 1, 2, 3, 4], vec![0, 0, 0, 1]), (none(), vec![0, 1, 1, 0])];
    assert_eq!(arrays(Format::csb(2, 2).unwrap()), csb);
    let bits = Format::from_levels(&[LevelKind::Dense, LevelKind::BitVector(3)], &[]).unwrap();
    assert_eq!(arrays(bits), [(vec![4], none()), (vec![0, 2, 2, 3, 4], vec![1, 1, 0, 0, 2, 0, 4, 0])]);
}

/// Every named format that fits a rank.
fn named_formats(rank: usize) -> Vec<Format> {
    let mut formats = vec![Format::dense(rank), Format::coo(rank), Format::csf(rank)];
    match rank {
        1 => formats.push(Format::sparse_vector()),
        2 => {
            formats.extend([Format::csr(), Format::csc(), Format::dcsr(), Format::dcsc(), Format::ell()]);
            let blocks = [(2, 2), (3, 2), (8, 8), (128, 128)];
            formats.extend(blocks.iter().map(|&(rows, columns)| Format::bcsr(rows, columns).unwrap()));
            formats.extend(blocks.iter().map(|&(rows, columns)| Format::csb(rows, columns).unwrap()));
        }
        3 => formats.push(Format::mode_generic()),
        _ => {}
    }
    formats
}

/// What the files of the tests weigh, with their duplicates, in every named format and both widths.
#[test]
fn files_weigh_what_packing_makes_of_them() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../test/data");
    let mut weighed = 0;
    for file in folder.read_dir().unwrap() {
        let Ok(entries) = read_file(&file.unwrap().path(), &ReadOptions::default()) else { continue };
        for format in named_formats(entries.rank()) {
            for width in [IndexWidth::I32, IndexWidth::I64] {
                let format = format.clone().with_index_width(width).of(ValueType::F64);
                // Dense levels over large extents take seconds to fill.
                let weight = weigh(&entries, &format);
                if weight.is_ok_and(|weight| weight.bytes.is_none_or(|bytes| bytes > 1 << 24)) {
                    continue;
                }
                check_weight(&entries, &format).unwrap();
                weighed += 1;
            }
        }
    }
    assert!(weighed > 300, "{weighed}");
}

/// Weights of what no memory holds, and of what 64 bits do not count.
#[test]
fn weights_need_no_memory_for_positions() {
    let large = coordinates(&[(1 << 31) - 1, 5], &[(vec![1 << 30, 4], 7), (vec![3, 2], 1)]);
    let bytes = |entries, format: Format| weigh(entries, &format.of(ValueType::F64)).unwrap().bytes;
    assert_eq!(bytes(&large, Format::csr()), Some(4 + 4 * (1 << 31) + 2 * 4 + 2 * 8));
    assert_eq!(bytes(&large, Format::dcsr()), Some(4 * (2 + 2) + 4 * (3 + 2) + 2 * 8));
    let huge = coordinates(&[1 << 40, 1 << 40], &[(vec![5, 6], 7)]);
    assert_eq!(bytes(&huge, Format::dense(2).with_index_width(IndexWidth::I64)), None);
    let none = coordinates(&[1 << 40, 1 << 40, 0], &[]);
    assert_eq!(bytes(&none, Format::dense(3).with_index_width(IndexWidth::I64)), Some(3 * 8));
}

/// A tensor without positions packs into every named format.
#[test]
fn empty_extents_are_packed() {
    for format in [
        Format::csr(),
        Format::dcsr(),
        Format::coo(2),
        Format::ell(),
        Format::bcsr(2, 2).unwrap(),
        Format::dense(2),
    ] {
        let tensor = pack(&coordinates(&[0, 5], &[]), &format.of(ValueType::I64)).unwrap();
        assert!(unpack(&tensor).unwrap().is_empty());
    }
}

#[test]
fn data_that_does_not_fit_is_refused_with_a_way_out() {
    let wide = coordinates(&[1 << 40], &[(vec![1 << 39], 1)]);
    let message = pack(&wide, &Format::sparse_vector().of(ValueType::I64)).unwrap_err().to_string();
    assert!(message.ends_with("which 32 bits cannot hold; declare it with `index=i64`"), "{message}");
    // A range has no coordinates but the first one of each row.
    let wide = coordinates(&[2, 1 << 40], &[(vec![1, 1 << 39], 1)]);
    let range = Format::from_levels(&[LevelKind::Dense, LevelKind::Range], &[]).unwrap();
    let message = pack(&wide, &range.of(ValueType::I64)).unwrap_err().to_string();
    assert!(message.ends_with("which 32 bits cannot hold; declare it with `index=i64`"), "{message}");
    let lone = Format::from_levels(&[LevelKind::Dense, LevelKind::Singleton], &[]).unwrap();
    let message = pack(&matrix(), &lone.of(ValueType::I64)).unwrap_err().to_string();
    assert!(message.contains("level 1") && message.contains("0 and 3"), "{message}");
    let large = coordinates(&[1 << 40, 1 << 20], &[]);
    let wide = Format::dense(2).with_index_width(IndexWidth::I64).of(ValueType::F64);
    let message = pack(&large, &wide).unwrap_err().to_string();
    assert!(message.starts_with("out of memory: "), "{message}");
    let outside = coordinates(&[2, 2], &[(vec![0, 2], 1)]);
    assert!(pack(&outside, &Format::csr().of(ValueType::I64)).is_err());
}
