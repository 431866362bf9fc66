//! Comments of fields, which `missing_docs` demands, and lines of pages that are too long.

use syn::visit::{self, Visit};
use syn::{Expr, Field, Lit, Meta};

use crate::count::Finding;
use crate::file::RustFile;
use crate::tree::TextFile;

/// The columns that a line of a page should keep within.
const COLUMNS: usize = 100;

/// The characters that a cell of a table should keep within.
const CELL: usize = 160;

/// Finds the documentation of fields that is one line; the amount is the number of its words.
pub(crate) fn one_line_fields(file: &RustFile<'_>) -> Vec<Finding> {
    let mut fields = FieldComments { found: Vec::new() };
    fields.visit_file(&file.syntax);
    fields.found
}

/// Finds the documentation of fields that is at most three words.
pub(crate) fn short_fields(file: &RustFile<'_>) -> Vec<Finding> {
    let found = one_line_fields(file).into_iter().filter(|found| found.amount <= 3);
    found.map(|found| Finding::line(found.line)).collect()
}

/// Finds the lines that are longer than a page should be wide. Code and rows of tables cannot be wrapped, and
/// are left out; so is a line without a place to break it.
pub(crate) fn long_lines(file: &TextFile) -> Vec<Finding> {
    let is_long = |line: &str| line.chars().count() > COLUMNS && !line.starts_with('|');
    let can_be_wrapped = |line: &str| line.trim_start_matches(['-', ' ']).contains(' ');
    let lines = prose(&file.text).filter(|(_, line)| is_long(line) && can_be_wrapped(line));
    lines.map(|(number, _)| Finding::line(number)).collect()
}

/// Finds the cells of tables that hold a paragraph: more text, links aside, than a line has.
pub(crate) fn long_cells(file: &TextFile) -> Vec<Finding> {
    let rows = prose(&file.text).filter(|(_, line)| line.starts_with('|'));
    let long = rows.filter(|(_, row)| row.split(" | ").any(|cell| shown(cell) > CELL));
    long.map(|(number, _)| Finding::line(number)).collect()
}

/// Returns how many characters of a cell a reader sees: those of a link's target are not.
fn shown(cell: &str) -> usize {
    let mut parts = cell.split("](");
    let first = parts.next().unwrap_or_default().chars().count();
    first + parts.filter_map(|part| part.split_once(')')).map(|(_, rest)| rest.chars().count()).sum::<usize>()
}

/// Returns the lines outside of blocks of code, with their numbers.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    let lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    lines.filter(move |(_, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        !in_code && !is_fence
    })
}

struct FieldComments {
    found: Vec<Finding>,
}

impl<'ast> Visit<'ast> for FieldComments {
    fn visit_field(&mut self, field: &'ast Field) {
        let lines: Vec<(usize, String)> = field.attrs.iter().filter_map(documentation).collect();
        if let ([(line, text)], Some(_)) = (&lines[..], &field.ident) {
            let words = text.split_whitespace().count() as u64;
            self.found.push(Finding { line: *line, amount: words, text: None });
        }
        visit::visit_field(self, field);
    }
}

/// Returns the line and the text of a documentation comment.
fn documentation(attribute: &syn::Attribute) -> Option<(usize, String)> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    let Expr::Lit(literal) = &pair.value else { return None };
    let Lit::Str(text) = &literal.lit else { return None };
    pair.path.is_ident("doc").then(|| (attribute.pound_token.spans[0].start().line, text.value()))
}
