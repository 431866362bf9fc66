//! A function around the statements of an expression.
//!
//! `y[i] = A[i,j] * x[j]` with a CSR matrix and a dense vector of `double` becomes
//! ```text
//! def kernel(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense)) -> Tensor<double> y([i], Dense) {
//!   y[i] = A[i,j] * x[j];
//! }
//! ```
//! Every operand is a parameter, what the last statement assigns is the result, and other targets are tensors
//! of the function. A target that is an operand as well is a parameter that the kernel writes.

use crate::expression::StatementText;
use crate::result::{self, Choice};
use crate::{storage, walk};
use comet_diag::{Diagnostic, Source, Span};
use comet_format::{Format, TypedFormat, ValueType};
use comet_sema::program::{self, Program};
use comet_syntax::ast::{
    Dim, DimKind, Function, Ident, Index, Module, Param, Range, RangeKind, Stmt, StmtKind,
};
use std::collections::{BTreeSet, HashMap};

/// The name of the function.
pub const KERNEL: &str = "kernel";

/// What a name in the expression stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NamedOperand {
    pub name: String,
    pub kind: OperandKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OperandKind {
    Tensor(TypedFormat),
    Scalar(ValueType),
}

/// What is stated of the result.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Wanted {
    pub format: Option<Format>,
    pub element: Option<ValueType>,
}

/// A file with one function.
#[derive(Clone, Debug)]
pub struct ExpressionKernel {
    pub module: Module,
    /// What is chosen of the result; none where it is a scalar or an operand.
    pub choice: Option<Choice>,
}

type Result<T> = std::result::Result<T, Vec<Diagnostic>>;

/// The kernel of an expression.
///
/// # Errors
/// Names that no operand has, operands that are not named, and what makes the statements invalid.
pub fn kernel(
    expression: &StatementText,
    operands: &[NamedOperand],
    wanted: &Wanted,
) -> Result<ExpressionKernel> {
    let mut builder = KernelBuilder::new(expression, operands)?;
    builder.scalar = builder.widest();
    let mut choices: HashMap<String, Choice> = HashMap::new();
    // What a target is stored as may decide on those after it.
    for target in builder.targets() {
        let program = builder.checked(&choices, &expression.source)?;
        let choice = builder.choice(&program, &target.name);
        let is_result = builder.result.as_ref().is_some_and(|result| result.name == target.name);
        // What is between is not rounded or wrapped to a narrow type.
        let choice = match is_result {
            true => stated(choice, wanted),
            false => Choice { element: choice.element.computed(), ..choice },
        };
        choices.insert(target.name.clone(), choice);
    }
    if builder.is_scalar {
        builder.scalar = wanted.element.unwrap_or(builder.scalar_element(&choices, &expression.source)?);
    }
    let module = builder.module(&choices);
    let choice = builder.result.as_ref().and_then(|result| choices.remove(&result.name));
    Ok(ExpressionKernel { module, choice })
}

fn stated(choice: Choice, wanted: &Wanted) -> Choice {
    let element = wanted.element.unwrap_or(choice.element);
    match &wanted.format {
        Some(format) => Choice { format: format.clone(), element, reason: "as stated".to_owned() },
        None => Choice { element, ..choice },
    }
}

struct KernelBuilder<'e> {
    statements: &'e [Stmt],
    operands: &'e [NamedOperand],
    /// What the last statement assigns, unless that is an operand.
    result: Option<Ident>,
    is_scalar: bool,
    /// The type of a scalar result.
    scalar: ValueType,
    /// The first access of each tensor.
    accesses: HashMap<&'e str, walk::NamedAccess<'e>>,
    scalars: BTreeSet<&'e str>,
}

