//! Which of the processors that a kernel was compiled for this one can be.

use crate::error::Error;
use std::sync::LazyLock;

/// The variable of the environment that forces a processor.
const VARIABLE: &str = "COMET_TARGET_CPU";

/// A processor: its name, and the features that its code uses, separated by commas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate<'a> {
    pub(crate) name: &'a str,
    pub(crate) features: &'a str,
}

/// Returns the last of some processors whose features this one has, or the one that the environment names.
pub(crate) fn choose(candidates: &[Candidate<'_>]) -> Result<usize, Error> {
    static FORCED: LazyLock<Option<String>> =
        LazyLock::new(|| std::env::var(VARIABLE).ok().filter(|name| !name.is_empty()));
    choose_among(candidates, FORCED.as_deref(), has_feature)
}

fn choose_among(
    candidates: &[Candidate<'_>],
    forced: Option<&str>,
    has: impl Fn(&str) -> bool,
) -> Result<usize, Error> {
    let missing = |candidate: &Candidate<'_>| {
        let features = candidate.features.split(',').filter(|feature| !feature.is_empty());
        features.filter(|feature| !has(feature)).collect::<Vec<_>>().join(", ")
    };
    let names = || {
        let names = candidates.iter().map(|candidate| format!("`{}`", candidate.name));
        names.collect::<Vec<_>>().join(", ")
    };
    if let Some(forced) = forced {
        let place = candidates.iter().position(|candidate| candidate.name == forced);
        let Some(place) = place else {
            let message = format!("`{VARIABLE}` is `{forced}`, and the kernels were compiled for");
            return Err(Error::Option(format!("{message} {}", names())));
        };
        let missing = missing(&candidates[place]);
        if missing.is_empty() {
            return Ok(place);
        }
        let message =
            format!("`{VARIABLE}` is `{forced}`, which this processor cannot run: it lacks {missing}");
        return Err(Error::Option(message));
    }
    let fitting = candidates.iter().rposition(|candidate| missing(candidate).is_empty());
    fitting.ok_or_else(|| {
        let missing = candidates.first().map(missing).unwrap_or_default();
        let message =
            format!("this processor runs none of those that the kernels were compiled for ({})", names());
        Error::Option(format!("{message}: it lacks {missing}"))
    })
}

/// Asks the processor for features by LLVM's names.
macro_rules! detected {
    ($name:ident: $($llvm:literal $rust:tt)*) => {
        match $name {
            $($llvm => std::arch::is_x86_feature_detected!($rust),)*
            _ => false,
        }
    };
}

/// Whether this processor has a feature, by LLVM's name.
#[cfg(target_arch = "x86_64")]
#[rustfmt::skip]
fn has_feature(name: &str) -> bool {
    detected!(name:
        "sse3" "sse3" "ssse3" "ssse3" "sse4.1" "sse4.1" "sse4.2" "sse4.2" "sse4a" "sse4a" "popcnt" "popcnt"
        "cx16" "cmpxchg16b" "avx" "avx" "avx2" "avx2" "fma" "fma" "f16c" "f16c" "bmi" "bmi1" "bmi2" "bmi2"
        "lzcnt" "lzcnt" "movbe" "movbe" "adx" "adx" "tbm" "tbm" "gfni" "gfni" "avxvnni" "avxvnni"
        "avxifma" "avxifma" "avxneconvert" "avxneconvert" "avxvnniint8" "avxvnniint8" "avxvnniint16" "avxvnniint16"
        "avx512f" "avx512f" "avx512cd" "avx512cd" "avx512bw" "avx512bw" "avx512dq" "avx512dq"
        "avx512vl" "avx512vl" "avx512ifma" "avx512ifma" "avx512vbmi" "avx512vbmi" "avx512vbmi2" "avx512vbmi2"
        "avx512vnni" "avx512vnni" "avx512bitalg" "avx512bitalg" "avx512vpopcntdq" "avx512vpopcntdq"
        "avx512bf16" "avx512bf16" "avx512fp16" "avx512fp16" "avx512vp2intersect" "avx512vp2intersect")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_feature(_name: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use comet_abi::processor::DETECTED;

    const ALL: [Candidate<'_>; 3] = [
        Candidate { name: "v2", features: "sse4.2" },
        Candidate { name: "v3", features: "sse4.2,avx2" },
        Candidate { name: "v4", features: "sse4.2,avx2,avx512f" },
    ];

    fn chosen(forced: Option<&str>, has: &[&str]) -> Result<&'static str, String> {
        let place = choose_among(&ALL, forced, |feature| has.contains(&feature));
        place.map(|place| ALL[place].name).map_err(|error| error.to_string())
    }

    /// The last one that fits, unless another one is forced.
    #[test]
    fn processors_are_chosen_by_features() {
        assert_eq!(chosen(None, &["sse4.2", "avx2"]), Ok("v3"));
        assert_eq!(chosen(None, &["sse4.2", "avx2", "avx512f"]), Ok("v4"));
        assert_eq!(chosen(Some("v2"), &["sse4.2", "avx2"]), Ok("v2"));
        let error = chosen(None, &[]).unwrap_err();
        assert!(error.contains("compiled for (`v2`, `v3`, `v4`): it lacks sse4.2"), "{error}");
        let error = chosen(Some("v4"), &["sse4.2"]).unwrap_err();
        assert!(
            error.contains("is `v4`, which this processor cannot run: it lacks avx2, avx512f"),
            "{error}"
        );
        let error = chosen(Some("v5"), &[]).unwrap_err();
        assert!(error.contains("is `v5`, and the kernels were compiled for `v2`, `v3`, `v4`"), "{error}");
    }

    /// What the compiler writes into objects is what the run time looks for.
    #[test]
    fn features_are_known_on_both_sides() {
        let source = include_str!("processor.rs");
        for feature in DETECTED {
            assert!(source.contains(&format!("\"{feature}\" \"")), "{feature}");
        }
    }
}
