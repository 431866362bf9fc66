//! The table of all counts.

use crate::count::{Count, Find, Grouping, Keep, Total};
use crate::find::{bools, calls, comments, functions, levels, literals, types};
use crate::tree::Language::{Cpp, Markdown, Rust, TableGen};
use crate::tree::{Language, Region};

/// The compiler, its run time, its tools and the benchmarks, without tests.
const SOURCE: &[Region] = &[Region::Product, Region::Bench];
const PRODUCT: &[Region] = &[Region::Product];
const BENCH: &[Region] = &[Region::Bench];
const TESTS: &[Region] = &[Region::TestCrate, Region::UnitTests, Region::Tests];
/// All but folders `tests`: the rule of the review for most counts.
const OUTSIDE_TESTS: &[Region] = &[Region::Product, Region::Bench, Region::TestCrate, Region::UnitTests];
const ALL: &[Region] = &[Region::Product, Region::Bench, Region::TestCrate, Region::UnitTests, Region::Tests];

const RUST: &[Language] = &[Rust];
const NATIVE: &[Language] = &[Cpp, TableGen];

/// All counts, in the order in which they are printed.
pub const COUNTS: &[Count] = &[
    lines(
        "source",
        "lines of Rust, TableGen and C++ without tests and bench",
        &[Rust, TableGen, Cpp],
        PRODUCT,
    ),
    lines("source-rust", "lines of Rust without tests and bench", RUST, PRODUCT),
    lines("source-rust-bench", "lines of Rust without tests, bench included", RUST, SOURCE),
    lines("bench", "lines of Rust of the benchmarks without tests", RUST, BENCH),
    lines("tests", "lines of Rust of tests and of the crates that only tests use", RUST, TESTS),
    lines("tablegen", "lines of TableGen", &[TableGen], PRODUCT),
    lines("cpp", "lines of C++ and C and their headers, without bench", &[Cpp], PRODUCT),
    decisions(
        "level-kinds",
        "kinds of levels in patterns and comparisons outside of their own files",
        levels::decisions,
    ),
    Count {
        total: Total::Lines,
        regions: &[Region::Product, Region::UnitTests],
        ..decisions(
            "level-mentions",
            "lines with `LevelKind::` or `LevelFormat::` in the product",
            levels::mentions,
        )
    },
    names("own-ops", "names in our own dialects as string literals", literals::own_operations),
    names("upstream-ops", "names in MLIR's dialects as string literals", literals::upstream_operations),
    calls_of("operand-numbers", "`.operand(N)`", calls::operand_numbers),
    calls_of("body-numbers", "`.body(N)`", calls::body_numbers),
    calls_of("attribute-names", "attributes looked up, set or removed by name", calls::attribute_names),
    calls_of("attribute-readers", "`integer(op, \"name\")` and the like", calls::attribute_readers),
    Count { total: Total::Lines, ..calls_of("is", "lines with `is::<T>()`", calls::is) },
    Count {
        total: Total::Lines,
        ..calls_of("descendants", "lines with `descendants::<T>()`", calls::descendants)
    },
    Count { regions: SOURCE, ..calls_of("bools", "functions with a positional `bool`", bools::find) },
    Count { total: Total::Texts, ..shared_names("shared-names", "names that more than three types have") },
    shared_names("shared-types", "types whose name more than three types have"),
    words("word-round", "`round`, `rounds` in comments", RUST, &["round", "rounds"]),
    words("word-iteration", "`iteration`, `iterations` in comments", RUST, &["iteration", "iterations"]),
    words("word-gives", "`gives` in comments", RUST, &["gives"]),
    words("word-returns", "`returns` in comments", RUST, &["returns"]),
    words("word-tell", "`tell`, `tells`, `told` in comments", RUST, &["tell", "tells", "told"]),
    words("word-so-many", "`so many` in comments", RUST, &["so many"]),
    words("word-those", "`those` in comments", RUST, &["those"]),
    words("word-stand", "`stand`, `stands` in comments", RUST, &["stand", "stands"]),
    words("word-behind", "`behind` in comments", RUST, &["behind"]),
    words("word-what", "`what` in comments", RUST, &["what"]),
    words("native-round", "`round`, `rounds` in comments of C++ and TableGen", NATIVE, &["round", "rounds"]),
    words("native-tell", "`tell`, `tells`, `told` there", NATIVE, &["tell", "tells", "told"]),
    words("native-gives", "`gives` there", NATIVE, &["gives"]),
    words("native-returns", "`returns` there", NATIVE, &["returns"]),
    words("native-those", "`those` there", NATIVE, &["those"]),
    words("native-what", "`what` there", NATIVE, &["what"]),
    of_functions("functions", "functions with a body", Keep::All, Total::Number),
    of_functions("function-median", "lines of a function, median", Keep::All, Total::Percentile(50)),
    of_functions("function-p90", "lines of a function, 90th percentile", Keep::All, Total::Percentile(90)),
    of_functions("function-p99", "lines of a function, 99th percentile", Keep::All, Total::Percentile(99)),
    of_functions("function-max", "lines of the longest function", Keep::All, Total::Percentile(100)),
    of_functions("functions-over-60", "functions of more than 60 lines", Keep::Above(60), Total::Number),
    of_functions("functions-over-80", "functions of more than 80 lines", Keep::Above(80), Total::Number),
    Count {
        find: Find::Rust(functions::parameters),
        ..of_functions("parameters-5", "functions of five and more parameters", Keep::Above(4), Total::Number)
    },
    Count {
        keep: Keep::Above(400),
        total: Total::Number,
        ..lines("files-over-400", "Rust files of more than 400 lines without tests", RUST, SOURCE)
    },
    Count { regions: SOURCE, ..calls_of("unwrap", "`unwrap()` outside of tests", calls::unwrap) },
    Count {
        regions: SOURCE,
        ..calls_of("unsafe", "`unsafe` blocks outside of tests", functions::unsafe_blocks)
    },
    Count {
        regions: SOURCE,
        ..calls_of("field-comments", "one-line comments of fields", comments::one_line_fields)
    },
    Count {
        regions: SOURCE,
        ..calls_of(
            "short-field-comments",
            "comments of fields of at most three words",
            comments::short_fields,
        )
    },
    Count {
        find: Find::Text(&[Markdown], comments::long_lines),
        regions: ALL,
        ..lines("long-lines", "lines of prose in Markdown over 100 columns", &[Markdown], ALL)
    },
    Count {
        find: Find::Text(&[Markdown], comments::long_cells),
        regions: ALL,
        ..lines("long-cells", "cells of tables in Markdown that hold a paragraph", &[Markdown], ALL)
    },
];