impl<'e> KernelBuilder<'e> {
    fn new(expression: &'e StatementText, operands: &'e [NamedOperand]) -> Result<Self> {
        let statements = &expression.statements[..];
        let (target, is_scalar) = target(statements)?;
        let is_operand = |name: &str| operands.iter().any(|operand| operand.name == name);
        let mut accesses = HashMap::new();
        for access in walk::accesses(statements) {
            accesses.entry(access.tensor.name.as_str()).or_insert(access);
        }
        let is_number = |operand: &&NamedOperand| matches!(operand.kind, OperandKind::Scalar(_));
        let numbers = operands.iter().filter(is_number).map(|operand| operand.name.as_str());
        let own = walk::scalars(statements).into_iter().map(|name| name.name.as_str());
        let builder = Self {
            statements,
            operands,
            result: (!is_operand(&target.name)).then_some(target),
            is_scalar,
            scalar: ValueType::F64,
            accesses,
            scalars: numbers.chain(own).collect(),
        };
        builder.check_names()?;
        Ok(builder)
    }

    /// The tensors that statements assign and that are no operands, in the order of the text.
    fn targets(&self) -> Vec<Ident> {
        let mut found: Vec<Ident> = Vec::new();
        for stmt in comet_syntax::ast::assignments(self.statements) {
            let name = &stmt.tensor;
            if !self.is_operand(&name.name) && found.iter().all(|other| other.name != name.name) {
                found.push(name.clone());
            }
        }
        found
    }

    fn is_operand(&self, name: &str) -> bool {
        self.operands.iter().any(|operand| operand.name == name)
    }

