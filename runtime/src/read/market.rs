//! Matrix Market files, `coordinate` and `array`.

use super::FileKind;
use super::field::FileValue;
use super::lines::{self, LineRules, Lines, ValueField, entry_line};
use super::market_header::{self, MarketField, MarketHeader, MarketLayout, Symmetry};
use super::message::{counted, shown};
use super::part::{Expected, FilePart, PartChecks, TextPart, behind_header};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use comet_format::ValueType;
use rayon::prelude::*;
use std::cmp::Ordering;
use std::path::Path;

pub(super) fn read<V: FileValue>(
    path: &Path,
    text: &[u8],
    rank: Option<usize>,
    value: ValueType,
) -> Result<CoordinateTensor, Error> {
    let header = market_header::parse(path, text)?;
    if header.field == MarketField::Complex && !V::TYPE.is_complex() {
        return Err(complex_into_real(path, header.banner_line, value));
    }
    let modes = mode_choice(path, &header, rank)?;
    let body = &text[header.body..];
    let lines = match header.layout {
        MarketLayout::Coordinate { entries } => read_coordinate::<V>(path, body, (&header, value), entries)?,
        MarketLayout::Array => read_array::<V>(path, body, (&header, value))?,
    };
    let matrix = CoordinateTensor {
        dims: vec![header.rows, header.columns],
        coords: lines.columns,
        values: V::column(lines.values),
    };
    Ok(match modes {
        Modes::Both => matrix,
        Modes::Only(mode) => only_mode(matrix, mode),
    })
}

/// Reads the entries of a part of a file of coordinates; `None` for other files, and where something is
/// wrong.
pub(super) fn read_part<V: FileValue>(
    path: &Path,
    head: &[u8],
    text: &TextPart,
    (rank, value): Expected,
) -> Result<Option<FilePart>, Error> {
    let Ok(header) = market_header::parse(path, head) else { return Ok(None) };
    let MarketLayout::Coordinate { entries: stated } = header.layout else { return Ok(None) };
    if rank != Some(2) || header.field == MarketField::Complex && !V::TYPE.is_complex() {
        return Ok(None);
    }
    let largest = [header.rows, header.columns];
    let rules = rules(path, (&header, value), &largest);
    let body = behind_header(text, header.body);
    let Ok(mut lines) = parse_part::<V>(body, &rules, header.symmetry) else { return Ok(None) };
    let found = lines.values.len() as u64;
    let mut sides = [false; 2];
    if header.symmetry != Symmetry::General {
        let pairs = || lines.columns[0].iter().zip(&lines.columns[1]);
        sides = [pairs().any(|(row, column)| row > column), pairs().any(|(row, column)| row < column)];
        add_mirrored(&mut lines, header.symmetry);
    }
    let dims = vec![header.rows, header.columns];
    let entries = CoordinateTensor { dims, coords: lines.columns, values: V::column(lines.values) };
    Ok(Some(FilePart { entries, checks: PartChecks::Market { lines: [found, stated as u64], sides } }))
}

fn parse_part<V: FileValue>(body: &[u8], rules: &LineRules, symmetry: Symmetry) -> Result<Lines<V>, Error> {
    let lines = lines::parse::<V>(body, rules)?;
    check_values(body, rules, &lines, symmetry)?;
    check_one_triangle(body, rules, &lines, symmetry)?;
    Ok(lines)
}

/// A file of complex values is read into a tensor of real ones.
pub(super) fn complex_into_real(path: &Path, line: impl Into<Option<u64>>, value: ValueType) -> Error {
    let message = format!(
        "the values are complex, expected real ones for a tensor of `{}`: declare it `complex128`, and take its \
         `real`, `imag` or `abs`",
        value.word()
    );
    Error::malformed(path, line, message)
}

/// The modes of a matrix that are read.
#[derive(Clone, Copy)]
pub(super) enum Modes {
    Both,
    /// A row or a column, read as a vector.
    Only(usize),
}

pub(super) fn mode_choice(path: &Path, header: &MarketHeader, rank: Option<usize>) -> Result<Modes, Error> {
    match (rank, header.rows, header.columns) {
        (None | Some(2), _, _) => Ok(Modes::Both),
        (Some(1), _, 1) => Ok(Modes::Only(0)),
        (Some(1), 1, _) => Ok(Modes::Only(1)),
        (Some(rank), rows, columns) => Err(Error::malformed(
            path,
            header.sizes_line(),
            format!(
                "a matrix of {rows} by {columns} cannot be read into a tensor of rank {rank}, expected rank 2{}",
                if rank == 1 { ", or a single row or column" } else { "" }
            ),
        )),
    }
}

