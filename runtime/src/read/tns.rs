//! `.tns` files: FROSTT's lines of 1-based indices and a value, and COMET's own form, whose first line
//! states the sizes and the number of the 0-based entries after it.

use super::field::{FileValue, Scanner};
use super::lines::{self, LineRules, Lines, ValueField, line_of_entry};
use super::market_header::without_mark;
use super::message::{counted, shown};
use super::part::{FilePart, PartChecks, TextPart, behind_header};
use super::{FileKind, FileTensor, ReadOptions};
use crate::coordinates::CoordinateTensor;
use crate::error::{Error, index_range};
use crate::options::TnsForm;
use crate::output;
use comet_format::{MAX_RANK, ValueType};
use rayon::prelude::*;
use std::path::Path;

/// The first character of a comment line.
pub(super) const COMMENT: u8 = b'#';

pub(super) fn read<V: FileValue>(
    path: &Path,
    text: &[u8],
    rank: Option<usize>,
    options: &ReadOptions,
) -> Result<FileTensor, Error> {
    let form = options.tns;
    let text = without_mark(text);
    let Some((number, first)) = first_entry(text) else {
        return empty::<V>(path, rank, form);
    };
    let rank = checked_rank(path, number, first, rank)?;
    let largest = vec![i64::MAX; rank];
    let rules = rules(path, options.value, &largest);
    let lines = lines::parse::<V>(text, &rules)?;
    let largest = largest_indices(&lines);
    let file = TnsFile { path, text, rules: &rules, largest, first_line: number };
    let header = Header::parse(first, rank);
    match (form, header) {
        (TnsForm::Frostt, _) => file.frostt(lines),
        (TnsForm::Comet, Some(header)) => file.comet(lines, header),
        (TnsForm::Comet, None) => Err(Error::malformed(
            path,
            number,
            format!(
                "expected {rank} sizes and the number of entries, all integers, found `{}`; `--tns=frostt` reads a \
                 file without such a line",
                shown(first)
            ),
        )),
        (TnsForm::Detect, Some(header)) if file.fits(&lines, &header) => {
            output::tell(format_args!(
                "note: {}: the first line states the sizes and the number of the lines after it, so the file is read in \
                 COMET's form, 0-based; `--tns=frostt` reads that line as an entry",
                path.display()
            ));
            file.comet(lines, header)
        }
        (TnsForm::Detect, _) => file.frostt(lines),
    }
}

/// What all parts of a file together are checked for.
pub(crate) struct TnsChecks {
    /// The lines of the part that are entries.
    found: u64,
    /// Whether an index of the part is 0.
    has_zero: bool,
    /// The indices of the first entry of the file.
    first: Vec<i64>,
    /// What the first line states, where it may be the header of COMET's form.
    header: Option<Header>,
    form: TnsForm,
}

impl TnsChecks {
    /// What each process says of its part.
    pub(crate) fn numbers(&self) -> [u64; 2] {
        [self.found, u64::from(self.has_zero)]
    }

    /// The extents of a file in FROSTT's form, of the numbers and the largest indices of all parts together;
    /// `None` where the file has another form, or something is wrong.
    pub(crate) fn extents(&self, [found, zeros]: [u64; 2], largest: &[i64]) -> Option<Vec<i64>> {
        let is_header = |header: &&Header| header.fits(found.saturating_sub(1), largest);
        let is_comet = self.form != TnsForm::Frostt && self.header.as_ref().filter(is_header).is_some();
        if is_comet || self.form == TnsForm::Comet || zeros > 0 || found == 0 {
            return None;
        }
        Some(self.first.iter().zip(largest).map(|(first, largest)| *largest.max(first)).collect())
    }
}

