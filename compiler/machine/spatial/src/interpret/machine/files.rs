//! What the host does: files, arrays, texts.

use super::memory::{ArrayState, Cell};
use super::{Machine, Result};
use crate::interpret::column::Column;
use crate::interpret::program::{ArrayKind, Node, Piece};
use comet_diag::{Diagnostic, Span};

impl Machine<'_> {
    pub(super) fn read_file(&mut self, array: usize, file: &str, span: Span) -> Result<()> {
        let files = self.files;
        let Some(column) = files.get(file) else {
            return Err(Diagnostic::error(span, format!("there is no file `{file}`")).into());
        };
        self.begin(array, column.len());
        self.reach(array, column.len(), span)?;
        let of = self.program.arrays[array].element;
        let stamp = self.clock;
        let mut cells = self.arrays[array].cells.iter_mut();
        let filled = column.each_word(of, |word| {
            if let Some(cell) = cells.next() {
                *cell = Cell { word, stamp };
            }
        });
        filled.map_err(|number| {
            let error = format!("`{file}` has {number}, and type `{}` has no such number", of.word());
            Diagnostic::error(span, error).into()
        })
    }

    /// An array of the host to DRAM, or DRAM to a new array of the host.
    pub(super) fn copy(&mut self, from: usize, to: usize, span: Span) -> Result<()> {
        let ArrayState { size, cells, .. } = &self.arrays[from];
        let (size, filled) = (*size, cells.len());
        if self.program.arrays[to].kind != ArrayKind::Dram {
            self.begin(to, size);
        }
        if self.arrays[to].size < size {
            return Err(self.is_longer([from, to], span));
        }
        self.reach(to, filled, span)?;
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
        let len = self.filled_part(array, span)?;
        let cells = &self.arrays[array].cells[..len];
        let of = self.program.arrays[array].element;
        self.written.insert(file.to_owned(), Column::from_words(of, cells.iter().map(|cell| cell.word)));
        Ok(())
    }

    /// How many elements of an array have been filled, where there are no gaps.
    fn filled_part(&self, array: usize, span: Span) -> Result<usize> {
        let ArrayState { cells, birth, .. } = &self.arrays[array];
        let is_filled = |cell: &Cell| cell.stamp >= *birth;
        let len = cells.iter().rposition(is_filled).map_or(0, |last| last + 1);
        match cells[..len].iter().position(|cell| !is_filled(cell)) {
            None => Ok(len),
            Some(gap) => {
                let name = &self.program.arrays[array].name;
                let error =
                    format!("element {gap} of `{name}` was never written, and elements behind it were");
                Err(Diagnostic::error(span, error).hint("a file has what was written, without gaps").into())
            }
        }
    }

    /// Fills an array with what `value` is for the numbers of its elements in the slot `binder`.
    pub(super) fn tabulate(
        &mut self,
        array: usize,
        size: &Node,
        (binder, value): (usize, &Node),
        span: Span,
    ) -> Result<()> {
        let size = self.evaluate(size)? as i64;
        let size = self.length_of("elements", size, span)?;
        self.begin(array, size);
        self.reach(array, size, span)?;
        for index in 0..size {
            self.slots[binder] = index as u64;
            let word = self.evaluate(value)?;
            self.arrays[array].cells[index] = Cell { word, stamp: self.clock };
        }
        Ok(())
    }

    pub(super) fn assert(&mut self, condition: &Node, span: Span) -> Result<()> {
        match self.evaluate(condition)? {
            1 => Ok(()),
            _ => Err(Diagnostic::error(span, "this does not hold").into()),
        }
    }

    /// The elements of an array in a line, behind a heading of its own.
    pub(super) fn print_array(&mut self, array: usize, heading: Option<&str>, span: Span) -> Result<()> {
        let of = self.program.arrays[array].element;
        let len = self.filled_part(array, span)?;
        let elements: Vec<_> =
            self.arrays[array].cells[..len].iter().map(|cell| of.show(cell.word)).collect();
        for line in heading.into_iter().chain([elements.join(" ").as_str()]) {
            self.printed.push_str(line);
            self.printed.push('\n');
        }
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
