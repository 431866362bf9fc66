//! Writers: what is written reads back as the same tensor.

use comet_format::{Format, TypedFormat, ValueType};
use comet_runtime::values::ValueColumn;
use comet_runtime::{CoordinateTensor, ReadOptions, Tensor, pack, read_file, write_file};
use proptest::prelude::*;

fn tensor(format: TypedFormat, dims: &[i64], coords: &[&[i64]], values: ValueColumn) -> Tensor {
    let coords = coords.iter().map(|column| column.to_vec()).collect();
    pack(&CoordinateTensor { dims: dims.to_vec(), coords, values }, &format).unwrap()
}

/// Writes a tensor and reads it back; also the text of files that are not packed.
fn round_trip(tensor: &Tensor, name: &str) -> (CoordinateTensor, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    write_file(tensor, &path).unwrap();
    let options =
        ReadOptions { rank: Some(tensor.dims.len()), value: tensor.format.value, ..ReadOptions::default() };
    let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
    (read_file(&path, &options).unwrap(), text)
}

fn csc() -> Tensor {
    let values = ValueColumn::F64(vec![0.1, -2.0, 1e-300]);
    tensor(Format::csc().of(ValueType::F64), &[3, 4], &[&[2, 0, 1], &[1, 3, 1]], values)
}

#[test]
fn sparse_tensors_are_written_in_storage_order() {
    let (entries, text) = round_trip(&csc(), "a.mtx");
    assert_eq!(text, "%%MatrixMarket matrix coordinate real general\n3 4 3\n2 2 1e-300\n3 2 0.1\n1 4 -2\n");
    assert_eq!((entries.dims, entries.coords), (vec![3, 4], vec![vec![1, 2, 0], vec![1, 1, 3]]));
    let (entries, text) = round_trip(&csc(), "a.tns");
    assert_eq!(text, "2 2 1e-300\n3 2 0.1\n1 4 -2\n");
    assert_eq!(entries.values, ValueColumn::F64(vec![1e-300, 0.1, -2.0]));
    let (packed, text) = round_trip(&csc(), "a.tns.gz");
    assert_eq!(packed, entries);
    assert!(!text.starts_with('2'));
}

/// SciPy's archives hold rows, columns or a list of entries, whichever the tensor is stored by.
#[test]
fn archives_of_scipy_read_back() {
    let coords: &[&[i64]] = &[&[2, 0, 1, 2], &[1, 3, 1, 0]];
    let values = || ValueColumn::F64(vec![0.1, -2.0, 1e-300, 0.0]);
    for (format, name) in [(Format::csr(), "csr"), (Format::csc(), "csc"), (Format::coo(2), "coo")] {
        let stored = tensor(format.of(ValueType::F64), &[3, 4], coords, values());
        let (entries, text) = round_trip(&stored, "a.npz");
        assert!(text.contains(if name == "coo" { "row.npy" } else { "indptr.npy" }), "{name}");
        let again = pack(&entries, &stored.format).unwrap();
        assert_eq!(round_trip(&again, "a.mtx").1, round_trip(&stored, "a.mtx").1, "{name}");
        assert_eq!(entries.dims, vec![3, 4]);
    }
    let vector =
        tensor(Format::dense(1).of(ValueType::F64), &[2], &[&[0, 1]], ValueColumn::F64(vec![1.0, 2.0]));
    let folder = tempfile::tempdir().unwrap();
    let refused = write_file(&vector, &folder.path().join("a.npz")).unwrap_err().to_string();
    assert!(refused.contains("`.npz` holds matrices"), "{refused}");
}

#[test]
fn damaged_archives_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npz");
    write_file(&csc(), &path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    for length in (4..whole.len()).step_by(7) {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(read_file(&path, &ReadOptions::default()).is_err(), "{length} of {} bytes", whole.len());
    }
}

#[test]
fn dense_tensors_are_written_whole() {
    let column_major =
        Format::from_levels(&Format::dense(2).levels.iter().map(|l| l.kind).collect::<Vec<_>>(), &[1, 0]);
    let values = ValueColumn::I64(vec![5, i64::MAX]);
    let dense = tensor(column_major.unwrap().of(ValueType::I64), &[2, 3], &[&[0, 1], &[2, 0]], values);
    let (entries, text) = round_trip(&dense, "a.mtx");
    assert_eq!(
        text,
        "%%MatrixMarket matrix array integer general\n2 3\n0\n9223372036854775807\n0\n0\n5\n0\n"
    );
    assert_eq!(entries.len(), 6);
    for name in ["a.npy", "a.npy.gz"] {
        let (entries, _) = round_trip(&dense, name);
        assert_eq!(entries.values, ValueColumn::I64(vec![0, 0, 5, i64::MAX, 0, 0]));
        assert_eq!(entries.dims, [2, 3]);
    }
    let vector = tensor(Format::dense(1).of(ValueType::F32), &[2], &[&[1]], ValueColumn::F32(vec![0.1]));
    for name in ["a.mtx", "a.npy", "a.tns"] {
        assert_eq!(round_trip(&vector, name).0.values, ValueColumn::F32(vec![0.0, 0.1]));
    }
    let scalar = tensor(Format::dense(0).of(ValueType::F64), &[], &[], ValueColumn::F64(vec![2.5]));
    for name in ["a.npy", "a.tns"] {
        assert_eq!(round_trip(&scalar, name).0.values, ValueColumn::F64(vec![2.5]));
    }
}

