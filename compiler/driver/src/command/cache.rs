//! `comet cache`.

use super::output;
use crate::arguments::CacheArguments;
use crate::cache::Folder;
use crate::failure::{Failure, Result};
use bytesize::ByteSize;
use comet_runtime::error::reason;

/// Reports what is kept, after removing it where that is wanted.
pub(crate) fn cache(arguments: &CacheArguments) -> Result<()> {
    let folder = Folder::of_environment()?.ok_or_else(no_folder)?;
    if arguments.clear {
        folder.clear().map_err(|error| Failure::file("clear", &folder.path, reason(&error)))?;
    }
    let usage = folder.usage().map_err(|error| Failure::file("read", &folder.path, reason(&error)))?;
    let (path, size) = (folder.path.display(), ByteSize::b(usage.bytes));
    let text = format!("folder: {path}\nentries: {}\nsize: {size} of {}\n", usage.entries, folder.limit);
    output::print(text.as_bytes())
}

fn no_folder() -> Failure {
    Failure::hinted("no folder is known to keep code in", "set `COMET_CACHE_DIR`, or `HOME`")
}
