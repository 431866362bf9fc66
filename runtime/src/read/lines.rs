//! Lines of entries, parsed in parallel: the text is cut at line ends, each part fills its own stretch of
//! the columns.

use super::field::{FieldFault, FileValue, Scanner};
use super::{FileKind, message, tns};
use crate::error::Error;
use crate::memory::{check_available, close_gaps, zeroed_vec};
use comet_format::{ValueKind, ValueType};
use comet_notation::Constant;
use rayon::prelude::*;
use std::path::Path;

/// Bytes that one task parses.
const TASK: usize = 1 << 20;

/// What the lines of a file look like.
pub(super) struct LineRules<'a> {
    pub(super) path: &'a Path,
    /// `Market` or `Tns`.
    pub(super) kind: FileKind,
    /// The type of the values.
    pub(super) value: ValueType,
    /// The number of the text's first line.
    pub(super) first_line: u64,
    /// The smallest index, which becomes 0.
    pub(super) base: i64,
    /// The largest index of each mode; one a mode.
    pub(super) largest: &'a [i64],
    /// What follows the indices.
    pub(super) field: ValueField,
}

impl LineRules<'_> {
    /// Returns what begins a line that is a comment; Matrix Market has comments in the header alone.
    fn comment(&self) -> Option<u8> {
        (self.kind == FileKind::Tns).then_some(tns::COMMENT)
    }
}

/// What follows the indices of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueField {
    /// Nothing: the entry is 1.
    Nothing,
    /// A number.
    Number,
    /// A number without a fraction, whatever the type that it is read into.
    Whole,
    /// An integer of at least 0, of a file whose banner says `unsigned-integer`.
    Unsigned,
    /// Two numbers, the real part and the imaginary one.
    Complex,
}

impl ValueField {
    /// The number of fields that a value has.
    pub(super) fn fields(self) -> usize {
        match self {
            Self::Nothing => 0,
            Self::Number | Self::Whole | Self::Unsigned => 1,
            Self::Complex => 2,
        }
    }
}

/// The entries of a text.
pub(super) struct Lines<V> {
    pub(super) columns: Vec<Vec<i64>>,
    pub(super) values: Vec<V>,
}

/// Parses all lines; blank ones are no entries.
pub(super) fn parse<V: FileValue>(text: &[u8], rules: &LineRules) -> Result<Lines<V>, Error> {
    let parts = parts(text);
    let counts: Vec<usize> = parts.par_iter().map(|part| count_lines(part)).collect();
    let total: usize = counts.iter().sum();
    let columns = rules.largest.len();
    let what = format!("the content of `{}`", rules.path.display());
    check_available(total.saturating_mul((columns + 1) * 8), &what)?;
    let columns: Result<_, Error> = (0..columns).map(|_| zeroed_vec(total, &what)).collect();
    let mut lines = Lines { columns: columns?, values: zeroed_vec(total, &what)? };
    let stretches = stretches(&mut lines, &counts);
    let parsed: Vec<Result<usize, (usize, FieldFault)>> =
        parts.par_iter().zip(stretches).map(|(part, stretch)| parse_part(part, rules, stretch)).collect();
    let entries = first_fault(&parts, &counts, parsed, rules)?;
    close_all_gaps(&mut lines, &counts, &entries);
    Ok(lines)
}

fn parts(text: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let wanted = TASK.min(rest.len());
        let end = memchr::memchr(b'\n', &rest[wanted..]).map_or(rest.len(), |end| wanted + end + 1);
        let (part, others) = rest.split_at(end);
        parts.push(part);
        rest = others;
    }
    parts
}

fn count_lines(part: &[u8]) -> usize {
    let unfinished = part.last().is_some_and(|&byte| byte != b'\n');
    memchr::memchr_iter(b'\n', part).count() + usize::from(unfinished)
}

/// What one part fills.
struct Stretch<'a, V> {
    columns: Vec<&'a mut [i64]>,
    values: &'a mut [V],
}

fn stretches<'a, V>(lines: &'a mut Lines<V>, counts: &[usize]) -> Vec<Stretch<'a, V>> {
    let mut columns: Vec<&mut [i64]> = lines.columns.iter_mut().map(|column| &mut column[..]).collect();
    let mut values = &mut lines.values[..];
    let mut stretches = Vec::new();
    for &count in counts {
        let own =
            columns.iter_mut().map(|column| column.split_off_mut(..count).expect("counts sum to the length"));
        let own = own.collect();
        let of_values = values.split_off_mut(..count).expect("counts sum to the length");
        stretches.push(Stretch { columns: own, values: of_values });
    }
    stretches
}

