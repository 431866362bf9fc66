//! Writers: Matrix Market, FROSTT and NumPy, gzip-compressed where the name ends in `.gz`. Numbers are
//! written so that they read back as the same ones.

mod market;
mod npy;
mod npz;
mod taken;
mod tns;

pub use taken::{Taker, take_written};

use crate::convert::ordered_copy;
use crate::destination::Destination;
use crate::distributed::{self, Share};
use crate::error::Error;
use crate::options::{self, NumberStyle, WrittenElements};
use crate::print::Printed as _;
use crate::replace::replace;
use crate::tensor::Tensor;
use crate::unpack::for_each_entry;
use crate::values::Values;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Text that is gathered before it is handed on.
const BLOCK: usize = 1 << 16;

/// `comet_write`: hands a tensor to who takes it, or writes a file. Of several processes the first one
/// writes, and all can read the file afterwards. Where each has rows, each makes the text of its own.
pub(crate) fn write_tensor(tensor: &Tensor, path: &str) -> Result<(), Error> {
    let written = Share::of(tensor).map(|share| write_shares(tensor, &share, Path::new(path))).transpose()?;
    if written != Some(true) {
        distributed::with_whole(tensor, |tensor| write_whole(tensor, path))?;
    }
    distributed::barrier()
}

fn write_whole(tensor: &Tensor, path: &str) -> Result<(), Error> {
    match taken::is_taken(tensor, path) || !distributed::is_first() {
        true => Ok(()),
        false => write_file(tensor, Path::new(path)),
    }
}

/// Writes a tensor of which each process has rows; false where the kind of file has another order.
fn write_shares(tensor: &Tensor, share: &Share<'_>, path: &Path) -> Result<bool, Error> {
    let to = Destination::from(path);
    let (writer, packing) = writer_of(tensor, &to)?;
    if !writer.is_by_rows || taken::is_taking() || to == Destination::StandardOutput {
        return Ok(false);
    }
    let mut entries = 0;
    for_each_written(tensor, |_, _| entries += 1);
    let (before, all) = share.sums(&[entries])?;
    let range = WrittenRange { all: all[0], before: before[0] };
    let mut own = Vec::new();
    (writer.body)(tensor, range, &mut own).map_err(|error| Error::write(path, error))?;
    if !share.is_first() {
        return share.in_turn(&own, |_| Ok(())).map(|()| true);
    }
    let head = (writer.head)(tensor, range.all);
    let mut failed = None;
    let written = replace(path, |file| {
        on_file(file, packing, |to| {
            to.write_all(&head)?;
            let taken =
                share.in_turn(&own, |bytes| to.write_all(bytes).map_err(|error| Error::write(path, error)));
            failed = taken.err();
            Ok(())
        })
    });
    match failed {
        Some(error) => Err(error),
        None => written.map(|()| true).map_err(|error| Error::write(path, error)),
    }
}

/// Writes a tensor; the end of the name decides how. To standard output it is written as text: a matrix and
/// a vector as Matrix Market, any other tensor as FROSTT.
///
/// # Errors
/// Other names, formats and ranks that the kind of file cannot hold, and what the system refuses.
pub fn write_file(tensor: &Tensor, to: impl Into<Destination>) -> Result<(), Error> {
    let to = to.into();
    let ordered = ordered_copy(tensor)?;
    let tensor = ordered.as_ref().unwrap_or(tensor);
    let (writer, packing) = writer_of(tensor, &to)?;
    let mut all = 0;
    if writer.is_counted {
        for_each_written(tensor, |_, _| all += 1);
    }
    let written = to.write(|file| {
        on_file(file, packing, |to| {
            to.write_all(&(writer.head)(tensor, all))?;
            (writer.body)(tensor, WrittenRange { all, before: 0 }, to)
        })
    });
    written.map_err(|error| Error::not_written(&to, error))
}

/// The kinds of files that hold a tensor as it is stored.
fn kinds(tensor: &Tensor) -> Option<&'static str> {
    match (tensor.format.value.is_complex(), tensor.dims.len()) {
        (false, _) => Some("`.tns`"),
        (true, 1) => Some("`.mtx`"),
        (true, 2) => Some("`.mtx` or `.npz`"),
        (true, _) => tensor.format.format.is_dense().then_some("`.npy`"),
    }
}

/// What to do about a kind of file that does not hold a tensor.
fn advice(tensor: &Tensor) -> String {
    let dense = "write a dense copy of it to a `.npy`".to_owned();
    kinds(tensor).map_or(dense, |kinds| format!("write a {kinds}"))
}

