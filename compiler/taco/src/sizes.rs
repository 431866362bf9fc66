//! Extents: those that `-d` states, those of files, and TACO's default for what nothing states.

use std::collections::{HashMap, HashSet};

use comet_diag::{Diagnostic, Span, refuse};
use comet_syntax::ast::{ExprKind, Index, Number};

use crate::command_line::{CommandLine, Flag};
use crate::expression::{ExpressionNames, ExpressionTensor, counted};
use crate::flags::{self, FlagPart, Named};
use crate::names;

/// What TACO takes for an extent that nothing states.
pub(crate) const DEFAULT: i64 = 42;

/// An extent with the place that states it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatedExtent {
    pub(crate) number: Number,
    pub(crate) span: Span,
}

/// What is known of extents before any file is opened.
#[derive(Default)]
pub(crate) struct IndexSizes {
    /// Of indices: stated, or the default.
    pub(crate) indices: HashMap<String, StatedExtent>,
    /// Of tensors, one for each index.
    pub(crate) tensors: HashMap<String, Vec<StatedExtent>>,
    /// What has the default, in the order of first places.
    pub(crate) assumed: Vec<AssumedExtent>,
}

/// An extent that nothing states.
pub(crate) struct AssumedExtent {
    /// What is that large, as it is written.
    pub(crate) subject: String,
    pub(crate) extent: i64,
    /// The flag that states it.
    pub(crate) flag: String,
    pub(crate) span: Span,
}

/// What may state an extent besides the flags.
pub(crate) struct OtherSources<'a> {
    /// The tensors that have a file.
    pub(crate) read: HashSet<&'a str>,
    /// Indices with the extents that `bound` commands state exactly.
    pub(crate) bounds: Vec<(String, StatedExtent)>,
}

/// Flags and files come before what a schedule states.
pub(crate) fn sizes(
    line: &CommandLine,
    expression: &ExpressionNames<'_>,
    others: &OtherSources<'_>,
    errors: &mut Vec<Diagnostic>,
) -> IndexSizes {
    let mut sizes = IndexSizes::default();
    for named in flags::named(line, Flag::Size, errors) {
        sizes.state(named, expression, errors);
    }
    sizes.assume(expression, others);
    sizes
}

impl IndexSizes {
    /// An index and a tensor may have one name: then several numbers are the tensor's.
    fn state(
        &mut self,
        Named { name, value }: Named<'_>,
        expression: &ExpressionNames<'_>,
        errors: &mut Vec<Diagnostic>,
    ) {
        let Some(extents) = extents(value, errors) else { return };
        let known = names::to_ta(name.text);
        match (expression.tensor(&known), expression.has_index(&known), extents.as_slice()) {
            (_, true, [extent]) => drop(self.indices.insert(known, *extent)),
            (Some(tensor), ..) if tensor.rank() == extents.len() => drop(self.tensors.insert(known, extents)),
            (Some(tensor), ..) => {
                let rank = counted(tensor.rank(), "index", "indices");
                let message =
                    format!("`{}` has {rank}, found {}", name.text, counted(extents.len(), "size", "sizes"));
                let error = Diagnostic::error(value.span, message).also(tensor.span, "used here");
                errors.push(error.hint("write one size for each index: `-d=A:5,6`"));
            }
            (None, true, _) => {
                let message = format!("the index `{}` has one size, found {}", name.text, extents.len());
                errors.push(Diagnostic::error(value.span, message).hint("write `-d=i:5`"));
            }
            (None, false, _) => {
                let tensors = expression.tensors.iter().map(|tensor| &tensor.name.name);
                let all = expression.indices.iter().map(|index| &index.name).chain(tensors);
                errors.push(flags::unknown(name, "index and no tensor", all.map(String::as_str)));
            }
        }
    }

