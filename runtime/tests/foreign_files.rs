//! Files as other programs write them, with the entries that are read, and files that are wrong, with the
//! message that says where and why.

use crate::read::{BANNER, matrix, npy, packed, read, read_with, sample};
use comet_format::ValueType;
use comet_notation::Complex;
use comet_runtime::options::TnsForm;
use comet_runtime::read::{is_array_file, read_element_type, read_extents, read_value_type};
use comet_runtime::values::ValueColumn;
use comet_runtime::{CoordinateTensor, ReadOptions};
use proptest::prelude::*;
use std::io::{Cursor, Write as _};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The entries of files of Matrix Market, from the banner on.
#[test]
fn matrices_of_others_are_read() {
    let expected = matrix([3, 4], &[(0, 1, 1.5), (1, 0, 2.0), (2, 3, -30.0)]);
    let banner = "%%MatrixMarket matrix coordinate real general\n";
    let files = [
        // Fortran.
        format!("{banner}3 4 3\n1 2 1.5D+00\n2 1 0.2d1\n3 4 -3.0D01\n"),
        format!("{banner} 3 4 3\n 1 2 .15D+1\n 2 1 2D0\n 3 4 -0.3d+02 \n"),
        format!("{banner}3 4 3\n1 2 0.0000015e+06\n2 1 20.d-1\n3 4 -3.E1\n"),
        // Everything indented, by blanks and tabs.
        "   %%MatrixMarket matrix coordinate real general\n   % c\n  3 4 3\n  1 2 1.5\n 2 1 2\n\t3\t4\t-30\n"
            .to_owned(),
        "\t%%MatrixMarket\tmatrix coordinate\treal general \n\t%\tc\n\n \n\t3 4 3\t\n1 2 1.5\n2 1 2\n3 4 -30"
            .to_owned(),
        // Blank lines and comments, also of two signs.
        format!("\n\n{banner}%%\n%% a\n%\n\n3 4 3\n\n1 2 1.5\n\n2 1 2\n3 4 -30\n\n\n"),
        // Other editors and systems.
        format!("\u{feff}{banner}% c\n3 4 3\n1 2 1.5\n2 1 2\n3 4 -30\n"),
        format!("{banner}% c\n3 4 3\n1 2 1.5\n2 1 2\n3 4 -30\n").replace('\n', "\r\n"),
        format!("\u{feff}  {banner}3 4 3\n1 2 1.5 \n2 1 2\t\n3 4 -30").replace('\n', "\r\n"),
        // Words in other letters, and the word of the first programs.
        "%%MATRIXMARKET MATRIX COORDINATE REAL GENERAL\n3 4 3\n1 2 1.5\n2 1 2\n3 4 -30\n".to_owned(),
        "%%matrixmarket matrix Coordinate double General\n3 4 3\n1 2 1.5\n2 1 2\n3 4 -30\n".to_owned(),
        // Numbers.
        format!("{banner}3 4 3\n1 2 +1.5\n2 1 2.\n3 4 -.3e+2\n"),
        format!("{banner}03 04 003\n01 2 1.50000000000000000000\n2 001 +2e0\n3 4 -3E1\n"),
    ];
    for text in files {
        assert_eq!(read("a.mtx", &text), Ok(expected.clone()), "{text:?}");
        assert_eq!(read("matrix", &text), Ok(expected.clone()), "its name says nothing");
        let sample = sample("a.mtx", text.as_bytes());
        assert_eq!(read_extents(&sample.path, 2, TnsForm::Detect).unwrap().dims, [3, 4], "{text:?}");
    }
}

#[test]
fn other_kinds_of_matrices_are_read() {
    let cases = [
        // SciPy writes unsigned arrays so.
        (
            "coordinate unsigned-integer general\n%\n2 3 2\n1 1 7\n2 3 18446744073709551615\n",
            matrix([2, 3], &[(0, 0, 7.0), (1, 2, 18446744073709551615.0)]),
        ),
        (
            "array unsigned-integer general\n2 2\n1\n0\n3\n4000000000\n",
            matrix([2, 2], &[(0, 0, 1.0), (1, 0, 0.0), (0, 1, 3.0), (1, 1, 4e9)]),
        ),
        (
            "coordinate unsigned-integer symmetric\n2 2 1\n2 1 9\n",
            matrix([2, 2], &[(1, 0, 9.0), (0, 1, 9.0)]),
        ),
        // A field of an `integer` file may have a point or an exponent if its value is an integer.
        (
            "coordinate integer general\n2 2 2\n1 1 1.0\n2 1 -2D0\n",
            matrix([2, 2], &[(0, 0, 1.0), (1, 0, -2.0)]),
        ),
        // The diagonal of a skew-symmetric matrix may be stated as zeros.
        (
            "coordinate real skew-symmetric\n2 2 2\n1 1 0\n1 2 5\n",
            matrix([2, 2], &[(0, 0, 0.0), (0, 1, 5.0), (1, 0, -5.0)]),
        ),
        (
            "array real skew-symmetric\n3 3\n1\n2\n3.5\n",
            matrix(
                [3, 3],
                &[(1, 0, 1.0), (2, 0, 2.0), (2, 1, 3.5), (0, 1, -1.0), (0, 2, -2.0), (1, 2, -3.5)],
            ),
        ),
        (
            "coordinate pattern symmetric\n3 3 2\n1 3\n2 2\n",
            matrix([3, 3], &[(0, 2, 1.0), (1, 1, 1.0), (2, 0, 1.0)]),
        ),
        // Nothing, and a number that is too small.
        ("coordinate real general\n0 0 0\n", matrix([0, 0], &[])),
        ("coordinate real general\n3 4 0", matrix([3, 4], &[])),
        ("coordinate real general\n1 1 1\n1 1 1e-400", matrix([1, 1], &[(0, 0, 0.0)])),
        ("coordinate real general\n1 1 1\n1 1 4.9-324", matrix([1, 1], &[(0, 0, 5e-324)])),
        ("coordinate real general\n1 1 1\n1 1 1.5+100", matrix([1, 1], &[(0, 0, 1.5e100)])),
        // Duplicates.
        ("coordinate real general\n1 2 2\n1 2 1\n1 2 2\n", matrix([1, 2], &[(0, 1, 1.0), (0, 1, 2.0)])),
    ];
    for (text, expected) in cases {
        assert_eq!(read("a.mtx", &format!("%%MatrixMarket matrix {text}")), Ok(expected), "{text}");
    }
}

