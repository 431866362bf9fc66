//! No text makes the reader panic; what is right is written and read again.

use comet_spatial::read::read;
use comet_spatial::write::write;
use proptest::prelude::*;

/// Texts to change at random.
const TEXTS: &[&str] = &[
    include_str!("texts/filter.scala"),
    include_str!("texts/spellings.scala"),
    include_str!("texts/union.scala"),
    include_str!("texts/histogram.scala"),
    include_str!("texts/barriers.scala"),
    include_str!("texts/numbers.scala"),
    include_str!("texts/spmv.scala"),
];

/// Words that often make something that parses.
const WORDS: &[&str] = &[
    "val",
    "x",
    "y",
    "s",
    "f",
    "r",
    "d",
    "h",
    "=",
    "SRAM[T](16)",
    "FIFO[T](16)",
    "Reg[T](0)",
    "Foreach",
    "Reduce(r)",
    "MemReduce(s par 2)",
    "(3 by 1 par 2)",
    "(0 until 3, x until 4)",
    "(Scan(1, 16, \"or\", f.deq, f))",
    "{ i =>",
    "{ (i, j) =>",
    "{ case List(i, a, c, b) =>",
    "{ _ + _ }",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "[T]",
    "1",
    "2.5",
    "-",
    "+",
    "*",
    "::",
    ":=",
    "==",
    "&&",
    "!",
    ".",
    ",",
    ";",
    ":",
    "\n",
    "\n\n",
    "if",
    "else",
    "case",
    "=>",
    "load",
    "store",
    "d(0::3)",
    "s(i)",
    "f.deq",
    "f.enq(x)",
    "RMW",
    "Seq(b.push)",
    "mux(x == y, 1, 2)",
    ".to[T]",
    "deq",
    "_",
    "def",
    "class",
    "object",
    "extends",
    "type",
    "import",
    "@spatial",
    "Accel",
    "\"a\"",
    "//",
    "/*",
    "*/",
    "\"",
    "loadCSV1D[T](\"a\")",
    "getMem(d)",
    "setMem(d, h)",
    "args(0)",
    "println",
    "Array.tabulate(3)",
    "Barrier[Token](0)",
];

/// Reads the text, and writes and reads what comes of it.
fn survives(text: &str) {
    match read(text) {
        Err(errors) => {
            assert!(!errors.is_empty() && errors.iter().all(|error| error.span().is_some()), "{text}");
        }
        Ok(app) => {
            let written = write(&app);
            let again = read(&written).unwrap_or_else(|errors| panic!("{errors:?}\n{written}"));
            assert_eq!(again.clone(), app, "{text}");
            assert_eq!(write(&again), written, "{text}");
        }
    }
}

/// The tokens of a text, roughly: words, numbers, and characters alone.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    for (at, character) in text.char_indices() {
        let before = text[start..at].chars().next_back();
        if !(is_word(character) && before.is_none_or(is_word)) && at > start {
            parts.push(&text[start..at]);
            start = at;
        }
    }
    parts.push(&text[start..]);
    parts
}

/// A change at a part of a text.
#[derive(Clone, Copy, Debug)]
enum Change {
    Drop,
    Repeat,
    Swap,
    Replace(&'static str),
    Insert(&'static str),
}

fn change() -> impl Strategy<Value = Change> {
    let word = || prop::sample::select(WORDS);
    prop_oneof![
        Just(Change::Drop),
        Just(Change::Repeat),
        Just(Change::Swap),
        word().prop_map(Change::Replace),
        word().prop_map(Change::Insert),
    ]
}

fn changed(text: &str, changes: &[(prop::sample::Index, Change)]) -> String {
    let mut parts = parts(text);
    for (at, change) in changes {
        let (at, last) = (at.index(parts.len()), parts.len() - 1);
        match change {
            Change::Drop => drop(parts.remove(at)),
            Change::Repeat => parts.insert(at, parts[at]),
            Change::Swap => parts.swap(at, (at + 1).min(last)),
            Change::Replace(word) => parts[at] = word,
            Change::Insert(word) => parts.insert(at, word),
        }
    }
    parts.concat()
}

proptest! {
    #[test]
    fn any_characters(text in "([a-z(){}\\[\\]=>.:\"/*\n 0-9]|\\PC){0,80}") {
        survives(&text);
    }

    #[test]
    fn any_words(words in prop::collection::vec(prop::sample::select(WORDS), 0..60)) {
        let words = words.join(" ");
        let memories = "val d = DRAM[T](16)\nval h = loadCSV1D[T](\"h\")\nval n = ArgIn[T]";
        let chip = "val s = SRAM[T](16); val f = FIFO[U32](16); val r = Reg[T](0); val b = Barrier[Token](0)";
        survives(&words);
        survives(&format!("@spatial class K {{ type T = Int; def main(args: Array[String]) {{
            {memories}\n Accel {{ {chip}\n {words} }} }} }}"));
        survives(&format!("@spatial class K {{ type T = Int; def main(args: Array[String]) {{
            {memories}\n {words} \n Accel {{ }} }} }}"));
    }

    #[test]
    fn changed_texts(
        text in prop::sample::select(TEXTS),
        changes in prop::collection::vec((any::<prop::sample::Index>(), change()), 1..4),
    ) {
        survives(&changed(text, &changes));
    }

    #[test]
    fn texts_that_end_early(text in prop::sample::select(TEXTS), end in any::<prop::sample::Index>()) {
        let characters: Vec<char> = text.chars().collect();
        survives(&characters[..end.index(characters.len())].iter().collect::<String>());
    }
}

/// The deepest tree that the limit lets through fits the stack of a thread; a deeper one is an error.
#[test]
fn deep_trees() {
    for depth in [50, 100, 118, 130, 5000] {
        let around = |statement: &str| {
            format!("@spatial class K {{ def main(args: Array[String]) {{ Accel {{ {statement} }} }} }}")
        };
        survives(&around(&format!("val x = {}1{}", "(".repeat(depth), ")".repeat(depth))));
        survives(&around(&format!("val x = {}1", "-".repeat(depth))));
        survives(&around(&format!("val x = {}1{}", "-(".repeat(depth), ")".repeat(depth))));
        survives(&around(&format!("val x = 1{}", " + 1".repeat(depth))));
        survives(&around(&format!("val x = 1{}", ".to[Int]".repeat(depth))));
        survives(&around(&format!("val x = f{}", "(1)".repeat(depth))));
        survives(&around(&format!("val x = 1{}", " max 1".repeat(depth))));
        survives(&around(&format!("val x = {}1{}", "min(1, ".repeat(depth), ")".repeat(depth))));
        survives(&around(&format!("{}{}", "if (true) {".repeat(depth), "}".repeat(depth))));
        survives(&around(&format!("{} val x = 1", "if (true) ".repeat(depth))));
        survives(&around(&format!("{}{}", "Foreach(1 by 1) { i => ".repeat(depth), "}".repeat(depth))));
        survives(&around(&format!("val x: {}Int{} = 1", "A[".repeat(depth), "]".repeat(depth))));
        survives(&around(&format!("{} val x = 1 {}", "{".repeat(depth), "}".repeat(depth))));
    }
}

/// Time is proportional to the text.
#[test]
fn large_texts() {
    let statements: String = (0..20_000).map(|n| format!("val x{n} = {n}\n")).collect();
    survives(&format!("@spatial class K {{ def main(args: Array[String]) {{ Accel {{ {statements} }} }} }}"));
    survives(&"(".repeat(100_000));
    survives(&"/*".repeat(100_000));
    survives(&"class K\n".repeat(20_000));
}
