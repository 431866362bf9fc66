//! Decisions on the kind of a level outside of the level formats' own files.

use std::collections::BTreeSet;

use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, ExprMethodCall, Item, Macro, Pat, Path, Token, UseTree};

use crate::count::Finding;
use crate::file::RustFile;

/// The names of the enumerations of level kinds. Constants of a structure of that name count like variants.
const ENUMS: [&str; 6] = ["LevelKind", "LevelFormat", "LevelForm", "StoredLevel", "ComputedLevel", "Level"];

/// The enumeration that the review counted, and the name that it will get.
const REVIEWED: [&str; 2] = ["LevelKind", "LevelFormat"];

/// What a glob import of one of them brings into scope.
const VARIANTS: [&str; 12] = [
    "Dense",
    "Compressed",
    "CompressedUnique",
    "CompressedNonUnique",
    "Singleton",
    "BitVector",
    "DENSE",
    "COMPRESSED",
    "COMPRESSED_UNIQUE",
    "COMPRESSED_NONUNIQUE",
    "SINGLETON",
    "BIT_VECTOR",
];

/// Parts of the paths of level formats' own files. A file that defines one of the enumerations is own, too.
const OWN_FILES: [&str; 4] = ["/format/", "/format.rs", "/levels/", "/levels.rs"];

/// Finds every mention of a kind in a pattern, in an operand of `==` or `!=`, and in a call of `contains`,
/// also in arguments of macros.
pub(crate) fn decisions(file: &RustFile<'_>) -> Vec<Finding> {
    if is_own(file) {
        return Vec::new();
    }
    let mut imports = Imports::default();
    imports.visit_file(&file.syntax);
    let mut decisions = Decisions { imports: imports.names, in_decision: false, found: Vec::new() };
    decisions.visit_file(&file.syntax);
    decisions.found
}

/// Finds `LevelKind::` in all files, own ones included: the rule of the review.
pub(crate) fn mentions(file: &RustFile<'_>) -> Vec<Finding> {
    let found = file
        .tokens
        .windows(3)
        .filter(|run| REVIEWED.contains(&run[0].text.as_str()) && run[1].text == ":" && run[2].text == ":");
    found.map(|run| Finding::line(run[0].line)).collect()
}

fn is_own(file: &RustFile<'_>) -> bool {
    let is_kind = |item: &Item| match item {
        Item::Enum(item) => ENUMS.iter().any(|name| item.ident == name),
        _ => false,
    };
    OWN_FILES.iter().any(|part| file.text.path.contains(part)) || file.syntax.items.iter().any(is_kind)
}

/// Collects the names that imports give to variants.
#[derive(Default)]
struct Imports {
    names: BTreeSet<String>,
}

impl Imports {
    /// Adds the names that one part of an import from an enumeration brings into scope.
    fn add(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Name(name) => self.insert(&name.ident.to_string()),
            UseTree::Rename(name) => self.insert(&name.rename.to_string()),
            UseTree::Glob(_) => VARIANTS.iter().for_each(|name| self.insert(name)),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(tree)),
            UseTree::Path(_) => {}
        }
    }

    fn insert(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_use_path(&mut self, path: &'ast syn::UsePath) {
        if ENUMS.iter().any(|name| path.ident == name) {
            self.add(&path.tree);
        }
        visit::visit_use_path(self, path);
    }
}

/// Collects the mentions of variants in patterns and comparisons.
struct Decisions {
    imports: BTreeSet<String>,
    /// Whether what is visited is a pattern, or an operand of a comparison.
    in_decision: bool,
    found: Vec<Finding>,
}

impl Decisions {
    fn within(&mut self, visit: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.in_decision, true);
        visit(self);
        self.in_decision = outside;
    }

    fn is_kind(&self, path: &Path) -> bool {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match &names[..] {
            [name] => self.imports.contains(name),
            [.., owner, variant] => {
                ENUMS.contains(&owner.as_str())
                    && variant.starts_with(|letter: char| letter.is_ascii_uppercase())
            }
            [] => false,
        }
    }
}

impl<'ast> Visit<'ast> for Decisions {
    fn visit_pat(&mut self, pattern: &'ast Pat) {
        if let Pat::Ident(name) = pattern
            && self.imports.contains(&name.ident.to_string())
        {
            self.found.push(Finding::line(name.ident.span().start().line));
        }
        self.within(|decisions| visit::visit_pat(decisions, pattern));
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        if matches!(binary.op, BinOp::Eq(_) | BinOp::Ne(_)) {
            self.within(|decisions| visit::visit_expr_binary(decisions, binary));
        } else {
            visit::visit_expr_binary(self, binary);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        if call.method == "contains" {
            self.within(|decisions| visit::visit_expr_method_call(decisions, call));
        } else {
            visit::visit_expr_method_call(self, call);
        }
    }

    /// A block in a comparison decides by itself.
    fn visit_block(&mut self, block: &'ast syn::Block) {
        let outside = std::mem::replace(&mut self.in_decision, false);
        visit::visit_block(self, block);
        self.in_decision = outside;
    }

    fn visit_path(&mut self, path: &'ast Path) {
        if self.in_decision && self.is_kind(path) {
            let segment = path.segments.last().expect("the path of a variant has a segment");
            self.found.push(Finding::line(segment.ident.span().start().line));
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast Macro) {
        if call.path.is_ident("matches") {
            if let Ok(matches) = call.parse_body::<Matches>() {
                self.visit_expr(&matches.value);
                self.visit_pat(&matches.pattern);
                matches.guard.iter().for_each(|guard| self.visit_expr(guard));
            }
            return;
        }
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(call.tokens.clone());
        // Macros with a syntax of their own hold no decisions.
        arguments.iter().flatten().for_each(|argument| self.visit_expr(argument));
    }
}

/// The arguments of `matches!`.
struct Matches {
    value: Expr,
    pattern: Pat,
    guard: Option<Expr>,
}

impl Parse for Matches {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        input.parse::<Token![,]>()?;
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let guard = input.parse::<Option<Token![if]>>()?.map(|_| input.parse()).transpose()?;
        input.parse::<Option<Token![,]>>()?;
        Ok(Self { value, pattern, guard })
    }
}