#[test]
fn infinities_are_read_in_all_spellings() {
    let spellings = ["inf", "Inf", "+INF", "infinity", "Infinity", "+infinity"];
    for spelling in spellings {
        let entries = read(
            "a.mtx",
            &format!("{BANNER}1 2 2\n1 1 {spelling}\n1 2 -{}\n", spelling.trim_start_matches('+')),
        );
        assert_eq!(
            entries,
            Ok(matrix([1, 2], &[(0, 0, f64::INFINITY), (0, 1, f64::NEG_INFINITY)])),
            "{spelling}"
        );
    }
    for spelling in ["nan", "NaN", "NAN", "-nan", "+NaN"] {
        let entries = read("a.tns", &format!("1 1 {spelling}\n")).unwrap();
        let ValueColumn::F64(values) = entries.values else { panic!("doubles") };
        assert!(values[0].is_nan(), "{spelling}");
    }
}

/// Unsigned integers are read as `int`; a number beyond its range is an error.
#[test]
fn unsigned_integers_are_integers() {
    let text = |value: &str| {
        format!("%%MatrixMarket matrix coordinate unsigned-integer general\n1 1 1\n1 1 {value}\n")
    };
    let sample = sample("a.mtx", text("7").as_bytes());
    assert_eq!(read_value_type(&sample.path).unwrap(), ValueType::I64);
    let options = |value| ReadOptions { value, ..ReadOptions::default() };
    let value = |of, value: &str| {
        read_with("a.mtx", text(value).as_bytes(), &options(of)).map(|entries| entries.values)
    };
    assert_eq!(value(ValueType::I64, "9223372036854775807"), Ok(ValueColumn::I64(vec![i64::MAX])));
    assert_eq!(
        value(ValueType::I64, "9223372036854775808"),
        Err("a.mtx:3: expected an integer of 64 bits as the value, found `9223372036854775808`; a tensor of `double` can hold other numbers".to_owned())
    );
    assert_eq!(value(ValueType::U8, "255"), Ok(ValueColumn::I64(vec![255])));
    assert_eq!(
        value(ValueType::F64, "1\t,5"),
        Err("a.mtx:3: expected the end of the line after 3 fields, found `,5` in `1 1 1 ,5`".to_owned())
    );
    assert_eq!(
        value(ValueType::U8, "256"),
        Err("a.mtx:3: expected an integer from 0 to 255 as the value, found `256`; a tensor of a wider type can hold it".to_owned())
    );
    for value in ["-3", "1.5"] {
        assert_eq!(
            read("a.mtx", &text(value)),
            Err(format!(
                "a.mtx:3: expected an integer of at least 0 as the value, since the banner says `unsigned-integer`, found `{value}`; write `integer` or `real` in the banner"
            ))
        );
    }
}

#[test]
fn integers_are_read_of_numbers_of_fortran() {
    let options = ReadOptions { value: ValueType::I64, ..ReadOptions::default() };
    let value = |text: &str| {
        let entries = read_with("a.tns", format!("1 1 {text}\n").as_bytes(), &options)?;
        let ValueColumn::I64(values) = entries.values else { panic!("integers") };
        Ok::<i64, String>(values[0])
    };
    assert_eq!((value("1.5D1"), value("3d0"), value("-2.50D+02")), (Ok(15), Ok(3), Ok(-250)));
    assert_eq!(
        value("1.5D0"),
        Err("a.tns:1: expected an integer of 64 bits as the value, found `1.5D0`; a tensor of `double` can hold other numbers".to_owned())
    );
}

#[test]
fn complex_values_are_read_of_numbers_of_fortran() {
    let options = ReadOptions { value: ValueType::C128, ..ReadOptions::default() };
    let text = "%%MatrixMarket matrix array complex hermitian\n2 2\n1.5D+00 0\n0.2d1 -3.0D-01\n4 0.0d0\n";
    let entries = read_with("a.mtx", text.as_bytes(), &options).unwrap();
    let values = [(1.5, 0.0), (2.0, -0.3), (4.0, 0.0), (2.0, 0.3)].map(|(re, im)| Complex { re, im });
    assert_eq!(entries.coords, [[0, 1, 1, 0], [0, 0, 1, 1]]);
    assert_eq!(entries.values, ValueColumn::C128(values.to_vec()));
}

#[test]
fn tensors_of_others_are_read() {
    let expected = matrix([2, 4], &[(0, 3, 1.5), (1, 0, -20.0)]);
    let frostt = [
        "1 4 1.5D+00\n2 1 -2.0d1\n",
        "\u{feff}1 4 1.5\n2 1 -20\n",
        "\u{feff}# c\n1 4 1.5\n2 1 -20\n",
        "# c\r\n1 4 1.5\r\n\r\n2 1 -20\r\n",
        "\t# c\n   1\t4\t1.5\n  # d\n 2 1 -2.E+1 \n\n",
        "01 04 +1.5\n2 1 -20.",
    ];
    for text in frostt {
        assert_eq!(read("a.tns", text), Ok(expected.clone()), "{text:?}");
    }
    let stated = matrix([3, 5], &[(0, 4, 1.5), (2, 0, -20.0)]);
    for text in ["\u{feff}3 5 2\n0 4 1.5\n2 0 -2.0D1\n", "# c\n  3 5 2\n\n0 4 15D-1\n2 0 -20\n"] {
        assert_eq!(read("a.tns", text), Ok(stated.clone()), "{text:?}");
    }
    let options = ReadOptions { rank: Some(0), ..ReadOptions::default() };
    for text in ["\u{feff}-2.5\n", "  -0.25D1  ", "# a number\n-25d-1\n"] {
        let scalar = read_with("a.txt", text.as_bytes(), &options).unwrap();
        assert_eq!(scalar.values, ValueColumn::F64(vec![-2.5]), "{text:?}");
    }
}

