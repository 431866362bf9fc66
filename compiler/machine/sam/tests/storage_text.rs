//! Tensors in SAM's text layout: what is written comes back, and files that are wrong are explained.

use std::fs;
use std::path::Path;

use crate::pack::pack;
use comet_sam::arithmetic::TypedValue as Number;
use comet_sam::graph::{Element, GraphLevel, TensorFormat};
use comet_sam::storage::{Entry, StoredTensor, text};
use proptest::prelude::*;

const D: GraphLevel = GraphLevel::Dense;
const S: GraphLevel = GraphLevel::Compressed;
const B: GraphLevel = GraphLevel::BitVector(3);

fn format(levels: &[GraphLevel], order: &[usize]) -> TensorFormat {
    TensorFormat {
        name: "B".to_owned(),
        levels: levels.to_vec(),
        order: order.to_vec(),
        element: Element::F64,
    }
}

fn matrix() -> Vec<Entry> {
    let entries = [([0, 1], 4.0), ([0, 3], -0.5), ([2, 0], 1e300), ([2, 3], 7.25)];
    entries.map(|(point, value)| (point.to_vec(), Number::F64(value))).into()
}

fn write(folder: &Path, format: &TensorFormat, stored: &StoredTensor) -> Result<(), text::TensorFileError> {
    text::write(folder, format, stored, &|path, content| fs::write(path, content))
}

/// The files of a folder, each with its lines in one.
fn listing(folder: &Path) -> String {
    let files = fs::read_dir(folder).expect("the folder can be read");
    let describe = |path: &Path| {
        let text = fs::read_to_string(path).expect("the file can be read");
        let name = path.file_name().expect("files have names").to_string_lossy().into_owned();
        format!("{name}: {}", text.lines().collect::<Vec<_>>().join(" "))
    };
    let mut lines: Vec<String> =
        files.map(|file| describe(&file.expect("the folder can be read").path())).collect();
    lines.sort();
    lines.join("\n")
}

/// Columns first, so that the names of the files say modes and not levels.
#[test]
fn files_are_named_by_modes() {
    let folder = tempfile::tempdir().expect("a folder");
    let format = format(&[S, S], &[1, 0]);
    write(folder.path(), &format, &pack(&format, &[3, 4], &matrix())).expect("it can be written");
    insta::assert_snapshot!(listing(folder.path()), @r"
    tensor_B_mode_0_crd: 2 0 0 2
    tensor_B_mode_0_seg: 0 1 2 4
    tensor_B_mode_1_crd: 0 1 3
    tensor_B_mode_1_seg: 0 3
    tensor_B_mode_shape: 3 4
    tensor_B_mode_vals: 1e300 4.0 -0.5 7.25
    ");
}

/// Bit vectors are words, two of them for each row here; where fibers begin is counted.
#[test]
fn words_of_bits_are_decimal_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let format = format(&[D, B], &[0, 1]);
    let stored = pack(&format, &[3, 4], &matrix());
    write(folder.path(), &format, &stored).expect("it can be written");
    insta::assert_snapshot!(listing(folder.path()), @r"
    tensor_B_mode_1_bv: 2 1 0 0 1 1
    tensor_B_mode_shape: 3 4
    tensor_B_mode_vals: 4.0 -0.5 1e300 7.25
    ");
    assert_eq!(text::read(folder.path(), &format), Ok(stored));
}

/// A scalar has no shape; an empty file of it does no harm.
#[test]
fn scalars_have_values_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let format = format(&[], &[]);
    let stored = pack(&format, &[], &[(vec![], Number::F64(2.5))]);
    write(folder.path(), &format, &stored).expect("it can be written");
    assert_eq!(listing(folder.path()), "tensor_B_mode_vals: 2.5");
    assert_eq!(text::read(folder.path(), &format), Ok(stored.clone()));
    fs::write(folder.path().join("tensor_B_mode_shape"), "").expect("it can be written");
    assert_eq!(text::read(folder.path(), &format), Ok(stored));
}

