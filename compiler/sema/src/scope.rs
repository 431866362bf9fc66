//! The names of a function and the tables they lead to.
//!
//! Labels have a name space of their own, for they stand only where labels can. Tensors and scalars share
//! one; a scalar is visible to the end of its block, a tensor to the end of the function.

mod messages;
mod tables;

use std::collections::{HashMap, HashSet};

use comet_diag::{Diagnostic, Span};
use comet_syntax::ast::Ident;

use self::messages::{declared_twice, element_of_rank_0, how_to_declare, out_of_sight, wrong_kind};
pub(crate) use self::tables::{Origin, ScalarInfo, TensorInfo, UsedLabel};
use crate::mentions::Mentions;
use crate::names::{NameKind, did_you_mean};
use crate::program::{LabelId, ScalarId, TensorId};
use crate::sizes::NodeId;

#[derive(Clone, Copy, Debug)]
enum Named {
    Tensor(TensorId),
    /// Declared, but without a part in the program: `Mentions`.
    UnusedTensor,
    Scalar(ScalarId),
}

impl Named {
    fn kind(self) -> NameKind {
        match self {
            Self::Tensor(_) | Self::UnusedTensor => NameKind::Tensor,
            Self::Scalar(_) => NameKind::Scalar,
        }
    }
}

#[derive(Debug)]
struct DeclaredLabel {
    span: Span,
    size: NodeId,
    /// Its place in the table, once something uses it.
    id: Option<LabelId>,
}

/// The tables of a function, and what its words mean at the statement under check.
#[derive(Debug)]
pub(crate) struct FunctionScope {
    /// Tensors that the program uses.
    pub(crate) tensors: Vec<TensorInfo>,
    /// All scalars, those out of sight included.
    pub(crate) scalars: Vec<ScalarInfo>,
    /// Labels that something uses.
    pub(crate) labels: Vec<UsedLabel>,
    declared_labels: HashMap<String, DeclaredLabel>,
    /// The function's block, then those inside it.
    blocks: Vec<HashMap<String, (Named, Span)>>,
    mentions: Mentions,
    /// What was reported as unknown: once is enough.
    reported: HashSet<(NameKind, String)>,
}

impl FunctionScope {
    /// The empty scope of a function that mentions these words.
    pub(crate) fn new(mentions: Mentions) -> Self {
        Self {
            tensors: Vec::new(),
            scalars: Vec::new(),
            labels: Vec::new(),
            declared_labels: HashMap::new(),
            blocks: vec![HashMap::new()],
            mentions,
            reported: HashSet::new(),
        }
    }

    /// A block begins.
    pub(crate) fn enter(&mut self) {
        self.blocks.push(HashMap::new());
    }

    /// The innermost block ends, and its scalars with it.
    pub(crate) fn leave(&mut self) {
        self.blocks.pop();
    }

    /// Whether a statement uses the word.
    pub(crate) fn mentions(&self, name: &str) -> bool {
        self.mentions.uses(name)
    }

    pub(crate) fn declare_label(&mut self, name: &Ident, size: NodeId, diagnostics: &mut Vec<Diagnostic>) {
        match self.declared_labels.get(&name.name) {
            Some(first) => {
                diagnostics.push(declared_twice(name, NameKind::Label, NameKind::Label, first.span))
            }
            None => {
                let label = DeclaredLabel { span: name.span, size, id: None };
                self.declared_labels.insert(name.name.clone(), label);
            }
        }
    }

    pub(crate) fn declare_tensor(&mut self, info: TensorInfo, diagnostics: &mut Vec<Diagnostic>) -> TensorId {
        let id = TensorId(self.tensors.len());
        self.bind(&info.name, Named::Tensor(id), diagnostics);
        self.tensors.push(info);
        id
    }

    /// Adds a tensor without a name in the source.
    pub(crate) fn add_tensor(&mut self, info: TensorInfo) -> TensorId {
        self.tensors.push(info);
        TensorId(self.tensors.len() - 1)
    }

    /// Adds a label without a name in the source.
    pub(crate) fn add_label(&mut self, label: UsedLabel) -> LabelId {
        self.labels.push(label);
        LabelId(self.labels.len() - 1)
    }

    /// Takes the name of a tensor that nothing uses.
    pub(crate) fn declare_unused_tensor(&mut self, name: &Ident, diagnostics: &mut Vec<Diagnostic>) {
        self.bind(name, Named::UnusedTensor, diagnostics);
    }