/// A `.npy` of numbers of 8 bytes.
fn array(kind: &str, order: &str, shape: &str, data: &[[u8; 8]]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    npy(&header, &data.concat())
}

fn doubles(shape: &str, data: &[f64]) -> Vec<u8> {
    array("<f8", "False", shape, &data.iter().map(|number| number.to_le_bytes()).collect::<Vec<_>>())
}

fn integers(shape: &str, data: &[i64]) -> Vec<u8> {
    array("<i8", "False", shape, &data.iter().map(|number| number.to_le_bytes()).collect::<Vec<_>>())
}

/// The name of a format: of bytes as SciPy writes it, or of letters of four bytes as pydata/sparse does.
fn format_name(name: &str) -> Vec<u8> {
    npy(&format!("{{'descr': '|S{}', 'fortran_order': False, 'shape': (), }}\n", name.len()), name.as_bytes())
}

fn wide_format_name(name: &str) -> Vec<u8> {
    let letters: Vec<u8> = name.chars().flat_map(|letter| (letter as u32).to_le_bytes()).collect();
    npy(&format!("{{'descr': '<U{}', 'fortran_order': False, 'shape': (), }}\n", name.len()), &letters)
}

/// The name of an array in an archive, and its bytes.
type Member = (&'static str, Vec<u8>);

fn archive(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(format!("{name}.npy"), SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn read_archive(members: &[(&str, Vec<u8>)]) -> Result<CoordinateTensor, String> {
    read_with("a.npz", &archive(members), &ReadOptions::default())
}

fn tensor(dims: &[i64], coords: &[&[i64]], values: &[f64]) -> CoordinateTensor {
    CoordinateTensor {
        dims: dims.to_vec(),
        coords: coords.iter().map(|column| column.to_vec()).collect(),
        values: ValueColumn::F64(values.to_vec()),
    }
}

/// SciPy's arrays of coordinates have a row for each mode.
#[test]
fn coordinates_of_scipy_are_read() {
    let values = ("data", doubles("(3,)", &[1.5, 7.0, -2.0]));
    let expected = tensor(&[2, 3, 4], &[&[0, 1, 1], &[1, 0, 2], &[2, 0, 3]], &[1.5, 7.0, -2.0]);
    let shape = ("shape", integers("(3,)", &[2, 3, 4]));
    let rows = [0, 1, 1, 1, 0, 2, 2, 0, 3];
    let columns = [0, 1, 2, 1, 0, 0, 1, 2, 3].map(i64::to_le_bytes);
    for coords in [integers("(3, 3)", &rows), array("<i8", "True", "(3, 3)", &columns)] {
        let members = [values.clone(), shape.clone(), ("coords", coords), ("format", format_name("coo"))];
        assert_eq!(read_archive(&members), Ok(expected.clone()));
        // pydata/sparse adds a value for absent positions, and at first wrote no name.
        let fill = ("fill_value", doubles("()", &[-0.0]));
        let [values, shape, coords, _] = members;
        let name = ("format", wide_format_name("coo"));
        let named = [values.clone(), shape.clone(), coords.clone(), name, fill.clone()];
        assert_eq!(read_archive(&named), Ok(expected.clone()));
        assert_eq!(read_archive(&[values, shape, coords, fill]), Ok(expected.clone()));
    }
    let vector = [
        ("data", doubles("(1,)", &[1.5])),
        ("shape", integers("(1,)", &[4])),
        ("coords", integers("(1, 1)", &[1])),
        ("format", format_name("coo")),
    ];
    assert_eq!(read_archive(&vector), Ok(tensor(&[4], &[&[1]], &[1.5])));
    let sample = sample("a.npz", &archive(&vector));
    assert_eq!(read_extents(&sample.path, 1, TnsForm::Detect).unwrap().dims, [4]);
    assert!(!is_array_file(&sample.path).unwrap());
}

/// The rows of a compressed array of pydata/sparse are the positions of several modes.
#[test]
fn compressed_axes_are_read() {
    let read = |axes: &[i64], indices: &[i64], indptr: &[i64], values: &[f64]| {
        let members = [
            ("data", doubles(&format!("({},)", values.len()), values)),
            ("shape", integers("(4,)", &[2, 3, 2, 3])),
            ("indices", integers(&format!("({},)", indices.len()), indices)),
            ("indptr", integers(&format!("({},)", indptr.len()), indptr)),
            ("compressed_axes", integers(&format!("({},)", axes.len()), axes)),
            ("fill_value", doubles("()", &[0.0])),
            ("format", wide_format_name("gcxs")),
        ];
        read_archive(&members)
    };
    // As `GCXS.from_numpy(t, compressed_axes=(0, 2))` has it.
    assert_eq!(
        read(&[0, 2], &[5, 6, 1], &[0, 0, 1, 2, 3], &[1.0, 2.0, 3.0]),
        Ok(tensor(&[2, 3, 2, 3], &[&[0, 1, 1], &[1, 2, 0], &[1, 0, 1], &[2, 0, 1]], &[1.0, 2.0, 3.0]))
    );
    assert_eq!(
        read(&[0], &[11, 1], &[0, 1, 2], &[1.0, 2.0]),
        Ok(tensor(&[2, 3, 2, 3], &[&[0, 1], &[1, 0], &[1, 0], &[2, 1]], &[1.0, 2.0]))
    );
    assert_eq!(
        read(&[0, 0], &[0], &[0, 1], &[1.0]),
        Err("a.npz/compressed_axes.npy: expected different axes from 0 to 3, found [0, 0]".to_owned())
    );
    assert_eq!(
        read(&[0], &[18], &[0, 1], &[1.0]),
        Err("a.npz: the coordinate 3 in mode 1 is outside the extent 3".to_owned())
    );
    assert_eq!(
        read(&[0], &[3], &[0, 2], &[1.0]),
        Err("a.npz/indptr.npy: expected numbers that ascend from 0 to 1, the number of entries".to_owned())
    );
}

#[test]
fn blocks_and_diagonals_of_scipy_are_read() {
    let blocks = [
        ("data", doubles("(2, 2, 3)", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0])),
        ("shape", integers("(2,)", &[4, 6])),
        ("indices", integers("(2,)", &[1, 0])),
        ("indptr", integers("(3,)", &[0, 1, 2])),
        ("format", format_name("bsr")),
    ];
    let rows: &[i64] = &[0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3];
    let columns: &[i64] = &[3, 4, 5, 3, 4, 5, 0, 1, 2, 0, 1, 2];
    let values: Vec<f64> = (0..12).map(f64::from).collect();
    assert_eq!(read_archive(&blocks), Ok(tensor(&[4, 6], &[rows, columns], &values)));
    let diagonals = [
        ("data", doubles("(2, 4)", &[7.0, 0.0, 3.0, 9.0, 9.0, 1.5, 0.0, -2.0])),
        ("shape", integers("(2,)", &[3, 4])),
        ("offsets", integers("(2,)", &[-1, 1])),
        ("format", format_name("dia")),
    ];
    let expected = tensor(&[3, 4], &[&[1, 0, 2], &[0, 1, 3]], &[7.0, 1.5, -2.0]);
    assert_eq!(read_archive(&diagonals), Ok(expected));
}

/// `np.savez` of one array.
#[test]
fn arrays_in_archives_are_dense() {
    let members = [("arr_0", doubles("(2, 2)", &[1.5, 0.0, -2.0, 4.0]))];
    let expected = matrix([2, 2], &[(0, 0, 1.5), (0, 1, 0.0), (1, 0, -2.0), (1, 1, 4.0)]);
    assert_eq!(read_archive(&members), Ok(expected));
    let sample = sample("a.npz", &archive(&members));
    assert_eq!(read_extents(&sample.path, 2, TnsForm::Detect).unwrap().dims, [2, 2]);
    assert!(is_array_file(&sample.path).unwrap());
    assert_eq!(read_element_type(&sample.path).unwrap(), ValueType::F64);
    let message = read_extents(&sample.path, 1, TnsForm::Detect).unwrap_err().to_string();
    assert!(
        message.ends_with("a.npz/arr_0.npy: expected an array of rank 1, found rank 2, of the shape [2, 2]"),
        "{message}"
    );
    let scalar = archive(&[("x", doubles("()", &[2.5]))]);
    let options = ReadOptions { rank: Some(0), ..ReadOptions::default() };
    assert_eq!(read_with("a.npz", &scalar, &options), Ok(tensor(&[], &[], &[2.5])));
}

#[test]
fn archives_that_are_no_tensor_are_refused() {
    let one = || doubles("(1,)", &[1.5]);
    let sparse = |name: &str, data: Vec<u8>| {
        [
            ("data", data),
            ("shape", integers("(2,)", &[2, 3])),
            ("row", integers("(1,)", &[0])),
            ("col", integers("(1,)", &[2])),
            ("format", format_name(name)),
        ]
    };
    assert!(read_archive(&sparse("coo", one())).is_ok());
    let filled =
        [sparse("coo", one()).as_slice(), &[("fill_value", doubles("()", &[f64::INFINITY]))]].concat();
    let cases: Vec<(Vec<Member>, &str)> = vec![
        (
            vec![],
            "a.npz: expected one array, or a sparse tensor of SciPy or pydata/sparse, found nothing; save an array by `np.save`",
        ),
        (
            vec![("A", one()), ("x", one())],
            "a.npz: expected one array, or a sparse tensor of SciPy or pydata/sparse, found 2 arrays, `A`, `x`; save one by itself: `np.save(\"A.npy\", A)`",
        ),
        (
            filled,
            "a.npz/fill_value.npy: expected 0 as the value of absent positions, found inf; save `sparse.COO.from_numpy(a.todense())`, which stores them",
        ),
        (
            sparse("lil", one()).to_vec(),
            "a.npz/format.npy: expected `coo`, `csr`, `csc`, `bsr`, `dia` or `gcxs`, found `lil`; save `A.tocoo()`",
        ),
        (
            sparse("coo", doubles("(2,)", &[1.0, 2.0])).to_vec(),
            "a.npz: expected 2 coordinates in each mode, one for each value, found 1",
        ),
        (
            sparse("csr", one()).to_vec(),
            "a.npz/indices.npy: expected an array, found none: specified file not found in archive",
        ),
    ];
    for (members, expected) in cases {
        assert_eq!(read_archive(&members), Err(expected.to_owned()));
    }
    let cut = archive(&[("x", one())]);
    let message = read_with("a.npz", &cut[..cut.len() - 9], &ReadOptions::default()).unwrap_err();
    assert!(message.starts_with("a.npz: expected a whole zip archive ("), "{message}");
}

/// Lines of numbers that are wrong in a matrix of 3 by 4 with one entry, each with the message.
#[test]
fn lines_that_are_wrong_say_what_to_do() {
    let cases = [
        // Rows without values.
        (
            "1 2",
            "expected a number as the value, found nothing in `1 2`; the banner says `real`: write `pattern` if entries have no values",
        ),
        ("1", "expected 2 indices and a value, found nothing as index 2 in `1`"),
        // Numbers of other places and languages.
        (
            "1 2 1,5",
            "expected a number as the value, found `1,5` in `1 2 1,5`; write a decimal point, and nothing between the digits of thousands",
        ),
        (
            "1 2 1,234.5",
            "expected a number as the value, found `1,234.5` in `1 2 1,234.5`; write a decimal point, and nothing between the digits of thousands",
        ),
        (
            "1 2 0x1.8p1",
            "expected a number as the value, found `0x1.8p1` in `1 2 0x1.8p1`; write it as a decimal number",
        ),
        (
            "1 2 1.#INF",
            "expected a number as the value, found `1.#INF` in `1 2 1.#INF`; write `inf`, `-inf` or `nan`",
        ),
        (
            "1 2 -nan(ind)",
            "expected a number as the value, found `-nan(ind)` in `1 2 -nan(ind)`; write `inf`, `-inf` or `nan`",
        ),
        (
            "1 2 NA",
            "expected a number as the value, found `NA` in `1 2 NA`; write `nan` for a value that is missing",
        ),
        ("1 2 true", "expected a number as the value, found `true` in `1 2 true`; write `1` or `0`"),
        (
            "1 2 1+2i",
            "expected a number as the value, found `1+2i` in `1 2 1+2i`; a complex value is two numbers with a blank between them",
        ),
        (
            "1 2 1/3",
            "expected a number as the value, found `1/3` in `1 2 1/3`; write a fraction as a decimal number",
        ),
        ("1 2 1.5D", "expected a number as the value, found `1.5D` in `1 2 1.5D`"),
        ("1 2 D+00", "expected a number as the value, found `D+00` in `1 2 D+00`"),
        ("1 2 1.5D+", "expected a number as the value, found `1.5D+` in `1 2 1.5D+`"),
        (
            "1 2 .",
            "expected a number as the value, found `.` in `1 2 .`; write `nan` for a value that is missing",
        ),
        ("1 2 --1", "expected a number as the value, found `--1` in `1 2 --1`"),
        (
            "1 2 1e400",
            "expected a number up to the largest `double` as the value, found `1e400`; write `inf` if it is infinite",
        ),
        (
            "1 2 1.0D400",
            "expected a number up to the largest `double` as the value, found `1.0D400`; write `inf` if it is infinite",
        ),
        // Indices.
        ("0 2 1.5", "index 1 is `0`, expected 1 to 3; indices of Matrix Market begin with 1"),
        ("1 5 1.5", "index 2 is `5`, expected 1 to 4; line 3 states the sizes"),
        ("1 99999999999999999999 1.5", "index 2 is `99999999999999999999`, expected 1 to 4"),
        (
            "1.0 2 1.5",
            "expected 2 indices and a value, found `1.0` as index 1 in `1.0 2 1.5`; write `1`: an index has neither a sign nor a fraction",
        ),
        (
            "+1 2 1.5",
            "expected 2 indices and a value, found `+1` as index 1 in `+1 2 1.5`; write `1`: an index has neither a sign nor a fraction",
        ),
        ("-1 2 1.5", "expected 2 indices and a value, found `-1` as index 1 in `-1 2 1.5`"),
        (
            "1,2,1.5",
            "expected 2 indices and a value, found `1,2,1.5` as index 1 in `1,2,1.5`; separate the fields by blanks",
        ),
        ("a b 1.5", "expected 2 indices and a value, found `a` as index 1 in `a b 1.5`"),
        // Behind the value, and comments.
        (
            "1 2 1.5 0.5",
            "expected the end of the line after 3 fields, found `0.5` in `1 2 1.5 0.5`; the banner says `real`: write `complex` if values are two numbers",
        ),
        (
            "1 2 1.5 % c",
            "expected the end of the line after 3 fields, found `%` in `1 2 1.5 % c`; comments begin with `%` and are allowed before the line of the sizes only",
        ),
        (
            "% c",
            "expected 2 indices and a value, found `%` as index 1 in `% c`; comments begin with `%` and are allowed before the line of the sizes only",
        ),
        (
            "# c",
            "expected 2 indices and a value, found `#` as index 1 in `# c`; comments begin with `%` and are allowed before the line of the sizes only",
        ),
        (
            "1 2 1.5\u{a0}",
            "expected a number as the value, found `1.5\u{fffd}` in `1 2 1.5\u{fffd}`; separate the fields by ordinary blanks",
        ),
        (
            "1 2 1.5\u{0}",
            "expected a number as the value, found `1.5\u{fffd}` in `1 2 1.5\u{fffd}`; separate the fields by ordinary blanks",
        ),
        ("<html>", "expected 2 indices and a value, found `<html>` as index 1 in `<html>`"),
    ];
    for (line, expected) in cases {
        let text = format!("{BANNER}% c\n3 4 1\n\n{line}\n");
        assert_eq!(read("a.mtx", &text), Err(format!("a.mtx:5: {expected}")), "{line}");
    }
}

/// Lines that are wrong in files of other fields.
#[test]
fn lines_that_are_wrong_name_the_field() {
    let cases = [
        (
            "pattern",
            "1 2 1.5",
            "expected the end of the line after 2 fields, found `1.5` in `1 2 1.5`; the banner says `pattern`: write `real` or `complex` if entries have values",
        ),
        ("pattern", "1", "expected 2 indices, found nothing as index 2 in `1`"),
        (
            "integer",
            "1 2",
            "expected a number as the value, found nothing in `1 2`; the banner says `integer`: write `pattern` if entries have no values",
        ),
        (
            "integer",
            "1 2 1.5",
            "expected an integer as the value, since the banner says `integer`, found `1.5`; write `real` in the banner",
        ),
        (
            "integer",
            "1 2 inf",
            "expected an integer as the value, since the banner says `integer`, found `inf`; write `real` in the banner",
        ),
        (
            "unsigned-integer",
            "1 2 -1",
            "expected an integer of at least 0 as the value, since the banner says `unsigned-integer`, found `-1`; write `integer` or `real` in the banner",
        ),
    ];
    for (field, line, expected) in cases {
        let text = format!("%%MatrixMarket matrix coordinate {field} general\n3 4 1\n{line}\n");
        assert_eq!(read("a.mtx", &text), Err(format!("a.mtx:3: {expected}")), "{line}");
    }
    let options = ReadOptions { value: ValueType::C128, ..ReadOptions::default() };
    let cases = [
        ("1 2", "found `1 2`; the banner says `complex`: write `pattern` if entries have no values"),
        ("1 2 1.5", "found `1 2 1.5`; the banner says `complex`: write `real` if values are one number"),
        ("1 2 1.5-2i", "found `1 2 1.5-2i`; a complex value is two numbers with a blank between them"),
        ("1 2 1.5 2j", "found `1 2 1.5 2j`; a complex value is two numbers with a blank between them"),
    ];
    for (line, expected) in cases {
        let text = format!("%%MatrixMarket matrix coordinate complex general\n3 4 1\n{line}\n");
        let expected = format!(
            "a.mtx:3: expected two numbers as the value, the real part and the imaginary one, {expected}"
        );
        assert_eq!(read_with("a.mtx", text.as_bytes(), &options), Err(expected), "{line}");
    }
    let options = ReadOptions { value: ValueType::F32, ..ReadOptions::default() };
    let text = format!("{BANNER}3 4 1\n1 2 1e39\n");
    let expected = "a.mtx:3: expected a number up to the largest `float` as the value, found `1e39`; a tensor of `double` can hold it";
    assert_eq!(read_with("a.mtx", text.as_bytes(), &options), Err(expected.to_owned()));
}

/// Headers that are wrong, with the number of the line.
#[test]
fn headers_that_are_wrong_say_what_to_do() {
    const EXPECTED: &str = "expected `%%MatrixMarket matrix coordinate|array real|complex|integer|pattern general|symmetric|skew-symmetric|hermitian`, found";
    let cases = [
        ("%MatrixMarket matrix coordinate real general\n3 4 0\n", format!("1: {EXPECTED} `%MatrixMarket matrix coordinate real general`; write `%%MatrixMarket`, with two percent signs")),
        ("MatrixMarket matrix coordinate real general\n3 4 0\n", format!("1: {EXPECTED} `MatrixMarket matrix coordinate real general`; write `%%MatrixMarket`, with two percent signs")),
        ("", format!("1: {EXPECTED} an empty file")),
        ("\n\n", format!("2: {EXPECTED} an empty file")),
        ("3 4 1\n1 2 1.5\n", format!("1: {EXPECTED} `3 4 1`; add this line, or name a file of indices and values alone `.tns`")),
        ("%%MatrixMarket\n", "1: expected `matrix`, found the end of the line".to_owned()),
        ("%%MatrixMarket vector coordinate real general\n", "1: expected `matrix`, found `vector`".to_owned()),
        ("\n%%MatrixMarket matrix array\n2 2\n", "2: expected `real`, `double`, `complex`, `integer`, `unsigned-integer` or `pattern`, found the end of the line".to_owned()),
        ("%%MatrixMarket matrix coordinate real\n", "1: expected `general`, `symmetric`, `skew-symmetric` or `hermitian`, found the end of the line".to_owned()),
        ("%%MatrixMarket matrix coordinate real general 3\n", "1: expected the end of the line after five words, found `3`".to_owned()),
        ("%%MatrixMarket matrix coordinate real hermitian\n", "1: expected `complex` for a `hermitian` matrix, found another field; write `symmetric` if the values are real".to_owned()),
        ("%%MatrixMarket matrix array pattern general\n", "1: expected `coordinate` for a `pattern`, found `array`; write `real` if there are values".to_owned()),
        ("%%MatrixMarket matrix coordinate real general\n% c\n% d\n", "3: expected the sizes `rows columns entries` after this line, found the end of the file".to_owned()),
        ("%%MatrixMarket matrix coordinate real general\n% c\n3 4\n", "3: expected the sizes `rows columns entries`, found `3 4`; add the number of entries, or write `array` in the banner if each line is a value".to_owned()),
        ("%%MatrixMarket matrix array real general\n3 4 12\n", "2: expected the sizes `rows columns`, found `3 4 12`; write `coordinate` in the banner if each line begins with two indices".to_owned()),
        ("%%MatrixMarket matrix coordinate real general\n3.0 4.0 1.0\n", "2: expected the sizes `rows columns entries`, found `3.0 4.0 1.0`".to_owned()),
        ("%%MatrixMarket matrix coordinate real general\n# c\n3 4 1\n", "2: expected the sizes `rows columns entries`, found `# c`".to_owned()),
        ("%%MatrixMarket matrix coordinate real skew-symmetric\n\n3 4 1\n", "3: expected as many rows as columns, since the banner says `skew-symmetric`, found 3 rows and 4 columns".to_owned()),
        ("%%MatrixMarket matrix array real general\n9000000000 9000000000\n", "2: 9000000000 by 9000000000 positions are more than a file can hold".to_owned()),
    ];
    for (text, expected) in cases {
        assert_eq!(read("a.mtx", text), Err(format!("a.mtx:{expected}")), "{text}");
        // So does who asks for the sizes alone.
        let sample = sample("a.mtx", text.as_bytes());
        let message = read_extents(&sample.path, 2, TnsForm::Detect).unwrap_err().to_string();
        assert!(message.ends_with(&expected), "{message}");
    }
}

/// Numbers of entries that are wrong; a file that is too short is refused by the reader of sizes, too.
#[test]
fn counts_that_are_wrong_name_the_lines() {
    let market = "%%MatrixMarket matrix";
    let missing = "the end of the file is missing, or the number is wrong";
    let cases = [
        (format!("{market} coordinate real general\n3 4 3\n1 1 1\n2 2 2\n"), format!("2: expected 3 entries, as this line states, found 2 entries; {missing}")),
        (format!("{market} coordinate real general\n% c\n3 4 1\n"), format!("3: expected 1 entry, as this line states, found 0 entries; {missing}")),
        (format!("{market} array real general\n2 2\n1\n2\n3\n"), format!("2: expected 4 entries, as this line states, found 3 entries; {missing}")),
        (format!("{market} coordinate real general\n3 4 9000000000000000000\n1 1 1\n"), format!("2: expected 9000000000000000000 entries, as this line states, found 1 entry; {missing}")),
        (format!("{market} coordinate real general\n3 4 3\n1 1\n2 2\n3 3\n"), "3: expected a number as the value, found nothing in `1 1`; the banner says `real`: write `pattern` if entries have no values".to_owned()),
    ];
    for (text, expected) in cases {
        assert_eq!(read("a.mtx", &text), Err(format!("a.mtx:{expected}")), "{text}");
        let sample = sample("a.mtx", text.as_bytes());
        let message = read_extents(&sample.path, 2, TnsForm::Detect).unwrap_err().to_string();
        assert!(message.ends_with(&expected), "{message}");
    }
    let cases = [
        (
            "coordinate real general\n3 4 1\n1 1 1\n\n2 2 2\n",
            "5: expected the end of the file after 1 entry, which line 2 states, found `2 2 2`",
        ),
        (
            "array real general\n1 2\n1\n2\n3\n",
            "5: expected the end of the file after 2 entries, which line 2 states, found `3`",
        ),
        (
            "array real general\n1 2\n1 2\n",
            "3: expected the end of the line after 1 field, found `2` in `1 2`; an `array` file has the value of one position in each line",
        ),
        (
            "coordinate real symmetric\n3 3 2\n2 1 1\n1 3 1\n",
            "4: expected entries on one side of the diagonal, since the banner says `symmetric`, found `1 3 1`; leave the entries of one side out, or write `general`",
        ),
        (
            "coordinate real skew-symmetric\n3 3 2\n2 1 1\n2 2 1\n",
            "4: expected zeros on the diagonal, since the banner says `skew-symmetric`, found `2 2 1`; leave the diagonal out",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read("a.mtx", &format!("{market} {text}")), Err(format!("a.mtx:{expected}")), "{text}");
    }
}

/// Lines of `.tns` files that are wrong.
#[test]
fn tensors_that_are_wrong_say_what_to_do() {
    let read = |text: &str, rank: usize, tns: TnsForm| {
        let options = ReadOptions { rank: Some(rank), tns, ..ReadOptions::default() };
        read_with("a.tns", text.as_bytes(), &options)
    };
    let cases = [
        (TnsForm::Detect, "1 1 1.5\n2 2\n", "2: expected a number as the value, found nothing in `2 2`"),
        (
            TnsForm::Detect,
            "1 1 1.5\n2 2 1,5\n",
            "2: expected a number as the value, found `1,5` in `2 2 1,5`; write a decimal point, and nothing between the digits of thousands",
        ),
        (
            TnsForm::Detect,
            "1,1,1.5\n",
            "1: expected 2 indices and a value for a tensor of rank 2, found 1 field in `1,1,1.5`; separate the fields by blanks",
        ),
        (
            TnsForm::Detect,
            "1 1 1.5\n2,2,2.5\n",
            "2: expected 2 indices and a value, found `2,2,2.5` as index 1 in `2,2,2.5`; separate the fields by blanks",
        ),
        (
            TnsForm::Detect,
            "1 1 1.5\n% c\n",
            "2: expected 2 indices and a value, found `%` as index 1 in `% c`; comments begin with `#` and have lines of their own",
        ),
        (
            TnsForm::Detect,
            "1 1 1.5 # c\n",
            "1: expected 2 indices and a value for a tensor of rank 2, found 5 fields in `1 1 1.5 # c`",
        ),
        (
            TnsForm::Detect,
            "2 1 1.5\n1 1 1.5 # c\n",
            "2: expected the end of the line after 3 fields, found `#` in `1 1 1.5 # c`; comments begin with `#` and have lines of their own",
        ),
        (
            TnsForm::Detect,
            "# c\n1 1 1.5\n0 1 2\n",
            "3: index 1 is 0, expected 1 or more; indices from 0 need a first line of the sizes and the number of entries, COMET's form",
        ),
        (
            TnsForm::Detect,
            "1 1 1.5\n99999999999999999999 1 2\n",
            "2: index 1 is `99999999999999999999`, expected 0 to 9223372036854775807",
        ),
        (
            TnsForm::Comet,
            "# c\n3 5 2\n1 1 1\n",
            "2: expected 2 entries after this line, as it states, found 1",
        ),
        (TnsForm::Comet, "# c\n3 5 1\n1 5 1\n", "3: index 2 is 5, expected 0 to 4; line 2 states the sizes"),
    ];
    for (form, text, expected) in cases {
        assert_eq!(read(text, 2, form), Err(format!("a.tns:{expected}")), "{text}");
    }
    assert_eq!(
        read("", 0, TnsForm::Detect),
        Err("a.tns: expected one number for a tensor of rank 0, found none in the file".to_owned())
    );
    assert_eq!(
        read("1\n\n2\n", 0, TnsForm::Detect),
        Err("a.tns:3: expected one number for a tensor of rank 0, found 2".to_owned())
    );
}

/// Files of other kinds, which are named.
#[test]
fn other_kinds_of_files_are_named() {
    let market = format!("{BANNER}3 4 1\n1 2 1.5\n");
    let wide = |bytes: fn(u16) -> [u8; 2]| market.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let tar = [[b'a'; 257].as_slice(), b"ustar\x0000", &[0; 248]].concat();
    let returns = market.replace('\n', "\r");
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (wide(u16::to_le_bytes), "a text that looks like UTF-16; save it as UTF-8"),
        (wide(u16::to_be_bytes), "a text that looks like UTF-16; save it as UTF-8"),
        (b"<!DOCTYPE html>\n<html></html>\n".to_vec(), "a page of HTML or XML; download the file itself"),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n".to_vec(),
            "a pointer of Git LFS; `git lfs pull` fetches the file",
        ),
        (tar, "a tar archive; unpack it, and name a file of it"),
        (b"BZh91AY&SY".to_vec(), "data of bzip2; unpack it by `bunzip2`"),
        (b"\xfd7zXZ\0\0\x04".to_vec(), "data of xz; unpack it by `unxz`"),
        (b"\x28\xb5\x2f\xfd\x04\x00".to_vec(), "data of Zstandard; unpack it by `unzstd`"),
        (
            b"\x89HDF\r\n\x1a\n".to_vec(),
            "a file of HDF5; write the tensor as `.mtx`, `.tns`, `.npy` or `.npz`",
        ),
        (
            b"MATLAB 5.0 MAT-file, Platform".to_vec(),
            "a file of MATLAB; write the tensor as `.mtx`, `.tns`, `.npy` or `.npz`",
        ),
        (returns.into_bytes(), "lines that end with carriage returns alone; convert it by `tr '\\r' '\\n'`"),
    ];
    for (bytes, expected) in cases {
        for name in ["a.mtx", "a.tns"] {
            let expected =
                format!("{name}: expected Matrix Market, FROSTT, `.npy` or `.npz`, found {expected}");
            let read = |bytes: &[u8]| read_with(name, bytes, &ReadOptions::default());
            assert_eq!(read(&bytes), Err(expected.clone()));
            assert_eq!(read(&packed(&bytes)), Err(expected));
        }
    }
    let bytes = packed(market.as_bytes());
    let read = |bytes: &[u8]| read_with("a.mtx.gz", bytes, &ReadOptions::default()).unwrap_err();
    assert_eq!(
        read(&bytes[..bytes.len() - 20]),
        "a.mtx.gz: the gzip data ends early: the rest of the file is missing; copy or download it again"
    );
    assert_eq!(
        read(&[&bytes[..], b"abc"].concat()),
        "a.mtx.gz: the gzip data ends, and 3 bytes follow that are none; remove them"
    );
    let mut damaged = bytes;
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    let message = read(&damaged);
    assert!(message.contains("gzip data"), "{message}");
}

