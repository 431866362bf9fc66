//! The folder of the entries, and its limit.

use super::{Key, entry, trust};
use crate::failure::{Failure, Result};
use bytesize::ByteSize;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// What follows the key in the name of an entry.
const SUFFIX: &str = "code";
/// What the names of files begin with that are being written.
const UNFINISHED: &str = ".unfinished-";
/// Files that are being written for longer were left behind by a process that has died.
const LEFT_BEHIND: Duration = Duration::from_secs(3600);
const LIMIT: &str = "COMET_CACHE_SIZE";
const USUAL_LIMIT: ByteSize = ByteSize::mib(256);

#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    pub(crate) limit: ByteSize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    pub(crate) entries: usize,
    pub(crate) bytes: u64,
}

/// A file of the folder that is ours.
struct Stored {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

impl Folder {
    /// `COMET_CACHE_DIR`, or a folder of ours in `XDG_CACHE_HOME`, or in `.cache` at home; `None` where
    /// neither is known.
    pub(crate) fn of_environment() -> Result<Option<Self>> {
        let limit = limit(std::env::var_os(LIMIT))?;
        let given = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let own = || given("COMET_CACHE_DIR");
        // Paths that are not absolute are to be ignored there.
        let common = || given("XDG_CACHE_HOME").filter(|path| path.is_absolute());
        let home = || given("HOME").map(|home| home.join(".cache"));
        let path = own().or_else(|| common().or_else(home).map(|folder| folder.join("comet")));
        Ok(path.map(|path| Self { path, limit }))
    }

    /// The object of a key, which is then among those that were used last.
    ///
    /// # Errors
    /// Words on an entry that is damaged, or that somebody else may have written.
    pub(crate) fn find(&self, key: &Key) -> std::result::Result<Option<Vec<u8>>, String> {
        let path = self.place(key);
        let Some(bytes) = trust::read(&self.path, &path, self.limit.as_u64())? else { return Ok(None) };
        let Some(object) = entry::unpack(key, &bytes) else {
            return Err(format!("`{}` is damaged", path.display()));
        };
        // Where that is refused, it counts as used when it was made.
        let _ = File::open(&path).and_then(|file| file.set_modified(SystemTime::now()));
        Ok(Some(object))
    }

    /// Looks whether somebody else may have put something there.
    ///
    /// # Errors
    /// Words on who.
    pub(crate) fn check(&self) -> std::result::Result<(), String> {
        trust::check(&self.path)
    }

    /// Stores an object, and removes others that have become too many.
    pub(crate) fn store(&self, key: &Key, object: &[u8]) -> io::Result<()> {
        let bytes = entry::pack(key, object);
        if bytes.len() as u64 > self.limit.as_u64() {
            return Ok(());
        }
        DirBuilder::new().recursive(true).mode(0o700).create(&self.path)?;
        let mut file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(&self.path)?;
        file.write_all(&bytes)?;
        file.persist(self.place(key)).map_err(|error| error.error)?;
        self.trim()
    }

    /// What entries take.
    ///
    /// # Errors
    /// A folder that cannot be read; one that is not there is empty.
    pub(crate) fn usage(&self) -> io::Result<Usage> {
        let entries = self.entries()?;
        Ok(Usage { entries: entries.len(), bytes: entries.iter().map(|entry| entry.bytes).sum() })
    }

    /// Removes all entries, and nothing else.
    pub(crate) fn clear(&self) -> io::Result<()> {
        let unfinished = self.files(|name| name.starts_with(UNFINISHED))?;
        self.entries()?.iter().chain(&unfinished).try_for_each(Stored::remove)
    }

    fn place(&self, key: &Key) -> PathBuf {
        self.path.join(format!("{key}.{SUFFIX}"))
    }

    /// Removes the entries that were used longest ago, until the others keep the limit.
    fn trim(&self) -> io::Result<()> {
        let mut entries = self.entries()?;
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.used));
        let mut bytes = 0;
        for entry in &entries {
            bytes += entry.bytes;
            if bytes > self.limit.as_u64() {
                entry.remove()?;
            }
        }
        let unfinished = self.files(|name| name.starts_with(UNFINISHED))?;
        let is_left = |file: &&Stored| file.used.elapsed().is_ok_and(|age| age > LEFT_BEHIND);
        unfinished.iter().filter(is_left).try_for_each(Stored::remove)
    }

    fn entries(&self) -> io::Result<Vec<Stored>> {
        self.files(|name| {
            let key = name.strip_suffix(SUFFIX).and_then(|name| name.strip_suffix('.'));
            key.is_some_and(|key| {
                key.len() == 2 * blake3::OUT_LEN && key.bytes().all(|c| c.is_ascii_hexdigit())
            })
        })
    }

    /// The files whose names are so. Those that go meanwhile are left out.
    fn files(&self, is_so: impl Fn(&str) -> bool) -> io::Result<Vec<Stored>> {
        let listed = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            listed => listed?,
        };
        let mut files = Vec::new();
        for file in listed {
            let file = file?;
            if file.file_name().to_str().is_none_or(|name| !is_so(name)) {
                continue;
            }
            let Ok(about) = file.metadata() else { continue };
            files.push(Stored { path: file.path(), bytes: about.len(), used: about.modified()? });
        }
        Ok(files)
    }
}

