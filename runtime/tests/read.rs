//! Readers: what is accepted, and the error about each malformed file.

use comet_format::ValueType;
use comet_notation::Complex;
use comet_runtime::options::TnsForm;
use comet_runtime::read::{
    FileExtents, Triangle, read_ahead, read_extents, read_most_entries, read_value_type,
};
use comet_runtime::values::ValueColumn;
use comet_runtime::{CoordinateTensor, ReadOptions, read_file};
use proptest::prelude::*;
use std::io::Write;
use std::path::PathBuf;

/// A file in a folder that is removed with it.
pub(crate) struct Sample {
    pub(crate) path: PathBuf,
    _folder: tempfile::TempDir,
}

pub(crate) fn sample(name: &str, content: &[u8]) -> Sample {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    Sample { path, _folder: folder }
}

pub(crate) fn read_with(
    name: &str,
    content: &[u8],
    options: &ReadOptions,
) -> Result<CoordinateTensor, String> {
    let sample = sample(name, content);
    read_file(&sample.path, options).map_err(|error| {
        // The folder's name differs from run to run.
        error.to_string().replace(&sample.path.display().to_string(), name)
    })
}

pub(crate) fn read(name: &str, content: &str) -> Result<CoordinateTensor, String> {
    read_with(name, content.as_bytes(), &ReadOptions::default())
}

pub(crate) fn matrix(dims: [i64; 2], entries: &[(i64, i64, f64)]) -> CoordinateTensor {
    CoordinateTensor {
        dims: dims.to_vec(),
        coords: vec![entries.iter().map(|e| e.0).collect(), entries.iter().map(|e| e.1).collect()],
        values: ValueColumn::F64(entries.iter().map(|e| e.2).collect()),
    }
}

pub(crate) const BANNER: &str = "%%MatrixMarket matrix coordinate real general\n";

#[test]
fn matrix_market_kinds_are_read() {
    let general = format!("{BANNER}% a comment\n\n2 3 3\n1 2 1.5\r\n  2\t3  -2e-1  \n\n1 1 +4");
    assert_eq!(read("a.mtx", &general), Ok(matrix([2, 3], &[(0, 1, 1.5), (1, 2, -0.2), (0, 0, 4.0)])));
    let pattern = "%%matrixmarket MATRIX coordinate Pattern general\n2 2 1\n2 1\n";
    assert_eq!(read("a.mtx", pattern), Ok(matrix([2, 2], &[(1, 0, 1.0)])));
    let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 3\n2 1 5\n";
    assert_eq!(read("a.mtx", symmetric), Ok(matrix([2, 2], &[(0, 0, 3.0), (1, 0, 5.0), (0, 1, 5.0)])));
    let skew = "%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 5\n";
    assert_eq!(read("a.mtx", skew), Ok(matrix([2, 2], &[(1, 0, 5.0), (0, 1, -5.0)])));
    let array = "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n";
    assert_eq!(
        read("a.mtx", array),
        Ok(matrix([2, 2], &[(0, 0, 1.0), (1, 0, 2.0), (0, 1, 3.0), (1, 1, 4.0)]))
    );
    let lower = "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n4\n";
    assert_eq!(
        read("a.mtx", lower),
        Ok(matrix([2, 2], &[(0, 0, 1.0), (1, 0, 2.0), (1, 1, 4.0), (0, 1, 2.0)]))
    );
}

