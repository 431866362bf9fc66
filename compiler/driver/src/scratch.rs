//! Folders for a while, in the system's folder for temporary files.
//!
//! They are locked while they are in use. What a killed process has left is not locked any more, and is
//! removed by the next one that wants such a folder.

use comet_runtime::signals;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use tempfile::TempDir;

/// What the names of the folders begin with.
const PREFIX: &str = "comet-scratch-";

/// A folder that goes with this value, or when a signal ends the process.
pub(crate) struct Scratch {
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// A new folder, which nobody else can read.
    pub(crate) fn new() -> io::Result<Self> {
        let parent = std::env::temp_dir();
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(&parent)?;
            let lock = signals::create(folder.path(), || File::open(folder.path()))?;
            let _ = lock.try_lock();
            let about = lock.metadata()?;
            // Between the two, another process may have taken it for one that was left.
            if is_at(&about, folder.path()) {
                remove_stale(&parent, about.uid());
                return Ok(Self { folder, _lock: lock });
            }
            signals::forget(folder.path());
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.path());
        signals::forget(self.path());
    }
}

fn is_at(about: &Metadata, path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| (found.dev(), found.ino()) == (about.dev(), about.ino()))
}

/// Removes the folders of that user which nobody has locked.
fn remove_stale(parent: &Path, user: u32) {
    let Ok(listed) = parent.read_dir() else { return };
    let names =
        listed.flatten().filter(|entry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes()));
    for path in names.map(|entry| entry.path()) {
        let is_ours = path.symlink_metadata().is_ok_and(|about| about.is_dir() && about.uid() == user);
        let Some(lock) = is_ours.then(|| File::open(&path).ok()).flatten() else { continue };
        if lock.try_lock().is_ok() && lock.metadata().is_ok_and(|about| is_at(&about, &path)) {
            // What cannot be removed stays for the next one.
            let _ = fs::remove_dir_all(&path);
        }
    }
}
