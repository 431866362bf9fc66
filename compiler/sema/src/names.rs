//! Words in messages: the kinds of names, "did you mean", counted nouns.

/// What a name can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub(crate) enum NameKind {
    Tensor,
    Scalar,
    Label,
}

/// The candidate that `name` is most likely a slip for.
pub(crate) fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let scored = candidates.into_iter().map(|candidate| (distance(name, candidate), candidate));
    scored.filter(|&(distance, _)| distance <= tolerance(name)).min().map(|(_, candidate)| candidate)
}

/// `did you mean `x`?` where something is close, `otherwise` where nothing is.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> String {
    closest(name, candidates).map_or_else(|| otherwise.into(), |close| format!("did you mean `{close}`?"))
}

/// `1 mode`, `2 modes`, `no modes`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    }
}

/// Words that differ in case only are as close as can be.
fn distance(name: &str, candidate: &str) -> usize {
    if name.eq_ignore_ascii_case(candidate) { 0 } else { strsim::osa_distance(name, candidate) }
}

/// One slip in three letters; a name of one or two letters has no slips, for every other one would be close.
fn tolerance(name: &str) -> usize {
    let length = name.chars().count();
    if length < 3 { 0 } else { (length / 3).min(3) }
}

#[cfg(test)]
mod tests {
    use super::closest;

    /// Guards that short names suggest nothing by chance and longer ones find the nearest.
    #[test]
    fn close_names() {
        assert_eq!(closest("k", ["i", "j"]), None);
        assert_eq!(closest("a", ["A", "B"]), Some("A"));
        assert_eq!(closest("comet_raed", ["comet_write", "comet_read"]), Some("comet_read"));
    }
}