#[test]
fn triangles_are_kept_after_symmetric_files_are_expanded() {
    let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 1 2\n3 3 3\n";
    let kept = |mode| {
        let options = ReadOptions { triangle: Triangle::from_repr(mode).unwrap(), ..ReadOptions::default() };
        let entries = read_with("a.mtx", symmetric.as_bytes(), &options).unwrap();
        assert_eq!(entries.dims, [3, 3]);
        let ValueColumn::F64(values) = entries.values else { panic!("doubles") };
        (entries.coords[0].clone(), values)
    };
    assert_eq!(kept(1), (vec![0, 1, 2, 0], vec![1.0, 2.0, 3.0, 2.0]));
    assert_eq!(kept(2), (vec![1], vec![2.0]));
    assert_eq!(kept(3), (vec![0, 1, 2], vec![1.0, 2.0, 3.0]));
    assert_eq!(kept(4), (vec![0], vec![2.0]));
    assert_eq!(kept(5), (vec![0, 2, 0], vec![1.0, 3.0, 2.0]));
    assert!(Triangle::from_repr(0).is_none() && Triangle::from_repr(6).is_none());
    let options = ReadOptions { triangle: Triangle::Lower, ..ReadOptions::default() };
    let message = read_with("a.tns", b"1 1 1 2\n", &options).unwrap_err();
    assert_eq!(message, "a.tns: a triangle can be read of a matrix only, not of rank 3");
}

/// What was read ahead is taken by the next read of that type, once, and not after the file has changed.
#[test]
fn entries_that_were_read_ahead_are_taken() {
    let text = "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1.5\n3 2 2.5\n";
    for (name, text) in [("a.mtx", text), ("a.tns", "1 2 1.5\n2 3 2.5\n3 1 0.5\n")] {
        let sample = sample(name, text.as_bytes());
        let options = ReadOptions { rank: Some(2), ..ReadOptions::default() };
        let whole = read_file(&sample.path, &options).unwrap();
        read_extents(&sample.path, 2, TnsForm::Detect).unwrap();
        let ahead = read_ahead(&sample.path, &options).unwrap();
        assert_eq!(ahead.entries, whole);
        let place = ahead.entries.coords[0].as_ptr();
        ahead.give_back(&sample.path, &options);
        let float = ReadOptions { value: ValueType::F32, ..options };
        assert_eq!(read_file(&sample.path, &float).unwrap().values.value_type(), ValueType::F32);
        let taken = read_file(&sample.path, &options).unwrap();
        assert_eq!((taken.coords[0].as_ptr(), &taken), (place, &whole), "{name}");
        assert_eq!(read_file(&sample.path, &options).unwrap(), whole, "it is read anew");
        // A part is kept of what was read whole.
        read_ahead(&sample.path, &options).unwrap().give_back(&sample.path, &options);
        let lower = ReadOptions { triangle: Triangle::Lower, ..options };
        assert!(read_file(&sample.path, &lower).unwrap().len() < whole.len());
        read_ahead(&sample.path, &options).unwrap().give_back(&sample.path, &options);
        std::fs::write(&sample.path, format!("{text}\n")).unwrap();
        let anew = read_file(&sample.path, &options).unwrap();
        assert!(anew == whole && anew.coords[0].as_ptr() != place);
    }
}

#[test]
fn headers_state_the_most_entries() {
    let most = |name: &str, text: &str| read_most_entries(&sample(name, text.as_bytes()).path);
    let header = "%%MatrixMarket matrix coordinate";
    assert_eq!(most("a.mtx", &format!("{header} real general\n3 3 1\n1 1 1\n")).unwrap(), Some(1));
    assert_eq!(most("a.mtx", &format!("{header} pattern symmetric\n3 3 1\n2 1\n")).unwrap(), Some(2));
    assert_eq!(most("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n4\n").unwrap(), None);
    assert_eq!(most("a.tns", "1 1 2.0\n").unwrap(), None);
    // Of long files only the first lines are looked at, and more where the header goes on.
    let comment = "% a comment\n".repeat(30_000);
    let lines = "1 1 1\n".repeat(100_000);
    for text in [format!("3 3 100000\n{lines}"), format!("{comment}3 3 100000\n{lines}")] {
        let sample = sample("a.mtx", format!("{header} real general\n{text}").as_bytes());
        assert_eq!(read_most_entries(&sample.path).unwrap(), Some(100_000));
        assert_eq!(read_extents(&sample.path, 2, TnsForm::Detect).unwrap().dims, [3, 3]);
    }
    let error = most("a.mtx", &format!("{header} real general\n3 3\n")).unwrap_err().to_string();
    assert!(error.ends_with("expected the sizes `rows columns entries`, found `3 3`; add the number of entries, or write `array` in the banner if each line is a value"), "{error}");
}

