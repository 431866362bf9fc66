//! BoolParameters with a positional `bool` parameter.
//!
//! Functions that cannot choose their signature are left out: methods of implementations of traits, which are
//! counted once at the trait if it is ours, and functions with the ABI of another language. Closures are left
//! out, too.

use syn::visit::{self, Visit};
use syn::{FnArg, ImplItemFn, ItemFn, ItemImpl, Signature, TraitItemFn, Type};

use crate::count::Finding;
use crate::file::RustFile;

/// Finds the functions with a parameter whose type is `bool`.
pub(crate) fn find(file: &RustFile<'_>) -> Vec<Finding> {
    let mut functions = BoolParameters { found: Vec::new() };
    functions.visit_file(&file.syntax);
    functions.found
}

struct BoolParameters {
    found: Vec<Finding>,
}

impl BoolParameters {
    fn add(&mut self, signature: &Signature) {
        if signature.abi.is_none() && signature.inputs.iter().any(is_bool) {
            self.found.push(Finding::line(signature.fn_token.span.start().line));
        }
    }
}

impl<'ast> Visit<'ast> for BoolParameters {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.add(&item.sig);
        visit::visit_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.add(&item.sig);
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_item_impl(&mut self, item: &'ast ItemImpl) {
        let methods = item.items.iter().filter_map(|item| match item {
            syn::ImplItem::Fn(method) => Some(method),
            _ => None,
        });
        if item.trait_.is_none() {
            methods.for_each(|method: &ImplItemFn| self.add(&method.sig));
        }
        visit::visit_item_impl(self, item);
    }
}

fn is_bool(parameter: &FnArg) -> bool {
    let FnArg::Typed(typed) = parameter else { return false };
    matches!(&*typed.ty, Type::Path(path) if path.path.is_ident("bool"))
}
