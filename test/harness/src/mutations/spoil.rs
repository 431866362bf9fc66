//! Ways to spoil bytes.

use crate::random::rng::Rng;

/// Numbers at which arithmetic changes, and what is no number.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "2",
    "3",
    "33",
    "65",
    "4096",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "1e400",
    "-0.0",
    "0.5",
    "nan",
    "inf",
    "1e-320",
    "99999999999999999999999999999999999999",
];

/// Words of the languages, and what texts seldom have.
const WORDS: &[&str] = &[
    "def ",
    "main",
    "()",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ";",
    ",",
    "=",
    "+=",
    "*",
    "@(min,+)",
    "IndexLabel ",
    "Tensor<double> ",
    "Tensor<int> ",
    "CSR",
    "Dense",
    "{CU, CN, S}",
    "BCSR<2,2>",
    "?",
    "random(0.5)",
    "comet_read(0)",
    "print(",
    "SUM(",
    "MAX(",
    "for ",
    "while ",
    "if ",
    "schedule { ",
    "split(i, o, n, 2); ",
    "order(i, j); ",
    "tile(auto, buffer = 1KiB); ",
    "parallelize(i); ",
    "precompute(",
    "#",
    "\"",
    "\\",
    "\0",
    "\u{1b}[31m",
    "é",
    "∑",
    "\u{202e}",
    "\r\n",
    "\t",
    "<->",
    "<<>>",
    "index=i64",
    "label=\"",
    "-> ",
    "val x = ",
    "Foreach(",
    "Reduce(",
    "SRAM[Float](",
    ":",
    "%",
    "%%MatrixMarket",
    "symmetric",
    "pattern",
    "array",
];

/// Spoils bytes in one to four ways, in most cases in one, since the first error hides the others; `other` is
/// where parts come from.
pub(super) fn spoilt(bytes: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..rng.pick(&[1, 1, 1, 1, 2, 2, 3, 4]) {
        spoil(&mut bytes, other, rng);
    }
    // Repetition upon repetition would be about length and nothing else.
    bytes.truncate(1 << 20);
    bytes
}

/// Text for the command line, which has no NUL.
pub(super) fn spoilt_text(text: &str, other: &str, rng: &mut Rng) -> String {
    let bytes = spoilt(text.as_bytes(), other.as_bytes(), rng);
    // The system has a limit for an argument, too.
    String::from_utf8_lossy(&bytes).replace('\0', "").chars().take(30_000).collect()
}

fn spoil(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let place = rng.below(bytes.len() + 1);
    let end = (place + rng.between(1, 12)).min(bytes.len());
    match rng.below(12) {
        0 => drop(bytes.drain(place..end)),
        1 => bytes.truncate(place),
        2 => {
            let part = bytes[place..end].to_vec();
            let times = rng.pick(&[1, 2, 40, 1000]);
            drop(bytes.splice(place..place, part.repeat(times)));
        }
        3 => {
            let word = rng.pick(WORDS).as_bytes();
            drop(bytes.splice(place..place, word.iter().copied()));
        }
        4 | 5 => replace_number(bytes, place, rng),
        6 => {
            let from = rng.below(other.len() + 1);
            let part = &other[from..(from + rng.between(1, 60)).min(other.len())];
            drop(bytes.splice(place..end, part.iter().copied()));
        }
        7 => drop_line(bytes, place, rng),
        8 => swap_words(bytes, place, rng),
        9 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << rng.below(8);
            }
        }
        10 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte = rng.below(256) as u8;
            }
        }
        _ => {
            let word = rng.pick(WORDS).as_bytes();
            drop(bytes.splice(place..end, word.iter().copied()));
        }
    }
}

/// The next number behind a place becomes another one.
fn replace_number(bytes: &mut Vec<u8>, place: usize, rng: &mut Rng) {
    let Some(start) = (place..bytes.len()).find(|&at| bytes[at].is_ascii_digit()) else { return };
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = rng.pick(NUMBERS).as_bytes();
    drop(bytes.splice(start..start + length, number.iter().copied()));
}

/// A line goes, or comes twice.
fn drop_line(bytes: &mut Vec<u8>, place: usize, rng: &mut Rng) {
    let start = bytes[..place].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let end = bytes[place..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| place + at + 1);
    let line = bytes[start..end].to_vec();
    let times = rng.pick(&[0, 2, 100]);
    drop(bytes.splice(start..end, line.repeat(times)));
}

/// A word becomes one that stands elsewhere: labels and tensors change places.
fn swap_words(bytes: &mut Vec<u8>, place: usize, rng: &mut Rng) {
    let words = words(bytes);
    let Some(old) = words.iter().find(|word| word.start >= place).or(words.last()).cloned() else { return };
    let new = bytes[rng.pick(&words)].to_vec();
    drop(bytes.splice(old, new));
}

fn words(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_letter = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let starts = (0..bytes.len()).filter(|&at| is_letter(at) && (at == 0 || !is_letter(at - 1)));
    starts.map(|start| start..(start..).find(|&at| !is_letter(at)).unwrap_or(bytes.len())).collect()
}
