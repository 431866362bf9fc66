//! The names of types.

use syn::visit::{self, Visit};
use syn::{Ident, ItemEnum, ItemStruct};

use crate::count::Finding;
use crate::file::RustFile;

/// Finds the name of every structure and enumeration; aliases are not types of their own.
pub(crate) fn definitions(file: &RustFile<'_>) -> Vec<Finding> {
    let mut types = TypeNames { found: Vec::new() };
    types.visit_file(&file.syntax);
    types.found
}

struct TypeNames {
    found: Vec<Finding>,
}

impl TypeNames {
    fn add(&mut self, name: &Ident) {
        let line = name.span().start().line;
        self.found.push(Finding { line, amount: 1, text: Some(name.to_string()) });
    }
}

impl<'ast> Visit<'ast> for TypeNames {
    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.add(&item.ident);
        visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        self.add(&item.ident);
        visit::visit_item_enum(self, item);
    }
}