/// Every kind of malformed Matrix Market file, with the message it gets.
#[test]
fn malformed_matrix_market_files_are_refused() {
    let cases = [
        (
            "",
            "a.mtx:1: expected `%%MatrixMarket matrix coordinate|array real|complex|integer|pattern general|symmetric|skew-symmetric|hermitian`, found an empty file",
        ),
        (
            "%%MatrixMarket matrix coordinate complex general\n1 1 0\n",
            "a.mtx:1: the values are complex, expected real ones for a tensor of `double`: declare it `complex128`, and take its `real`, `imag` or `abs`",
        ),
        (
            "%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n",
            "a.mtx:1: expected `complex` for a `hermitian` matrix, found another field; write `symmetric` if the values are real",
        ),
        (
            "%%MatrixMarket matrix list real general\n1 1 0\n",
            "a.mtx:1: expected `coordinate` or `array`, found `list`",
        ),
        (
            "%%MatrixMarket matrix array pattern general\n1 1\n",
            "a.mtx:1: expected `coordinate` for a `pattern`, found `array`; write `real` if there are values",
        ),
        (
            "%%MatrixMarket matrix coordinate text general\n1 1 0\n",
            "a.mtx:1: expected `real`, `double`, `complex`, `integer`, `unsigned-integer` or `pattern`, found `text`",
        ),
        (
            "%%MatrixMarket matrix coordinate real round\n1 1 0\n",
            "a.mtx:1: expected `general`, `symmetric`, `skew-symmetric` or `hermitian`, found `round`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n% only\n",
            "a.mtx:2: expected the sizes `rows columns entries` after this line, found the end of the file",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2\n",
            "a.mtx:2: expected the sizes `rows columns entries`, found `2 2`; add the number of entries, or write `array` in the banner if each line is a value",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n-2 2 1\n",
            "a.mtx:2: expected the sizes `rows columns entries`, found `-2 2 1`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n99999999999999999999 2 1\n",
            "a.mtx:2: expected the sizes `rows columns entries`, found `99999999999999999999 2 1`",
        ),
        (
            "%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n",
            "a.mtx:2: expected as many rows as columns, since the banner says `symmetric`, found 2 rows and 3 columns",
        ),
        (
            "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n1 3 1\n",
            "a.mtx:4: expected entries on one side of the diagonal, since the banner says `symmetric`, found `1 3 1`; leave the entries of one side out, or write `general`",
        ),
        (
            "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 1\n2 2 1\n",
            "a.mtx:4: expected zeros on the diagonal, since the banner says `skew-symmetric`, found `2 2 1`; leave the diagonal out",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n2 2 2\n",
            "a.mtx:4: expected the end of the file after 1 entry, which line 2 states, found `2 2 2`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 9000000000000000000\n1 1 1\n",
            "a.mtx:2: expected 9000000000000000000 entries, as this line states, found 1 entry; the end of the file is missing, or the number is wrong",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 2\n\n1 1 1\n1 3 1\n",
            "a.mtx:5: index 2 is `3`, expected 1 to 2; line 2 states the sizes",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n",
            "a.mtx:3: index 1 is `0`, expected 1 to 2; indices of Matrix Market begin with 1",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n1 2 1\n2 1 1\n",
            "a.mtx:3: index 1 is `2`, expected 1; line 2 states the sizes",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n0 2 1\n1 1 1\n",
            "a.mtx:3: index 1 is `1`, expected none, since the extent is 0; line 2 states the sizes",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n-1 1 1\n",
            "a.mtx:3: expected 2 indices and a value, found `-1` as index 1 in `-1 1 1`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1.5 1\n",
            "a.mtx:3: expected 2 indices and a value, found `1.5` as index 2 in `1 1.5 1`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 18446744073709551617 1\n",
            "a.mtx:3: index 2 is `18446744073709551617`, expected 1 to 2",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1\n",
            "a.mtx:3: expected a number as the value, found nothing in `1 1`; the banner says `real`: write `pattern` if entries have no values",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 x\n",
            "a.mtx:3: expected a number as the value, found `x` in `1 1 x`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1.5x\n",
            "a.mtx:3: expected a number as the value, found `1.5x` in `1 1 1.5x`",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1e999\n",
            "a.mtx:3: expected a number up to the largest `double` as the value, found `1e999`; write `inf` if it is infinite",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1 7\n",
            "a.mtx:3: expected the end of the line after 3 fields, found `7` in `1 1 1 7`; the banner says `real`: write `complex` if values are two numbers",
        ),
        (
            "%%MatrixMarket matrix coordinate real general\n2 2 1\n% late\n",
            "a.mtx:3: expected 2 indices and a value, found `%` as index 1 in `% late`; comments begin with `%` and are allowed before the line of the sizes only",
        ),
        (
            "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n",
            "a.mtx:3: expected the end of the line after 2 fields, found `1` in `1 1 1`; the banner says `pattern`: write `real` or `complex` if entries have values",
        ),
        (
            "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n",
            "a.mtx:2: expected 4 entries, as this line states, found 3 entries; the end of the file is missing, or the number is wrong",
        ),
        (
            "%%MatrixMarket matrix array real general\n1 1\n1 2\n",
            "a.mtx:3: expected the end of the line after 1 field, found `2` in `1 2`; an `array` file has the value of one position in each line",
        ),
    ];
    for (content, expected) in cases {
        assert_eq!(read("a.mtx", content).unwrap_err(), expected);
    }
}

