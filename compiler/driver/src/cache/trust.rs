//! Whose a folder and its entries are. Their code runs, so that nobody else may be able to write them.
//!
//! Owners and permissions are those of the files that are open, so that nothing can be exchanged between the
//! check and the use.

use rustix::fs::{Mode, OFlags, open, openat};
use rustix::process::geteuid;
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Those that may write beside the owner.
const OTHERS: u32 = 0o022;
/// All that may write but the owner and the group.
const EVERYBODY: u32 = 0o002;
/// What is in such a folder belongs to who has made it.
const STICKY: u32 = 0o1000;

/// Looks whether a folder, there or not, can be trusted: with the folders above it.
///
/// # Errors
/// Words on what cannot.
pub(super) fn check(folder: &Path) -> Result<(), String> {
    let Ok(absolute) = std::path::absolute(folder) else { return Ok(()) };
    let Some(existing) = absolute.ancestors().find_map(|path| path.canonicalize().ok()) else {
        return Ok(());
    };
    let is_there = absolute.canonicalize().is_ok();
    for above in existing.ancestors().skip(usize::from(is_there)) {
        check_above(above)?;
    }
    if is_there { open_folder(folder).map(|_| ()) } else { Ok(()) }
}

/// Whoever can rename a folder can put another one in its place.
fn check_above(folder: &Path) -> Result<(), String> {
    let Ok(about) = folder.metadata() else { return Ok(()) };
    let shown = folder.display();
    if about.uid() != 0 && about.uid() != geteuid().as_raw() {
        return Err(format!("`{shown}`, which it is in, belongs to another user"));
    }
    if about.mode() & EVERYBODY != 0 && about.mode() & STICKY == 0 {
        return Err(format!("everybody may rename what is in `{shown}`"));
    }
    Ok(())
}

fn open_folder(folder: &Path) -> Result<Option<File>, String> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Some(file) = opened(open(folder, flags, Mode::empty()), folder)? else { return Ok(None) };
    let about = file.metadata().map_err(|error| format!("cannot read `{}`: {error}", folder.display()))?;
    check_owner(&about, folder)?;
    Ok(Some(file))
}

/// The bytes of an entry; none where it is not there.
///
/// # Errors
/// Words on what is no entry of ours.
pub(super) fn read(folder: &Path, entry: &Path, limit: u64) -> Result<Option<Vec<u8>>, String> {
    let Some(folder) = open_folder(folder)? else { return Ok(None) };
    // A pipe without a writer is not waited for.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let name = entry.file_name().unwrap_or_default();
    let Some(file) = opened(openat(&folder, name, flags, Mode::empty()), entry)? else { return Ok(None) };
    let about = file.metadata().map_err(|error| format!("cannot read `{}`: {error}", entry.display()))?;
    if !about.is_file() {
        return Err(format!("`{}` is no file", entry.display()));
    }
    check_owner(&about, entry)?;
    if about.len() > limit {
        return Err(format!("`{}` is larger than the whole cache may be", entry.display()));
    }
    let mut bytes = Vec::new();
    let read = file.take(limit).read_to_end(&mut bytes);
    Ok(read.is_ok().then_some(bytes))
}

fn opened(opened: rustix::io::Result<OwnedFd>, path: &Path) -> Result<Option<File>, String> {
    match opened.map_err(std::io::Error::from) {
        Ok(file) => Ok(Some(file.into())),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => {
            Err(format!("cannot open `{}`: {}", path.display(), comet_runtime::error::reason(&error)))
        }
    }
}

fn check_owner(about: &Metadata, path: &Path) -> Result<(), String> {
    let shown = path.display();
    if about.uid() != geteuid().as_raw() {
        return Err(format!("`{shown}` belongs to another user"));
    }
    if about.mode() & OTHERS != 0 {
        return Err(format!("others may write to `{shown}` (mode {:o})", about.mode() & 0o7777));
    }
    Ok(())
}