#[test]
fn arrays_that_are_wrong_say_what_to_do() {
    let header = |kind: &str| format!("{{'descr': {kind}, 'fortran_order': False, 'shape': (2, 2), }}\n");
    let numbers: Vec<u8> = [1i64, 200, -3, 300].into_iter().flat_map(i64::to_le_bytes).collect();
    let read =
        |bytes: &[u8], value| read_with("a.npy", bytes, &ReadOptions { value, ..ReadOptions::default() });
    let whole = npy(&header("'<i8'"), &numbers);
    let wider = "a tensor of a wider type can hold it";
    let known = "`<f8`, `<f4`, `<i8`, `|b1`, `|i1`, `<i2`, `<i4`, `|u1`, `<u4`, `<f2`, `<c8` or `<c16`";
    let cases = [
        (
            whole.clone(),
            ValueType::U8,
            format!("expected integers from 0 to 255, found `-3` at [1, 0]; {wider}"),
        ),
        (
            whole.clone(),
            ValueType::I8,
            format!("expected integers from -128 to 127, found `200` at [0, 1]; {wider}"),
        ),
        (
            npy(
                &header("'<f8'"),
                &[2f64, -7.0, 0.5, 1.0].into_iter().flat_map(f64::to_le_bytes).collect::<Vec<u8>>(),
            ),
            ValueType::I8,
            "expected integers from -128 to 127, found `0.5` at [1, 0]; a tensor of `double` can hold it"
                .to_owned(),
        ),
        (
            whole[..whole.len() - 8].to_vec(),
            ValueType::F64,
            "expected 4 elements of 8 bytes, found 24 bytes: the end of the file is missing".to_owned(),
        ),
        (
            [&whole[..], &[0; 3]].concat(),
            ValueType::F64,
            "expected 4 elements of 8 bytes, found 35 bytes: others follow them".to_owned(),
        ),
        (
            npy(&header("'<u8'"), &numbers),
            ValueType::F64,
            format!("expected elements {known}, found `<u8`; save `a.astype(\"<i8\")`"),
        ),
        (
            npy(&header("'|O'"), &numbers),
            ValueType::F64,
            format!("expected elements {known}, found `|O`; save `a.astype(\"<f8\")`"),
        ),
        (
            npy(&header("'>c16'"), &numbers),
            ValueType::F64,
            format!("expected elements {known}, found `>c16`; save `a.astype(\"<c16\")`"),
        ),
        (
            b"\x93NUMPY\x09\x00".to_vec(),
            ValueType::F64,
            "expected version 1, 2 or 3 of the NumPy format, found 9".to_owned(),
        ),
        (
            whole[..20].to_vec(),
            ValueType::F64,
            "expected a header, found the end of the file in it".to_owned(),
        ),
        (
            b"1 2 3\n".to_vec(),
            ValueType::F64,
            "expected a NumPy file, which begins with `\\x93NUMPY`, found `1 2 3`".to_owned(),
        ),
        (
            Vec::new(),
            ValueType::F64,
            "expected a NumPy file, which begins with `\\x93NUMPY`, found an empty file".to_owned(),
        ),
    ];
    for (bytes, value, expected) in cases {
        assert_eq!(read(&bytes, value), Err(format!("a.npy: {expected}")));
    }
}