#[test]
fn integers_are_read_exactly_and_others_refused() {
    let options = ReadOptions { value: ValueType::I64, ..ReadOptions::default() };
    let value = |text: &str| {
        let entries = read_with("a.mtx", format!("{BANNER}1 1 1\n1 1 {text}\n").as_bytes(), &options)?;
        let ValueColumn::I64(values) = entries.values else { panic!("integers") };
        Ok::<i64, String>(values[0])
    };
    assert_eq!(value("9223372036854775807"), Ok(i64::MAX));
    assert_eq!(value("-9223372036854775808"), Ok(i64::MIN));
    assert_eq!((value("+3.0"), value("1e3"), value("-2.50e1")), (Ok(3), Ok(1000), Ok(-25)));
    let hint = "; a tensor of `double` can hold other numbers";
    for text in ["2.5", "nan", "inf", "9223372036854775808", "1e19"] {
        let expected = format!("a.mtx:3: expected an integer of 64 bits as the value, found `{text}`{hint}");
        assert_eq!(value(text), Err(expected));
    }
}

/// A banner that says `integer` promises it for tensors of every type; 64 bits are for `int` only.
#[test]
fn files_of_integers_hold_integers() {
    let value = |text: &str| {
        let banner = "%%MatrixMarket matrix coordinate integer general";
        let entries = read("a.mtx", &format!("{banner}\n2 2 2\n1 1 -7\n2 1 {text}\n"))?;
        let ValueColumn::F64(values) = entries.values else { panic!("doubles") };
        Ok::<f64, String>(values[1])
    };
    assert_eq!((value("12"), value("3.0"), value("1e19")), (Ok(12.0), Ok(3.0), Ok(1e19)));
    for text in ["1.5", "nan", "inf"] {
        let expected = "expected an integer as the value, since the banner says `integer`, found";
        assert_eq!(value(text), Err(format!("a.mtx:4: {expected} `{text}`; write `real` in the banner")));
    }
}

/// Editors of some systems begin each text with a byte order mark.
#[test]
fn a_byte_order_mark_is_passed_over() {
    let text = format!("\u{feff}{BANNER}2 3 2\n1 2 1.5\n2 3 -4\n");
    let expected = matrix([2, 3], &[(0, 1, 1.5), (1, 2, -4.0)]);
    assert_eq!((read("a.mtx", &text), read("matrix", &text)), (Ok(expected.clone()), Ok(expected)));
    let sample = sample("a.mtx", text.as_bytes());
    let extents = read_extents(&sample.path, 2, TnsForm::Detect).unwrap();
    assert_eq!(extents.dims, [2, 3]);
}

