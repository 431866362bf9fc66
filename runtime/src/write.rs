//! Writers: Matrix Market, FROSTT and NumPy, gzip-compressed where the name ends in `.gz`. Numbers are
//! written so that they read back as the same ones.

mod market;
mod npy;
mod npz;
mod taken;
mod tns;

pub use taken::{Taker, take_written};

use crate::convert::ordered_copy;
use crate::distributed;
use crate::error::Error;
use crate::options::{self, NumberStyle, WrittenElements};
use crate::print::Printed as _;
use crate::replace::replace;
use crate::tensor::Tensor;
use crate::unpack::for_each_entry;
use crate::values::Values;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Text that is gathered before it is handed on.
const BLOCK: usize = 1 << 16;

/// `comet_write`: hands a tensor to who takes it, or writes a file. Of several processes the first one
/// writes, and all can read the file afterwards.
pub(crate) fn write_tensor(tensor: &Tensor, path: &str) -> Result<(), Error> {
    if taken::is_taken(tensor, path) {
        return Ok(());
    }
    if distributed::is_first() {
        write_file(tensor, Path::new(path))?;
    }
    distributed::barrier()
}

/// Writes a tensor; the end of the name decides how.
///
/// # Errors
/// Other names, formats and ranks that the kind of file cannot hold, and what the system refuses.
pub fn write_file(tensor: &Tensor, path: &Path) -> Result<(), Error> {
    let ordered = ordered_copy(tensor)?;
    let tensor = ordered.as_ref().unwrap_or(tensor);
    let name = path.to_string_lossy().to_lowercase();
    let is_packed = name.ends_with(".gz");
    let plain = name.strip_suffix(".gz").unwrap_or(&name);
    let write: Writer = match plain.rsplit_once('.').map(|(_, kind)| kind) {
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
    let written = replace(path, |file| {
        if is_packed { write_packed(tensor, file, write) } else { write_plain(tensor, file, write) }
    });
    written.map_err(|error| Error::write(path, error))
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
        tns::write(tensor, &mut file)?;
        file.flush()
    });
    written.map_err(|error| Error::write(path, error))
}

type Writer = fn(&Tensor, &mut dyn Write) -> io::Result<()>;

fn write_plain(tensor: &Tensor, file: &mut File, write: Writer) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    write(tensor, &mut file)?;
    file.flush()
}

fn write_packed(tensor: &Tensor, file: &mut File, write: Writer) -> io::Result<()> {
    let mut packed = GzEncoder::new(BufWriter::new(file), Compression::default());
    write(tensor, &mut packed)?;
    packed.finish()?.flush()
}

/// Calls `visit` with the coordinates and the position of each entry that is written. The one value of a
/// tensor without modes always is.
fn for_each_written(tensor: &Tensor, mut visit: impl FnMut(&[i64], usize)) {
    let skips_zeros = skips_zeros(tensor);
    for_each_entry(tensor, |entry, position| {
        if !(skips_zeros && tensor.values.is_zero(position)) {
            visit(entry, position);
        }
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