impl Stored {
    /// Another process may have done it.
    fn remove(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

fn limit(given: Option<OsString>) -> Result<ByteSize> {
    let Some(given) = given.filter(|value| !value.is_empty()) else { return Ok(USUAL_LIMIT) };
    let read = given.to_str().and_then(|text| text.parse().ok());
    read.ok_or_else(|| {
        let given = Path::new(&given).display();
        let message = format!("`{LIMIT}` takes a number of bytes, not `{given}`");
        Failure::hinted(message, "write `64MiB`, for example")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(limit: u64) -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder { path: place.path().join("a/b"), limit: ByteSize::b(limit) };
        (place, folder)
    }

    /// Those that were not used for the longest time go first; files of others stay.
    #[test]
    fn the_limit_is_kept() {
        let (_place, folder) = folder(1000);
        let keys = ["a", "b", "c"].map(Key::of_text);
        let before = |hours: u32| SystemTime::now() - hours * LEFT_BEHIND;
        for (key, hours) in keys[..2].iter().zip([3u32, 2]) {
            folder.store(key, &[7; 400]).unwrap();
            File::open(folder.place(key)).unwrap().set_modified(before(hours)).unwrap();
        }
        fs::write(folder.path.join("other.code"), [0; 5000]).unwrap();
        assert_eq!(folder.usage().unwrap().entries, 2);
        // The first one is used, and so the second one goes.
        assert!(folder.find(&keys[0]).unwrap().is_some());
        folder.store(&keys[2], &[8; 400]).unwrap();
        assert!(folder.usage().unwrap().bytes <= 1000);
        let found = keys.each_ref().map(|key| folder.find(key).unwrap().is_some());
        assert_eq!(found, [true, false, true]);
        // What is larger than all is not stored.
        folder.store(&keys[1], &[9; 2000]).unwrap();
        assert_eq!(folder.usage().unwrap().entries, 2);
        folder.clear().unwrap();
        assert_eq!(folder.usage().unwrap(), Usage::default());
        assert!(folder.path.join("other.code").exists());
    }

    /// A damaged entry is reported, and made anew.
    #[test]
    fn damaged_entries_are_reported() {
        let (_place, folder) = folder(1000);
        let key = Key::of_text("a");
        assert_eq!(folder.find(&key), Ok(None));
        folder.store(&key, b"object").unwrap();
        fs::write(folder.place(&key), "comet code 1\nnonsense").unwrap();
        assert!(folder.find(&key).unwrap_err().contains("is damaged"));
        folder.store(&key, b"object").unwrap();
        assert_eq!(folder.find(&key), Ok(Some(b"object".to_vec())));
    }

    /// What a process that has died was writing is removed later.
    #[test]
    fn what_is_left_behind_goes() {
        let (_place, folder) = folder(1000);
        folder.store(&Key::of_text("a"), b"object").unwrap();
        let paths = [1, 2].map(|hours| {
            let path = folder.path.join(format!("{UNFINISHED}{hours}"));
            File::create(&path).unwrap();
            path
        });
        File::open(&paths[1]).unwrap().set_modified(SystemTime::now() - 2 * LEFT_BEHIND).unwrap();
        folder.store(&Key::of_text("b"), b"object").unwrap();
        assert_eq!(paths.map(|path| path.exists()), [true, false]);
    }

    /// A wrong size says what is expected.
    #[test]
    fn sizes_are_read() {
        assert_eq!(limit(None).unwrap(), USUAL_LIMIT);
        assert_eq!(limit(Some("64KiB".into())).unwrap(), ByteSize::kib(64));
        let error = limit(Some("much".into())).unwrap_err().render(comet_diag::Color::Never);
        assert!(error.contains("`COMET_CACHE_SIZE` takes a number of bytes, not `much`"), "{error}");
    }
}