    /// Indices of one tensor's mode have one extent. Where neither a flag nor a file nor a bound states it,
    /// it is the default.
    fn assume(&mut self, expression: &ExpressionNames<'_>, others: &OtherSources<'_>) {
        let OtherSources { read, bounds } = others;
        let mut classes = ExtentClasses::new(expression);
        for tensor in &expression.tensors {
            let is_known =
                read.contains(tensor.name.name.as_str()) || self.tensors.contains_key(&tensor.name.name);
            for indices in &tensor.accesses {
                for (index, whole) in indices.iter().zip(tensor.whole()) {
                    let Some(label) = index.label() else { continue };
                    let is_window = matches!(index, Index::Window(_));
                    if let Some(first) = whole.filter(|_| !is_window) {
                        classes.join(&label.name, &first.name);
                    }
                    classes.known.extend((is_known || is_window).then_some(label.name));
                }
            }
        }
        classes.known.extend(self.indices.keys().cloned());
        for (index, extent) in bounds {
            if !classes.is_known(index) {
                self.indices.insert(index.clone(), *extent);
                classes.known.insert(index.clone());
            }
        }
        for index in expression.indices.iter().filter(|index| !classes.is_known(&index.name)) {
            let number = Number { value: DEFAULT as f64, integer: Some(DEFAULT) };
            self.indices.insert(index.name.clone(), StatedExtent { number, span: index.span });
            let name = names::written(&index.name);
            let (subject, flag) = (format!("`{name}`"), format!("-d={name}:8"));
            self.assumed.push(AssumedExtent { subject, extent: DEFAULT, flag, span: index.span });
        }
        let unread = expression.tensors.iter().filter(|tensor| !read.contains(tensor.name.name.as_str()));
        for tensor in unread.filter(|tensor| !self.tensors.contains_key(&tensor.name.name)) {
            self.assumed.extend(assumed_modes(tensor));
        }
    }
}

/// The modes of a tensor that only windows access.
fn assumed_modes(tensor: &ExpressionTensor<'_>) -> Vec<AssumedExtent> {
    let name = names::written(&tensor.name.name);
    let extents: Vec<String> =
        (0..tensor.rank()).map(|mode| default_extent(tensor, mode).to_string()).collect();
    let extents = extents.join(",");
    let windows = tensor.whole().enumerate().filter(|(_, whole)| whole.is_none());
    let assumed = windows.map(|(mode, _)| {
        let extent = default_extent(tensor, mode);
        let subject = format!("`{name}` under this window");
        AssumedExtent {
            subject,
            extent,
            flag: format!("-d={name}:{extents}"),
            span: tensor.accesses[0][mode].span(),
        }
    });
    assumed.collect()
}

/// TACO's default, or the end of the last window of the mode, which has to fit.
pub(crate) fn default_extent(tensor: &ExpressionTensor<'_>, mode: usize) -> i64 {
    let ends = tensor.indices(mode).filter_map(|index| match index {
        Index::Window(window) => window.hi.as_ref(),
        _ => None,
    });
    let ends = ends.filter_map(|end| match &end.kind {
        ExprKind::Number(number) => number.integer,
        _ => None,
    });
    ends.fold(DEFAULT, i64::max)
}

/// `5,6`.
fn extents(value: FlagPart<'_>, errors: &mut Vec<Diagnostic>) -> Option<Vec<StatedExtent>> {
    let before = errors.len();
    let extents: Vec<StatedExtent> =
        value.split(',').into_iter().filter_map(|part| extent(part, errors)).collect();
    (errors.len() == before).then_some(extents)
}

fn extent(part: FlagPart<'_>, errors: &mut Vec<Diagnostic>) -> Option<StatedExtent> {
    let is_digits = !part.text.is_empty() && part.text.bytes().all(|byte| byte.is_ascii_digit());
    let number = comet_syntax::number(part.text);
    if is_digits && number.integer.is_some() {
        return Some(StatedExtent { number, span: part.span });
    }
    let message = format!("expected a whole number of at least 0, found `{}`", part.text);
    refuse(errors, Diagnostic::error(part.span, message).hint("write `-d=i:5` or `-d=A:5,6`"))
}

/// Sets of indices that have one extent.
struct ExtentClasses {
    /// The class of each index.
    of: HashMap<String, usize>,
    /// Indices whose extent something states.
    known: HashSet<String>,
}

impl ExtentClasses {
    fn new(expression: &ExpressionNames<'_>) -> Self {
        let numbered = expression.indices.iter().enumerate();
        Self {
            of: numbered.map(|(number, index)| (index.name.clone(), number)).collect(),
            known: HashSet::new(),
        }
    }

    fn join(&mut self, one: &str, other: &str) {
        let (from, to) = (self.of[one], self.of[other]);
        self.of.values_mut().filter(|class| **class == from).for_each(|class| *class = to);
    }

    fn is_known(&self, index: &str) -> bool {
        self.known.iter().any(|known| self.of[known] == self.of[index])
    }
}
