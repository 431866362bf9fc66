//! Words in comments. A comment is a line that begins with `//`; a comment after code is not counted.

use crate::count::Finding;
use crate::tree::TextFile;

/// Finds every use of words or phrases in the comments of a file, whatever the case of their letters.
pub(crate) fn find(file: &TextFile, phrases: &[&str]) -> Vec<Finding> {
    let comments =
        file.text.lines().enumerate().filter_map(|(index, line)| Some((index + 1, comment(line)?)));
    comments.flat_map(|(line, text)| (0..uses(text, phrases)).map(move |_| Finding::line(line))).collect()
}

/// Returns the text of a line that is a comment.
pub(crate) fn comment(line: &str) -> Option<&str> {
    Some(line.trim_start().strip_prefix("//")?.trim_start_matches(['/', '!']))
}

fn uses(comment: &str, phrases: &[&str]) -> usize {
    let lower = comment.to_lowercase();
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let begins = |at: usize| !lower[..at].ends_with(is_part);
    let ends = |at: usize| !lower[at..].starts_with(is_part);
    let of_phrase = |phrase: &&str| {
        lower.match_indices(phrase).filter(|(at, found)| begins(*at) && ends(at + found.len())).count()
    };
    phrases.iter().map(of_phrase).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word is not found inside of others, nor in names with underscores.
    #[test]
    fn words_are_whole() {
        let comment = "Rounds around a round: `round_up` and rounded `.round()`.";
        assert_eq!(uses(comment, &["round", "rounds"]), 3);
        assert_eq!(uses("as many, so many.", &["so many"]), 1);
    }

    /// A comment after code is not counted.
    #[test]
    fn comments_are_whole_lines() {
        assert_eq!(comment("    //! A b."), Some(" A b."));
        assert_eq!(comment("let a = 1; // b"), None);
    }
}