/// Infinities and NaN can be computed, so that what was written must read back.
#[test]
fn infinities_and_nan_are_numbers() {
    let entries = read("a.mtx", &format!("{BANNER}1 3 3\n1 1 inf\n1 2 -Infinity\n1 3 NaN\n")).unwrap();
    let ValueColumn::F64(values) = entries.values else { panic!("doubles") };
    assert_eq!(values[..2], [f64::INFINITY, f64::NEG_INFINITY]);
    assert!(values[2].is_nan());
}

fn tns(content: &str, form: TnsForm) -> Result<CoordinateTensor, String> {
    let options = ReadOptions { rank: Some(2), tns: form, ..ReadOptions::default() };
    read_with("a.tns", content.as_bytes(), &options)
}

#[test]
fn both_forms_of_tns_are_told_apart() {
    let frostt = matrix([2, 4], &[(0, 3, 1.5), (1, 0, 2.0)]);
    assert_eq!(tns("# c\n1 4 1.5\n\n2 1 2\n", TnsForm::Detect), Ok(frostt.clone()));
    assert_eq!(tns("# c\n1 4 1.5\n\n2 1 2", TnsForm::Frostt), Ok(frostt));
    let comet = "3 5 2\n0 4 1.5\n2 0 2\n";
    let expected = matrix([3, 5], &[(0, 4, 1.5), (2, 0, 2.0)]);
    assert_eq!(tns(comet, TnsForm::Detect), Ok(expected.clone()));
    assert_eq!(tns(comet, TnsForm::Comet), Ok(expected));
    // An index equal to its stated size, another number of lines, a fraction: the first line is an entry.
    assert_eq!(tns("3 5 1\n3 1 2\n", TnsForm::Detect).unwrap().dims, [3, 5]);
    assert_eq!(tns("3 5 2\n1 1 2\n", TnsForm::Detect).unwrap().dims, [3, 5]);
    assert_eq!(tns("3 5 1.0\n1 1 2\n", TnsForm::Detect).unwrap().dims, [3, 5]);
    assert_eq!(tns("3 5 1\n1 1 2\n", TnsForm::Frostt).unwrap().len(), 2);
    assert_eq!(tns("3 5 0\n", TnsForm::Detect), Ok(matrix([3, 5], &[])));
}

#[test]
fn malformed_tns_files_are_refused() {
    let cases = [
        (
            TnsForm::Detect,
            "1 1 1 1\n",
            "a.tns:1: expected 2 indices and a value for a tensor of rank 2, found 4 fields in `1 1 1 1`",
        ),
        (
            TnsForm::Detect,
            "1 1 1.5\n# x\n1 0 2\n",
            "a.tns:3: index 2 is 0, expected 1 or more; indices from 0 need a first line of the sizes and the number of entries, COMET's form",
        ),
        (
            TnsForm::Detect,
            "1 1 1.5\n1 2\n",
            "a.tns:2: expected a number as the value, found nothing in `1 2`",
        ),
        (
            TnsForm::Detect,
            "1 1 1.5\n1 2 3 4\n",
            "a.tns:2: expected the end of the line after 3 fields, found `4` in `1 2 3 4`",
        ),
        (
            TnsForm::Comet,
            "3 5 1.5\n",
            "a.tns:1: expected 2 sizes and the number of entries, all integers, found `3 5 1.5`; `--tns=frostt` reads a file without such a line",
        ),
        (
            TnsForm::Comet,
            "3 5 2\n1 1 1\n",
            "a.tns:1: expected 2 entries after this line, as it states, found 1",
        ),
        (
            TnsForm::Comet,
            "3 5 2\n1 1 1\n\n1 5 1\n",
            "a.tns:4: index 2 is 5, expected 0 to 4; line 1 states the sizes",
        ),
        (TnsForm::Comet, "3 1 1\n1 1 1\n", "a.tns:2: index 2 is 1, expected 0; line 1 states the sizes"),
        (
            TnsForm::Comet,
            "3 0 1\n1 0 1\n",
            "a.tns:2: index 2 is 0, expected none, since the extent is 0; line 1 states the sizes",
        ),
        (TnsForm::Comet, "", "a.tns: expected lines of indices and a value, found an empty file"),
    ];
    for (form, content, expected) in cases {
        assert_eq!(tns(content, form).unwrap_err(), expected);
    }
    assert_eq!(tns("", TnsForm::Detect), Ok(matrix([0, 0], &[])));
}