    fn check_names(&self) -> Result<()> {
        let targets = self.targets();
        let is_known = |name: &str| self.is_operand(name) || targets.iter().any(|target| target.name == name);
        let tensors = walk::accesses(self.statements);
        let unknown = tensors.iter().map(|access| access.tensor).filter(|name| !is_known(&name.name));
        let words = walk::words(self.statements);
        let is_bound =
            |name: &str| is_known(name) || self.scalars.contains(name) || self.labels().contains(name);
        let unbound = words.iter().filter(|word| !is_bound(&word.name));
        let mut errors = Vec::new();
        let mut seen = BTreeSet::new();
        for name in unknown.chain(unbound).filter(|name| seen.insert(name.name.clone())) {
            let error = Diagnostic::error(name.span, format!("no operand is named `{}`", name.name));
            errors.push(error.hint(format!("pass it: `{}=…`", name.name)));
        }
        for NamedOperand { name, .. } in self.operands {
            let is_named =
                self.accesses.contains_key(name.as_str()) || words.iter().any(|word| word.name == *name);
            if is_named {
                continue;
            }
            let accesses = walk::accesses(self.statements);
            let mut labels = accesses.iter().flat_map(|access| access.indices).filter_map(Index::label);
            let why = match labels.any(|label| label.name == *name) {
                true => format!("`{name}` is a label of the expression"),
                false => "nothing in the expression is named so".to_owned(),
            };
            let message = format!("the operand `{name}` is passed, and {why}");
            errors.push(Diagnostic::error_without_place(message).hint("leave it out"));
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// The labels of all accesses.
    fn labels(&self) -> BTreeSet<String> {
        let accesses = walk::accesses(self.statements);
        let labels = accesses.iter().flat_map(|access| access.indices).filter_map(Index::label);
        labels.map(|label| label.name).filter(|name| !self.scalars.contains(name.as_str())).collect()
    }

    /// The program with the choices so far; what is not chosen is dense and of `double`.
    fn checked(&self, choices: &HashMap<String, Choice>, source: &Source) -> Result<Program> {
        comet_sema::check(&self.module(choices), source)
    }

    /// The type that the last statement's value is computed in.
    fn scalar_element(&self, choices: &HashMap<String, Choice>, source: &Source) -> Result<ValueType> {
        let program = self.checked(choices, source)?;
        let last = program.functions[0].body.last();
        let last = last.and_then(|stmt| stmt.scalars().into_iter().next());
        let value = last.map(|value| match &value.kind {
            // To the type that is declared so far.
            program::ScalarExprKind::Convert { value, .. } => value.element,
            _ => value.element,
        });
        Ok(value.unwrap_or(self.scalar))
    }

    fn choice(&self, program: &Program, target: &str) -> Choice {
        let function = &program.functions[0];
        let mut assigns = program::assignments(&function.body);
        let is_target = |assign: &&program::Assign| function.tensors[assign.target.tensor.0].name == target;
        match assigns.find(is_target) {
            Some(assign) => result::choose(function, assign),
            // A number, an array or a file is stored as it was declared.
            None => {
                let tensor = function.tensors.iter().find(|tensor| tensor.name == target);
                let tensor = tensor.expect("a target is a tensor of the function");
                let reason = "dense: it is filled".to_owned();
                Choice { format: tensor.format.clone(), element: tensor.element, reason }
            }
        }
    }

    fn module(&self, choices: &HashMap<String, Choice>) -> Module {
        let span = self.statements[0].span.to(self.statements[self.statements.len() - 1].span);
        let params = self.operands.iter().map(|operand| self.parameter(operand)).collect();
        let result = self.result.as_ref().map(|name| self.result_parameter(name, choices, span));
        let mut declared: BTreeSet<String> = BTreeSet::new();
        let signature: Vec<&Param> = Vec::from_iter(&params).into_iter().chain(&result).collect();
        for param in signature {
            if let Param::Tensor(decl) = param {
                declared.extend(decl.dims.iter().filter_map(|dim| match &dim.kind {
                    DimKind::Label(name) => Some(name.clone()),
                    DimKind::Size(_) | DimKind::Open => None,
                }));
            }
        }
        let labels: Vec<Ident> = self
            .labels()
            .into_iter()
            .filter(|label| !declared.contains(label))
            .map(|name| Ident { name, span })
            .collect();
        let open = Some(Range { kind: RangeKind::Open, span });
        let label = (!labels.is_empty()).then_some(StmtKind::Label { names: labels, range: open });
        let is_result = |name: &Ident| self.result.as_ref().is_some_and(|result| result.name == name.name);
        let locals = self.targets().into_iter().filter(|target| !is_result(target));
        let locals = locals.map(|name| StmtKind::Tensor(self.declaration(&name, choices)));
        let declarations = label.into_iter().chain(locals).map(|kind| Stmt { kind, span });
        let mut body: Vec<Stmt> = declarations.chain(self.statements.iter().cloned()).collect();
        self.assign_scalar(&mut body);
        let name = Ident { name: KERNEL.to_owned(), span };
        Module { functions: vec![Function { name, params, result, properties: None, body, span }] }
    }

    fn parameter(&self, operand: &NamedOperand) -> Param {
        let first = self.accesses.get(operand.name.as_str());
        let span = first.map_or_else(Span::default, |access| access.tensor.span);
        let name = Ident { name: operand.name.clone(), span };
        match &operand.kind {
            OperandKind::Scalar(element) => Param::Scalar { element: *element, name, span },
            OperandKind::Tensor(typed) => {
                let dims = self.dims(&name, typed.format.rank);
                Param::Tensor(storage::declaration(&name, typed.value, dims, &typed.format))
            }
        }
    }

    /// A type that every value of the expression can be stored in.
    fn widest(&self) -> ValueType {
        let is_complex = |operand: &NamedOperand| match &operand.kind {
            OperandKind::Tensor(typed) => typed.value.is_complex(),
            OperandKind::Scalar(value) => value.is_complex(),
        };
        let names_complex = |callee: &str| matches!(callee, "complex" | "complex64" | "complex128");
        let is_made = walk::callees(self.statements).into_iter().any(names_complex);
        if is_made || self.operands.iter().any(is_complex) { ValueType::C128 } else { ValueType::F64 }
    }

    fn result_parameter(&self, name: &Ident, choices: &HashMap<String, Choice>, span: Span) -> Param {
        match self.is_scalar {
            true => Param::Scalar { element: self.scalar, name: name.clone(), span },
            false => Param::Tensor(self.declaration(name, choices)),
        }
    }

    fn declaration(&self, name: &Ident, choices: &HashMap<String, Choice>) -> comet_syntax::ast::TensorDecl {
        let rank = self.accesses.get(name.name.as_str()).map_or(0, |access| access.indices.len());
        let dims = self.dims(name, rank);
        match choices.get(&name.name) {
            Some(choice) => storage::declaration(name, choice.element, dims, &choice.format),
            None => storage::declaration(name, self.widest(), dims, &Format::dense(rank)),
        }
    }

    /// The labels of the first access where there is one with as many, so that extents have their names.
    fn dims(&self, name: &Ident, rank: usize) -> Vec<Dim> {
        let first = self.accesses.get(name.name.as_str()).filter(|access| access.indices.len() == rank);
        let dim = |mode: usize| {
            let label = first.and_then(|access| access.indices[mode].name());
            match label.filter(|label| !self.scalars.contains(label.name.as_str())) {
                Some(label) => Dim { kind: DimKind::Label(label.name.clone()), span: label.span },
                None => Dim { kind: DimKind::Open, span: name.span },
            }
        };
        (0..rank).map(dim).collect()
    }

    /// The last statement of `s = SUM(…)` assigns the result, also where it says `var`.
    fn assign_scalar(&self, body: &mut [Stmt]) {
        if let Some(stmt) = body.last_mut()
            && let StmtKind::Var { name, value } = &stmt.kind
        {
            stmt.kind = StmtKind::SetScalar { name: name.clone(), op: None, value: value.clone() };
        }
    }
}

/// What the last statement assigns, and whether that is a scalar.
fn target(statements: &[Stmt]) -> Result<(Ident, bool)> {
    let last = &statements[statements.len() - 1];
    match &last.kind {
        StmtKind::Assign(assign) => Ok((assign.tensor.clone(), false)),
        StmtKind::Var { name, .. } | StmtKind::SetScalar { name, .. } => Ok((name.clone(), true)),
        _ => {
            let error = Diagnostic::error(last.span, "the last statement assigns nothing");
            Err(vec![error.hint("end with the result: `y[i] = …`")])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::einsum::{Einsum, Subscripts};
    use crate::storage::format_of_text;

    /// Operands written as `A csr int32` or `s scalar double`, with the rank of the format.
    fn operand(text: &str) -> NamedOperand {
        let words: Vec<&str> = text.split(' ').collect();
        let element = ValueType::ALL.into_iter().find(|value| value.word() == words[2]).unwrap();
        let kind = match words[1].split_once(':') {
            None => OperandKind::Scalar(element),
            Some((format, rank)) => {
                let format = format_of_text(format, rank.parse().unwrap()).unwrap();
                OperandKind::Tensor(TypedFormat { value: element, format })
            }
        };
        NamedOperand { name: words[0].to_owned(), kind }
    }

    fn program(expression: &StatementText, operands: &[&str]) -> String {
        let operands: Vec<NamedOperand> = operands.iter().map(|text| operand(text)).collect();
        let kernel = kernel(expression, &operands, &Wanted::default()).unwrap();
        comet_sema::check(&kernel.module, &expression.source).unwrap();
        comet_syntax::print_module(&kernel.module)
    }

    fn of_text(text: &str, operands: &[&str]) -> String {
        program(&StatementText::parse(text).unwrap(), operands)
    }

    /// The result in the function that an expression becomes.
    fn result(text: &str, operands: &[&str]) -> String {
        let text = of_text(text, operands);
        text.split("-> ").nth(1).unwrap().split(" {\n").next().unwrap().to_owned()
    }

    #[test]
    fn a_function_is_around_the_statements() {
        assert_eq!(
            of_text("y[i] = A[i,j] * x[j] * a", &["A csr:2 double", "x dense:1 double", "a scalar double"]),
            "def kernel(Tensor<double> A([i, j], CSR), Tensor<double> x([j], Dense), double a) -> \
             Tensor<double> y([i], Dense) {\n  y[i] = A[i,j] * x[j] * a;\n}\n"
        );
        assert_eq!(
            of_text("T(i,j) = A(i,k)*A(k,j); y(i) = T(i,j)*x(j)", &["A csc:2 float", "x dense:1 float"]),
            "def kernel(Tensor<float> A([i, k], CSC), Tensor<float> x([j], Dense)) -> Tensor<float> y([i], Dense) {\n  \
             Tensor<float> T([i, j], CSC);\n  T[i,j] = A[i,k] * A[k,j];\n  y[i] = T[i,j] * x[j];\n}\n"
        );
        assert_eq!(
            of_text("x[i] += A[i,j]", &["A csr:2 double", "x dense:1 double"]),
            "def kernel(Tensor<double> A([i, j], CSR), Tensor<double> x([i], Dense)) {\n  x[i] += A[i,j];\n}\n"
        );
    }

    #[test]
    fn results_have_formats_of_operands() {
        let (csr, csc, dense) = ("A csr:2 double", "B csc:2 double", "D dense:2 double");
        for (text, operands, expected) in [
            ("C[i,j] = A[i,k] * D[k,j]", vec![csr, dense], "Dense"),
            ("C[i,j] = A[i,j] * D[i,k] * D[j,k]", vec![csr, dense], "CSR"),
            ("C[i,j] = A[i,k] * B[k,j]", vec![csr, csc], "CSR"),
            ("C[i,j] = B[i,k] * B[k,j]", vec![csc], "CSC"),
            ("C[i,j] = A[j,i]", vec![csr], "CSC"),
            ("C[i,j] = A[i,j] + B[i,j]", vec![csr, csc], "CSR"),
            ("C[i,j] = B[i,j] + B[i,j]", vec![csc], "CSC"),
            ("C[i,j] = A[i,j] + D[i,j]", vec![csr, dense], "Dense"),
            ("C[i,j] = exp(A[i,j])", vec![csr], "Dense"),
            ("C[i,j] = stored(exp(A[i,j]))", vec![csr], "CSR"),
            ("C[i,j]<A> = D[i,k] * D[k,j]", vec![csr, dense], "CSR"),
            ("C[i,j]<!A> = A[i,k] * A[k,j]", vec![csr], "CSR"),
        ] {
            assert_eq!(result(text, &operands), format!("Tensor<double> C([i, j], {expected})"), "{text}");
        }
        assert_eq!(result("s[i] = A[i,j]", &[csr]), "Tensor<double> s([i], Dense)");
        assert_eq!(result("d[i] = A[i,i]", &[csr]), "Tensor<double> d([i], Dense)");
        assert_eq!(
            result("C[i,j] = T[i,j,k] * v[k]", &["T csf:3 double", "v dense:1 double"]),
            "Tensor<double> C([i, j], CSR)"
        );
        assert_eq!(result("C[i,j] = A[i,j] > 0.5", &[csr]), "Tensor<bool> C([i, j], CSR)");
        assert_eq!(result("C[i,j] = A[i,k] * A[k,j]", &["A csr:2 int32"]), "Tensor<int32> C([i, j], CSR)");
        assert_eq!(result("s = SUM(A[i,j] * A[i,j])", &[csr]), "double s");
        assert_eq!(result("s = SUM(n[i])", &["n dense:1 int32"]), "int s");
        let complex = "Z csr:2 complex64";
        assert_eq!(result("s = SUM(Z[i,j])", &[complex]), "complex64 s");
        assert_eq!(result("s = SUM(real(Z[i,j]))", &[complex]), "float s");
        assert_eq!(result("C[i,j] = 2 * Z[i,j]", &[complex]), "Tensor<complex64> C([i, j], CSR)");
        assert_eq!(result("C[i,j] = abs(Z[i,j])", &[complex]), "Tensor<float> C([i, j], CSR)");
        assert_eq!(result("C[i,j] = A[j,i]", &["A coo:2 double"]), "Tensor<double> C([i, j], COO)");
    }

    /// NumPy's rules of subscripts.
    #[test]
    fn subscripts() {
        let statement = |text: &str, ranks: &[usize]| {
            let subscripts = Subscripts::parse(text, ranks).unwrap();
            let names = (0..ranks.len()).map(|number| format!("A{number}")).collect();
            let einsum = Einsum { names, result: "out".to_owned(), ..Einsum::default() };
            let expression = subscripts.expression(&einsum).unwrap();
            let operands: Vec<String> = ranks
                .iter()
                .enumerate()
                .map(|(number, rank)| format!("A{number} dense:{rank} double"))
                .collect();
            let text = program(&expression, &operands.iter().map(String::as_str).collect::<Vec<_>>());
            text.lines().nth(1).unwrap().trim().to_owned()
        };
        assert_eq!(statement("ik,kj", &[2, 2]), "out[i,j] = A0[i,k] * A1[k,j];");
        assert_eq!(statement("ba", &[2]), "out[a,b] = A0[b,a];");
        assert_eq!(statement("ij->", &[2]), "out[] = A0[i,j];");
        assert_eq!(statement("...ij,...jk->...ik", &[3, 2]), "out[rest0,i,k] = A0[rest0,i,j] * A1[j,k];");
        assert_eq!(statement("ii->i", &[2]), "out[i] = A0[i,i];");
        assert_eq!(statement(",i->i", &[0, 1]), "out[i] = A0[] * A1[i];");
        for (text, ranks, place) in [
            ("ij->ijk", &[2][..], 4),
            ("ij->ii", &[2], 4),
            ("i1", &[2], 1),
            ("ij", &[3], 0),
            ("i,j", &[1], 0),
            ("i..", &[1], 1),
        ] {
            let (_, errors) = Subscripts::parse(text, ranks).unwrap_err();
            assert_eq!(errors[0].span().unwrap().start, place, "{text}: {errors:?}");
        }
    }

    /// Two contractions, whose first one drops what only it has.
    #[test]
    fn paths() {
        let subscripts = Subscripts::parse("ij,jk,kl->il", &[2, 2, 2]).unwrap();
        let names = ["A", "B", "C"].map(str::to_owned).to_vec();
        let einsum = Einsum {
            names,
            result: "out".to_owned(),
            path: Some(vec![vec![1, 2], vec![0, 1]]),
            ..Einsum::default()
        };
        let expression = subscripts.expression(&einsum).unwrap();
        let text = program(&expression, &["A csr:2 double", "B csr:2 double", "C dense:2 double"]);
        assert!(text.contains("Tensor<double> step1([j, l], Dense);\n  step1[j,l] = B[j,k] * C[k,l];\n  out[i,l] = A[i,j] * step1[j,l];"), "{text}");
        let wrong = Einsum { path: Some(vec![vec![0, 3]]), ..einsum };
        assert!(subscripts.expression(&wrong).is_err());
    }

    /// Names are explained at their places.
    #[test]
    fn wrong_names() {
        let expression = StatementText::parse("y[i] = A[i,j] * z[j]").unwrap();
        let errors =
            kernel(&expression, &[operand("A csr:2 double"), operand("B csr:2 double")], &Wanted::default())
                .unwrap_err();
        let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "no operand is named `z`",
                "the operand `B` is passed, and nothing in the expression is named so"
            ]
        );
        assert_eq!(errors[0].span().unwrap(), Span::new(16, 17));
        let expression = StatementText::parse("y[i] = A[i,n]").unwrap();
        let operands = [operand("A csr:2 double"), operand("n scalar int")];
        let errors = kernel(&expression, &operands, &Wanted::default()).unwrap_err();
        assert_eq!(errors[0].message, "the operand `n` is passed, and `n` is a label of the expression");
    }
}
