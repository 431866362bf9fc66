//! Matrix Market files, `coordinate` and `array`.

use super::field::FileValue;
use super::lines::{self, LineRules, Lines, ValueField, counted, line_of_entry};
use super::market_header::{self, MarketField, MarketHeader, MarketLayout, Symmetry};
use super::part::{Expected, FilePart, PartChecks, TextPart, behind_header};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use comet_format::ValueType;
use rayon::prelude::*;
use std::path::Path;

pub(super) fn read<V: FileValue>(
    path: &Path,
    text: &[u8],
    rank: Option<usize>,
    value: ValueType,
) -> Result<CoordinateTensor, Error> {
    let header = market_header::parse(path, text)?;
    if header.field == MarketField::Complex && !V::TYPE.is_complex() {
        return Err(complex_into_real(path, 1, value));
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
    let Ok(mut lines) = parse_part::<V>(path, body, &rules, header.symmetry) else { return Ok(None) };
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

fn parse_part<V: FileValue>(
    path: &Path,
    body: &[u8],
    rules: &LineRules,
    symmetry: Symmetry,
) -> Result<Lines<V>, Error> {
    let lines = lines::parse::<V>(body, rules)?;
    check_values(body, rules, &lines, symmetry)?;
    if symmetry != Symmetry::General {
        check_one_triangle(&lines, symmetry, |entry| (path, line_of_entry(body, rules, entry)))?;
    }
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
            None,
            format!("a matrix of {rows} by {columns} cannot be read into a tensor of rank {rank}"),
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
    check_count(path, body, &rules, lines.values.len(), stated as u64)?;
    check_values(body, &rules, &lines, header.symmetry)?;
    if header.symmetry != Symmetry::General {
        check_one_triangle(&lines, header.symmetry, |entry| (path, line_of_entry(body, &rules, entry)))?;
        add_mirrored(&mut lines, header.symmetry);
    }
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
        MarketField::Complex => ValueField::Complex,
    };
    LineRules { path, value, first_line: header.body_line, base: 1, largest, field, comment: None }
}

/// Refuses a header that states more entries than there are bytes for, before memory is taken for what it
/// states: an entry has a digit a field, and a blank or a line's end between fields.
pub(super) fn check_length(path: &Path, header: &MarketHeader, body: u64) -> Result<(), Error> {
    let (stated, fields) = match header.layout {
        MarketLayout::Coordinate { entries } if header.field == MarketField::Pattern => (entries as u64, 2),
        MarketLayout::Coordinate { entries } => (entries as u64, 3),
        MarketLayout::Array => (positions(path, header)?, 1),
    };
    let fields = fields + u128::from(header.field == MarketField::Complex);
    let least = u128::from(stated) * 2 * fields;
    // The last line may end with the file.
    if u128::from(body) + 1 >= least {
        return Ok(());
    }
    let message = format!(
        "the header states {}, which take {least} bytes or more, and the file has at most {body} after it",
        counted(stated, "entry", "entries")
    );
    Err(Error::malformed(path, None, message))
}

fn check_count(path: &Path, body: &[u8], rules: &LineRules, found: usize, stated: u64) -> Result<(), Error> {
    if found as u64 > stated {
        let line = line_of_entry(body, rules, stated as usize);
        return Err(Error::malformed(
            path,
            line,
            format!("expected the end of the file after {}", counted(stated, "entry", "entries")),
        ));
    }
    if (found as u64) < stated {
        let found = counted(found as u64, "entry", "entries");
        let message = format!("the file ends after {found}, expected {stated} as the header states");
        return Err(Error::malformed(path, None, message));
    }
    Ok(())
}

/// A symmetric file stores one triangle. Either will do, but entries in both would be counted twice.
fn check_one_triangle<'a, V: FileValue>(
    lines: &Lines<V>,
    symmetry: Symmetry,
    place: impl Fn(usize) -> (&'a Path, u64),
) -> Result<(), Error> {
    let mut side = std::cmp::Ordering::Equal;
    for (entry, (row, column)) in lines.columns[0].iter().zip(&lines.columns[1]).enumerate() {
        let this = row.cmp(column);
        if this.is_eq() {
            if symmetry == Symmetry::SkewSymmetric && lines.values[entry] != V::default() {
                let (path, line) = place(entry);
                let message = "the diagonal of a skew-symmetric matrix is zero, found an entry on it";
                return Err(Error::malformed(path, line, message));
            }
            if symmetry == Symmetry::Hermitian && !lines.values[entry].is_real() {
                let (path, line) = place(entry);
                let message = "the diagonal of a hermitian matrix is real, found another value on it";
                return Err(Error::malformed(path, line, message));
            }
        } else if side.is_eq() {
            side = this;
        } else if side != this {
            let (path, line) = place(entry);
            let message = "a symmetric file stores one triangle, found entries on both sides of the diagonal";
            return Err(Error::malformed(path, line, message));
        }
    }
    Ok(())
}

fn add_mirrored<V: FileValue>(lines: &mut Lines<V>, symmetry: Symmetry) {
    let [rows, columns] = &mut lines.columns[..] else { return };
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
    check_count(path, body, &rules, lines.values.len(), positions(path, header)?)?;
    check_values(body, &rules, &lines, header.symmetry)?;
    lines.columns = array_columns(header, lines.values.len());
    if header.symmetry != Symmetry::General {
        check_one_triangle(&lines, header.symmetry, |entry| (path, line_of_entry(body, &rules, entry)))?;
        add_mirrored(&mut lines, header.symmetry);
    }
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
        Error::malformed(path, None, format!("{rows} by {columns} positions are more than a file can hold"))
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
