//! Real matrices and tensors, whose extents and numbers of nonzeros are known.

use comet_format::{Format, ValueType};
use comet_runtime::{ReadOptions, pack, read_file};
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/data");

/// The counts are those of the whole, where a file stores half.
const KNOWN: &[(&str, &[i64], usize)] = &[
    ("lp_scsd1.mtx.gz", &[77, 760], 2_388),
    ("rajat01.mtx.gz", &[6_833, 6_833], 43_250),
    ("bcsstk13.mtx.gz", &[2_003, 2_003], 83_883),
    ("delaunay_n15.mtx.gz", &[32_768, 32_768], 229_316),
    ("kg_WN18RR.tns.gz", &[40_559, 11, 40_546], 86_835),
    ("splatt_med.tns.gz", &[2_425, 10_816, 29_567], 100_000),
    ("splatt_med4.tns.gz", &[60_114, 83_826, 23_034, 1_132], 100_000),
];

#[test]
fn real_files_have_their_extents_and_entries() {
    if !Path::new(FOLDER).exists() {
        eprintln!("skipped: {FOLDER} is absent");
        return;
    }
    for (name, dims, nonzeros) in KNOWN {
        let entries = read_file(&Path::new(FOLDER).join(name), &ReadOptions::default()).unwrap();
        assert_eq!(&entries.dims[..], *dims, "{name}");
        let tensor = pack(&entries, &Format::csf(dims.len()).of(ValueType::F64)).unwrap();
        assert_eq!(tensor.values.len(), *nonzeros, "{name}");
    }
}
