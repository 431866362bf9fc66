//! The bytes that every kind writes for one seed, as a hash: a change here changes every measurement and
//! every test that was made with a generated file, so it must be meant.

use comet_gen::{
    Amount, Banded, Block, Generator, Kind, Points, PowerLaw, Rmat, Stencil, Uniform, Values, write,
};

/// FNV-1a, 64 bits.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

fn written(kind: &Kind, values: Values) -> u64 {
    let tensor = Generator::new(kind.clone()).values(values).seed(2026).generate().expect("generates");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("a.tns");
    write(&path, &tensor).expect("writes");
    hash(&std::fs::read(path).expect("reads"))
}

#[test]
fn the_streams_are_fixed() {
    let stencil = Kind::Stencil(Stencil { points: Points::TwentySeven, grid: vec![5, 6, 7] });
    let banded = Kind::Banded(Banded { rows: 40, columns: 50, below: 3, above: 2 });
    let sparse = Kind::Uniform(Uniform { dims: vec![300, 400], entries: Amount::Density(0.01) });
    let dense = Kind::Uniform(Uniform { dims: vec![30, 40, 5], entries: Amount::Entries(4000) });
    let rmat = Kind::Rmat(Rmat::graph500(8));
    let block = Kind::Block(Block {
        rows: 99,
        columns: 80,
        block_rows: 4,
        block_columns: 3,
        blocks: Amount::Entries(60),
    });
    let power_law =
        Kind::PowerLaw(PowerLaw { dims: vec![90, 80, 70, 60], entries: Amount::Entries(3000), skew: 3 });
    let expected = [
        ("stencil", stencil.clone(), Values::Own, 0xe43d_28c3_ed05_d821),
        ("stencil, random values", stencil.clone(), Values::Random, 0xaefa_e5bd_29b9_7ccc),
        ("stencil, values by position", stencil, Values::Position, 0x12d5_3954_d972_a7b1),
        ("banded", banded, Values::Own, 0xce74_8112_52f9_b137),
        ("uniform, sparse", sparse, Values::Own, 0xa14f_e9fe_887e_60a7),
        ("uniform, dense", dense, Values::Own, 0x239b_10f2_b761_6a6d),
        ("rmat", rmat, Values::Own, 0xf31f_b4fe_29f1_9599),
        ("block", block, Values::Own, 0x779f_768c_71bc_27b4),
        ("power law", power_law, Values::Own, 0x430f_65c6_996c_052f),
    ];
    let line = |name: &str, hash: u64| format!("{name}: {hash:#018x}");
    let found: Vec<String> =
        expected.iter().map(|(name, kind, values, _)| line(name, written(kind, *values))).collect();
    let expected: Vec<String> = expected.iter().map(|&(name, _, _, hash)| line(name, hash)).collect();
    assert_eq!(found, expected);
}
