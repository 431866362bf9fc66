//! Matrix Market: `coordinate` and `array`; real, integer, pattern; general, symmetric, skew-symmetric.

use std::ops::Range;

use super::{FileData, FileLine, Lines, Request};
use crate::error::{OracleError, Result};
use crate::number::TypedNumber;
use comet_syntax::ast::Element;

/// What the first line says.
struct Header {
    coordinate: bool,
    pattern: bool,
    complex: bool,
    symmetry: Symmetry,
}

#[derive(Clone, Copy, PartialEq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
    Hermitian,
}

type Entries = Vec<(Vec<usize>, TypedNumber)>;

pub(super) fn read(lines: &Lines<'_>, request: Request) -> Result<FileData> {
    let Some(first) = lines.lines.first() else { return Err(OracleError::new("empty")) };
    let header = header(first)?;
    let body = lines.without_comments('%');
    let Some((sizes, rest)) = body.split_first() else { return Err(first.error("a size line")) };
    let dims = sizes.integers().filter(|sizes| sizes.len() == if header.coordinate { 3 } else { 2 });
    let dims = dims.ok_or_else(|| sizes.error("sizes"))?;
    let entries = match header.coordinate {
        true => coordinate(rest, &header, dims[2], request)?,
        false => array(rest, &header, dims[0], dims[1], request)?,
    };
    let modes = modes(&dims[..2], request.rank).ok_or_else(|| sizes.error("the rank of the tensor"))?;
    let dims = dims[modes.clone()].to_vec();
    let entries = mirrored(entries, header.symmetry).into_iter();
    let entries = entries.map(|(at, value)| (at[modes.clone()].to_vec(), value)).collect();
    check(&entries, &dims, sizes)?;
    Ok(FileData { dims, exact: true, entries })
}

/// The modes that are read: a matrix with a single column or row is a vector too.
fn modes(dims: &[usize], rank: usize) -> Option<Range<usize>> {
    match (rank, dims) {
        (2, _) => Some(0..2),
        (1, [_, 1]) => Some(0..1),
        (1, [1, _]) => Some(1..2),
        _ => None,
    }
}

fn check(entries: &Entries, dims: &[usize], sizes: &FileLine<'_>) -> Result<()> {
    let inside = |at: &[usize]| at.iter().zip(dims).all(|(at, extent)| at < extent);
    match entries.iter().all(|(at, _)| inside(at)) {
        true => Ok(()),
        false => Err(sizes.error("indices within the sizes")),
    }
}

fn header(line: &FileLine<'_>) -> Result<Header> {
    let words = line.fields.iter().map(|word| word.to_lowercase()).collect::<Vec<_>>();
    let words = words.iter().map(String::as_str).collect::<Vec<_>>();
    let ["%%matrixmarket", "matrix", storage, field, symmetry] = words[..] else {
        return Err(line.error("a Matrix Market header"));
    };
    if !["coordinate", "array"].contains(&storage)
        || !["real", "double", "integer", "unsigned-integer", "pattern", "complex"].contains(&field)
    {
        return Err(line.error("coordinate or array of real, integer or pattern"));
    }
    let symmetry = match symmetry {
        "general" => Symmetry::General,
        "symmetric" => Symmetry::Symmetric,
        "skew-symmetric" => Symmetry::Skew,
        "hermitian" if field == "complex" => Symmetry::Hermitian,
        _ => return Err(line.error("general, symmetric or skew-symmetric")),
    };
    let (pattern, complex) = (field == "pattern", field == "complex");
    Ok(Header { coordinate: storage == "coordinate", pattern, complex, symmetry })
}

fn coordinate(lines: &[FileLine<'_>], header: &Header, count: usize, request: Request) -> Result<Entries> {
    if lines.len() != count {
        return Err(OracleError::new(format!("expected {count} entries, found {}", lines.len())));
    }
    let entry = |line: &FileLine<'_>| {
        let at = line.position(2, 1)?;
        let value = match header.pattern {
            true => TypedNumber::I64(1).to(request.element),
            false => value(line, 2, header, request)?,
        };
        Ok((at, value))
    };
    lines.iter().map(entry).collect()
}

/// A value from a field on; a complex one has two.
fn value(line: &FileLine<'_>, field: usize, header: &Header, request: Request) -> Result<TypedNumber> {
    if !header.complex {
        return line.value(field, request.element);
    }
    let [re, im] = [line.value(field, Element::F64)?, line.value(field + 1, Element::F64)?];
    match request.element {
        Element::C64 | Element::C128 => Ok(TypedNumber::C128(re.to_f64(), im.to_f64()).to(request.element)),
        _ => Err(line.error("a real value")),
    }
}

/// Column by column; of symmetric matrices only what lies on and below the diagonal.
fn array(
    lines: &[FileLine<'_>],
    header: &Header,
    rows: usize,
    columns: usize,
    request: Request,
) -> Result<Entries> {
    let listed = |row: usize, column: usize| match header.symmetry {
        Symmetry::General => true,
        Symmetry::Symmetric | Symmetry::Hermitian => row >= column,
        Symmetry::Skew => row > column,
    };
    let positions = (0..columns).flat_map(|column| (0..rows).map(move |row| (row, column)));
    let positions = positions.filter(|&(row, column)| listed(row, column)).collect::<Vec<_>>();
    if lines.len() != positions.len() {
        return Err(OracleError::new(format!("expected {} values, found {}", positions.len(), lines.len())));
    }
    let entry = |((row, column), line): ((usize, usize), &FileLine<'_>)| {
        Ok((vec![row, column], value(line, 0, header, request)?))
    };
    positions.into_iter().zip(lines).map(entry).collect()
}

fn mirrored(entries: Entries, symmetry: Symmetry) -> Entries {
    let mirror = |(at, value): &(Vec<usize>, TypedNumber)| {
        let value = match (symmetry, *value) {
            (Symmetry::Skew, value) => value.negated(),
            (Symmetry::Hermitian, TypedNumber::C64(re, im)) => TypedNumber::C64(re, -im),
            (Symmetry::Hermitian, TypedNumber::C128(re, im)) => TypedNumber::C128(re, -im),
            (_, value) => value,
        };
        (vec![at[1], at[0]], value)
    };
    let mirrors = entries.iter().filter(|(at, _)| symmetry != Symmetry::General && at[0] != at[1]);
    let mirrors = mirrors.map(mirror).collect::<Vec<_>>();
    [entries, mirrors].concat()
}