/// Reads the entries of a part of a file, in FROSTT's form; `None` where something is wrong. The extents are
/// the largest indices, but of the first line of the file.
pub(super) fn read_part<V: FileValue>(
    path: &Path,
    head: &[u8],
    text: &TextPart,
    options: &ReadOptions,
) -> Result<Option<FilePart>, Error> {
    let mark = head.len() - without_mark(head).len();
    let Some((number, line)) = first_entry(&head[mark..]) else { return Ok(None) };
    let Ok(rank) = checked_rank(path, number, line, options.rank) else { return Ok(None) };
    let largest = vec![i64::MAX; rank];
    let rules = rules(path, options.value, &largest);
    let body = behind_header(text, mark);
    let parsed = lines::parse::<V>(body, &rules);
    let parsed = parsed.and_then(|lines| {
        lines::check_fit(body, &rules, &lines.values, 0)?;
        Ok(lines)
    });
    let Ok(mut lines) = parsed else { return Ok(None) };
    let mut scanner = Scanner::new(line);
    let first: Option<Vec<i64>> = (0..rank).map(|_| scanner.index()).collect();
    let Some(first) = first else { return Ok(None) };
    let place = line.as_ptr() as usize - head.as_ptr() as usize;
    let has_first = (text.start..text.start + text.bytes.len() as u64).contains(&(place as u64));
    let others = |column: &Vec<i64>| column.par_iter().skip(usize::from(has_first)).copied().max();
    let dims = lines.columns.iter().map(|column| others(column).unwrap_or(-1)).collect();
    let checks = TnsChecks {
        found: lines.values.len() as u64,
        has_zero: lines.columns.par_iter().any(|column| column.contains(&0)),
        first,
        header: Header::parse(line, rank),
        form: options.tns,
    };
    lines.columns.par_iter_mut().for_each(|column| column.iter_mut().for_each(|index| *index -= 1));
    let entries = CoordinateTensor { dims, coords: lines.columns, values: V::column(lines.values) };
    Ok(Some(FilePart { entries, checks: PartChecks::Tns(checks) }))
}

fn rules<'a>(path: &'a Path, value: ValueType, largest: &'a [i64]) -> LineRules<'a> {
    let field = ValueField::Number;
    LineRules { path, kind: FileKind::Tns, value, first_line: 1, base: 0, largest, field }
}

/// Reads the file of a tensor of rank 0: one number.
pub(super) fn read_scalar<V: FileValue>(
    path: &Path,
    text: &[u8],
    value: ValueType,
) -> Result<CoordinateTensor, Error> {
    let rules = rules(path, value, &[]);
    let text = without_mark(text);
    let lines = lines::parse::<V>(text, &rules)?;
    match lines.values.len() {
        1 => {}
        0 => {
            let message = "expected one number for a tensor of rank 0, found none in the file";
            return Err(Error::malformed(path, None, message));
        }
        found => {
            let message = format!("expected one number for a tensor of rank 0, found {found}");
            return Err(Error::malformed(path, line_of_entry(text, &rules, 1), message));
        }
    }
    lines::check_fit(text, &rules, &lines.values, 0)?;
    Ok(CoordinateTensor { dims: Vec::new(), coords: Vec::new(), values: V::column(lines.values) })
}

/// A file without entries: nothing says how large it is.
fn empty<V: FileValue>(path: &Path, rank: Option<usize>, form: TnsForm) -> Result<FileTensor, Error> {
    match rank {
        Some(rank) if form != TnsForm::Comet => {
            let coords = vec![Vec::new(); rank];
            let entries = CoordinateTensor { dims: vec![0; rank], coords, values: V::column(Vec::new()) };
            Ok(FileTensor { entries, at_least: true })
        }
        _ => Err(Error::malformed(path, None, "expected lines of indices and a value, found an empty file")),
    }
}

/// The first line that is no comment, with its number.
fn first_entry(text: &[u8]) -> Option<(u64, &[u8])> {
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).zip(1..);
    let mut entries = lines.filter(|(line, _)| !line.is_empty() && line[0] != COMMENT);
    entries.next().map(|(line, number)| (number, line))
}

fn checked_rank(path: &Path, number: u64, line: &[u8], rank: Option<usize>) -> Result<usize, Error> {
    let fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).count();
    match rank {
        Some(rank) if fields != rank + 1 => {
            let message = format!(
                "expected {} and a value for a tensor of rank {rank}, found {} in `{}`{}",
                counted(rank as u64, "index", "indices"),
                counted(fields as u64, "field", "fields"),
                shown(line),
                if line.contains(&b',') { "; separate the fields by blanks" } else { "" }
            );
            Err(Error::malformed(path, number, message))
        }
        None if fields > MAX_RANK + 1 => {
            let modes = fields - 1;
            let message = format!("expected at most {MAX_RANK} indices and a value, found {modes} indices");
            Err(Error::malformed(path, number, message))
        }
        _ => Ok(fields - 1),
    }
}