fn only_mode(mut matrix: CoordinateTensor, mode: usize) -> CoordinateTensor {
    let column = matrix.coords.swap_remove(mode);
    CoordinateTensor { dims: vec![matrix.dims[mode]], coords: vec![column], values: matrix.values }
}

fn read_coordinate<V: FileValue>(
    path: &Path,
    body: &[u8],
    (header, value): (&MarketHeader, ValueType),
    stated: i64,
) -> Result<Lines<V>, Error> {
    let largest = [header.rows, header.columns];
    let rules = rules(path, (header, value), &largest);
    let mut lines = lines::parse::<V>(body, &rules)?;
    check_count(body, &rules, lines.values.len(), stated as u64)?;
    check_values(body, &rules, &lines, header.symmetry)?;
    check_one_triangle(body, &rules, &lines, header.symmetry)?;
    add_mirrored(&mut lines, header.symmetry);
    Ok(lines)
}

/// Refuses values that the tensor's elements do not hold, or whose negatives at mirrored positions they do
/// not.
fn check_values<V: FileValue>(
    body: &[u8],
    rules: &LineRules,
    lines: &Lines<V>,
    symmetry: Symmetry,
) -> Result<(), Error> {
    lines::check_fit(body, rules, &lines.values, 0)?;
    if symmetry != Symmetry::SkewSymmetric || rules.value.is_computed() {
        return Ok(());
    }
    let mirrored: Vec<V> = lines.values.iter().map(|value| value.negated()).collect();
    lines::check_fit(body, rules, &mirrored, 0)
}

fn rules<'a>(
    path: &'a Path,
    (header, value): (&MarketHeader, ValueType),
    largest: &'a [i64],
) -> LineRules<'a> {
    let field = match header.field {
        MarketField::Pattern => ValueField::Nothing,
        MarketField::Real => ValueField::Number,
        MarketField::Integer => ValueField::Whole,
        MarketField::Unsigned => ValueField::Unsigned,
        MarketField::Complex => ValueField::Complex,
    };
    LineRules { path, kind: FileKind::Market, value, first_line: header.body_line, base: 1, largest, field }
}

/// Returns false if a file is too short for the number of entries that its header states. `body` is the
/// number of bytes after the header. A field takes at least two bytes: a digit and a separator.
pub(super) fn can_be_whole(path: &Path, header: &MarketHeader, body: u64) -> Result<bool, Error> {
    let (stated, fields) = match header.layout {
        MarketLayout::Coordinate { entries } if header.field == MarketField::Pattern => (entries as u64, 2),
        MarketLayout::Coordinate { entries } => (entries as u64, 3),
        MarketLayout::Array => (positions(path, header)?, 1),
    };
    let fields = fields + u128::from(header.field == MarketField::Complex);
    // The last line may end with the file.
    Ok(u128::from(body) + 1 >= u128::from(stated) * 2 * fields)
}

fn check_count(body: &[u8], rules: &LineRules, found: usize, stated: u64) -> Result<(), Error> {
    let sizes_line = rules.first_line - 1;
    let expected = counted(stated, "entry", "entries");
    if found as u64 > stated {
        let (line, text) = entry_line(body, rules, stated as usize);
        let text = shown(text);
        let message = format!(
            "expected the end of the file after {expected}, which line {sizes_line} states, found `{text}`"
        );
        return Err(Error::malformed(rules.path, line, message));
    }
    if (found as u64) < stated {
        let found = counted(found as u64, "entry", "entries");
        let message = format!(
            "expected {expected}, as this line states, found {found}; the end of the file is missing, or the number \
             is wrong"
        );
        return Err(Error::malformed(rules.path, sizes_line, message));
    }
    Ok(())
}

