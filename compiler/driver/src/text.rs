//! Texts that the user names: programs, schedules, graphs and applications. They are files, or streams of a
//! limited length.

use crate::failure::{Failure, Result};
use comet_diag::{Diagnostic, Source};
use comet_runtime::error::reason;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// The longest text that is read, far above what anyone writes or generates.
const MOST_BYTES: u64 = 64 << 20;
const STANDARD_INPUT: &str = "-";

pub(crate) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

/// What messages call a text.
pub(crate) fn name(path: &Path) -> String {
    if is_standard_input(path) { "<stdin>".to_owned() } else { path.to_string_lossy().into_owned() }
}

pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    if is_standard_input(path) {
        return limited(path, std::io::stdin().lock());
    }
    let failed = |error: std::io::Error| Failure::file("read", path, reason(&error));
    let kind = fs::metadata(path).map_err(failed)?.file_type();
    let refused = |found: &str| {
        let message = format!("cannot read `{}`: expected a file, found {found}", path.display());
        Err(Failure::hinted(message, "pass a text on by standard input, which `-` stands for"))
    };
    if kind.is_dir() {
        return refused("a folder");
    }
    // A named pipe may have no writer, and opening it would wait for one. A descriptor of this process is
    // open already.
    if !(kind.is_file() || is_own_descriptor(path) && kind.is_fifo()) {
        return refused(if kind.is_fifo() { "a named pipe" } else { "a device or a socket" });
    }
    limited(path, File::open(path).map_err(failed)?)
}

/// Whether a path is another name of something that this process has open: `/dev/stdin`, `/dev/fd/63`.
pub(crate) fn is_own_descriptor(path: &Path) -> bool {
    path == Path::new("/dev/stdin")
        || ["/dev/fd", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder))
}

/// All bytes of a stream, where they are not too many.
fn limited(path: &Path, stream: impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = stream.take(MOST_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::file("read", path, reason(&error)))?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("`{}` is too long: the limit of a text is 64 MiB", name(path));
        let hint = "data is read by the program: `--input` names its files";
        return Err(Failure::hinted(message, hint));
    }
    Ok(bytes)
}

pub(crate) fn source(path: &Path) -> Result<Source> {
    let bytes = bytes(path)?;
    if let Some(kind) = other_kind(&bytes) {
        let message = format!("`{}` is no text of UTF-8: it looks like {kind}", name(path));
        return Err(Failure::hinted(message, "save it as UTF-8, or name another file"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name(path), text)),
        Err(error) => Err(not_utf8(path, error.as_bytes(), error.utf8_error().valid_up_to())),
    }
}

/// What a file is that begins as no text does.
fn other_kind(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 4] = [
        (b"\x1f\x8b", "data packed by gzip"),
        (b"\x7fELF", "an executable or object file"),
        (b"\x93NUMPY", "a NumPy array"),
        (b"PK\x03\x04", "a ZIP archive"),
    ];
    let marked = KINDS.iter().find(|(start, _)| bytes.starts_with(start)).map(|(_, kind)| *kind);
    marked.or_else(|| comet_runtime::read::is_utf16(bytes).then_some("UTF-16"))
}

/// Shows the place in the text as far as it can be read.
fn not_utf8(path: &Path, bytes: &[u8], valid: usize) -> Failure {
    let source = Source::new(name(path), String::from_utf8_lossy(bytes));
    let message = format!("the source is not UTF-8: found the byte 0x{:02x}", bytes[valid]);
    // The text up to the byte is the same, and the replacement character that stands for it takes three
    // bytes.
    let place = comet_diag::Span::new(valid, valid + 3);
    Failure::in_source(vec![Diagnostic::error(place, message).hint("save the file as UTF-8")], &source)
}