#[test]
fn extents_are_read_without_the_entries() {
    let market = sample("a.mtx", format!("{BANNER}2 1 1\nnot read\n").as_bytes());
    let exact = |dims: &[i64]| FileExtents { dims: dims.to_vec(), at_least: false };
    assert_eq!(read_extents(&market.path, 2, TnsForm::Detect).unwrap(), exact(&[2, 1]));
    assert_eq!(read_extents(&market.path, 1, TnsForm::Detect).unwrap(), exact(&[2]));
    let message = read_extents(&market.path, 3, TnsForm::Detect).unwrap_err().to_string();
    assert!(message.ends_with("a matrix of 2 by 1 cannot be read into a tensor of rank 3, expected rank 2"));
    let frostt = sample("a.tns", b"4 3 1.5\n1 7 2.5\n");
    let extents = read_extents(&frostt.path, 2, TnsForm::Detect).unwrap();
    assert_eq!(extents, FileExtents { dims: vec![4, 7], at_least: true });
    // Twice: the first read takes what was parsed for the extents, as integers it cannot.
    let expected = matrix([4, 7], &[(3, 2, 1.5), (0, 6, 2.5)]);
    let options = ReadOptions { rank: Some(2), ..ReadOptions::default() };
    assert_eq!(read_file(&frostt.path, &options).unwrap(), expected);
    assert_eq!(read_file(&frostt.path, &options).unwrap(), expected);
    read_extents(&frostt.path, 2, TnsForm::Comet).unwrap_err();
    let integers = ReadOptions { value: ValueType::I64, ..options };
    assert!(read_file(&frostt.path, &integers).is_err());
    let comet = sample("b.tns", b"4 9 1\n0 7 2.5\n");
    assert_eq!(read_extents(&comet.path, 2, TnsForm::Detect).unwrap(), exact(&[4, 9]));
}

