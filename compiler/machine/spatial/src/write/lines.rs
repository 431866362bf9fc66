//! Lines with two spaces for each block around them.

use std::collections::BTreeSet;

#[derive(Default)]
pub(super) struct Lines {
    text: String,
    depth: usize,
    /// The registers that have been declared around.
    pub(super) registers: BTreeSet<String>,
}

impl Lines {
    pub(super) fn line(&mut self, line: impl AsRef<str>) {
        self.text.extend(std::iter::repeat_n("  ", self.depth));
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    pub(super) fn blank(&mut self) {
        self.text.push('\n');
    }

    pub(super) fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    pub(super) fn indent(&mut self) {
        self.depth += 1;
    }

    pub(super) fn close(&mut self, line: impl AsRef<str>) {
        self.depth -= 1;
        self.line(line);
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}
