//! A file of kernels without `main` to a program that runs each of them, for the clocks.
//!
//! With `--input A=graph.mtx`,
//! `def spmm(double alpha, Tensor<double> A([i, k], CSR), Tensor<double> B([k, j], Dense)) -> …` is run by
//!
//! ```ta
//! def tune_spmm() {
//!   IndexLabel [tune_0, tune_1] = [?];
//!   Tensor<double> A([tune_0, tune_1], CSR);
//!   A[tune_m0,tune_m1] = comet_read();
//!   Tensor<double> B([tune_1, 32], Dense);
//!   B[tune_m0,tune_m1] = random();
//!   IndexLabel [tune_m0, tune_m1] = [?];
//!   Tensor<double> C([tune_0, 32], Dense);
//!   C[tune_m0,tune_m1] = spmm(1, A, B);
//! }
//! def main() { tune_spmm(); }
//! ```
//!
//! where a label stands for all extents of the kernel that are equal. All places are those of the kernel's
//! operands.

use super::timed::fresh_prefix;
use comet_diag::{Diagnostic, Severity, Span};
use comet_runtime::options::InputFlag;
use comet_sema::program::{self, ParamId, Program, SizeSource};
use comet_syntax::ast::{
    Assign, AssignOp, Dim, DimKind, Expr, ExprKind, Function, Ident, Index, Module, Number, Param, Range,
    RangeKind, Stmt, StmtKind, TensorDecl,
};
use itertools::Itertools as _;
use std::collections::{BTreeMap, BTreeSet};

/// The extent of a label that neither an input nor the command line states.
const DEFAULT_EXTENT: u64 = 32;

/// What the command line says of operands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operands<'a> {
    /// The files, by the names of parameters.
    pub(crate) inputs: &'a [InputFlag],
    /// Extents by labels, for those that no input states.
    pub(crate) extents: &'a BTreeMap<String, u64>,
}

/// The functions that run the kernels of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct KernelCalls {
    functions: Vec<Function>,
    /// What the user should know of what is measured, and what is not.
    pub(crate) notes: Vec<Diagnostic>,
}

impl KernelCalls {
    /// For the kernels of a file whose sparse operands have files; none where the file has `main`.
    pub(crate) fn new(module: &Module, program: &Program, operands: Operands<'_>) -> Self {
        let mut calls = Self::default();
        if program.main().is_some() {
            return calls;
        }
        let prefix = fresh_prefix(module);
        let mut unused = operands.extents.clone();
        for kernel in &module.functions {
            let checked = program.functions.iter().find(|other| other.name == kernel.name.name);
            let checked = checked.expect("a checked program has the functions of its tree");
            if tensors(kernel).next().is_none() {
                continue;
            }
            unused.retain(|label, _| !checked.labels.iter().any(|other| other.name == *label));
            match Call::new(kernel, checked, operands, &prefix) {
                Ok(call) => {
                    calls.notes.extend(call.note());
                    calls.functions.push(call.function());
                }
                Err(note) => calls.notes.push(note),
            }
        }
        for label in unused.keys() {
            let message = format!("no function of the file has the label of `--extent {label}=…`");
            let note = Diagnostic::error_without_place(message);
            calls.notes.push(Diagnostic { severity: Severity::Note, ..note });
        }
        if !calls.functions.is_empty() {
            calls.functions.push(main_of(&calls.functions));
        }
        calls
    }

    /// Whether a kernel is called.
    pub(crate) fn is_any(&self) -> bool {
        !self.functions.is_empty()
    }

    pub(crate) fn add(&self, module: &mut Module) {
        module.functions.extend(self.functions.iter().cloned());
    }
}

/// A kernel, its operands, and how the program that calls it comes by them.
struct Call<'a> {
    kernel: &'a Function,
    checked: &'a program::Function,
    operands: Operands<'a>,
    prefix: &'a str,
    /// The classes of extents that files or the text state, or the body of the kernel.
    stated: BTreeSet<usize>,
}