/// The value 1 with one line after it would make the first line a header of COMET's form.
#[test]
fn a_written_first_line_is_never_taken_for_a_header() {
    let values = ValueColumn::I64(vec![1, 7]);
    let reversed =
        Format::from_levels(&Format::coo(2).levels.iter().map(|l| l.kind).collect::<Vec<_>>(), &[1, 0]);
    let tensor = tensor(reversed.unwrap().of(ValueType::I64), &[9, 9], &[&[8, 0], &[0, 1]], values);
    let (entries, text) = round_trip(&tensor, "a.tns");
    assert_eq!(text, "9 1 1.0\n1 2 7\n");
    assert_eq!(entries.len(), 2);
}

#[test]
fn what_a_kind_of_file_cannot_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused =
        |tensor: &Tensor, name: &str| write_file(tensor, &folder.path().join(name)).unwrap_err().to_string();
    assert!(refused(&csc(), "a.npy").starts_with("`.npy` holds dense tensors"));
    assert!(refused(&csc(), "a.txt").contains("names no kind of file"));
    assert!(refused(&csc(), "no/folder/a.mtx").starts_with("cannot write"));
    let cube =
        tensor(Format::csf(3).of(ValueType::F64), &[1, 1, 1], &[&[], &[], &[]], ValueColumn::F64(vec![]));
    assert!(refused(&cube, "a.mtx").contains("rank 3"));
}

proptest! {
    #[test]
    fn any_double_reads_back(bits in proptest::collection::vec(any::<u64>(), 1..20)) {
        let values: Vec<f64> = bits.into_iter().map(f64::from_bits).map(|v| if v.is_nan() { 0.5 } else { v }).collect();
        let index: Vec<i64> = (0..values.len() as i64).collect();
        let vector = tensor(Format::sparse_vector().of(ValueType::F64), &[99], &[&index], ValueColumn::F64(values.clone()));
        for name in ["a.mtx", "a.tns"] {
            prop_assert_eq!(&round_trip(&vector, name).0.values, &ValueColumn::F64(values.clone()));
        }
    }
}

/// The folder in which a writer of the tests below writes; it is there in the writer's process only.
const WRITER: &str = "COMET_TEST_WRITER";
/// How many lines it writes: enough for several calls of the system.
const LINES: usize = 40_000;

/// Another process's part of the tests below: writes the same file again and again, with a number of its own
/// in all lines each time.
#[test]
fn writer() {
    let Some(folder) = std::env::var_os(WRITER) else { return };
    comet_runtime::signals::handle();
    let path = std::path::Path::new(&folder).join("a.tns");
    let index: Vec<i64> = (0..LINES as i64).collect();
    for version in 1.. {
        let values = ValueColumn::I64(vec![1_000_000 + version; LINES]);
        let format = Format::coo(1).of(ValueType::I64);
        write_file(&tensor(format, &[LINES as i64], &[&index], values), &path).unwrap();
    }
}

/// Ends writers by a signal at moments that are drawn; the file is that of one version each time.
fn end_writers(signal: &str, moments: u64, mut after: impl FnMut(&std::path::Path)) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tns");
    std::fs::write(&path, "").unwrap();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for moment in 0..moments {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        // The tests of several files are one program, which calls them by their modules.
        let module = module_path!().split_once("::").map(|(_, module)| format!("{module}::"));
        let name = module.unwrap_or_default() + "writer";
        command.args(["--exact", &name]).env(WRITER, folder.path()).stdout(std::process::Stdio::null());
        let before = std::fs::metadata(&path).unwrap().modified().unwrap();
        let mut process = command.spawn().unwrap();
        // It has begun once the file is another one.
        while std::fs::metadata(&path).unwrap().modified().unwrap() == before {
            assert!(process.try_wait().unwrap().is_none(), "the writer has ended");
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(std::time::Duration::from_micros((random >> 33) % 20_000));
        let id = process.id().to_string();
        let killed = std::process::Command::new("kill").args([&format!("-{signal}"), &id]).status();
        assert!(killed.unwrap().success());
        process.wait().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let values: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
        assert_eq!(values.len(), LINES, "moment {moment}");
        assert!(values.iter().all(|value| *value == values[0]), "moment {moment}");
        after(folder.path());
    }
}

fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = folder.read_dir().unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// `COMET_MOMENTS` says how many.
#[test]
fn kills_leave_whole_files() {
    let moments = std::env::var("COMET_MOMENTS").map_or(20, |moments| moments.parse().unwrap());
    let mut left = 0;
    end_writers("KILL", moments, |folder| {
        left += usize::from(names(folder).len() > 1);
        // What was left goes with the next writer of the file, which here is this process.
        let scalar = tensor(Format::coo(1).of(ValueType::I64), &[1], &[&[0]], ValueColumn::I64(vec![7]));
        write_file(&scalar, &folder.join("a.tns")).unwrap();
        assert_eq!(names(folder), ["a.tns"]);
    });
    println!("{left} of {moments} kills left a part");
    assert!(left > 0, "no kill came while a part was there");
}

#[test]
fn signals_leave_nothing() {
    for signal in ["INT", "TERM"] {
        end_writers(signal, 5, |folder| assert_eq!(names(folder), ["a.tns"]));
    }
}

/// Of writers at the same time, each has a part of its own, and a reader sees one of their files.
#[test]
fn writers_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tns");
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..50 {
                    let values = ValueColumn::I64(vec![7; 100 + thread]);
                    let index: Vec<i64> = (0..values.len() as i64).collect();
                    let format = Format::coo(1).of(ValueType::I64);
                    write_file(&tensor(format, &[200], &[&index], values), path).unwrap();
                    let lines = std::fs::read_to_string(path).unwrap().lines().count();
                    assert!((100..104).contains(&lines), "{lines}");
                }
            });
        }
    });
    assert_eq!(names(folder.path()), ["a.tns"]);
}
