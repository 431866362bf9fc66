//! Object code of programs that were compiled before, in files.
//!
//! [`Folder::find`] and [`Folder::store`] go by a [`Key`], which stands for everything that code is made of.
//! Entries are written beside their place and renamed, so that several processes may share a folder; they
//! carry a checksum, and one that is damaged is made anew. Where they take more than the limit, those that
//! were not used for the longest time go. A cache that cannot be used is never an error.

mod entry;
mod folder;
mod key;
mod trust;

pub(crate) use folder::Folder;
pub(crate) use key::{Key, Use};

use crate::failure::Result;
use crate::middle::Checked;
use crate::session::Session;
use comet_backend_cpu::native::Target;
use comet_runtime::error::shown;

/// Where the code of a program is, or will be; nowhere where the cache is left out.
pub(crate) struct CodePlace(Option<(Folder, Key)>);

/// The place of a program's code.
///
/// There is none where the passes themselves are asked about, by `--explain`, `--time-passes` or logs of
/// single passes.
pub(crate) fn place(checked: Checked<'_>, target: &Target, purpose: Use) -> Result<CodePlace> {
    let session = checked.session;
    let shows_passes = tracing::enabled!(target: "comet_ir::pass", tracing::Level::DEBUG);
    if session.no_cache || session.explain || session.timing.enabled || shows_passes {
        tracing::info!("cache: left out, since the passes are to run");
        return Ok(CodePlace(None));
    }
    let Some(folder) = Folder::of_environment()? else {
        tracing::info!("cache: neither COMET_CACHE_DIR nor HOME names a folder");
        return Ok(CodePlace(None));
    };
    if let Err(why) = folder.check() {
        session.note(&shown(&format!("the compile cache is left out: {why}")));
        return Ok(CodePlace(None));
    }
    let key = session.timing.step("key", || Key::of_program(checked, target, purpose));
    Ok(CodePlace(key.map(|key| (folder, key))))
}

impl CodePlace {
    /// The code that is there, or what `compile` makes, which is then stored. What warns is not, so that it
    /// warns each time.
    pub(crate) fn object(
        &self,
        session: &Session,
        compile: impl FnOnce() -> Result<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        let Some((folder, key)) = &self.0 else { return compile() };
        match session.timing.step("cache", || folder.find(key)) {
            Ok(Some(object)) => {
                tracing::info!("cache: found {key}");
                return Ok(object);
            }
            Ok(None) => tracing::info!("cache: nothing is there for {key}"),
            Err(damage) => session.note(&format!("cached code is made anew: {damage}")),
        }
        let object = compile()?;
        if session.has_warned() {
            tracing::info!("cache: nothing is stored of what warns");
        } else if let Err(error) = session.timing.step("cache", || folder.store(key, &object)) {
            let path = folder.path.display();
            tracing::info!("cache: `{path}` takes nothing: {error}");
        }
        Ok(object)
    }
}
