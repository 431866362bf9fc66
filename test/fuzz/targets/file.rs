//! Any bytes are read as every kind of file without a panic, and in memory that the bytes account for. The
//! first byte chooses the kind.
#![no_main]

use comet_format::{Format, ValueType};
use comet_runtime::{ReadOptions, pack, read_file, unpack};
use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;
use std::sync::LazyLock;

static FOLDER: LazyLock<tempfile::TempDir> = LazyLock::new(|| tempfile::tempdir().expect("a folder"));

const NAMES: [&str; 6] = ["a.mtx", "a.tns", "a.npy", "a.mtx.gz", "a.tns.gz", "a.npy.gz"];

fuzz_target!(|bytes: &[u8]| {
    let Some((&choice, content)) = bytes.split_first() else { return };
    let path: PathBuf = FOLDER.path().join(NAMES[usize::from(choice) % NAMES.len()]);
    std::fs::write(&path, content).expect("the folder can be written to");
    let rank = usize::from(choice) / NAMES.len();
    let options = ReadOptions { rank: (rank < 5).then_some(rank), ..ReadOptions::default() };
    let Ok(entries) = read_file(&path, &options) else { return };
    let rank = entries.dims.len();
    // Only entries take room in these formats, so extents may be as large as a file says.
    if rank > 0 {
        let format = Format::coo(rank).of(ValueType::F64);
        if let Ok(tensor) = pack(&entries, &format) {
            let again = unpack(&tensor).expect("what was packed can be unpacked");
            assert!(again.len() <= entries.len());
        }
    }
});
