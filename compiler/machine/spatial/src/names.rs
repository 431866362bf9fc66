//! Which names an application can declare, and which are declared around a place.

use crate::text::token::Token;
use logos::Logos;

/// What every application declares or calls.
const MEANT: &str = "\
    Accel ArgIn ArgOut Array Barrier DRAM FIFO Foreach List MemReduce Pipe Reduce Reg SRAM Scan \
    ScanRed Seq SparseDRAM SparseSRAM T V _ abs args bp exp getMem ip loadCSV1D macro main max min mux \
    nnz_accel_max nnz_max setArg setMem sqrt";

/// Whether a text can declare a name: it is no word of Scala, and it means nothing else in applications.
/// Scala takes a `:` behind an underscore for a part of the name.
///
/// ```
/// use comet_spatial::names::is_free;
/// assert!(is_free("i"));
/// assert!(!is_free("with") && !is_free("mux") && !is_free("i_"));
/// ```
pub fn is_free(name: &str) -> bool {
    let is_name = Token::lexer(name).next() == Some(Ok(Token::Name(name)));
    is_name && MEANT.split(' ').all(|meant| meant != name) && !name.ends_with('_')
}

/// A name that a pattern of Scala, `case List(i, a, out, b)`, can give: one that begins with a capital stands
/// for a value that is there already.
///
/// ```
/// use comet_spatial::names::in_pattern;
/// assert_eq!(in_pattern("Row"), "row");
/// ```
pub fn in_pattern(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect()
}

/// The names that are declared in a block and in those around it, with what they stand for.
#[derive(Debug)]
pub(crate) struct Scope<T> {
    /// The innermost last.
    names: Vec<(String, T)>,
    /// The number of names in front of each block.
    blocks: Vec<usize>,
}

impl<T> Default for Scope<T> {
    fn default() -> Self {
        Self { names: Vec::new(), blocks: Vec::new() }
    }
}

impl<T> Scope<T> {
    pub(crate) fn enter(&mut self) {
        self.blocks.push(self.names.len());
    }

    pub(crate) fn leave(&mut self) {
        self.names.truncate(self.blocks.pop().unwrap_or_default());
    }

    pub(crate) fn declare(&mut self, name: &str, meaning: T) {
        self.names.push((name.to_owned(), meaning));
    }

    pub(crate) fn find(&self, name: &str) -> Option<&T> {
        find(&self.names, name)
    }

    /// What a name stands for that the innermost block declares.
    pub(crate) fn find_here(&self, name: &str) -> Option<&T> {
        find(&self.names[self.blocks.last().copied().unwrap_or_default()..], name)
    }

    pub(crate) fn find_mut(&mut self, name: &str) -> Option<&mut T> {
        self.names.iter_mut().rev().find(|(declared, _)| declared == name).map(|(_, meaning)| meaning)
    }
}

fn find<'n, T>(names: &'n [(String, T)], name: &str) -> Option<&'n T> {
    names.iter().rev().find(|(declared, _)| declared == name).map(|(_, meaning)| meaning)
}
