//! The bytes of a file, unpacked if they begin like gzip's.

use crate::error::Error;
use crate::memory::check_available;
use flate2::read::MultiGzDecoder;
use memmap2::Mmap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Deref;
use std::path::Path;

/// Enough for any header without very long comments.
const HEAD: u64 = 1 << 18;

/// Bytes that are unpacked before the memory is looked at again.
const STEP: u64 = 1 << 26;

/// A file in memory.
pub(super) enum FileBytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl FileBytes {
    /// All bytes of a file.
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let bytes = Self::open_raw(path)?;
        if !is_gzip(&bytes) {
            return Ok(bytes);
        }
        let mut unpacked = Vec::new();
        unpack(path, &bytes, &mut unpacked, u64::MAX)?;
        Ok(Self::Owned(unpacked))
    }

    /// The first bytes of a packed file, all of one that is not; whether there may be more.
    pub(super) fn open_head(path: &Path) -> Result<(Self, bool), Error> {
        let bytes = Self::open_raw(path)?;
        if !is_gzip(&bytes) {
            return Ok((bytes, false));
        }
        let mut unpacked = Vec::new();
        unpack(path, &bytes, &mut unpacked, HEAD)?;
        let more = unpacked.len() as u64 == HEAD;
        Ok((Self::Owned(unpacked), more))
    }

    fn open_raw(path: &Path) -> Result<Self, Error> {
        let failed = |error| Error::read(path, error);
        let mut file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() || metadata.len() == 0 {
            // Pipes have no length, and an empty file cannot be mapped.
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes).map_err(failed)?;
            return Ok(Self::Owned(bytes));
        }
        // SAFETY: the map is private and read-only. Another process that cuts the file while it is read
        // would end this one with a signal; no memory of this process is at stake.
        let map = unsafe { Mmap::map(&file) }.map_err(failed)?;
        Ok(Self::Mapped(map))
    }
}

fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Unpacks in steps, so that a small file that unpacks to more than the memory is an error.
fn unpack(path: &Path, packed: &[u8], to: &mut Vec<u8>, limit: u64) -> Result<(), Error> {
    let mut decoder = MultiGzDecoder::new(packed).take(limit);
    loop {
        match decoder.by_ref().take(STEP).read_to_end(to) {
            Ok(read) if (read as u64) < STEP => return Ok(()),
            Ok(_) => check_available(to.len(), &format!("the content of `{}`", path.display()))?,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                return Err(Error::malformed(path, None, "the gzip data ends early"));
            }
            Err(error) => {
                return Err(Error::malformed(path, None, format!("the gzip data is damaged: {error}")));
            }
        }
    }
}

impl Deref for FileBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}
