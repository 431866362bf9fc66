//! Files that appear whole: they are written beside their place, as `.NAME.comet-0.part`, and renamed. Until
//! then the old file stays, whatever ends the process, and a reader never sees a part.
//!
//! A process holds a lock on each file that it writes. What a killed one has left is not locked any more, and
//! the next process that writes a file of that name removes it. Locks hold on shared folders and in
//! containers, where numbers of processes say nothing.

use crate::signals;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

/// The most processes that write one file at the same time.
const MOST_WRITERS: usize = 64;
/// The most symbolic links that lead to a file, as in Linux.
const MOST_LINKS: usize = 40;

/// A file that is being written.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    /// Where the part is and where it goes; none of what cannot be replaced: devices and pipes.
    move_to: Option<(PathBuf, PathBuf)>,
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// What the system refuses, and what `write` fails with.
pub fn replace<T>(path: &Path, write: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
    let mut replacement = Replacement::new(path)?;
    let written = write(&mut replacement.file)?;
    replacement.finish()?;
    Ok(written)
}

/// Whether a file can be written at this path: what runs for long asks before it begins.
///
/// # Errors
/// What [`replace`] would fail with now.
pub fn check(path: &Path) -> io::Result<()> {
    match target(path)? {
        Some(_) => Replacement::new(path).map(drop),
        None if path.is_dir() => Err(ErrorKind::IsADirectory.into()),
        // What reads from a pipe would take a writer that comes and goes for the end.
        None => Ok(()),
    }
}

impl Replacement {
    /// Begins a file at this path. One that exists keeps its permissions; a symbolic link stays, and what it
    /// points to is replaced; devices and pipes are written to as they are.
    ///
    /// # Errors
    /// A folder or a file that cannot be written to.
    pub fn new(path: &Path) -> io::Result<Self> {
        let Some(target) = target(path)? else {
            return Ok(Self { file: File::create(path)?, move_to: None });
        };
        let old = match OpenOptions::new().write(true).open(&target) {
            Ok(old) => Some(old.metadata()?),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let (file, part) = create_part(&target)?;
        let replacement = Self { file, move_to: Some((part, target)) };
        if let Some(old) = old {
            // Only a privileged process may give files away; the content is what counts.
            let _ = fchown(&replacement.file, Some(old.uid()), Some(old.gid()));
            replacement.file.set_permissions(Permissions::from_mode(old.mode() & 0o7777))?;
        }
        Ok(replacement)
    }

    /// Lets those execute the file who may read it.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn make_executable(&self) -> io::Result<()> {
        if self.move_to.is_none() {
            return Ok(());
        }
        let mode = self.file.metadata()?.mode() & 0o7777;
        self.file.set_permissions(Permissions::from_mode(mode | ((mode & 0o444) >> 2)))
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// What the system refuses; the part is removed then.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        if let Some((part, target)) = &self.move_to {
            fs::rename(part, target)?;
            signals::forget(part);
            self.move_to = None;
        }
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// What was not finished goes.
impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some((part, _)) = &self.move_to {
            // What cannot be removed is found by the next one who writes that file.
            let _ = fs::remove_file(part);
            signals::forget(part);
        }
    }
}

/// The regular file, there already or not, that a path leads to; none where it leads to something else.
fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        // `/dev/stdout` is a link to the file of a redirection, which stays the one that the shell has
        // opened.
        if path.starts_with("/proc") || (path.starts_with("/dev") && !path.starts_with("/dev/shm")) {
            return Ok(None);
        }
        match path.symlink_metadata() {
            Ok(about) if about.is_symlink() => {
                let to = path.read_link()?;
                path.pop();
                path.push(to);
            }
            Ok(about) => return Ok(about.is_file().then_some(path)),
            Err(error) if error.kind() == ErrorKind::NotFound && path.file_name().is_some() => {
                return Ok(Some(path));
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// A new file beside the target, locked, and without those that nobody writes any more.
fn create_part(target: &Path) -> io::Result<(File, PathBuf)> {
    for number in 0..MOST_WRITERS {
        let part = part_of(target, number);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let file = match signals::create(&part, || options.open(&part)) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        // Another process may have taken it for one that was left before it is locked: that one has the lock
        // for the moment in which it removes the file. File systems without locks have nothing removed.
        let _ = file.lock();
        let about = file.metadata()?;
        if about.nlink() == 0 {
            signals::forget(&part);
            continue;
        }
        let others = (0..MOST_WRITERS.min(number + 8)).filter(|other| *other != number);
        others.for_each(|other| remove_stale(&part_of(target, other), about.uid()));
        return Ok((file, part));
    }
    Err(io::Error::new(ErrorKind::ResourceBusy, format!("{MOST_WRITERS} processes are writing it")))
}

/// `.NAME.comet-0.part`, where the name is not too long for it.
fn part_of(target: &Path, number: usize) -> PathBuf {
    /// Leaves room for the rest in the 255 bytes of a name.
    const MOST: usize = 230;
    let name = target.file_name().unwrap_or_default();
    let mut part = OsString::from(".");
    if name.len() <= MOST {
        part.push(name);
    } else {
        let hash = name.as_encoded_bytes().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        });
        part.push(format!("{hash:x}"));
    }
    part.push(format!(".comet-{number}.part"));
    target.with_file_name(part)
}

/// Removes a part of that user which nobody has locked.
fn remove_stale(part: &Path, user: u32) {
    let is_ours = |about: &fs::Metadata| about.is_file() && about.uid() == user;
    if !part.symlink_metadata().is_ok_and(|about| is_ours(&about)) {
        return;
    }
    let Ok(file) = OpenOptions::new().write(true).open(part) else { return };
    let (Ok(()), Ok(opened)) = (file.try_lock(), file.metadata()) else { return };
    let same =
        |about: fs::Metadata| is_ours(&about) && (about.dev(), about.ino()) == (opened.dev(), opened.ino());
    if part.symlink_metadata().is_ok_and(same) {
        // Another one may have been faster.
        let _ = fs::remove_file(part);
    }
}