/// Writes a tensor as FROSTT text after lines of a comment: each begins with `#` and a space. Readers of
/// FROSTT pass over them.
///
/// # Errors
/// What the system refuses.
pub fn write_commented(tensor: &Tensor, path: &Path, comment: &[String]) -> Result<(), Error> {
    let written = replace(path, |file| {
        let mut file = BufWriter::new(file);
        comment.iter().try_for_each(|line| writeln!(file, "# {line}"))?;
        let mut all = 0;
        for_each_written(tensor, |_, _| all += 1);
        tns::write(tensor, WrittenRange { all, before: 0 }, &mut file)?;
        file.flush()
    });
    written.map_err(|error| Error::write(path, error))
}

/// How a kind of file is written.
#[derive(Clone, Copy)]
struct FileWriter {
    /// What comes first, for so many entries.
    head: fn(&Tensor, u64) -> Vec<u8>,
    body: fn(&Tensor, WrittenRange, &mut dyn Write) -> io::Result<()>,
    /// Whether the number of entries matters.
    is_counted: bool,
    /// Whether the body is that of one row after the other, as they are stored.
    is_by_rows: bool,
}

/// Whether a file is compressed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packing {
    Plain,
    Gzip,
}

/// Which entries of a file a body has.
#[derive(Clone, Copy)]
struct WrittenRange {
    /// How many the file has, where they are counted.
    all: u64,
    /// How many of them come before.
    before: u64,
}

/// How a tensor is written to a destination.
fn writer_of(tensor: &Tensor, to: &Destination) -> Result<(FileWriter, Packing), Error> {
    let Some(path) = to.file() else {
        let is_matrix = matches!(tensor.dims.len(), 1 | 2);
        let writer = if is_matrix { market::writer_for(tensor)? } else { tns::writer_for(tensor)? };
        return Ok((writer, Packing::Plain));
    };
    let name = path.to_string_lossy().to_lowercase();
    let is_packed = name.ends_with(".gz");
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let writer = match plain.rsplit_once('.').map(|(_, kind)| kind) {
        Some("mtx") => market::writer_for(tensor)?,
        Some("tns") => tns::writer_for(tensor)?,
        Some("npy") => npy::writer_for(tensor)?,
        Some("npz") if !is_packed => npz::writer_for(tensor)?,
        _ => {
            return Err(Error::Unsupported(format!(
                "`{}` names no kind of file: expected `.mtx`, `.tns`, `.npy` or `.npz`, or one of the first three with `.gz`",
                path.display()
            )));
        }
    };
    Ok((writer, if is_packed { Packing::Gzip } else { Packing::Plain }))
}

/// Calls a body with what writes to a file.
fn on_file(
    file: &mut dyn Write,
    packing: Packing,
    body: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    if packing == Packing::Gzip {
        let mut packed = GzEncoder::new(&mut file, Compression::default());
        body(&mut packed)?;
        packed.finish()?;
    } else {
        body(&mut file)?;
    }
    file.flush()
}

/// Calls `visit` with the coordinates and the position of each entry that is written. The one value of a
/// tensor without modes always is.
fn for_each_written(tensor: &Tensor, mut visit: impl FnMut(&[i64], usize)) {
    let (skips_zeros, share) = (skips_zeros(tensor), Share::of(tensor));
    let mut coordinates = vec![0; tensor.dims.len()];
    for_each_entry(tensor, |entry, position| {
        if skips_zeros && tensor.values.is_zero(position) {
            return;
        }
        let Some(share) = &share else { return visit(entry, position) };
        for (mode, (coordinate, number)) in coordinates.iter_mut().zip(entry).enumerate() {
            *coordinate = share.coordinate(mode, *number);
        }
        visit(&coordinates, position);
    });
}

fn skips_zeros(tensor: &Tensor) -> bool {
    options::written() == WrittenElements::NonZero
        && tensor.format.format.is_dense()
        && !tensor.dims.is_empty()
}

/// Appends the value at a position.
fn push_value(text: &mut Vec<u8>, values: &Values, position: usize) {
    values.number(position).write(text, NumberStyle::Exact);
}

/// Hands text on once there is enough of it. An error is kept for the end, as the walk over a tensor cannot
/// be left.
struct TextBlocks<'a> {
    text: Vec<u8>,
    to: &'a mut dyn Write,
    failed: io::Result<()>,
}

impl<'a> TextBlocks<'a> {
    fn new(to: &'a mut dyn Write) -> Self {
        Self { text: Vec::with_capacity(BLOCK * 2), to, failed: Ok(()) }
    }

    /// Appends one line.
    fn line(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.text);
        self.text.push(b'\n');
        if self.text.len() >= BLOCK {
            self.send();
        }
    }

    fn send(&mut self) {
        if self.failed.is_ok() {
            self.failed = self.to.write_all(&self.text);
        }
        self.text.clear();
    }

    fn finish(mut self) -> io::Result<()> {
        self.send();
        self.failed
    }
}