proptest! {
    #[test]
    fn no_archive_makes_a_reader_panic(
        format in 0usize..6,
        dims in proptest::collection::vec(0i64..4, 0..4),
        numbers in proptest::collection::vec(-2i64..6, 0..7),
        bounds in proptest::collection::vec(-1i64..4, 0..5),
        places in proptest::collection::vec(-1i64..3, 0..4),
    ) {
        let column = |numbers: &[i64]| integers(&format!("({},)", numbers.len()), numbers);
        let data = match format {
            3 => doubles(&format!("({}, 1, 2)", numbers.len()), &vec![1.5; 2 * numbers.len()]),
            4 => doubles(&format!("({}, 2)", numbers.len()), &vec![1.5; 2 * numbers.len()]),
            _ => doubles(&format!("({},)", numbers.len()), &vec![1.5; numbers.len()]),
        };
        let rows = numbers.len().checked_div(dims.len()).unwrap_or_default();
        let members = [
            ("data", data),
            ("shape", column(&dims)),
            ("coords", integers(&format!("({}, {rows})", dims.len()), &numbers[..rows * dims.len()])),
            ("indices", column(&numbers)),
            ("indptr", column(&bounds)),
            ("compressed_axes", column(&places)),
            ("offsets", column(&numbers)),
            ("format", format_name(["coo", "csr", "csc", "bsr", "dia", "gcxs"][format])),
        ];
        if let Ok(entries) = read_archive(&members) {
            prop_assert!(entries.check().is_ok());
        }
    }
}