impl<'a> Call<'a> {
    fn new(
        kernel: &'a Function,
        checked: &'a program::Function,
        operands: Operands<'a>,
        prefix: &'a str,
    ) -> Result<Self, Diagnostic> {
        let has_file = |name: &str| operands.inputs.iter().any(|input| input.key == name);
        let mut stated = BTreeSet::new();
        for (decl, tensor) in tensors(kernel).zip(params(checked)) {
            if has_file(&tensor.name) {
                stated.extend(tensor.dims.iter().map(|size| size.0));
            } else if !tensor.format.is_dense() {
                let name = &tensor.name;
                let message = format!("`{}` is not measured: no file for `{name}`", kernel.name.name);
                let hint = format!(
                    "pass `--input {name}=PATH`; only dense operands are filled where they have no file"
                );
                return Err(Diagnostic::note(decl.span, message).hint(hint));
            }
        }
        let is_read = |source: &SizeSource| matches!(source, SizeSource::Read { .. });
        for (number, size) in checked.sizes.iter().enumerate() {
            if size.known.is_some() || size.sources.iter().any(is_read) {
                stated.insert(number);
            }
        }
        Ok(Self { kernel, checked, operands, prefix, stated })
    }

    /// The labels of a class of extents.
    fn labels(&self, size: usize) -> impl Iterator<Item = &str> {
        let of_class = self.checked.labels.iter().filter(move |label| label.size.0 == size);
        of_class.map(|label| label.name.as_str())
    }

    fn extent(&self, size: usize) -> Option<u64> {
        let given = || self.labels(size).find_map(|label| self.operands.extents.get(label)).copied();
        match self.stated.contains(&size) {
            true => self.checked.sizes[size].known,
            false => Some(given().unwrap_or(DEFAULT_EXTENT)),
        }
    }

    /// Returns the note on extents that nothing states.
    fn note(&self) -> Option<Diagnostic> {
        let of_operands = params(self.checked).flat_map(|tensor| &tensor.dims).map(|size| size.0).unique();
        let is_stated = |size: &usize| {
            self.stated.contains(size)
                || self.labels(*size).any(|label| self.operands.extents.contains_key(label))
        };
        let names = of_operands.filter(|size| !is_stated(size)).map(|size| &self.checked.sizes[size].name);
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        let first = names.first()?.trim_matches('`').to_owned();
        let message = format!(
            "`{}` is measured with {DEFAULT_EXTENT} for {}, which no input states",
            self.kernel.name.name,
            names.join(", ")
        );
        let hint = format!("state others by `--extent {first}=N`, or by `--input` of an operand that has it");
        Some(Diagnostic::note(self.kernel.name.span, message).hint(hint))
    }

    /// The function that makes the operands and calls the kernel.
    fn function(&self) -> Function {
        let span = self.kernel.name.span;
        let mut body = Vec::from_iter(self.own_labels());
        for (decl, tensor) in tensors(self.kernel).zip(params(self.checked)) {
            body.push(self.declaration(decl, tensor));
            let has_file = self.operands.inputs.iter().any(|input| input.key == tensor.name);
            let content = if has_file { "comet_read" } else { "random" };
            body.push(self.assignment(decl, call(content, Vec::new(), decl.span)));
        }
        let one = ExprKind::Number(Number { value: 1.0, integer: Some(1) });
        let args = self.kernel.params.iter().map(|param| match param {
            Param::Tensor(decl) => Expr { kind: ExprKind::Name(decl.name.name.clone()), span: decl.span },
            Param::Scalar { span, .. } => Expr { kind: one.clone(), span: *span },
        });
        let value = call(&self.kernel.name.name, args.collect(), span);
        match (&self.kernel.result, self.checked.result) {
            (Some(Param::Tensor(decl)), Some(ParamId::Tensor(id))) => {
                body.extend(open_labels((0..decl.dims.len()).map(|mode| self.mode(mode)).collect(), span));
                body.push(self.declaration(decl, &self.checked.tensors[id.0]));
                body.push(self.assignment(decl, value));
            }
            (Some(_), _) => {
                let name = Ident { name: format!("{}result", self.prefix), span };
                body.push(Stmt { kind: StmtKind::Var { name, value }, span });
            }
            (None, _) => body.push(Stmt { kind: StmtKind::Expr(value), span }),
        }
        function(&format!("{}{}", self.prefix, self.kernel.name.name), body, span)
    }

