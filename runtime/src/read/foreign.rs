//! Files of other kinds, which are known by their first bytes: for messages that say what a file is.

use super::bytes::is_utf16;
use super::{npy, npz};

/// A kind of file that is not read.
struct Foreign {
    /// What it is.
    name: &'static str,
    remedy: &'static str,
    is_one: fn(&[u8]) -> bool,
}

const KINDS: [Foreign; 10] = [
    Foreign { name: "a text that looks like UTF-16", remedy: "save it as UTF-8", is_one: is_utf16 },
    Foreign {
        name: "a page of HTML or XML",
        remedy: "download the file itself",
        is_one: |start| start.trim_ascii_start().starts_with(b"<"),
    },
    Foreign {
        name: "a pointer of Git LFS",
        remedy: "`git lfs pull` fetches the file",
        is_one: |start| start.starts_with(b"version https://git-lfs"),
    },
    Foreign {
        name: "a tar archive",
        remedy: "unpack it, and name a file of it",
        is_one: |start| start.get(257..262) == Some(b"ustar"),
    },
    Foreign {
        name: "data of bzip2",
        remedy: "unpack it by `bunzip2`",
        is_one: |start| start.starts_with(b"BZh"),
    },
    Foreign {
        name: "data of xz",
        remedy: "unpack it by `unxz`",
        is_one: |start| start.starts_with(b"\xfd7zXZ\0"),
    },
    Foreign {
        name: "data of Zstandard",
        remedy: "unpack it by `unzstd`",
        is_one: |start| start.starts_with(b"\x28\xb5\x2f\xfd"),
    },
    Foreign {
        name: "a file of HDF5",
        remedy: "write the tensor as `.mtx`, `.tns`, `.npy` or `.npz`",
        is_one: |start| start.starts_with(b"\x89HDF\r\n"),
    },
    Foreign {
        name: "a file of MATLAB",
        remedy: "write the tensor as `.mtx`, `.tns`, `.npy` or `.npz`",
        is_one: |start| start.starts_with(b"MATLAB 5.0 MAT-file"),
    },
    Foreign {
        name: "lines that end with carriage returns alone",
        remedy: "convert it by `tr '\\r' '\\n'`",
        is_one: has_carriage_returns,
    },
];

/// Returns what a file is, and what to do, if it begins as one of another kind.
pub(super) fn found(start: &[u8]) -> Option<(&'static str, &'static str)> {
    // The bytes of arrays may be any.
    if start.starts_with(npy::MAGIC) || start.starts_with(npz::MAGIC) {
        return None;
    }
    KINDS.iter().find(|kind| (kind.is_one)(start)).map(|kind| (kind.name, kind.remedy))
}

/// Whether the first line ends with a carriage return and the next one follows at once.
fn has_carriage_returns(start: &[u8]) -> bool {
    let is_text = start.first().is_some_and(|first| matches!(first, b'%' | b'#' | b'0'..=b'9'));
    match memchr::memchr2(b'\r', b'\n', start) {
        Some(end) if is_text && start[end] == b'\r' => {
            start.get(end + 1).is_some_and(|next| !next.is_ascii_whitespace())
        }
        _ => false,
    }
}
