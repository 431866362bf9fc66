//! The whole: classes, then the host's part, the accelerator's, and the host's again.

use super::array;
use super::call::{Call, block};
use super::class::{Classes, classes, main_of};
use super::header::header;
use super::scope::{Side, TextReader, What};
use super::typed::Typed;
use crate::app::{App, Block, Host};
use crate::text::tree::{Def, File, Item, ItemKind, Term, TermKind};
use comet_diag::Diagnostic;

/// The application that a tree is, or all that is wrong with it.
pub(super) fn application(file: &File) -> Result<App, Vec<Diagnostic>> {
    let classes = classes(file).map_err(|error| vec![error])?;
    let mut reader = TextReader::default();
    reader.taken.extend(file.names.iter().cloned());
    let first = file.items.first().map_or(file.end, |item| item.span);
    let header = header(&file.comments, first, &mut reader.errors);
    let parameters = reader.parameters(&classes);
    let (mut before, arguments) = reader.class_body(&classes);
    let (accel, after) = reader.main(&classes, &mut before);
    if !reader.errors.is_empty() {
        reader.errors.sort_by_key(|error| error.span().map(|span| span.start));
        return Err(reader.errors);
    }
    Ok(App {
        name: classes.main.name.text.clone(),
        comment: header.comment,
        tensors: header.tensors,
        parameters,
        types: reader.types.known,
        arguments,
        before,
        accel,
        after,
    })
}

impl TextReader {
    /// Types and constants of the class, and the arguments that it is run with.
    fn class_body(&mut self, classes: &Classes<'_>) -> (Vec<Host>, Vec<String>) {
        let mut host = Vec::new();
        let mut arguments = Vec::new();
        let main = main_of(classes.main);
        for item in &classes.main.body {
            match &item.kind {
                ItemKind::Def(def) if main.is_some_and(|main| std::ptr::eq(main, def)) => {}
                ItemKind::Def(def) if def.name.text == "runtimeArgs" => {
                    let text = array::text(&def.body);
                    let text = self.keep(text).unwrap_or_default();
                    arguments = text.split_whitespace().map(str::to_owned).collect();
                }
                _ => self.host_statements(std::iter::once(item), &mut host),
            }
        }
        (host, arguments)
    }

    /// The `Accel` block and what the host does behind it; what it does in front is added to `before`.
    fn main(&mut self, classes: &Classes<'_>, before: &mut Vec<Host>) -> (Block, Vec<Host>) {
        let main = main_of(classes.main).expect("the class was chosen for its `main`");
        let items = self.main_items(main);
        self.scope.enter();
        if let Some(parameter) = main.parameters.first() {
            self.declare(parameter, What::Arguments, Typed::Text);
        }
        let is_accel = |item: &&Item| matches!(&item.kind, ItemKind::Term(term) if is_accel(term));
        let place = items.iter().position(|item| is_accel(&item));
        let (front, rest) = items.split_at(place.unwrap_or(items.len()));
        self.host_statements(front.iter(), before);
        let mut after = Vec::new();
        let mut accel = Vec::new();
        match rest.split_first() {
            None if self.errors.is_empty() => self.errors.push(
                Diagnostic::error(main.name.span, "`main` has no `Accel` block")
                    .hint("what the accelerator does is written `Accel { … }`"),
            ),
            None => {}
            Some((first, rest)) => {
                accel = self.accel(first);
                for other in rest.iter().filter(is_accel) {
                    self.errors.push(
                        Diagnostic::not_supported(other.span, "a second `Accel` block")
                            .also(first.span, "the first"),
                    );
                }
                self.host_statements(rest.iter().filter(|item| !is_accel(item)), &mut after);
            }
        }
        self.scope.leave();
        (accel, after)
    }

    fn main_items<'tree>(&mut self, main: &'tree Def) -> &'tree [Item] {
        match &main.body.kind {
            TermKind::Braces(braces) => &braces.items,
            _ => {
                let error = Diagnostic::error(main.body.span, "the body of `main` is no block")
                    .hint("it is written `def main(args: Array[String]): Unit = { … }`");
                self.errors.push(error);
                &[]
            }
        }
    }

    fn accel(&mut self, item: &Item) -> Block {
        let ItemKind::Term(term) = &item.kind else { unreachable!("it was found as a call") };
        let call = Call::of(term).expect("it was found as a call");
        let block = match call.lists[..] {
            [list] => block(list).ok_or_else(|| call.not_as("Accel { … }")),
            _ => Err(call.not_as("Accel { … }")),
        };
        let Some(braces) = self.keep(block) else { return Vec::new() };
        self.side = Side::Accel;
        let block = self.block(&braces.items);
        self.side = Side::Host;
        block
    }
}

fn is_accel(term: &Term) -> bool {
    Call::of(term).is_some_and(|call| call.receiver.is_none() && call.name.text == "Accel")
}
