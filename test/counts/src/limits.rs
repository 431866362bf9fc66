//! The limits of counts: a TOML file with one `name = value` a line.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::count::Measurement;

/// How many files a message lists.
const LISTED: usize = 20;

/// Limits as they were read from a file.
pub struct Limits {
    path: PathBuf,
    text: String,
    values: BTreeMap<String, u64>,
}

impl Limits {
    /// Reads a file of limits.
    pub fn read(path: &Path) -> Result<Self, String> {
        let explain = |error: String| format!("{}: {error}", path.display());
        let text = fs::read_to_string(path).map_err(|error| explain(error.to_string()))?;
        let values = toml::from_str(&text).map_err(|error| explain(error.to_string()))?;
        Ok(Self { path: path.to_owned(), text, values })
    }

    /// Returns a message for every count above its limit, and for every limit that no count has.
    pub fn exceeded(&self, measured: &[Measurement]) -> Vec<String> {
        let limits = self.values.iter().map(|(name, limit)| match find(measured, name) {
            Some(one) if one.value > *limit => Some(excess(one, *limit)),
            Some(_) => None,
            None => Some(format!("`{name}` is no count")),
        });
        limits.flatten().collect()
    }

    /// Returns the counts below their limits: names, limits and values.
    pub fn slack(&self, measured: &[Measurement]) -> Vec<(String, u64, u64)> {
        let limits = self.values.iter().filter_map(|(name, limit)| {
            let value = find(measured, name)?.value;
            (value < *limit).then(|| (name.clone(), *limit, value))
        });
        limits.collect()
    }

    /// Writes the file with every limit lowered to what was measured; none is raised.
    pub fn lower(&self, measured: &[Measurement]) -> std::io::Result<()> {
        fs::write(&self.path, self.lowered(&self.slack(measured)))
    }

    /// Returns the text with other values; comments stay.
    fn lowered(&self, slack: &[(String, u64, u64)]) -> String {
        let lines = self.text.lines().map(|line| {
            let name = line.split_once('=').map_or("", |(name, _)| name.trim());
            let lower = slack.iter().find(|(other, ..)| other == name);
            lower.map_or_else(|| line.to_owned(), |(name, _, value)| format!("{name} = {value}"))
        });
        lines.map(|line| line + "\n").collect()
    }
}

fn find<'m>(measured: &'m [Measurement], name: &str) -> Option<&'m Measurement> {
    measured.iter().find(|one| one.name == name)
}

/// Says by how much a count is above its limit, and which files it is in.
fn excess(one: &Measurement, limit: u64) -> String {
    let mut files = BTreeMap::<&str, u64>::new();
    for found in &one.occurrences {
        *files.entry(&found.file).or_default() += found.amount;
    }
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_by_key(|(_, amount)| std::cmp::Reverse(*amount));
    let mut listed: String =
        files.iter().take(LISTED).map(|(file, amount)| format!("\n  {amount:6} {file}")).collect();
    if files.len() > LISTED {
        listed += &format!("\n         and {} more files", files.len() - LISTED);
    }
    let Measurement { name, about, value, .. } = one;
    let excess = format!("`{name}` is {value}, expected at most {limit} ({about})");
    format!("{excess}\n  each place: cargo run -p comet-counts -- --list {name}{listed}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::Occurrence;

    fn measured(value: u64) -> Vec<Measurement> {
        let found = Occurrence {
            file: "a.rs".into(),
            line: 7,
            text: "ta.copy".into(),
            amount: value,
            package: String::new(),
        };
        let (groups, files) = (Vec::new(), 1);
        vec![Measurement { name: "own-ops", about: "names", value, files, groups, occurrences: vec![found] }]
    }

    fn limits() -> Limits {
        let text = "# Names.\nown-ops = 5\n".to_owned();
        let values = BTreeMap::from([("own-ops".to_owned(), 5)]);
        Limits { path: PathBuf::new(), text, values }
    }

    /// A message names the count, both numbers and the files.
    #[test]
    fn counts_above_their_limits_are_errors() {
        let messages = limits().exceeded(&measured(6));
        assert!(messages[0].contains("`own-ops` is 6, expected at most 5"), "{messages:?}");
        assert!(messages[0].contains("6 a.rs"), "{messages:?}");
        assert!(limits().exceeded(&measured(5)).is_empty());
    }

    /// A limit without a count is a misspelt one.
    #[test]
    fn limits_have_counts() {
        assert_eq!(limits().exceeded(&[]), ["`own-ops` is no count"]);
    }

    /// Blessing lowers a limit and keeps comments, and never raises one.
    #[test]
    fn limits_are_only_lowered() {
        let text = |value| limits().lowered(&limits().slack(&measured(value)));
        assert_eq!(text(3), "# Names.\nown-ops = 3\n");
        assert_eq!(text(6), "# Names.\nown-ops = 5\n");
    }
}