    /// A label for each class of extents that the program does not state.
    fn own_labels(&self) -> Option<Stmt> {
        let result = match self.checked.result {
            Some(ParamId::Tensor(id)) => Some(&self.checked.tensors[id.0]),
            _ => None,
        };
        let sizes = params(self.checked).chain(result).flat_map(|tensor| &tensor.dims).unique();
        let open = sizes.filter(|size| self.extent(size.0).is_none());
        open_labels(open.map(|size| self.label(size.0)).collect(), self.kernel.name.span)
    }

    fn label(&self, size: usize) -> String {
        format!("{}{size}", self.prefix)
    }

    /// A label for a mode of any tensor.
    fn mode(&self, mode: usize) -> String {
        format!("{}m{mode}", self.prefix)
    }

    /// `A[tune_m0,tune_m1] = value`.
    fn assignment(&self, decl: &TensorDecl, value: Expr) -> Stmt {
        let span = decl.span;
        let index = |mode| Index::Name(Ident { name: self.mode(mode), span });
        let assign = Assign {
            tensor: decl.name.clone(),
            indices: (0..decl.dims.len()).map(index).collect(),
            target_span: span,
            mask: None,
            op: AssignOp::Set,
            value,
            schedule: None,
        };
        Stmt { kind: StmtKind::Assign(assign), span }
    }

    /// The declaration of an operand or the result, with the program's labels.
    fn declaration(&self, decl: &TensorDecl, tensor: &program::Tensor) -> Stmt {
        let dim = |(dim, size): (&Dim, &program::SizeId)| {
            let kind = match self.extent(size.0) {
                Some(extent) => {
                    DimKind::Size(Number { value: extent as f64, integer: i64::try_from(extent).ok() })
                }
                None => DimKind::Label(self.label(size.0)),
            };
            Dim { kind, span: dim.span }
        };
        let dims = decl.dims.iter().zip(&tensor.dims).map(dim).collect();
        Stmt { kind: StmtKind::Tensor(TensorDecl { dims, ..decl.clone() }), span: decl.span }
    }
}

/// The tensors among the parameters of a kernel.
fn tensors(kernel: &Function) -> impl Iterator<Item = &TensorDecl> {
    kernel.params.iter().filter_map(|param| match param {
        Param::Tensor(decl) => Some(decl),
        Param::Scalar { .. } => None,
    })
}

/// The same tensors, checked.
fn params(kernel: &program::Function) -> impl Iterator<Item = &program::Tensor> {
    kernel.params.iter().filter_map(|param| match param {
        ParamId::Tensor(id) => Some(&kernel.tensors[id.0]),
        ParamId::Scalar(_) => None,
    })
}

/// `IndexLabel [tune_m0, tune_m1] = [?]`.
fn open_labels(names: Vec<String>, span: Span) -> Option<Stmt> {
    let names: Vec<Ident> = names.into_iter().map(|name| Ident { name, span }).collect();
    let range = Some(Range { kind: RangeKind::Open, span });
    (!names.is_empty()).then_some(Stmt { kind: StmtKind::Label { names, range }, span })
}

fn call(callee: &str, args: Vec<Expr>, span: Span) -> Expr {
    let callee = Ident { name: callee.to_owned(), span };
    Expr { kind: ExprKind::Call { callee, args }, span }
}

fn main_of(functions: &[Function]) -> Function {
    let calls = functions.iter().map(|function| {
        let value = call(&function.name.name, Vec::new(), function.span);
        Stmt { kind: StmtKind::Expr(value), span: function.span }
    });
    function("main", calls.collect(), functions.first().map_or_else(Span::default, |first| first.span))
}

fn function(name: &str, body: Vec<Stmt>, span: Span) -> Function {
    let name = Ident { name: name.to_owned(), span };
    Function { name, params: Vec::new(), result: None, properties: None, body, span }
}

