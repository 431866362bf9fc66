//! Which cores the workers run on.

use crate::error::Error;
use core_affinity::CoreId;

/// The variable that says it.
const VARIABLE: &str = "COMET_AFFINITY";

/// Where workers run. The threads that wait for tasks, and help meanwhile, belong to the program or to the
/// caller of a kernel, and run where they did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Affinity {
    /// Where the system has them run.
    #[default]
    None,
    /// Each on a core of its own among those that the process may use, as long as there are enough.
    Cores,
}

impl Affinity {
    /// As `COMET_AFFINITY` says.
    pub(crate) fn of_environment() -> Result<Self, Error> {
        match std::env::var_os(VARIABLE) {
            Some(value) => Self::of_text(&value.to_string_lossy()),
            None => Ok(Self::default()),
        }
    }

    fn of_text(text: &str) -> Result<Self, Error> {
        match text {
            "" | "none" => Ok(Self::None),
            "cores" => Ok(Self::Cores),
            _ => Err(Error::Option(format!("`{VARIABLE}` takes `none` or `cores`, not `{text}`"))),
        }
    }

    /// Returns the core of each worker, where it has one. The first core is left to the thread that
    /// waits; where the system does not list its cores, nobody is bound.
    pub(super) fn cores(self, workers: usize) -> Vec<Option<CoreId>> {
        let cores = match self {
            Self::None => Vec::new(),
            Self::Cores => core_affinity::get_core_ids().unwrap_or_default(),
        };
        (1..=workers).map(|worker| cores.get(worker % cores.len().max(1)).copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wrong words say what is expected.
    #[test]
    fn words_are_read() {
        assert_eq!(Affinity::of_text("cores").ok(), Some(Affinity::Cores));
        assert_eq!(Affinity::of_text("").ok(), Some(Affinity::None));
        let error = Affinity::of_text("socket").unwrap_err().to_string();
        assert!(error.contains("`COMET_AFFINITY` takes `none` or `cores`, not `socket`"), "{error}");
    }

    /// Workers have cores that the process may use, different ones as far as they go; nobody has one unless
    /// it is asked for.
    #[test]
    fn workers_are_dealt_to_cores() {
        let all = core_affinity::get_core_ids().unwrap();
        assert_eq!(Affinity::None.cores(3), [None; 3]);
        let dealt = Affinity::Cores.cores(2 * all.len());
        assert!(dealt.iter().flatten().all(|core| all.contains(core)));
        let first: std::collections::HashSet<_> = dealt[..all.len()].iter().flatten().collect();
        assert_eq!(first.len(), all.len());
    }
}
