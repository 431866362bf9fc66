//! A source text and places in it.

/// A range of bytes of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A named source text.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<usize>,
    appendix: Option<Box<Appendix>>,
}

/// A text of its own behind another.
#[derive(Clone, Debug)]
struct Appendix {
    name: String,
    /// Where it begins, and its first line.
    start: usize,
    line: usize,
}

impl Source {
    /// `name` is what messages call the text: a path, or a word such as `<expr>`.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { name: name.into(), text, line_starts, appendix: None }
    }

    /// The same with another text behind it: places in that are reported with its name and lines of its own.
    #[must_use]
    pub fn with_appendix(self, name: impl Into<String>, text: &str) -> Self {
        let start = self.text.len() + 1;
        let whole = Self::new(self.name, format!("{}\n{text}", self.text));
        let (line, _) = whole.line(start);
        Self { appendix: Some(Box::new(Appendix { name: name.into(), start, line })), ..whole }
    }

    /// The text without what is behind it.
    pub fn own_text(&self) -> &str {
        self.appendix.as_ref().map_or(&self.text, |appendix| &self.text[..appendix.start - 1])
    }

    /// Where the text behind the own one begins.
    pub fn appendix_start(&self) -> Option<usize> {
        self.appendix.as_ref().map(|appendix| appendix.start)
    }

    /// What the text at a place is called, and the index of its first line.
    pub(crate) fn part(&self, offset: usize) -> (&str, usize) {
        match self.appendix.as_ref().filter(|appendix| offset >= appendix.start) {
            Some(appendix) => (&appendix.name, appendix.line),
            None => (&self.name, 0),
        }
    }

    /// Returns the text that a place is in, without the other one.
    pub fn part_text(&self, offset: usize) -> &str {
        match self.appendix.as_ref().filter(|appendix| offset >= appendix.start) {
            Some(appendix) => &self.text[appendix.start..],
            None => self.own_text(),
        }
    }

    /// What messages call the text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text, with what is behind it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The index of the line that holds a byte, and where the line begins.
    pub(crate) fn line(&self, offset: usize) -> (usize, usize) {
        let line = self.line_starts.partition_point(|&start| start <= offset) - 1;
        (line, self.line_starts[line])
    }

    /// Where the line that holds a byte ends, with its newline.
    pub(crate) fn line_end(&self, offset: usize) -> usize {
        let next = self.line_starts.partition_point(|&start| start <= offset);
        self.line_starts.get(next).copied().unwrap_or(self.text.len())
    }

    /// Line and column of a byte, both 1-based; the column counts characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let (line, start) = self.line(offset);
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        (line + 1, column + 1)
    }

    /// What the text at a byte is called, and the byte's line and column in that text.
    pub fn place(&self, offset: usize) -> (&str, usize, usize) {
        let (name, skipped) = self.part(offset);
        let (line, column) = self.line_column(offset);
        (name, line - skipped, column)
    }

    /// The same with the column in bytes; a place behind the end is the end.
    pub(crate) fn place_in_bytes(&self, offset: usize) -> (&str, usize, usize) {
        let offset = offset.min(self.text.len());
        let (name, skipped) = self.part(offset);
        let (line, start) = self.line(offset);
        (name, line + 1 - skipped, offset - start + 1)
    }

    /// The byte at a line and column of the text that is called `name`: the inverse of [`Source::place`].
    pub fn offset_in(&self, name: &str, line: usize, column: usize) -> Option<usize> {
        match &self.appendix {
            Some(appendix) if appendix.name == name => self.offset(line + appendix.line, column),
            _ if self.name == name => self.offset(line, column),
            _ => None,
        }
    }

    /// The byte at a line and column as [`Source::line_column`] counts them; a column behind the line's end
    /// is its end.
    pub fn offset(&self, line: usize, column: usize) -> Option<usize> {
        let start = *self.line_starts.get(line.checked_sub(1)?)?;
        let end = self.line_starts.get(line).copied().unwrap_or(self.text.len());
        let offset =
            self.text[start..end].char_indices().nth(column.checked_sub(1)?).map(|(offset, _)| offset);
        Some(offset.map_or(end, |offset| start + offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place in the text behind another has that text's name and lines, and leads back.
    #[test]
    fn places_in_an_appendix_lead_back() {
        let source = Source::new("a.ta", "x = 1;\ny = 2;\n").with_appendix("more", "order(i);\nsplit(j);");
        let at = source.text().find("split").expect("the text has it");
        assert_eq!(source.place(at), ("more", 2, 1));
        assert_eq!(source.offset_in("more", 2, 1), Some(at));
        assert_eq!(source.place(7), ("a.ta", 2, 1));
        assert_eq!(source.offset_in("a.ta", 2, 1), Some(7));
        assert_eq!(source.offset_in("b.ta", 1, 1), None);
    }

    /// Every byte where a character begins, and the end, come back from their line and column.
    #[test]
    fn offset_inverts_line_column() {
        let source = Source::new("a.ta", "def\n\u{e4}\u{f6} x\n\nend");
        let text = source.text();
        for (offset, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let (line, column) = source.line_column(offset);
            assert_eq!(source.offset(line, column), Some(offset));
        }
        assert_eq!(source.offset(9, 1), None);
    }
}
