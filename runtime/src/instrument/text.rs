//! Counts as text.

use super::{Count, Record};
use std::fmt::Write as _;

/// A table for each kind of counts: a heading, and a line for each workspace or conversion.
pub(super) fn tables(records: &[Record]) -> String {
    let mut text = String::new();
    let mut rest = records.to_vec();
    while let Some(first) = rest.first() {
        let columns: Vec<&str> = first.counts.iter().map(|count| count.name).collect();
        let of_columns = |record: &Record| record.counts.iter().map(|count| count.name).eq(columns.clone());
        let (own, others): (Vec<Record>, Vec<Record>) = rest.iter().cloned().partition(of_columns);
        text += &table(&columns, &own);
        rest = others;
    }
    text.trim_end().to_owned()
}

fn table(columns: &[&str], records: &[Record]) -> String {
    let heading = ["name", "kind", "at"].into_iter().chain(columns.iter().copied()).map(str::to_owned);
    let mut rows: Vec<Vec<String>> = vec![heading.collect()];
    for Record { name, kind, at, counts } in records {
        let first = [name.clone(), (*kind).to_owned(), at.clone()];
        rows.push(first.into_iter().chain(counts.iter().map(Count::text)).collect());
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            // Texts begin under each other, numbers end there.
            line += &if column < 3 { format!("{cell:<width$}  ") } else { format!("{cell:>width$}  ") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// One object a line.
pub(super) fn json(records: &[Record]) -> String {
    let line = |Record { name, kind, at, counts }: &Record| {
        let mut line =
            format!("{{\"name\": {}, \"kind\": {}, \"at\": {}", quoted(name), quoted(kind), quoted(at));
        for count in counts {
            line += &format!(", {}: {}", quoted(count.name), count.text());
        }
        line + "}"
    };
    records.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            ' '.. => quoted.push(character),
            // Writing to a text cannot fail.
            _ => drop(write!(quoted, "\\u{:04x}", u32::from(character))),
        }
    }
    quoted + "\""
}

impl Count {
    /// A whole number: only steps are none, and an estimate.
    fn text(&self) -> String {
        format!("{:.0}", self.number)
    }
}
