//! Levels of memory in files of machines: what is read, what is refused and where, and the machines that have
//! names.

use comet_sam::machine::{DataflowMachine, hierarchy, preset};
use comet_tiling::{Hierarchy, Machine as Buffer, MemoryLevel, Room};

/// One file serves the simulator and the choice of tiles.
const BOTH: &str = r#"
name = "both"
clock = "2GHz"

[memory]
element = "16KiB"

[words]
value = 4

[[levels]]
name = "LLB"
shared = "1MiB"
rate = "10GB/s"
energy = 20

[[levels]]
name = "PE"
count = 16
buffer = "2KiB"
buffers = { A = "512B", C = "1KiB" }
apart = true

[compute]
rate = "500MHz"
energy = 1.5
"#;

#[test]
fn one_file_serves_both() {
    let machine = DataflowMachine::read(BOTH).expect("it is a machine for the simulator");
    assert_eq!(machine.memory.expect("it has a memory").element, 16 << 10);
    let named = vec![("A".to_owned(), 512), ("C".to_owned(), 1 << 10)];
    let outer = MemoryLevel {
        name: "LLB".to_owned(),
        room: Room::Shared(1 << 20),
        is_apart: false,
        count: 1,
        rate: Some(1e10),
        energy: 20.0,
    };
    let inner = MemoryLevel {
        name: "PE".to_owned(),
        room: Room::Each(named, Some(2 << 10)),
        is_apart: true,
        count: 16,
        rate: None,
        energy: 0.0,
    };
    let expected = Hierarchy {
        name: "both".to_owned(),
        value_bytes: 4,
        word_bytes: 4,
        levels: vec![outer, inner],
        rate: Some(5e8),
        energy: 1.5,
    };
    assert_eq!(hierarchy(BOTH), Ok(expected));
}

/// What is wrong is reported with its place: the text that it points to.
#[test]
fn what_is_wrong_with_levels_is_told() {
    let level = |fields: &str| format!("[[levels]]\nname = \"L\"\n{fields}");
    let five =
        ["a", "b", "c", "d", "e"].map(|name| format!("[[levels]]\nname = \"{name}\"\nbuffer = \"1KiB\"\n"));
    for (file, expected, place) in [
        ("[queues]\ndepth = 8".to_owned(), "has no `[[levels]]`", ""),
        (level("buffer = \"much\""), "found `much`, expected a number of bytes", "\"much\""),
        (level("buffers = { A = \"0\" }"), "found `0`, expected a number of bytes", "\"0\""),
        (level("shared = \"1KiB\"\nbuffer = \"1KiB\""), "`L` has both `shared` and buffers", "\"1KiB\""),
        (level("shared = \"1KiB\"\napart = true"), "`L` is `shared` and `apart`", "\"1KiB\""),
        (
            level("rate = \"1GB/s\""),
            "`L` has no room, expected `buffer`, `buffers` or `shared`",
            "[[levels]]",
        ),
        (level("buffer = \"1KiB\"\nrate = \"fast\""), "found `fast`, expected bytes a second", "\"fast\""),
        (level("buffer = \"1KiB\"\ncount = 0"), "found 0 for `count`, expected a whole number", "0"),
        (level("buffer = \"1KiB\"\nenergy = -1.0"), "is -1, expected a number from 0 to", "-1.0"),
        (level("buffer = \"1KiB\"\nsize = 4"), "unknown field `size`", "size"),
        ("[[levels]]\nname = \"a b\"\nbuffer = \"1KiB\"".to_owned(), "found `a b` as the name", "\"a b\""),
        (format!("{0}\n{0}", level("buffer = \"1KiB\"")), "found two levels `L`", "\"L\""),
        (five.concat(), "found 5 levels, expected 4 or fewer", "[[levels]]"),
        (format!("[words]\nvalue = 0\n{}", level("buffer = \"1KiB\"")), "found 0 for `value`", "0"),
        (format!("[compute]\nrate = \"7\"\n{}", level("buffer = \"1KiB\"")), "expected a clock", "\"7\""),
    ] {
        let error = hierarchy(&file).expect_err(expected);
        assert!(error.message.contains(expected), "{expected}: {error}");
        let found = error.place.map_or("", |place| &file[place]);
        assert!(found.starts_with(place) && found.is_empty() == place.is_empty(), "{expected}: {found}");
    }
}

/// Machines with names can be read by both; Opal's buffers are those that the paper's tiles are for.
#[test]
fn machines_with_names_can_be_read() {
    let read = |name: &str| {
        let text = preset(name).expect("it has a name");
        DataflowMachine::read(text).expect("the simulator reads it");
        hierarchy(text).expect("it has levels")
    };
    let [level] = &read("opal").levels[..] else { panic!("Opal has one level") };
    let Buffer { buffer, value_bytes, word_bytes, is_apart, .. } = Buffer::opal();
    assert_eq!((&level.room, level.is_apart), (&Room::Each(Vec::new(), Some(buffer)), is_apart));
    assert_eq!((read("opal").value_bytes, read("opal").word_bytes), (value_bytes, word_bytes));
    let extensor = read("extensor");
    let rooms: Vec<&Room> = extensor.levels.iter().map(|level| &level.room).collect();
    assert_eq!(rooms, [&Room::Shared(30 << 20), &Room::Shared(64 << 10)]);
    assert_eq!(extensor.levels[0].rate, Some(68.256e9));
    assert_eq!(preset("abacus"), None);
}
