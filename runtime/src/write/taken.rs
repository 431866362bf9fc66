//! Written tensors that somebody in this process takes, in the place of files.

use crate::tensor::Tensor;
use parking_lot::RwLock;

/// Takes a tensor, with what the program calls the file.
pub type Taker = Box<dyn Fn(&Tensor, &str) + Send + Sync>;

static TAKER: RwLock<Option<Taker>> = RwLock::new(None);

/// From now on `comet_write` hands tensors to `taker`; where there is none, it writes files again.
pub fn take_written(taker: Option<Taker>) {
    *TAKER.write() = taker;
}

/// Whether somebody takes tensors.
pub(crate) fn is_taking() -> bool {
    TAKER.read().is_some()
}

/// Hands a tensor on, where somebody takes it.
pub(crate) fn is_taken(tensor: &Tensor, path: &str) -> bool {
    let taker = TAKER.read();
    taker.as_ref().map(|take| take(tensor, path)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use comet_format::{Format, ValueType};
    use std::sync::{Arc, Mutex};

    /// A taker sees what is written while it is there; without one, files are written.
    #[test]
    fn tensors_are_taken_or_written() {
        let format = Format::dense(0).of(ValueType::F64);
        let tensor = Tensor::new("s", format);
        assert!(!is_taken(&tensor, "a.tns"));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&seen);
        take_written(Some(Box::new(move |tensor, path| {
            told.lock().expect("nothing panicked").push(format!("{} {path}", tensor.name));
        })));
        assert!(is_taken(&tensor, "b.tns"));
        take_written(None);
        assert!(!is_taken(&tensor, "c.tns"));
        assert_eq!(*seen.lock().expect("nothing panicked"), ["s b.tns"]);
    }
}