fn largest_indices<V>(lines: &Lines<V>) -> Vec<i64> {
    lines.columns.iter().map(|column| column.par_iter().skip(1).copied().max().unwrap_or(-1)).collect()
}

/// The first line of COMET's form.
struct Header {
    sizes: Vec<i64>,
    entries: i64,
}

impl Header {
    fn parse(line: &[u8], rank: usize) -> Option<Self> {
        let mut scanner = Scanner::new(line);
        let sizes = (0..rank).map(|_| scanner.index()).collect::<Option<_>>()?;
        let entries = scanner.index()?;
        Some(Self { sizes, entries })
    }

    /// Whether so many lines with these largest indices may follow it.
    fn fits(&self, lines: u64, largest: &[i64]) -> bool {
        self.entries as u64 == lines && largest.iter().zip(&self.sizes).all(|(largest, size)| largest < size)
    }
}

/// A parsed file whose form is being decided. Its first entry may be a header.
struct TnsFile<'a> {
    path: &'a Path,
    text: &'a [u8],
    rules: &'a LineRules<'a>,
    /// The largest index in each mode of all lines but the first; −1 where there is none.
    largest: Vec<i64>,
    /// The number of the line of the first entry.
    first_line: u64,
}

impl TnsFile<'_> {
    /// Whether the lines are what a header states.
    fn fits<V>(&self, lines: &Lines<V>, header: &Header) -> bool {
        header.fits(lines.values.len() as u64 - 1, &self.largest)
    }

    fn comet<V: FileValue>(&self, mut lines: Lines<V>, header: Header) -> Result<FileTensor, Error> {
        let found = lines.values.len() - 1;
        if header.entries as u64 != found as u64 {
            let expected = counted(header.entries as u64, "entry", "entries");
            let message = format!("expected {expected} after this line, as it states, found {found}");
            return Err(Error::malformed(self.path, self.first_line, message));
        }
        for (mode, (column, &size)) in lines.columns.iter().zip(&header.sizes).enumerate() {
            if let Some(entry) = column.iter().skip(1).position(|&index| index >= size) {
                let (found, expected) = (column[entry + 1], index_range(0, size - 1));
                let message = format!(
                    "index {} is {found}, expected {expected}; line {} states the sizes",
                    mode + 1,
                    self.first_line
                );
                return Err(self.error_at(entry + 1, message));
            }
        }
        // The first line states sizes, and no value.
        lines::check_fit(self.text, self.rules, &lines.values, 1)?;
        lines.columns.par_iter_mut().for_each(|column| {
            column.remove(0);
        });
        lines.values.remove(0);
        let entries =
            CoordinateTensor { dims: header.sizes, coords: lines.columns, values: V::column(lines.values) };
        Ok(FileTensor { entries, at_least: false })
    }

    fn frostt<V: FileValue>(&self, mut lines: Lines<V>) -> Result<FileTensor, Error> {
        for (mode, column) in lines.columns.iter().enumerate() {
            if let Some(entry) = column.par_iter().position_first(|&index| index == 0) {
                let message = format!(
                    "index {} is 0, expected 1 or more; indices from 0 need a first line of the sizes and the number of \
                     entries, COMET's form",
                    mode + 1
                );
                return Err(self.error_at(entry, message));
            }
        }
        lines::check_fit(self.text, self.rules, &lines.values, 0)?;
        let dims = lines
            .columns
            .iter()
            .zip(&self.largest)
            .map(|(column, &largest)| largest.max(column[0]))
            .collect();
        lines.columns.par_iter_mut().for_each(|column| column.iter_mut().for_each(|index| *index -= 1));
        let entries = CoordinateTensor { dims, coords: lines.columns, values: V::column(lines.values) };
        Ok(FileTensor { entries, at_least: true })
    }

    fn error_at(&self, entry: usize, message: String) -> Error {
        Error::malformed(self.path, line_of_entry(self.text, self.rules, entry), message)
    }
}
