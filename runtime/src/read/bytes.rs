//! The bytes of a file, unpacked if they begin like gzip's.

use super::foreign;
use crate::error::Error;
use crate::memory::check_available;
use flate2::bufread::GzDecoder;
use parking_lot::Mutex;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Deref;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Enough for any header without very long comments.
const HEAD: u64 = 1 << 18;

/// Bytes that are unpacked before the memory is looked at again.
const STEP: u64 = 1 << 26;

/// The most bytes that one byte of packed data becomes: DEFLATE's longest match in its shortest code.
const MOST_GROWTH: u64 = 1032;

/// A file in memory.
pub(super) enum FileBytes {
    Owned(Vec<u8>),
    /// Of a pipe.
    Kept(Arc<[u8]>),
}

/// What a file begins with.
pub(super) struct Head {
    pub(super) bytes: FileBytes,
    /// Whether the file has no other bytes.
    pub(super) is_all: bool,
    /// The most bytes that the file may have.
    pub(super) most: u64,
}

impl FileBytes {
    /// All bytes of a file.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let bytes = Self::open_raw(path)?;
        if !is_gzip(&bytes) {
            return bytes.checked(path);
        }
        let mut unpacked = Vec::new();
        unpack(path, &bytes, &mut unpacked, u64::MAX)?;
        Self::Owned(unpacked).checked(path)
    }

    /// The first bytes of a file, or all of a short one.
    pub(super) fn open_head(path: &Path) -> Result<Head, Error> {
        if let Some(head) = long_head(path)? {
            return Ok(head);
        }
        let bytes = Self::open_raw(path)?;
        if !is_gzip(&bytes) {
            let most = bytes.len() as u64;
            return Ok(Head { bytes: bytes.checked(path)?, is_all: true, most });
        }
        let mut unpacked = Vec::new();
        unpack(path, &bytes, &mut unpacked, HEAD)?;
        let is_all = (unpacked.len() as u64) < HEAD;
        let most =
            if is_all { unpacked.len() as u64 } else { (bytes.len() as u64).saturating_mul(MOST_GROWTH) };
        Ok(Head { bytes: Self::Owned(unpacked).checked(path)?, is_all, most })
    }

    /// Refuses a file of another kind.
    fn checked(self, path: &Path) -> Result<Self, Error> {
        match foreign::found(&self) {
            Some((found, remedy)) => {
                let message =
                    format!("expected Matrix Market, FROSTT, `.npy` or `.npz`, found {found}; {remedy}");
                Err(Error::malformed(path, None, message))
            }
            None => Ok(self),
        }
    }

    fn open_raw(path: &Path) -> Result<Self, Error> {
        // Opening a pipe again would wait for another writer.
        if let Some(bytes) = given_by_pipe(path) {
            return Ok(Self::Kept(bytes));
        }
        let failed = |error| Error::read(path, error);
        let mut file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let kind = metadata.file_type();
        if kind.is_fifo() || kind.is_socket() {
            return pipe(path, file).map(Self::Kept);
        }
        if kind.is_dir() {
            return Err(Error::malformed(path, None, "expected a file or a pipe, found a folder"));
        }
        if kind.is_char_device() || kind.is_block_device() {
            return Err(Error::malformed(path, None, "expected a file or a pipe, found a device"));
        }
        read_all(path, &mut file, metadata.len()).map(Self::Owned)
    }
}

/// The first bytes of a long file that is neither packed nor a pipe, without the part of a line at the end.
fn long_head(path: &Path) -> Result<Option<Head>, Error> {
    let Some((mut bytes, most)) = long_start(path)?.filter(|(bytes, _)| !is_gzip(bytes)) else {
        return Ok(None);
    };
    cut_line(&mut bytes);
    Ok(Some(Head { bytes: FileBytes::Owned(bytes).checked(path)?, is_all: false, most }))
}

/// The first bytes of a long file that is no pipe, as they are stored, and the length of the file.
pub(super) fn long_start(path: &Path) -> Result<Option<(Vec<u8>, u64)>, Error> {
    let failed = |error| Error::read(path, error);
    // Opening a pipe would wait for a writer.
    let Some(length) = std::fs::metadata(path).ok().filter(|own| own.is_file()).map(|own| own.len()) else {
        return Ok(None);
    };
    if length <= HEAD {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    File::open(path).map_err(failed)?.take(HEAD).read_to_end(&mut bytes).map_err(failed)?;
    Ok(Some((bytes, length)))
}

/// Takes away the part of a line at the end.
pub(super) fn cut_line(bytes: &mut Vec<u8>) {
    if let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n') {
        bytes.truncate(last + 1);
    }
}