#[test]
fn the_type_that_keeps_all_values_is_read_of_the_header() {
    let read = |name: &str, content: &[u8]| {
        let sample = sample(name, content);
        read_value_type(&sample.path).unwrap()
    };
    let integer = b"%%MatrixMarket matrix coordinate integer symmetric\n1 1 1\n1 1 3\n";
    assert_eq!(read("a.mtx", integer), ValueType::I64);
    assert_eq!(read("a.mtx.gz", &packed(integer)), ValueType::I64);
    assert_eq!(read("a.mtx", format!("{BANNER}1 1 1\n1 1 3\n").as_bytes()), ValueType::F64);
    assert_eq!(read("a.tns", b"1 1 3\n"), ValueType::F64);
    let complex = b"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 3 -1\n";
    assert_eq!(read("a.mtx", complex), ValueType::C128);
    assert_eq!(
        read("a.npy", &npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }\n", &[0; 8])),
        ValueType::C64
    );
    assert_eq!(
        read("a.npy", &npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", &[0; 4])),
        ValueType::F64
    );
}

#[test]
fn a_scalar_is_one_number() {
    let options = ReadOptions { rank: Some(0), ..ReadOptions::default() };
    let scalar = read_with("a.tns", b"# s\n 2.5 \n", &options).unwrap();
    assert_eq!((scalar.dims, scalar.values), (vec![], ValueColumn::F64(vec![2.5])));
    let scalar = read_with("a.txt", b"4", &options).unwrap();
    assert_eq!((scalar.dims, scalar.values), (vec![], ValueColumn::F64(vec![4.0])));
    assert_eq!(
        read_with("a.tns", b"1\n2\n", &options).unwrap_err(),
        "a.tns:2: expected one number for a tensor of rank 0, found 2"
    );
    assert!(read_with("a.tns", b"", &options).is_err());
}

pub(crate) fn packed(content: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn gzip_is_known_by_its_first_bytes() {
    let text = format!("{BANNER}2 2 1\n2 1 3\n");
    let bytes = packed(text.as_bytes());
    let expected = Ok(matrix([2, 2], &[(1, 0, 3.0)]));
    let options = ReadOptions::default();
    assert_eq!(read_with("a.mtx.gz", &bytes, &options), expected);
    assert_eq!(read_with("a.mtx", &bytes, &options), expected);
    assert_eq!(read_with("a.mtx.gz", text.as_bytes(), &options), expected);
    let two_members = [packed(&text.as_bytes()[..20]), packed(&text.as_bytes()[20..])].concat();
    assert_eq!(read_with("a.mtx.gz", &two_members, &options), expected);
    let message = read_with("a.mtx.gz", &bytes[..bytes.len() - 9], &options).unwrap_err();
    assert_eq!(
        message,
        "a.mtx.gz: the gzip data ends early: the rest of the file is missing; copy or download it again"
    );
    // A comment longer than what is unpacked for the header.
    let long = format!("{BANNER}%{}\n2 3 0\n", "x".repeat(1 << 19));
    let long = sample("b.mtx.gz", &packed(long.as_bytes()));
    assert_eq!(read_extents(&long.path, 2, TnsForm::Detect).unwrap().dims, [2, 3]);
}

pub(crate) fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend_from_slice(&(header.len() as u16).to_le_bytes());
    file.extend_from_slice(header.as_bytes());
    file.extend_from_slice(data);
    file
}

#[test]
fn numpy_arrays_are_read_in_both_orders() {
    let data: Vec<u8> = (1..=6i32).flat_map(i32::to_le_bytes).collect();
    let options = ReadOptions::default();
    let c = npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }\n", &data);
    let entries = read_with("a.npy", &c, &options).unwrap();
    assert_eq!(
        (&entries.coords[0][..], &entries.coords[1][..]),
        (&[0, 0, 0, 1, 1, 1][..], &[0, 1, 2, 0, 1, 2][..])
    );
    assert_eq!(entries.values, ValueColumn::F64(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    let fortran = npy("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }\n", &data);
    let entries = read_with("a.npy", &fortran, &options).unwrap();
    assert_eq!(
        (&entries.coords[0][..], &entries.coords[1][..]),
        (&[0, 1, 0, 1, 0, 1][..], &[0, 0, 1, 1, 2, 2][..])
    );
    let cases = [
        (
            "{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }",
            "a.npy: expected elements `<f8`, `<f4`, `<i8`, `|b1`, `|i1`, `<i2`, `<i4`, `|u1`, `<u4`, `<f2`, `<c8` or `<c16`, found `>f8`; save `a.astype(\"<f8\")`",
        ),
        (
            "{'descr': '<i4', 'fortran_order': Maybe, 'shape': (6,), }",
            "a.npy: expected `True` or `False`, found `Maybe, 'shape': (6,), }`",
        ),
        (
            "{'descr': '<i4', 'fortran_order': False, 'shape': (7,), }",
            "a.npy: expected 7 elements of 4 bytes, found 24 bytes: the end of the file is missing",
        ),
        (
            "{'descr': '<i4', 'fortran_order': False, 'shape': (-1,), }",
            "a.npy: expected a shape as `(2, 3)`, found `(-1,), }`",
        ),
        (
            "{'descr': '<i4', 'shape': (6,), }",
            "a.npy: expected `fortran_order` in the header, found `{'descr': '<i4', 'shape': (6,), }`",
        ),
    ];
    for (header, expected) in cases {
        assert_eq!(read_with("a.npy", &npy(header, &data), &options).unwrap_err(), expected);
    }
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let message =
        read_file(std::path::Path::new("/no/such.mtx"), &ReadOptions::default()).unwrap_err().to_string();
    assert!(message.starts_with("cannot read `/no/such.mtx`: "), "{message}");
    assert_eq!(
        read("a.csv", "1,2\n").unwrap_err(),
        "a.csv: expected a file named `.mtx`, `.tns`, `.npy` or `.npz`, or one of these with `.gz`, found `a.csv`; lines of indices and a value are a `.tns` file"
    );
}

/// More than one part is parsed, and the fault is still reported by its line.
#[test]
fn lines_of_large_files_are_counted_across_parts() {
    let mut text = format!("{BANNER}9 9 400000\n");
    (0..400_000).for_each(|n| text.push_str(if n == 300_000 { "1 1 y\n" } else { "1 1 0.25\n" }));
    assert_eq!(
        read("a.mtx", &text).unwrap_err(),
        "a.mtx:300003: expected a number as the value, found `y` in `1 1 y`"
    );
    let text = text.replace("1 1 y\n", "\n1 2 3\n");
    let entries = read("a.mtx", &text).unwrap();
    assert_eq!((entries.len(), entries.coords[1][300_000]), (400_000, 1));
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), kind in 0usize..4, rank in 0usize..4) {
        let options = ReadOptions { rank: (rank < 3).then_some(rank), ..ReadOptions::default() };
        let starts: [(&str, &[u8]); 4] = [("a.mtx", b""), ("a.tns", b""), ("a.npy", b"\x93NUMPY\x01\x00"), ("a.mtx.gz", b"\x1f\x8b\x08")];
        let (name, start) = starts[kind];
        let _ = read_with(name, &[start, &bytes[..]].concat(), &options);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[0-9 .e+\n%#a-]{0,80}", kind in 0usize..5) {
        let starts = [("a.mtx", BANNER), ("a.tns", ""), ("a.tns", "3 3 1\n"), ("a.mtx", "%%MatrixMarket matrix array integer symmetric\n"), ("a.mtx", "%%MatrixMarket matrix coordinate pattern skew-symmetric\n3 3 2\n")];
        let (name, start) = starts[kind];
        let _ = read(name, &format!("{start}{text}"));
    }
}

/// Complex values are two fields; hermitian files are conjugated where they are mirrored.
#[test]
fn complex_files_are_read_into_complex_columns() {
    let options = ReadOptions { value: ValueType::C128, ..ReadOptions::default() };
    let header = "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n";
    let entries =
        read_with("a.mtx", format!("{header}1 1 2 0\n2 1 0.5 -1.5\n").as_bytes(), &options).unwrap();
    let values = [(2.0, 0.0), (0.5, -1.5), (0.5, 1.5)].map(|(re, im)| Complex { re, im });
    assert_eq!(entries.coords, [[0, 1, 0], [0, 0, 1]]);
    assert_eq!(entries.values, ValueColumn::C128(values.to_vec()));
    let cases = [
        (
            "1 1 2 0\n2 1 0.5\n",
            "a.mtx:4: expected two numbers as the value, the real part and the imaginary one, found `2 1 0.5`; the banner says `complex`: write `real` if values are one number",
        ),
        (
            "1 1 2 1\n2 1 0.5 1\n",
            "a.mtx:3: expected real values on the diagonal, since the banner says `hermitian`, found `1 1 2 1`; write `general` if it is another matrix",
        ),
        (
            "1 1 2 0\n2 1 1 1 1\n",
            "a.mtx:4: expected the end of the line after 4 fields, found `1` in `2 1 1 1 1`",
        ),
    ];
    for (body, expected) in cases {
        let found = read_with("a.mtx", format!("{header}{body}").as_bytes(), &options).unwrap_err();
        assert_eq!(found, expected);
    }
}