#[cfg(test)]
mod tests {
    use super::*;
    use comet_diag::Source;

    const SPMM: &str = "\
def spmm(double alpha, Tensor<double> A([i, k], CSR), Tensor<double> B([l, j], Dense)) -> Tensor<double> C([i, j], Dense) {
  C[i,j] = alpha * A[i,k] * B[k,j];
}
";

    fn calls(text: &str, inputs: &[&str], extents: &[(&str, u64)]) -> (String, Vec<String>) {
        let source = Source::new("k.ta", text);
        let module = comet_syntax::parse(&source).expect("the file has the form");
        let program = comet_sema::check(&module, &source).expect("the file is right");
        let input = |key: &&str| InputFlag { key: (*key).to_owned(), path: "a.mtx".into() };
        let inputs: Vec<InputFlag> = inputs.iter().map(input).collect();
        let extents = extents.iter().map(|(label, extent)| ((*label).to_owned(), *extent)).collect();
        let calls = KernelCalls::new(&module, &program, Operands { inputs: &inputs, extents: &extents });
        let printed = comet_syntax::print_module(&Module { functions: calls.functions.clone() });
        let mut whole = module;
        calls.add(&mut whole);
        comet_sema::check(&whole, &source).expect("the program is right");
        (printed, calls.notes.into_iter().map(|note| note.message).collect())
    }

    /// Extents that a file states are open, also under another label of the kernel; others are the user's.
    #[test]
    fn operands_without_files_are_random() {
        let (printed, found) = calls(SPMM, &["A"], &[("j", 8)]);
        let expected = "\
def tune_spmm() {
  IndexLabel [tune_0, tune_1] = [?];
  Tensor<double> A([tune_0, tune_1], CSR);
  A[tune_m0,tune_m1] = comet_read();
  Tensor<double> B([tune_1, 8], Dense);
  B[tune_m0,tune_m1] = random();
  IndexLabel [tune_m0, tune_m1] = [?];
  Tensor<double> C([tune_0, 8], Dense);
  C[tune_m0,tune_m1] = spmm(1, A, B);
}

def main() {
  tune_spmm();
}
";
        assert_eq!(printed, expected);
        assert!(found.is_empty(), "{found:?}");
        let (printed, found) = calls(SPMM, &["A"], &[]);
        assert!(printed.contains("B([tune_1, 32], Dense)"), "{printed}");
        assert_eq!(found[0], "`spmm` is measured with 32 for `j`, which no input states");
    }

    /// Results of all kinds are taken, also an operand's own.
    #[test]
    fn every_kernel_is_called() {
        let text = "\
def dot(Tensor<double> x([i], Dense), Tensor<double> y([i], Dense)) -> double s { s = SUM(x[i] * y[i]); }
def scale(double a, Tensor<double> x([i], Dense)) { x[i] = a * x[i]; }
def square(double a) -> double b { b = a * a; }
";
        let (printed, _) = calls(text, &[], &[("i", 5)]);
        assert!(printed.contains("var tune_result = dot(x, y);"), "{printed}");
        assert!(printed.contains("  scale(1, x);"), "{printed}");
        assert!(!printed.contains("square"), "{printed}");
    }

    /// A sparse operand without a file, and labels that are none, are reported.
    #[test]
    fn what_is_missing_is_reported() {
        let (printed, found) = calls(SPMM, &[], &[]);
        assert_eq!((printed.as_str(), found[0].as_str()), ("", "`spmm` is not measured: no file for `A`"));
        let (_, found) = calls(SPMM, &["A"], &[("j", 4), ("q", 3)]);
        assert_eq!(found[0], "no function of the file has the label of `--extent q=…`");
        let both =
            format!("{SPMM}{}", SPMM.replace("spmm", "other").replace(" A", " M").replace("* A", "* M"));
        let (_, found) = calls(&both, &["A"], &[("j", 4)]);
        assert_eq!(found[0], "`other` is not measured: no file for `M`");
    }
}
