//! Parsed files: sizing a label takes a parse of a `.tns` file, and choosing tiles one of any file; the read
//! that follows takes the result.

use super::{FileExtents, FileTensor, ReadOptions};
use crate::coordinates::CoordinateTensor;
use crate::options::TnsForm;
use crate::values::{Value as _, ValueColumn};
use comet_format::{ValueKind, ValueType};
use parking_lot::Mutex;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());

/// Above this a `double` no longer distinguishes integers, and a file of integers must be read again as such.
const EXACT: f64 = 9_007_199_254_740_992.0;

struct Kept {
    key: Key,
    extents: FileExtents,
    /// Taken by the first read.
    entries: Option<CoordinateTensor>,
    /// The type that they were read as, where a program reads them so: only a read of that type takes them.
    given_back: Option<ValueType>,
}

#[derive(PartialEq, Eq)]
struct Key {
    path: PathBuf,
    rank: Option<usize>,
    form: TnsForm,
    /// Length and time of change, so that a file that is written anew is read anew.
    version: Option<(u64, SystemTime)>,
}

impl Key {
    fn of(path: &Path, options: &ReadOptions) -> Self {
        let metadata = std::fs::metadata(path).ok();
        let version = metadata.and_then(|metadata| Some((metadata.len(), metadata.modified().ok()?)));
        Self { path: path.to_owned(), rank: options.rank, form: options.tns, version }
    }
}

/// Keeps a file's entries, read as `double`, with its extents.
pub(super) fn keep(path: &Path, options: &ReadOptions, extents: FileExtents, entries: CoordinateTensor) {
    KEPT.lock().push(Kept { key: Key::of(path, options), extents, entries: Some(entries), given_back: None });
}

/// Keeps the extents of a file that several processes read.
pub(crate) fn keep_extents(path: &Path, options: &ReadOptions, extents: FileExtents) {
    KEPT.lock().push(Kept { key: Key::of(path, options), extents, entries: None, given_back: None });
}

/// Keeps all entries of a file, read as these options say, for the next read with them.
pub(super) fn give_back(path: &Path, options: &ReadOptions, file: FileTensor) {
    let key = Key::of(path, options);
    let FileTensor { entries, at_least } = file;
    let mut all = KEPT.lock();
    match all.iter_mut().find(|kept| kept.key == key) {
        Some(kept) => (kept.entries, kept.given_back) = (Some(entries), Some(options.value)),
        None => {
            let extents = FileExtents { dims: entries.dims.clone(), at_least };
            all.push(Kept { key, extents, entries: Some(entries), given_back: Some(options.value) });
        }
    }
}

/// The extents of a file that was parsed before.
pub(crate) fn extents(path: &Path, options: &ReadOptions) -> Option<FileExtents> {
    let key = Key::of(path, options);
    KEPT.lock().iter().find(|kept| kept.key == key).map(|kept| kept.extents.clone())
}

/// The entries of a file that was parsed before, unless its values must be read in another way.
pub(super) fn take(path: &Path, options: &ReadOptions) -> Option<FileTensor> {
    let mut all = KEPT.lock();
    if all.is_empty() {
        return None;
    }
    let key = Key::of(path, options);
    let kept = all.iter_mut().find(|kept| kept.key == key)?;
    let at_least = kept.extents.at_least;
    if let Some(value) = kept.given_back {
        let entries = kept.entries.take_if(|_| value == options.value)?;
        return Some(FileTensor { entries, at_least });
    }
    let entries = kept.entries.take()?;
    let CoordinateTensor { dims, coords, values: ValueColumn::F64(values) } = entries else {
        return None;
    };
    if !values.iter().all(|&value| stands_for(value, options.value)) {
        return None;
    }
    let values = ValueColumn::F64(values).cast_to(options.value).ok()?;
    Some(FileTensor { entries: CoordinateTensor { dims, coords, values }, at_least })
}

/// Whether a number that was read as a `double` is the one that is read as an element of a type.
fn stands_for(value: f64, of: ValueType) -> bool {
    match of.row().kind {
        ValueKind::Integer(..) => value.abs() < EXACT && value.trunc() == value && of.holds(value as i64),
        ValueKind::Truth => true,
        ValueKind::Float(_) | ValueKind::Complex(_) if of.part() == ValueType::F64 => true,
        ValueKind::Complex(_) => !value.is_finite() || (value as f32).is_finite(),
        ValueKind::Float(_) => !value.is_finite() || ((value as f32).is_finite() && (value as f32).fits(of)),
    }
}