/// Parses a part and returns its number of entries, or the line, from 0, that is wrong.
fn parse_part<V: FileValue>(
    part: &[u8],
    rules: &LineRules,
    mut to: Stretch<V>,
) -> Result<usize, (usize, FieldFault)> {
    let mut scanner = Scanner::new(part);
    let comment = rules.comment();
    let mut entries = 0;
    let mut line = 0;
    while scanner.at < part.len() {
        scanner.skip_blanks();
        let is_comment = comment.is_some() && scanner.peek() == comment;
        if !is_comment && !scanner.is_at_line_end() {
            parse_entry(&mut scanner, rules, &mut to, entries).map_err(|fault| (line, fault))?;
            entries += 1;
        }
        scanner.next_line();
        line += 1;
    }
    Ok(entries)
}

#[inline]
fn parse_entry<V: FileValue>(
    scanner: &mut Scanner,
    rules: &LineRules,
    to: &mut Stretch<V>,
    entry: usize,
) -> Result<(), FieldFault> {
    for (mode, (column, &largest)) in to.columns.iter_mut().zip(rules.largest).enumerate() {
        let index = scanner.index().ok_or(FieldFault::Index { mode })?;
        if index < rules.base || index > largest {
            return Err(FieldFault::Range { mode });
        }
        column[entry] = index - rules.base;
    }
    to.values[entry] = match rules.field {
        ValueField::Nothing => V::constant(Constant::ONE),
        ValueField::Number => scanner.value()?,
        ValueField::Complex => scanner.complex()?,
        ValueField::Whole => whole_value(scanner)?,
        ValueField::Unsigned => unsigned_value(scanner)?,
    };
    scanner.skip_blanks();
    if scanner.is_at_line_end() { Ok(()) } else { Err(FieldFault::Rest) }
}

#[inline]
fn whole_value<V: FileValue>(scanner: &mut Scanner) -> Result<V, FieldFault> {
    Some(scanner.value::<V>()?).filter(|value| value.is_whole()).ok_or(FieldFault::Fraction)
}

fn unsigned_value<V: FileValue>(scanner: &mut Scanner) -> Result<V, FieldFault> {
    scanner.skip_blanks();
    match scanner.peek() {
        Some(b'-') => Err(FieldFault::Fraction),
        _ => whole_value(scanner),
    }
}

/// The number of entries of each part, or the first line of all that is wrong.
fn first_fault(
    parts: &[&[u8]],
    counts: &[usize],
    parsed: Vec<Result<usize, (usize, FieldFault)>>,
    rules: &LineRules,
) -> Result<Vec<usize>, Error> {
    let mut entries = Vec::new();
    let mut before = rules.first_line;
    for ((part, count), parsed) in parts.iter().zip(counts).zip(parsed) {
        match parsed {
            Ok(number) => entries.push(number),
            Err((line, fault)) => {
                let text = part.split(|&byte| byte == b'\n').nth(line).unwrap_or_default();
                return Err(Error::malformed(
                    rules.path,
                    before + line as u64,
                    message::of_line(fault, text, rules),
                ));
            }
        }
        before += *count as u64;
    }
    Ok(entries)
}

/// Refuses values of entries from `first` on that the elements of the tensor do not hold.
pub(super) fn check_fit<V: FileValue>(
    text: &[u8],
    rules: &LineRules,
    values: &[V],
    first: usize,
) -> Result<(), Error> {
    if rules.value.is_computed() {
        return Ok(());
    }
    let refused = values.par_iter().skip(first).position_first(|value| !value.fits(rules.value));
    let Some(entry) = refused.map(|place| place + first) else { return Ok(()) };
    let expected = match rules.value.row().kind {
        ValueKind::Integer(min, max) => format!("an integer from {min} to {max}"),
        _ => format!("a number up to the largest `{}`", rules.value.word()),
    };
    let found = message::number(values[entry]);
    let message =
        format!("expected {expected} as the value, found `{found}`; a tensor of a wider type can hold it");
    Err(Error::malformed(rules.path, line_of_entry(text, rules, entry), message))
}

/// Moves the entries together where blank lines or comments left room.
fn close_all_gaps<V: Copy>(lines: &mut Lines<V>, counts: &[usize], entries: &[usize]) {
    if counts != entries {
        let count = close_gaps(&mut lines.values, counts, entries);
        lines.values.truncate(count);
        for column in &mut lines.columns {
            close_gaps(column, counts, entries);
            column.truncate(count);
        }
    }
}

/// The number of the line that holds an entry, for messages about entries that were parsed.
pub(super) fn line_of_entry(text: &[u8], rules: &LineRules, entry: usize) -> u64 {
    entry_line(text, rules, entry).0
}

/// The line that holds an entry, with its number.
pub(super) fn entry_line<'a>(text: &'a [u8], rules: &LineRules, entry: usize) -> (u64, &'a [u8]) {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).zip(rules.first_line..);
    let mut entries = lines.filter(|(line, _)| !line.is_empty() && line.first().copied() != rules.comment());
    entries.nth(entry).map_or((rules.first_line, &[]), |(line, number)| (number, line))
}
