//! A parsed Rust file: its tokens without documentation, its syntax tree, and which of its lines are tests.

use std::ops::RangeInclusive;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, ImplItemFn, Item};

use crate::tree::TextFile;

/// A token, or one side of a group, with its line.
#[derive(Debug)]
pub(crate) struct SourceToken {
    pub(crate) text: String,
    pub(crate) line: usize,
}

/// A Rust file that was parsed.
pub(crate) struct RustFile<'t> {
    pub(crate) text: &'t TextFile,
    pub(crate) syntax: syn::File,
    /// All tokens in their order; documentation comments are left out.
    pub(crate) tokens: Vec<SourceToken>,
    /// The lines of items under `#[cfg(test)]` or `#[test]`.
    tests: Vec<RangeInclusive<usize>>,
}

impl<'t> RustFile<'t> {
    /// Parses a file. The error names the file and the line.
    pub(crate) fn parse(text: &'t TextFile) -> Result<Self, String> {
        let explain = |error: syn::Error| format!("{}:{}: {error}", text.path, error.span().start().line);
        let stream = text.text.parse::<TokenStream>().map_err(|error| explain(error.into()))?;
        let syntax: syn::File = syn::parse2(stream.clone()).map_err(explain)?;
        let mut tokens = Vec::new();
        flatten(stream, &mut tokens);
        let mut finder = TestItems::default();
        finder.visit_file(&syntax);
        Ok(Self { text, syntax, tokens, tests: finder.lines })
    }

    /// Returns whether a line is part of a test inside a file of other code.
    pub(crate) fn is_test(&self, line: usize) -> bool {
        self.tests.iter().any(|lines| lines.contains(&line))
    }
}

/// Appends the tokens of a stream, groups taken apart.
fn flatten(stream: TokenStream, out: &mut Vec<SourceToken>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Punct(sign) if sign.as_char() == '#' && trees.peek().is_some_and(is_documentation) => {
                trees.next();
            }
            // Of inner documentation, `#` is followed by `!`.
            TokenTree::Group(group)
                if group.delimiter() == Delimiter::Bracket && starts_with_doc(&group.stream()) => {}
            TokenTree::Group(group) => flatten_group(&group, out),
            tree => out.push(SourceToken { text: tree.to_string(), line }),
        }
    }
}

fn flatten_group(group: &proc_macro2::Group, out: &mut Vec<SourceToken>) {
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Brace => ("{", "}"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::None => ("", ""),
    };
    out.push(SourceToken { text: open.to_owned(), line: group.span_open().start().line });
    flatten(group.stream(), out);
    out.push(SourceToken { text: close.to_owned(), line: group.span_close().start().line });
}

fn is_documentation(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Group(group) if starts_with_doc(&group.stream()))
}

/// Returns whether tokens are `doc = …`.
fn starts_with_doc(stream: &TokenStream) -> bool {
    let mut trees = stream.clone().into_iter();
    let is_doc = matches!(trees.next(), Some(TokenTree::Ident(name)) if name == "doc");
    is_doc && matches!(trees.next(), Some(TokenTree::Punct(sign)) if sign.as_char() == '=')
}

/// Collects the lines of items that only tests have.
#[derive(Default)]
struct TestItems {
    lines: Vec<RangeInclusive<usize>>,
}

impl TestItems {
    fn add(&mut self, item: &impl Spanned) {
        let span = item.span();
        self.lines.push(span.start().line..=span.end().line);
    }
}

impl<'ast> Visit<'ast> for TestItems {
    fn visit_item(&mut self, item: &'ast Item) {
        if is_test(attributes(item)) { self.add(item) } else { visit::visit_item(self, item) }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if is_test(&item.attrs) { self.add(item) } else { visit::visit_impl_item_fn(self, item) }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg = || attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "test");
        attribute.path().is_ident("test") || (attribute.path().is_ident("cfg") && is_cfg())
    })
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}
