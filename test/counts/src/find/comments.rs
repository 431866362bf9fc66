//! Comments of fields, which `missing_docs` demands, and lines of pages that are too long.

use syn::visit::{self, Visit};
use syn::{Expr, Field, Lit, Meta};

use crate::count::Finding;
use crate::file::RustFile;
use crate::tree::TextFile;

/// The columns that a line of a page should keep within.
const COLUMNS: usize = 100;

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

/// Finds the lines that are longer than a page should be wide.
pub(crate) fn long_lines(file: &TextFile) -> Vec<Finding> {
    let lines = file.text.lines().enumerate().filter(|(_, line)| line.chars().count() > COLUMNS);
    lines.map(|(index, _)| Finding::line(index + 1)).collect()
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