const fn lines(
    name: &'static str,
    about: &'static str,
    languages: &'static [Language],
    regions: &'static [Region],
) -> Count {
    let find = Find::Lines(languages);
    Count { name, about, regions, find, keep: Keep::All, total: Total::Sum, group: Grouping::Package }
}

const fn words(
    name: &'static str,
    about: &'static str,
    languages: &'static [Language],
    words: &'static [&'static str],
) -> Count {
    let find = Find::Words(languages, words);
    Count {
        name,
        about,
        regions: OUTSIDE_TESTS,
        find,
        keep: Keep::All,
        total: Total::Number,
        group: Grouping::Package,
    }
}

type Finder = fn(&crate::file::RustFile<'_>) -> Vec<crate::count::Finding>;

const fn calls_of(name: &'static str, about: &'static str, find: Finder) -> Count {
    let find = Find::Rust(find);
    Count {
        name,
        about,
        regions: OUTSIDE_TESTS,
        find,
        keep: Keep::All,
        total: Total::Number,
        group: Grouping::Package,
    }
}

const fn decisions(name: &'static str, about: &'static str, find: Finder) -> Count {
    Count { regions: PRODUCT, ..calls_of(name, about, find) }
}

const fn names(name: &'static str, about: &'static str, find: Finder) -> Count {
    Count { regions: SOURCE, group: Grouping::Dialect, ..calls_of(name, about, find) }
}

const fn shared_names(name: &'static str, about: &'static str) -> Count {
    let keep = Keep::SharedByMoreThan(3);
    Count { keep, group: Grouping::Text, ..calls_of(name, about, types::definitions) }
}

const fn of_functions(name: &'static str, about: &'static str, keep: Keep, total: Total) -> Count {
    let find = Find::Rust(functions::lengths);
    Count { name, about, regions: SOURCE, find, keep, total, group: Grouping::Package }
}