/// A symmetric file stores one triangle. Either will do, but entries in both would be counted twice.
fn check_one_triangle<V: FileValue>(
    body: &[u8],
    rules: &LineRules,
    lines: &Lines<V>,
    symmetry: Symmetry,
) -> Result<(), Error> {
    if symmetry == Symmetry::General {
        return Ok(());
    }
    let refuse = |entry: usize, expected: &str, remedy: &str| {
        let (line, text) = entry_line(body, rules, entry);
        let (word, found) = (symmetry.word(), shown(text));
        let message =
            format!("expected {expected}, since the banner says `{word}`, found `{found}`; {remedy}");
        Err(Error::malformed(rules.path, line, message))
    };
    let is_skew = symmetry == Symmetry::SkewSymmetric;
    let is_hermitian = symmetry == Symmetry::Hermitian;
    let mut side = Ordering::Equal;
    for (entry, (row, column)) in lines.columns[0].iter().zip(&lines.columns[1]).enumerate() {
        match row.cmp(column) {
            Ordering::Equal if is_skew && lines.values[entry] != V::default() => {
                return refuse(entry, "zeros on the diagonal", "leave the diagonal out");
            }
            Ordering::Equal if is_hermitian && !lines.values[entry].is_real() => {
                let remedy = "write `general` if it is another matrix";
                return refuse(entry, "real values on the diagonal", remedy);
            }
            Ordering::Equal => {}
            this if side.is_eq() => side = this,
            this if side != this => {
                let remedy = "leave the entries of one side out, or write `general`";
                return refuse(entry, "entries on one side of the diagonal", remedy);
            }
            _ => {}
        }
    }
    Ok(())
}

fn add_mirrored<V: FileValue>(lines: &mut Lines<V>, symmetry: Symmetry) {
    let [rows, columns] = &mut lines.columns[..] else { return };
    if symmetry == Symmetry::General {
        return;
    }
    let stored = rows.len();
    let mirrored = rows.par_iter().zip(&columns[..]).filter(|(row, column)| row != column).count();
    rows.reserve_exact(mirrored);
    columns.reserve_exact(mirrored);
    lines.values.reserve_exact(mirrored);
    for entry in 0..stored {
        if rows[entry] == columns[entry] {
            continue;
        }
        rows.push(columns[entry]);
        columns.push(rows[entry]);
        let value = lines.values[entry];
        lines.values.push(match symmetry {
            Symmetry::SkewSymmetric => value.negated(),
            Symmetry::Hermitian => value.conjugated(),
            Symmetry::General | Symmetry::Symmetric => value,
        });
    }
}

/// One value a line, columns first; a symmetric file has the lower triangle only, a skew-symmetric one
/// without the diagonal.
fn read_array<V: FileValue>(
    path: &Path,
    body: &[u8],
    (header, value): (&MarketHeader, ValueType),
) -> Result<Lines<V>, Error> {
    let rules = rules(path, (header, value), &[]);
    let mut lines = lines::parse::<V>(body, &rules)?;
    check_count(body, &rules, lines.values.len(), positions(path, header)?)?;
    check_values(body, &rules, &lines, header.symmetry)?;
    lines.columns = array_columns(header, lines.values.len());
    check_one_triangle(body, &rules, &lines, header.symmetry)?;
    add_mirrored(&mut lines, header.symmetry);
    Ok(lines)
}

fn positions(path: &Path, header: &MarketHeader) -> Result<u64, Error> {
    let (rows, columns) = (header.rows as u128, header.columns as u128);
    let positions = match header.symmetry {
        Symmetry::General => rows * columns,
        Symmetry::Symmetric | Symmetry::Hermitian => rows * (rows + 1) / 2,
        Symmetry::SkewSymmetric => rows * rows.saturating_sub(1) / 2,
    };
    let too_many = |_| {
        let message = format!("{rows} by {columns} positions are more than a file can hold");
        Error::malformed(path, header.sizes_line(), message)
    };
    u64::try_from(positions).map_err(too_many)
}

fn array_columns(header: &MarketHeader, entries: usize) -> Vec<Vec<i64>> {
    let mut rows = Vec::with_capacity(entries);
    let mut columns = Vec::with_capacity(entries);
    // The loop over columns must end with the entries: a matrix without rows may claim any number of columns.
    for column in (0..header.columns).take_while(|_| header.rows > 0) {
        let first = match header.symmetry {
            Symmetry::General => 0,
            Symmetry::Symmetric | Symmetry::Hermitian => column,
            Symmetry::SkewSymmetric => column + 1,
        };
        rows.extend(first..header.rows);
        columns.resize(rows.len(), column);
    }
    vec![rows, columns]
}
