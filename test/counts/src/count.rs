//! A count: what it looks for, where, and how one number comes of what is found.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::file::RustFile;
use crate::find::words;
use crate::tree::{Language, Region, SourceTree, TextFile};

/// One thing that a count has found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Occurrence {
    /// The path of the file from the root.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The line's text, or the name that was found.
    pub text: String,
    /// What the occurrence adds to a sum: 1, or a length.
    pub amount: u64,
    #[serde(skip)]
    pub(crate) package: String,
}

/// A row of [`COUNTS`](crate::COUNTS).
pub struct Count {
    /// The name on the command line and in the limits.
    pub name: &'static str,
    /// What is counted.
    pub about: &'static str,
    pub(crate) regions: &'static [Region],
    pub(crate) find: Find,
    pub(crate) keep: Keep,
    pub(crate) total: Total,
    pub(crate) group: Grouping,
}

/// What a count looks at.
pub(crate) enum Find {
    /// A file of any of these languages as text.
    Text(&'static [Language], fn(&TextFile) -> Vec<Finding>),
    /// Files of these languages as one occurrence each, whose amount is the number of lines.
    Lines(&'static [Language]),
    /// A parsed Rust file.
    Rust(fn(&RustFile<'_>) -> Vec<Finding>),
    /// Whole words, or phrases, in the comments of these languages.
    Words(&'static [Language], &'static [&'static str]),
}

/// A finding: its line, its amount and, where it is not the line itself, its text.
pub(crate) struct Finding {
    pub(crate) line: usize,
    pub(crate) amount: u64,
    pub(crate) text: Option<String>,
}

/// Which occurrences are kept.
pub(crate) enum Keep {
    All,
    /// Occurrences with a larger amount.
    Above(u64),
    /// Occurrences whose text is found more often.
    SharedByMoreThan(usize),
}

/// How one number comes of occurrences.
#[derive(Clone, Copy)]
pub(crate) enum Total {
    Sum,
    Number,
    /// The number of lines with at least one occurrence.
    Lines,
    /// The number of different texts.
    Texts,
    /// The smallest amount that this percentage of the occurrences does not exceed.
    Percentile(usize),
}

/// What the table sums occurrences up by.
#[derive(Clone, Copy)]
pub(crate) enum Grouping {
    Package,
    Text,
    /// The part of a text in front of the first dot: the dialect of an operation.
    Dialect,
}

/// The value of a count, with all that was found.
#[derive(Serialize)]
pub struct Measurement {
    /// The name of the count.
    pub name: &'static str,
    /// What is counted.
    pub about: &'static str,
    /// The number.
    pub value: u64,
    /// The number of files with an occurrence.
    pub files: usize,
    /// The sums of the groups, the largest first.
    pub groups: Vec<(String, u64)>,
    /// All that was found, in the order of files and lines.
    #[serde(skip)]
    pub occurrences: Vec<Occurrence>,
}

/// Makes all counts of a tree. The error is a Rust file that cannot be parsed.
pub fn measure(tree: &SourceTree, counts: &[Count]) -> Result<Vec<Measurement>, String> {
    let mut found: Vec<Vec<Occurrence>> = counts.iter().map(|_| Vec::new()).collect();
    for text in &tree.files {
        let rust = (text.language == Language::Rust).then(|| RustFile::parse(text)).transpose()?;
        for (count, found) in counts.iter().zip(&mut found) {
            found.extend(count.occurrences(text, rust.as_ref()));
        }
        drop(rust);
        // The positions of a file's tokens are needed no longer.
        proc_macro2::extra::invalidate_current_thread_spans();
    }
    Ok(counts.iter().zip(found).map(|(count, found)| count.sum_up(found)).collect())
}

impl Count {
    fn occurrences(&self, text: &TextFile, rust: Option<&RustFile<'_>>) -> Vec<Occurrence> {
        if !self.regions.contains(&text.region) && !self.regions.contains(&Region::UnitTests) {
            return Vec::new();
        }
        let is_wanted = |line| self.regions.contains(&region(text, rust, line));
        let lines: Vec<&str> = text.text.lines().collect();
        if let Find::Lines(languages) = self.find {
            let number = (1..=lines.len()).filter(|line| is_wanted(*line)).count();
            let file = languages.contains(&text.language).then(|| Finding::file(number));
            return file.and_then(|file| file.at(text, &lines)).into_iter().collect();
        }
        let findings = self.findings(text, rust).into_iter().filter(|finding| is_wanted(finding.line));
        findings.filter_map(|finding| finding.at(text, &lines)).collect()
    }

    fn findings(&self, text: &TextFile, rust: Option<&RustFile<'_>>) -> Vec<Finding> {
        let is_written_in = |languages: &[Language]| languages.contains(&text.language);
        match (&self.find, rust) {
            (Find::Text(languages, find), _) if is_written_in(languages) => find(text),
            (Find::Words(languages, words), _) if is_written_in(languages) => words::find(text, words),
            (Find::Rust(find), Some(rust)) => find(rust),
            _ => Vec::new(),
        }
    }

    fn sum_up(&self, mut found: Vec<Occurrence>) -> Measurement {
        self.keep.apply(&mut found);
        let files: BTreeSet<&str> = found.iter().map(|one| one.file.as_str()).collect();
        let (value, files) = (self.total.of(&found), files.len());
        let groups = self.groups(&found);
        Measurement { name: self.name, about: self.about, value, files, groups, occurrences: found }
    }

    fn groups(&self, found: &[Occurrence]) -> Vec<(String, u64)> {
        if matches!(self.total, Total::Percentile(_)) {
            return Vec::new();
        }
        let mut sums = BTreeMap::<&str, Vec<Occurrence>>::new();
        for one in found {
            sums.entry(self.group.key(one)).or_default().push(one.clone());
        }
        let of_group = self.total.of_group();
        let mut groups: Vec<_> =
            sums.iter().map(|(key, ones)| ((*key).to_owned(), of_group.of(ones))).collect();
        groups.sort_by_key(|(_, sum)| std::cmp::Reverse(*sum));
        groups
    }
}

/// Returns the region of a line, which in files of other regions may be a unit test.
fn region(text: &TextFile, rust: Option<&RustFile<'_>>, line: usize) -> Region {
    let in_test = text.region.may_hold_unit_tests() && rust.is_some_and(|rust| rust.is_test(line));
    if in_test { Region::UnitTests } else { text.region }
}

impl Finding {
    /// Finds a whole file by its number of lines.
    fn file(lines: usize) -> Self {
        Self { line: 1, amount: lines as u64, text: Some(format!("{lines} lines")) }
    }

    /// Finds the line as it is.
    pub(crate) fn line(line: usize) -> Self {
        Self { line, amount: 1, text: None }
    }

    /// Returns the occurrence in a file, unless it adds nothing.
    fn at(self, file: &TextFile, lines: &[&str]) -> Option<Occurrence> {
        let line_text = || lines.get(self.line.saturating_sub(1)).map_or("", |line| line.trim()).to_owned();
        let occurrence = Occurrence {
            file: file.path.clone(),
            line: self.line,
            text: self.text.unwrap_or_else(line_text),
            amount: self.amount,
            package: file.package.clone(),
        };
        (self.amount > 0).then_some(occurrence)
    }
}

impl Keep {
    fn apply(&self, found: &mut Vec<Occurrence>) {
        match self {
            Self::All => {}
            Self::Above(limit) => found.retain(|one| one.amount > *limit),
            Self::SharedByMoreThan(limit) => {
                let mut uses = BTreeMap::<String, usize>::new();
                found.iter().for_each(|one| *uses.entry(one.text.clone()).or_default() += 1);
                found.retain(|one| uses[&one.text] > *limit);
            }
        }
    }
}

impl Total {
    fn of(self, found: &[Occurrence]) -> u64 {
        match self {
            Self::Sum => found.iter().map(|one| one.amount).sum(),
            Self::Number => found.len() as u64,
            Self::Lines => distinct(found.iter().map(|one| (&one.file, one.line))),
            Self::Texts => distinct(found.iter().map(|one| &one.text)),
            Self::Percentile(hundredths) => percentile(found, hundredths),
        }
    }

    /// Returns how the occurrences of one group are summed up.
    fn of_group(self) -> Self {
        if matches!(self, Self::Texts) { Self::Number } else { self }
    }
}

fn distinct<T: Ord>(keys: impl Iterator<Item = T>) -> u64 {
    keys.collect::<BTreeSet<T>>().len() as u64
}

fn percentile(found: &[Occurrence], hundredths: usize) -> u64 {
    let mut amounts: Vec<u64> = found.iter().map(|one| one.amount).collect();
    amounts.sort_unstable();
    let rank = (amounts.len() * hundredths).div_ceil(100).max(1);
    amounts.get(rank - 1).copied().unwrap_or_default()
}

impl Grouping {
    fn key(self, one: &Occurrence) -> &str {
        match self {
            Self::Package => &one.package,
            Self::Text => &one.text,
            Self::Dialect => one.text.split('.').next().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn occurrence(text: &str, amount: u64) -> Occurrence {
        Occurrence { file: "a.rs".into(), line: 1, text: text.into(), amount, package: "a".into() }
    }

    /// The median of an even number of amounts is the lower one of the two in the middle.
    #[test]
    fn percentiles_are_amounts() {
        let found = [3, 9, 1, 4].map(|amount| occurrence("f", amount));
        assert_eq!([50, 75, 90, 100].map(|part| percentile(&found, part)), [3, 4, 9, 9]);
        assert_eq!(percentile(&[], 50), 0);
    }

    /// Only names that are shared by more types than the limit stay.
    #[test]
    fn shared_names_stay() {
        let mut found = ["Piece", "Role", "Piece", "Piece"].map(|name| occurrence(name, 1)).to_vec();
        Keep::SharedByMoreThan(2).apply(&mut found);
        assert_eq!((Total::Number.of(&found), Total::Texts.of(&found)), (3, 1));
    }
}
