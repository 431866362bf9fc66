//! `comet info`: what a file holds, and what it would take in each format.

use super::output;
use crate::arguments::InfoArguments;
use crate::failure::Result;
use crate::spy;
use comet_format::{Format, IndexWidth, ValueType};
use comet_runtime::destination::Destination;
use comet_runtime::options::Options;
use comet_runtime::pack::{Weight, weigh};
use comet_runtime::read::{read_pattern, read_value_type};
use comet_runtime::{CoordinateTensor, Error, ReadOptions};
use std::fmt::Write as _;

pub(crate) fn info(arguments: &InfoArguments) -> Result<()> {
    let picture = arguments.spy.as_ref().map(Destination::from);
    output::check(&picture)?;
    let tns = Options::parse(arguments.tns.iter().map(|form| format!("--tns={form}")))?.tns;
    let entries = read_pattern(&arguments.file, &ReadOptions { tns, ..ReadOptions::default() })?;
    if let Some(to) = &picture {
        output::write(to, &spy::png(&entries)?)?;
    }
    // Other files are read into tensors of any real type, of which `double` is the usual one.
    let value = read_value_type(&arguments.file)?;
    output::print(report(&entries, if value.is_complex() { value } else { ValueType::F64 }).as_bytes())
}

fn report(entries: &CoordinateTensor, value: ValueType) -> String {
    let extents: Vec<String> = entries.dims.iter().map(i64::to_string).collect();
    let (positions, bytes) = dense(&entries.dims, value);
    let sizes = sizes(entries, value);
    let nonzeros = nonzeros(entries, &sizes);
    let mut text = format!("dimensions: {}\nnonzeros: {nonzeros}\n", extents.join(" x "));
    let _ = writeln!(text, "density: {}", density(nonzeros as f64 / positions));
    if value.is_complex() {
        let _ = writeln!(text, "values: {}", value.word());
    }
    let _ = writeln!(text, "memory:\n  {:<14} {}", "Dense", shown(bytes));
    for (name, size) in &sizes {
        let _ = match size {
            Ok(size) => writeln!(text, "  {name:<14} {}", shown(size.bytes)),
            Err(error) => writeln!(text, "  {name:<14} {error}"),
        };
    }
    text
}

/// Without duplicates, which weighing adds up. Wide indices hold the coordinates of any file.
fn nonzeros(entries: &CoordinateTensor, sizes: &[(String, std::result::Result<Weight, Error>)]) -> usize {
    let wide =
        || weigh(entries, &Format::coo(entries.rank()).with_index_width(IndexWidth::I64).of(ValueType::F64));
    let known = sizes.iter().find_map(|(_, size)| size.as_ref().ok().copied());
    known.or_else(|| wide().ok()).map_or(entries.len(), |weight| weight.entries)
}

fn shown(bytes: Option<u64>) -> String {
    bytes.map_or_else(
        || "more bytes than a 64-bit number can count".to_owned(),
        |bytes| format!("{bytes:>16} bytes"),
    )
}

/// Four digits; an empty tensor has none.
fn density(fraction: f64) -> String {
    match fraction {
        0.001.. => format!("{fraction:.4}"),
        0.0.. => format!("{fraction:.3e}"),
        _ => "-".to_owned(),
    }
}

/// The number of positions, and of the bytes of that many values where 64 bits can count them; computed,
/// since they may be too many to store.
fn dense(dims: &[i64], value: ValueType) -> (f64, Option<u64>) {
    let extents = dims.iter().map(|extent| extent.unsigned_abs());
    let positions = extents.clone().map(|extent| extent as f64).product();
    // Extents may multiply to more than 64 bits hold before one of 0 comes.
    let bytes = if extents.clone().any(|extent| extent == 0) {
        Some(0)
    } else {
        extents.clone().try_fold(value.bytes() as u64, u64::checked_mul)
    };
    (positions, bytes)
}

/// What the file takes in each format that has its rank.
fn sizes(entries: &CoordinateTensor, value: ValueType) -> Vec<(String, std::result::Result<Weight, Error>)> {
    let weight = |format: Format| weigh(entries, &format.of(value));
    formats(entries.rank()).into_iter().map(|(name, format)| (name, weight(format))).collect()
}

fn formats(rank: usize) -> Vec<(String, Format)> {
    let mut formats = match rank {
        1 => vec![("SparseVector", Format::sparse_vector())],
        2 => vec![
            ("CSR", Format::csr()),
            ("CSC", Format::csc()),
            ("DCSR", Format::dcsr()),
            ("DCSC", Format::dcsc()),
            ("COO", Format::coo(2)),
            ("ELL", Format::ell()),
        ],
        rank => vec![("COO", Format::coo(rank)), ("CSF", Format::csf(rank))],
    };
    if rank == 3 {
        formats.push(("ModeGeneric", Format::mode_generic()));
    }
    let mut formats: Vec<_> = formats.into_iter().map(|(name, format)| (name.to_owned(), format)).collect();
    if rank == 2 {
        let blocked =
            [2, 4, 8].into_iter().filter_map(|n| Some((format!("BCSR<{n},{n}>"), Format::bcsr(n, n).ok()?)));
        formats.extend(blocked);
        formats.extend(Format::csb(128, 128).ok().map(|format| ("CSB<128,128>".to_owned(), format)));
    }
    formats
}