    /// Adds a scalar, visible to the end of the block.
    pub(crate) fn declare_scalar(
        &mut self,
        name: &Ident,
        info: ScalarInfo,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> ScalarId {
        let id = self.add_scalar(info);
        self.bind(name, Named::Scalar(id), diagnostics);
        id
    }

    /// Adds a scalar without a name in the source.
    pub(crate) fn add_scalar(&mut self, info: ScalarInfo) -> ScalarId {
        self.scalars.push(info);
        ScalarId(self.scalars.len() - 1)
    }

    fn bind(&mut self, name: &Ident, named: Named, diagnostics: &mut Vec<Diagnostic>) {
        if let Some((first, span)) = self.find(&name.name) {
            diagnostics.push(declared_twice(name, named.kind(), first.kind(), span));
            return;
        }
        // A tensor outlives the block it is declared in: its extents are those of the whole function.
        let block = match named {
            Named::Scalar(_) => self.blocks.last_mut(),
            Named::Tensor(_) | Named::UnusedTensor => self.blocks.first_mut(),
        };
        if let Some(block) = block {
            block.insert(name.name.clone(), (named, name.span));
        }
    }

    fn find(&self, name: &str) -> Option<(Named, Span)> {
        self.blocks.iter().rev().find_map(|block| block.get(name)).copied()
    }

    /// The kind of thing that the word names in an expression, where it names something.
    pub(crate) fn kind(&self, name: &str) -> Option<NameKind> {
        let named = self.find(name).map(|(named, _)| named.kind());
        named.or_else(|| self.declared_labels.contains_key(name).then_some(NameKind::Label))
    }

    pub(crate) fn is_tensor(&self, name: &str) -> bool {
        self.find(name).is_some_and(|(named, _)| named.kind() == NameKind::Tensor)
    }

    /// Whether the word names a tensor of rank 0.
    pub(crate) fn has_rank_0(&self, name: &str) -> bool {
        matches!(self.find(name), Some((Named::Tensor(id), _)) if self.tensors[id.0].rank() == 0)
    }

    /// The tensor of that name; reports where there is none.
    pub(crate) fn tensor(&mut self, name: &Ident, diagnostics: &mut Vec<Diagnostic>) -> Option<TensorId> {
        if let Some((Named::Tensor(id), _)) = self.find(&name.name) {
            return Some(id);
        }
        diagnostics.extend(self.unknown(NameKind::Tensor, &name.name, name.span));
        None
    }

    /// The scalar of that name; reports where there is none.
    pub(crate) fn scalar(
        &mut self,
        name: &str,
        span: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<ScalarId> {
        if let Some((Named::Scalar(id), _)) = self.find(name) {
            return Some(id);
        }
        diagnostics.extend(self.unknown(NameKind::Scalar, name, span));
        None
    }

    /// The label of that name, which is thereby used; reports where there is none.
    pub(crate) fn label(&mut self, name: &Ident, diagnostics: &mut Vec<Diagnostic>) -> Option<LabelId> {
        let Some(declared) = self.declared_labels.get_mut(&name.name) else {
            diagnostics.extend(self.unknown(NameKind::Label, &name.name, name.span));
            return None;
        };
        Some(*declared.id.get_or_insert_with(|| {
            let used = UsedLabel { name: name.name.clone(), size: declared.size, span: declared.span };
            self.labels.push(used);
            LabelId(self.labels.len() - 1)
        }))
    }

    /// The extent of a label, where it is declared.
    pub(crate) fn label_size(&self, name: &str) -> Option<NodeId> {
        self.declared_labels.get(name).map(|label| label.size)
    }

    /// The extents that a word may stand for, as a tensor and as a label.
    pub(crate) fn sizes_of(&self, name: &str) -> Vec<NodeId> {
        let modes = match self.find(name) {
            Some((Named::Tensor(id), _)) => self.tensors[id.0].modes.clone(),
            _ => Vec::new(),
        };
        modes.into_iter().chain(self.label_size(name)).collect()
    }

    /// Says once that no `kind` of that name is in sight, and what the name is instead.
    pub(crate) fn unknown(&mut self, kind: NameKind, name: &str, span: Span) -> Option<Diagnostic> {
        if !self.reported.insert((kind, name.to_owned())) {
            return None;
        }
        if let Some(declaration) = self.mentions.declaration(kind, name) {
            return Some(out_of_sight(kind, name, span, declaration));
        }
        if let Some((named, declaration)) = self.find(name) {
            if kind == NameKind::Scalar && self.has_rank_0(name) {
                return Some(element_of_rank_0(name, span, declaration));
            }
            return Some(wrong_kind(kind, name, span, (named.kind(), declaration)));
        }
        if let (NameKind::Tensor | NameKind::Scalar, Some(label)) = (kind, self.declared_labels.get(name)) {
            return Some(wrong_kind(kind, name, span, (NameKind::Label, label.span)));
        }
        let error = Diagnostic::error(span, format!("undeclared {kind} `{name}`"));
        let hint = match (kind, name) {
            (NameKind::Scalar, "true" | "True") => "write `1`: whatever is not 0 is true".to_owned(),
            (NameKind::Scalar, "false" | "False") => "write `0`".to_owned(),
            // `Indexlabel [i] = [8];` reads as the assignment of an array.
            (NameKind::Tensor, _) if name.eq_ignore_ascii_case("IndexLabel") => {
                "did you mean `IndexLabel`?".to_owned()
            }
            _ => did_you_mean(name, self.names(kind), how_to_declare(kind, name)),
        };
        Some(error.hint(hint))
    }

    fn names(&self, kind: NameKind) -> Vec<&str> {
        if kind == NameKind::Label {
            return self.declared_labels.keys().map(String::as_str).collect();
        }
        let visible = self.blocks.iter().flatten();
        visible.filter(|(_, (named, _))| named.kind() == kind).map(|(name, _)| name.as_str()).collect()
    }
}
