//! The table of a sweep: a file of comma-separated values, to which rows are added as runs end.

use super::axis::Axis;
use super::counts::SimulationCounts;
use super::run::Ran;
use crate::failure::{Failure, Result};
use comet_runtime::error::reason;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Columns behind the axes and around the counts.
const STATUS: &str = "status";
const LAST: [&str; 3] = ["seconds", "error", "run"];

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SweepRow {
    pub(crate) point: Vec<String>,
    pub(crate) ran: Ran,
    /// What the run follows from.
    pub(crate) identity: String,
}

/// The rows that were in the file, and the file, which is locked.
#[derive(Debug)]
pub(crate) struct Table {
    path: PathBuf,
    file: File,
    pub(crate) rows: Vec<SweepRow>,
}

/// What becomes of the rows that a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Earlier {
    Kept,
    Removed,
}

impl Table {
    /// Opens a table or begins one. A last line that was not written to its end is removed.
    ///
    /// # Errors
    /// A file that cannot be written, that another sweep writes, or that is no table with these axes.
    pub(crate) fn open(path: &Path, axes: &[Axis], earlier: Earlier) -> Result<Self> {
        let failed = |error: std::io::Error| Failure::file("write", path, reason(&error));
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        if file.try_lock().is_err() {
            return Err(Failure::file("write", path, "another `comet sweep` writes to it"));
        }
        let mut text = Vec::new();
        if earlier == Earlier::Kept {
            file.read_to_end(&mut text).map_err(failed)?;
        }
        let heading = line(heading(axes));
        let is_cut_heading = heading.starts_with(&text);
        let kept = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let rows = if is_cut_heading { Vec::new() } else { rows(path, &text[..kept], axes)? };
        file.set_len(if is_cut_heading { 0 } else { kept as u64 }).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        if is_cut_heading {
            file.write_all(&heading).map_err(failed)?;
        }
        Ok(Self { path: path.to_owned(), file, rows })
    }

    /// Adds a row, which no signal takes away again.
    pub(crate) fn add(&mut self, row: SweepRow) -> Result<()> {
        let written = self.file.write_all(&row.line());
        written.map_err(|error| Failure::file("write", &self.path, reason(&error)))?;
        self.rows.push(row);
        Ok(())
    }
}

impl SweepRow {
    fn line(&self) -> Vec<u8> {
        let Ran { status, counts, seconds, error } = &self.ran;
        line((&self.point, status, counts, format!("{seconds:.3}"), error, &self.identity))
    }

    fn of(fields: &csv::StringRecord, axes: usize) -> csv::Result<Self> {
        let rest: csv::StringRecord = fields.iter().skip(axes).collect();
        let (status, counts, seconds, error, identity) = rest.deserialize(None)?;
        let ran = Ran { status, counts, seconds, error };
        Ok(Self { point: fields.iter().take(axes).map(str::to_owned).collect(), ran, identity })
    }
}

/// The names that columns have beside those of the axes.
pub(crate) fn columns() -> impl Iterator<Item = &'static str> {
    [STATUS].into_iter().chain(SimulationCounts::COLUMNS).chain(LAST)
}

fn heading(axes: &[Axis]) -> Vec<String> {
    axes.iter().map(|axis| axis.name.clone()).chain(columns().map(str::to_owned)).collect()
}

fn line(fields: impl Serialize) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.serialize(fields).expect("memory can be written");
    writer.into_inner().expect("memory can be written")
}

fn rows(path: &Path, text: &[u8], axes: &[Axis]) -> Result<Vec<SweepRow>> {
    let heading = heading(axes);
    let mut reader = csv::Reader::from_reader(text);
    let is_same = reader.headers().is_ok_and(|found| found.iter().eq(heading.iter().map(String::as_str)));
    if !is_same {
        let names: Vec<&str> = axes.iter().map(|axis| &axis.name[..]).collect();
        return Err(other(path, &format!("its columns are not those of the axes `{}`", names.join("`, `"))));
    }
    let row = |(place, record): (usize, csv::Result<csv::StringRecord>)| {
        let row = record.and_then(|fields| SweepRow::of(&fields, axes.len()));
        row.map_err(|_| other(path, &format!("line {} is no row of a sweep", place + 2)))
    };
    reader.records().enumerate().map(row).collect()
}

/// A table that a sweep cannot go on with.
pub(crate) fn other(path: &Path, why: &str) -> Failure {
    let message = format!("`{}` is the table of another sweep: {why}", path.display());
    let hint = "write to another file by `-o`, or overwrite this one by `--restart`";
    Failure::hinted(message, hint)
}

#[cfg(test)]
mod tests {
    use super::super::axis::parse;
    use super::super::run::Status;
    use super::*;

    fn row(value: &str, error: &str) -> SweepRow {
        let counts = SimulationCounts { cycles: Some(7), ..SimulationCounts::default() };
        let ran = Ran { status: Status::Ok, counts, seconds: 0.25, error: error.to_owned() };
        SweepRow { point: vec![value.to_owned()], ran, identity: "0a".to_owned() }
    }

    fn opened(path: &Path, axis: &str) -> Result<Table> {
        Table::open(path, &[parse(axis).unwrap()], Earlier::Kept)
    }

    #[test]
    fn rows_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let rows = [row("i, j", "no \"room\", really"), row("x", "")];
        let mut table = opened(&path, "o=x").unwrap();
        rows.iter().for_each(|row| table.add(row.clone()).unwrap());
        let busy = opened(&path, "o=x").unwrap_err().first_message();
        assert!(busy.ends_with("another `comet sweep` writes to it"), "{busy}");
        drop(table);
        assert_eq!(opened(&path, "o=x").unwrap().rows, rows);
        let text = std::fs::read(&path).unwrap();
        // Wherever the last line is cut, the first row stays.
        for length in [text.len() - 1, text.len() - 9] {
            std::fs::write(&path, &text[..length]).unwrap();
            assert_eq!(opened(&path, "o=x").unwrap().rows, rows[..1]);
        }
        std::fs::write(&path, &text[..5]).unwrap();
        assert_eq!(opened(&path, "o=x").unwrap().rows, []);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        drop(opened(&path, "o=x").unwrap());
        let error = opened(&path, "n=1").unwrap_err().first_message();
        assert!(error.ends_with("its columns are not those of the axes `n`"), "{error}");
        for text in ["a text", "a,text\n1,2\n"] {
            std::fs::write(&path, text).unwrap();
            assert!(opened(&path, "o=x").is_err());
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
