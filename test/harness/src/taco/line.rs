//! Command lines as text: `"y(i)=A(i,j)*x(j)" -f=A:ds:0,1`.

use comet_taco::{CommandLine, Flag};

const FLAGS: [Flag; 6] = [Flag::Format, Flag::Element, Flag::Size, Flag::Input, Flag::Output, Flag::Schedule];

/// An expression and its flags, as the shell hands them on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// The line as it was written.
    pub text: String,
    /// The expression first.
    pub words: Vec<String>,
}

impl Line {
    /// Words between white space; double quotes keep it together.
    pub fn new(text: &str) -> Self {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut is_quoted = false;
        for character in text.chars() {
            match character {
                '"' => {
                    is_quoted = !is_quoted;
                    word.get_or_insert_default();
                }
                _ if character.is_whitespace() && !is_quoted => words.extend(word.take()),
                _ => word.get_or_insert_default().push(character),
            }
        }
        words.extend(word);
        Self { text: text.to_owned(), words }
    }

    /// The lines of a file without its comments and empty lines.
    pub fn all(text: &str) -> Vec<Self> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(Self::new).collect()
    }

    /// For the front end, with more flags.
    pub fn command_line(&self, more: &[String]) -> CommandLine {
        let expression = self.words.first().map_or("", String::as_str);
        let flags = self.words.iter().skip(1).chain(more).filter_map(|word| {
            let (letter, value) = word.strip_prefix('-')?.split_once('=')?;
            let flag = FLAGS.into_iter().find(|flag| letter == flag.letter().to_string())?;
            Some((flag, value.to_owned()))
        });
        CommandLine::new(expression, flags)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_words_together() {
        let line = Line::new(r#""y(i) = x(i)" -f=y:d -s="reorder(i, j)""#);
        assert_eq!(line.words, ["y(i) = x(i)", "-f=y:d", "-s=reorder(i, j)"]);
    }
}
