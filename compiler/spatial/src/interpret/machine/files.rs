//! What the host does: files, arrays, texts.

use super::memory::{Array, Cell};
use super::{Machine, Result};
use crate::interpret::column::Column;
use crate::interpret::program::Piece;
use comet_diag::{Diagnostic, Span};

impl Machine<'_> {
    pub(super) fn read_file(&mut self, array: usize, file: &str, span: Span) -> Result<()> {
        let files = self.files;
        let Some(column) = files.get(file) else {
            return Err(Diagnostic::error(span, format!("there is no file `{file}`")).into());
        };
        let of = self.program.arrays[array].element;
        let words = column.words(of).map_err(|number| {
            let error = format!("`{file}` has {number}, which type `{}` has not", of.name());
            Diagnostic::error(span, error)
        })?;
        if !self.begin(array, words.len()) {
            return Err(self.no_room(array, words.len(), span));
        }
        let stamp = self.clock;
        for (cell, word) in self.arrays[array].cells.iter_mut().zip(words) {
            *cell = Cell { word, stamp };
        }
        Ok(())
    }

    /// An array of the host to DRAM, or DRAM to a new array of the host.
    pub(super) fn copy(&mut self, from: usize, to: usize, span: Span) -> Result<()> {
        let len = self.arrays[from].cells.len();
        if !self.program.arrays[to].kind.is_dram() && !self.begin(to, len) {
            return Err(self.no_room(to, len, span));
        }
        if self.arrays[to].cells.len() < len {
            return Err(self.is_longer([from, to], span));
        }
        let stamp = self.clock;
        let [source, target] =
            self.arrays.get_disjoint_mut([from, to]).expect("the host's arrays are not in DRAM");
        for (cell, copy) in source.cells.iter().zip(&mut target.cells) {
            let stamp = if cell.stamp >= source.birth { stamp } else { 0 };
            *copy = Cell { word: cell.word, stamp };
        }
        Ok(())
    }

    /// An array as far as it has been filled becomes a file.
    pub(super) fn write_file(&mut self, array: usize, file: &str, span: Span) -> Result<()> {
        let info = &self.program.arrays[array];
        let Array { cells, birth, .. } = &self.arrays[array];
        let is_filled = |cell: &Cell| cell.stamp >= *birth;
        let len = cells.iter().rposition(is_filled).map_or(0, |last| last + 1);
        if let Some(gap) = cells[..len].iter().position(|cell| !is_filled(cell)) {
            return Err(self.has_gap(array, gap, span));
        }
        let column = Column::from_words(info.element, cells[..len].iter().map(|cell| cell.word));
        self.written.insert(file.to_owned(), column);
        Ok(())
    }

    pub(super) fn print(&mut self, pieces: &[Piece]) -> Result<()> {
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.printed.push_str(text),
                Piece::Value(node, of) => {
                    let word = self.evaluate(node)?;
                    self.printed.push_str(&of.show(word));
                }
            }
        }
        self.printed.push('\n');
        Ok(())
    }
}