/// Each type has its own digits, and loses none.
#[test]
fn values_of_all_types_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let values = [
        [Number::I64(i64::MIN), Number::I64(i64::MAX)],
        [Number::F32(0.1), Number::F32(f32::INFINITY)],
        [Number::F64(0.1), Number::F64(-0.0)],
    ];
    let lines = values.map(|[first, second]| {
        let format = TensorFormat { element: first.element(), ..format(&[S], &[0]) };
        let stored = pack(&format, &[3], &[(vec![0], first), (vec![2], second)]);
        write(folder.path(), &format, &stored).expect("it can be written");
        assert_eq!(text::read(folder.path(), &format), Ok(stored));
        let lines = fs::read_to_string(folder.path().join("tensor_B_mode_vals")).expect("it is there");
        lines.lines().collect::<Vec<_>>().join(" ")
    });
    assert_eq!(lines, ["-9223372036854775808 9223372036854775807", "0.1 inf", "0.1 -0.0"]);
    let integers = TensorFormat { element: Element::I64, ..format(&[S], &[0]) };
    let error = text::read(folder.path(), &integers).expect_err("0.1 is no integer");
    assert_eq!(error.message, "found `0.1`, expected an integer");
}

/// What becomes of a right folder with one file changed.
fn message(file: &str, content: Option<&str>) -> String {
    message_of(&format(&[D, S], &[0, 1]), file, content)
}

fn message_of(format: &TensorFormat, file: &str, content: Option<&str>) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), format, &pack(format, &[3, 4], &matrix())).expect("it can be written");
    let path = folder.path().join(format!("tensor_B_mode_{file}"));
    match content {
        Some(content) => fs::write(path, content).expect("it can be written"),
        None => fs::remove_file(path).expect("it can be removed"),
    }
    let error = text::read(folder.path(), format).expect_err("the folder is wrong");
    error.to_string().replace(&format!("{}/", folder.path().display()), "")
}