/// Reads a file of that length. A file that is mapped would end the process by a signal where another one
/// makes it shorter meanwhile; one that is read does not, and reading costs little beside parsing.
fn read_all(path: &Path, file: &mut File, expected: u64) -> Result<Vec<u8>, Error> {
    let what = format!("the content of `{}`", path.display());
    let len = usize::try_from(expected).unwrap_or(usize::MAX);
    check_available(len, &what)?;
    let mut bytes = Vec::new();
    // One byte more, so that the end of the file is seen without another allocation.
    let reserved = bytes.try_reserve_exact(len.saturating_add(1));
    reserved.map_err(|_| Error::OutOfMemory { what, bytes: Some(len), available: None })?;
    let read = file.read_to_end(&mut bytes).map_err(|error| Error::read(path, error))?;
    // Some that the system makes up claim to be empty.
    if (read as u64) < expected {
        let message = format!("the file became shorter while it was read: {read} bytes, expected {expected}");
        return Err(Error::malformed(path, None, message));
    }
    Ok(bytes)
}

/// What pipes have given: they can be read once, but are asked for their sizes before their values.
static PIPES: Mutex<Vec<(PathBuf, Arc<[u8]>)>> = Mutex::new(Vec::new());

fn given_by_pipe(path: &Path) -> Option<Arc<[u8]>> {
    let pipes = PIPES.lock();
    pipes.iter().find(|(known, _)| known == path).map(|(_, bytes)| Arc::clone(bytes))
}

fn pipe(path: &Path, mut file: File) -> Result<Arc<[u8]>, Error> {
    let mut bytes = Vec::new();
    while file.by_ref().take(STEP).read_to_end(&mut bytes).map_err(|error| Error::read(path, error))? > 0 {
        check_available(bytes.len(), &format!("the content of `{}`", path.display()))?;
    }
    let bytes: Arc<[u8]> = bytes.into();
    let mut pipes = PIPES.lock();
    pipes.push((path.to_owned(), Arc::clone(&bytes)));
    Ok(bytes)
}

/// Whether a text begins with UTF-16's byte order mark, or with characters of ASCII that take two bytes each.
pub fn is_utf16(bytes: &[u8]) -> bool {
    let is_wide = |low: u8, high: u8| high == 0 && (low.is_ascii_graphic() || low.is_ascii_whitespace());
    match *bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => true,
        [a, b, c, d, ..] => (is_wide(a, b) && is_wide(c, d)) || (is_wide(b, a) && is_wide(d, c)),
        _ => false,
    }
}

pub(super) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Unpacks one stream after the other, up to a number of bytes. Zeros after them are padding.
fn unpack(path: &Path, packed: &[u8], to: &mut Vec<u8>, limit: u64) -> Result<(), Error> {
    let mut rest = packed;
    while is_gzip(rest) {
        rest = unpack_stream(path, rest, to, limit)?;
        if to.len() as u64 == limit {
            return Ok(());
        }
    }
    if rest.iter().all(|&byte| byte == 0) {
        return Ok(());
    }
    let message = format!("the gzip data ends, and {} bytes follow that are none; remove them", rest.len());
    Err(Error::malformed(path, None, message))
}

/// Unpacks a stream in steps, so that a small file that unpacks to more than the memory is an error. Returns
/// what follows it.
fn unpack_stream<'a>(path: &Path, packed: &'a [u8], to: &mut Vec<u8>, limit: u64) -> Result<&'a [u8], Error> {
    let mut decoder = GzDecoder::new(packed);
    loop {
        let step = STEP.min(limit - to.len() as u64);
        match decoder.by_ref().take(step).read_to_end(to) {
            Ok(read) if (read as u64) < step || step == 0 => return Ok(decoder.into_inner()),
            Ok(_) => check_available(to.len(), &format!("the content of `{}`", path.display()))?,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                let message =
                    "the gzip data ends early: the rest of the file is missing; copy or download it again";
                return Err(Error::malformed(path, None, message));
            }
            Err(error) => {
                let message = format!("the gzip data is damaged ({error}); copy or download the file again");
                return Err(Error::malformed(path, None, message));
            }
        }
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Owned(bytes) => bytes,
            Self::Kept(bytes) => bytes,
        }
    }
}
