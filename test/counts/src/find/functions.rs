//! Lengths and parameters of functions, and `unsafe` blocks.

use syn::visit::{self, Visit};
use syn::{Block, ExprUnsafe, FnArg, ImplItemFn, ItemFn, Signature, TraitItemFn};

use crate::count::Finding;
use crate::file::RustFile;

/// Finds every function with a body; the amount is its number of lines, from `fn` to the closing brace.
pub(crate) fn lengths(file: &RustFile<'_>) -> Vec<Finding> {
    functions(file, |signature, block| {
        block.brace_token.span.close().end().line - signature.fn_token.span.start().line + 1
    })
}

/// Finds every function with a body; the amount is its number of parameters without `self`.
pub(crate) fn parameters(file: &RustFile<'_>) -> Vec<Finding> {
    functions(file, |signature, _| {
        signature.inputs.iter().filter(|input| matches!(input, FnArg::Typed(_))).count()
    })
}

/// Finds every `unsafe` block.
pub(crate) fn unsafe_blocks(file: &RustFile<'_>) -> Vec<Finding> {
    let mut blocks = UnsafeBlocks { found: Vec::new() };
    blocks.visit_file(&file.syntax);
    blocks.found
}

fn functions(file: &RustFile<'_>, amount: fn(&Signature, &Block) -> usize) -> Vec<Finding> {
    let mut functions = FunctionSizes { amount, found: Vec::new() };
    functions.visit_file(&file.syntax);
    functions.found
}

struct FunctionSizes {
    amount: fn(&Signature, &Block) -> usize,
    found: Vec<Finding>,
}

impl FunctionSizes {
    fn add(&mut self, signature: &Signature, block: &Block) {
        let amount = (self.amount)(signature, block) as u64;
        let line = signature.fn_token.span.start().line;
        self.found.push(Finding { line, amount, text: Some(format!("{amount} {}", signature.ident)) });
    }
}

impl<'ast> Visit<'ast> for FunctionSizes {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        if let Some(block) = &item.default {
            self.add(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

struct UnsafeBlocks {
    found: Vec<Finding>,
}

impl<'ast> Visit<'ast> for UnsafeBlocks {
    fn visit_expr_unsafe(&mut self, block: &'ast ExprUnsafe) {
        self.found.push(Finding::line(block.unsafe_token.span.start().line));
        visit::visit_expr_unsafe(self, block);
    }
}