/// One for each message. The segments are 0 2 2 4, the coordinates 1 3 0 3.
#[test]
fn wrong_files_are_explained() {
    let messages = [
        message("vals", None),
        message("vals", Some("1\n2\nthree\n4\n")),
        message("vals", Some("1\n\n2\n4\n")),
        message("vals", Some("1\n2\n")),
        message("shape", None),
        message("shape", Some("3\n")),
        message("shape", Some("3\n-4\n")),
        message("shape", Some("99999999999999999999\n4\n")),
        message("shape", Some("9223372036854775808\n4\n")),
        message("shape", Some("1000000000000\n4\n")),
        message("1_seg", Some("1\n2\n2\n4\n")),
        message("1_seg", Some("0\n2\n1\n4\n")),
        message("1_seg", Some("0\n2\n2\n3\n")),
        message("1_seg", Some("0\n2\n4\n")),
        message("1_seg", Some("")),
        message("1_crd", Some("1\n4\n0\n3\n")),
        message("1_crd", Some("1\n1\n0\n3\n")),
        message("1_crd", Some("1\n0\n0\n3\n")),
        message("1_crd", Some("1.0\n3\n0\n3\n")),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

/// The same for words of three bits. Those of the rows are 2 1, 0 0, 1 1.
#[test]
fn wrong_words_are_explained() {
    let bits = format(&[D, B], &[0, 1]);
    let words = |content| message_of(&bits, "1_bv", content);
    let messages = [
        words(None),
        words(Some("2\n1\n0\n0\n1\n")),
        words(Some("2\n1\n0\n0\n8\n1\n")),
        words(Some("2\n1\n0\n0\n1\n2\n")),
        words(Some("2\n1\n0\n0\n1\n18446744073709551616\n")),
        words(Some("2\n1\n0\n0\n1\n-1\n")),
        words(Some("2\n1\n0\n0\n0\n1\n")),
        message_of(&bits, "shape", Some("3\n7\n")),
        message_of(&bits, "shape", Some("1000000000000\n4\n")),
        message_of(&bits, "shape", Some("1000000000000\n0\n")),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

/// Names of tensors stay inside of the folder, and what is written fits its format.
#[test]
fn what_cannot_be_files_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let stored = pack(&format(&[D, S], &[0, 1]), &[3, 4], &matrix());
    let outside = TensorFormat { name: "../B".to_owned(), ..format(&[D, S], &[0, 1]) };
    assert!(write(folder.path(), &outside, &stored).is_err());
    assert!(text::read(folder.path(), &outside).is_err());
    for other in [[S, S], [D, D], [D, B]].map(|levels| format(&levels, &[0, 1])) {
        assert!(write(folder.path(), &other, &stored).is_err(), "{other}");
    }
    for other in [format(&[D, S], &[1, 0]), format(&[D], &[0])] {
        assert!(write(folder.path(), &other, &stored).is_err(), "{other}");
    }
    let words = pack(&format(&[D, B], &[0, 1]), &[3, 4], &matrix());
    for other in [[D, S], [D, GraphLevel::BitVector(4)]].map(|levels| format(&levels, &[0, 1])) {
        assert!(write(folder.path(), &other, &words).is_err(), "{other}");
    }
}

/// Nothing is stored, however far the levels reach around an extent of 0.
#[test]
fn nothing_is_read_in_no_time() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("tensor_B_mode_shape"), "99999999999\n0\n").expect("it can be written");
    fs::write(folder.path().join("tensor_B_mode_vals"), "").expect("it can be written");
    let stored = text::read(folder.path(), &format(&[D, D], &[0, 1])).expect("it can be read");
    assert_eq!(stored.entries(), vec![]);
}

fn formats() -> impl Strategy<Value = TensorFormat> {
    let order = Just(vec![0, 1, 2]).prop_shuffle();
    (prop::collection::vec(prop::sample::select(vec![D, S, B]), 3), order)
        .prop_map(|(levels, order)| format(&levels, &order))
}

fn entries() -> impl Strategy<Value = Vec<Entry>> {
    let point = (0..3_usize, 0..2_usize, 0..4_usize).prop_map(|(i, j, k)| vec![i, j, k]);
    prop::collection::btree_map(point, any::<i32>().prop_map(|n| Number::F64(f64::from(n) / 7.0)), 0..12)
        .prop_map(|entries| entries.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Every format, every order of modes, empty tensors too.
    #[test]
    fn tensors_come_back(format in formats(), entries in entries()) {
        let folder = tempfile::tempdir().expect("a folder");
        let stored = pack(&format, &[3, 2, 4], &entries);
        write(folder.path(), &format, &stored).expect("it can be written");
        prop_assert_eq!(text::read(folder.path(), &format), Ok(stored));
    }

    /// No files make the reader panic or take more memory than they have bytes.
    #[test]
    fn any_files_are_answered(
        format in formats(),
        files in prop::collection::vec("([0-4]\n|[0-4]\n|[0-4]\n|99999999999\n|x|-1\n){0,8}", 11),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let parts =
            ["0_seg", "0_crd", "1_seg", "1_crd", "2_seg", "2_crd", "0_bv", "1_bv", "2_bv", "shape", "vals"];
        for (part, text) in parts.iter().zip(files) {
            fs::write(folder.path().join(format!("tensor_B_mode_{part}")), text).expect("it can be written");
        }
        if let Ok(stored) = text::read(folder.path(), &format) {
            prop_assert!(stored.entries().len() <= 8);
        }
    }
}

#[test]
fn positions_that_cannot_be_counted_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("tensor_B_mode_shape"), "9223372036854775807\n4\n")
        .expect("it can be written");
    let error = text::read(folder.path(), &format(&[D, D], &[0, 1])).expect_err("it is too large");
    assert!(
        error.to_string().ends_with("dense levels of this shape have more positions than can be counted")
    );
}
