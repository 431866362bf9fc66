//! `#ta.file_mode`: the mode of a file that an extent is solved from.

use crate::Attr;
use comet_dialects::ffi;
use melior::ir::AttributeLike;
use melior::{Context, StringRef};

/// A mode of a file that is read into a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileMode {
    /// The file as the run time knows it: `comet_abi::functions::READ`.
    pub source: String,
    pub tensor: String,
    pub rank: usize,
    /// The mode, from 0.
    pub mode: usize,
}

impl FileMode {
    pub fn to_attribute<'c>(&self, context: &'c Context) -> Attr<'c> {
        let (source, tensor) = (StringRef::new(&self.source), StringRef::new(&self.tensor));
        let (rank, mode) = (self.rank as i64, self.mode as i64);
        // SAFETY: the context lives, and the strings through the call, which copies them; it returns a valid
        // attribute.
        unsafe {
            Attr::from_raw(ffi::cometTaFileModeGet(
                context.to_raw(),
                source.to_raw(),
                tensor.to_raw(),
                rank,
                mode,
            ))
        }
    }

    pub fn of_attribute(attribute: Attr<'_>) -> Self {
        let raw = attribute.to_raw();
        // SAFETY: the attribute is a `#ta.file_mode`; its strings live as long as its context.
        let (source, tensor, rank, mode) = unsafe {
            (
                StringRef::from_raw(ffi::cometTaFileModeGetSource(raw)),
                StringRef::from_raw(ffi::cometTaFileModeGetTensor(raw)),
                ffi::cometTaFileModeGetRank(raw),
                ffi::cometTaFileModeGetMode(raw),
            )
        };
        let text = |text: StringRef<'_>| text.as_str().unwrap_or_default().to_owned();
        let number = |number: i64| usize::try_from(number).expect("the verifier has seen the numbers");
        Self { source: text(source), tensor: text(tensor), rank: number(rank), mode: number(mode) }
    }
}
