//! Functions of the file as operators of semirings and monoids: `a @(f) b`, `a @(f, *) b`.
//!
//! The body becomes a list of steps on the two operands, as `notation` has them. What a function states of
//! itself is checked where it is stated; what a use demands, where it is used.

use comet_diag::{Diagnostic, Span};
use comet_notation::{Constant, Definition, Function as NumberFunction, OwnOperator, Properties, Step};
use comet_syntax::ast::{self, Command, Identity, IdentityValue, OperatorName};

use crate::elementwise::tree::{Tree, constant};
use crate::function::Checker;
use crate::names::{NameKind, counted};
use crate::program::{Element, LabelId, Number, Operator, ScalarId, TensorExpr, TensorExprKind, TensorOp};
use crate::reduce;
use crate::schedule::attach::words;
use crate::signature::Signature;

/// Commands under which values of one element may come in another order.
const REORDERING: [&str; 9] =
    ["split", "divide", "fuse", "pos", "tile", "parallelize", "precompute", "accelerate", "map"];

/// What an operator is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum OperatorUse {
    Combines,
    Reduces,
}

impl Checker<'_> {
    /// Returns the operator that is written so; `None` where an error was reported.
    pub(crate) fn operator(
        &mut self,
        name: OperatorName,
        usage: OperatorUse,
        span: Span,
    ) -> Option<Operator> {
        let name = match name {
            OperatorName::Operator(operator) => return Some(operator),
            OperatorName::Function(name) => name.text(),
        };
        let Some(index) = self.file.signatures.index(name) else {
            let message = format!("expected an operator, found `{name}`");
            return self.refuse(Diagnostic::error(span, message).hint("define it: `def` of two numbers"));
        };
        let states_properties = self.file.functions[index].properties.is_some();
        let before = self.diagnostics.len();
        let own = self.own_operator(index, span);
        if states_properties {
            // They are reported at the definition.
            self.diagnostics.truncate(before);
        }
        let own = own?;
        if usage == OperatorUse::Reduces {
            self.check_reducing(own, index, span)?;
        }
        Some(Operator::Own(own))
    }

    /// Checks what the function under check states of itself as an operator.
    pub(crate) fn check_properties(&mut self) -> Option<()> {
        let properties = self.ast.properties.as_ref()?;
        let index = self.file.signatures.index(&self.ast.name.name)?;
        let own = self.own_operator(index, properties.span)?;
        self.check_samples(own, properties)
    }

    /// Cheap examples of what is stated; 0 and positive numbers, since many operators are for these alone.
    fn check_samples(&mut self, own: OwnOperator, properties: &ast::OperatorProperties) -> Option<()> {
        let of = |left: f64, right: f64| own.apply(left, right);
        let name = &self.ast.name.name;
        let refuted = |what: &str, found: [(f64, f64, Option<f64>); 2]| {
            let value = |(left, right, value): (f64, f64, Option<f64>)| {
                let value = value.map_or("no number".to_owned(), |value| value.to_string());
                format!("`{name}({left}, {right})` is {value}")
            };
            let message = format!("`{name}` is not {what}: {}, and {}", value(found[0]), value(found[1]));
            Diagnostic::error(properties.span, message)
        };
        if properties.is_commutative {
            let pairs = [(1.0, 2.0), (3.0, 5.0)];
            let is_same = |x: Option<f64>, y: Option<f64>| {
                x == y || x.zip(y).is_some_and(|(x, y)| x.is_nan() && y.is_nan())
            };
            let differs = pairs.into_iter().find(|(x, y)| !is_same(of(*x, *y), of(*y, *x)));
            if let Some((x, y)) = differs {
                let error = refuted("commutative", [(x, y, of(x, y)), (y, x, of(y, x))]);
                return self.refuse(error.hint("leave `commutative` out"));
            }
        }
        let identity = own.definition().identity.filter(|_| properties.is_associative)?.float;
        let keeps = |x: &f64| of(identity, *x) == Some(*x) || of(*x, identity) == Some(*x);
        if ![1.0, 2.0, 3.0].iter().any(keeps) {
            let other = if identity == 2.0 { 3.0 } else { 2.0 };
            let found = of(identity, other).map_or("no number".to_owned(), |value| value.to_string());
            let message = format!(
                "{identity} is no identity of `{name}`: `{name}({identity}, {other})` is {found}, expected {other}"
            );
            let hint = "state the number that leaves others alone, or leave `associative` out";
            return self.refuse(Diagnostic::error(properties.span, message).hint(hint));
        }
        Some(())
    }

    /// The operator that a function is. Errors are at `span`, and show the definition.
    fn own_operator(&mut self, index: usize, span: Span) -> Option<OwnOperator> {
        let function = &self.file.functions[index];
        let signature = &self.file.signatures.functions[index];
        let element = self.operand_type(signature, span)?;
        let computed = element.computed();
        let operand = |place: usize| {
            let kind = TensorExprKind::Scalar(ScalarId(place));
            Tree::operand(TensorExpr { kind, element: computed, span, is_grouped: false })
        };
        let operands = vec![operand(0), operand(1)];
        let is_under_check = self.ast.name.span == function.name.span;
        let tree = match is_under_check {
            true => self.inlined_body(index, span, operands)?,
            false => self.inlined_call(index, span, operands)?,
        };
        let mut steps = OperatorSteps::new(computed);
        let result = steps.of_type(&tree, computed);
        if steps.types.iter().any(|ty| ty.is_complex()) {
            let what = format!("`{}` as an operator, which computes complex values", function.name.name);
            let error = Diagnostic::not_supported(span, what).also(function.name.span, "defined here");
            return self
                .refuse(error.hint("compute the real and the imaginary part in statements of their own"));
        }
        let properties = function.properties.as_ref();
        let identity = match properties.and_then(|properties| properties.identity) {
            Some(identity) => Some(self.identity(identity, element)?),
            None => None,
        };
        let properties = properties.map_or(Properties::default(), |properties| Properties {
            associative: properties.is_associative,
            commutative: properties.is_commutative,
        });
        let name = function.name.name.clone();
        let definition =
            Definition { name, element: computed, identity, properties, steps: steps.steps, result };
        let own = OwnOperator::new(definition);
        Some(own.expect("each step follows from earlier ones of its type"))
    }

    /// The type of both operands and of the value.
    fn operand_type(&mut self, signature: &Signature, span: Span) -> Option<Element> {
        let name = &signature.name;
        let is_scalar = |kind: NameKind| kind == NameKind::Scalar;
        let refused = |message: String, hint: &str| {
            Diagnostic::error(span, message).also(name.span, "defined here").hint(hint)
        };
        let has_scalars = signature.params.iter().all(|param| is_scalar(param.kind()));
        let result = signature.result.as_ref().filter(|result| is_scalar(result.kind()));
        if name.name == "main" {
            let message = "`main` is the program and no operator".to_owned();
            return self.refuse(refused(message, "move what is shared into another function"));
        }
        let (true, Some(result)) = (has_scalars, result) else {
            let message = format!("`{}` is no operator: it is not of scalars alone", name.name);
            let hint = "an operator takes two numbers of one type and returns one: \
                        `def f(double x, double y) -> double`";
            return self.refuse(refused(message, hint));
        };
        let [left, right] = &signature.params[..] else {
            let found = counted(signature.params.len(), "parameter");
            let message = format!("`{}` is no operator: it has {found}, expected 2", name.name);
            return self.refuse(refused(message, "an operator takes two numbers"));
        };
        let computed = left.element.computed();
        let odd = [right, result].into_iter().find(|other| other.element.computed() != computed);
        if let Some(odd) = odd {
            let (first, other) = (left.element.word(), odd.element.word());
            let message = format!("`{}` is no operator: it is of `{first}` and `{other}`", name.name);
            let hint = "the operands and the value of an operator have one type";
            return self.refuse(refused(message, hint).also(odd.span, "of another type"));
        }
        Some(left.element)
    }

    fn identity(&mut self, identity: Identity, element: Element) -> Option<Constant> {
        let sign = if identity.is_negative { -1.0 } else { 1.0 };
        if element.computed() != Element::I64 {
            let float = sign
                * match identity.value {
                    IdentityValue::Number(number) => number.value,
                    IdentityValue::Infinite => f64::INFINITY,
                };
            return Some(Constant { float, integer: float as i64 });
        }
        let integer = match identity.value {
            IdentityValue::Infinite if identity.is_negative => Some(element.nearest(i64::MIN)),
            IdentityValue::Infinite => Some(element.nearest(i64::MAX)),
            IdentityValue::Number(number) if identity.is_negative => number.integer.map(i64::wrapping_neg),
            IdentityValue::Number(number) => number.integer,
        };
        let Some(integer) = integer else {
            let message = "the identity of an operator on `int` has a fraction";
            let error = Diagnostic::error(identity.span, message);
            return self.refuse(error.hint("write an integer, or declare the parameters `double`"));
        };
        if !element.holds(integer) {
            let word = element.word();
            let [least, most] = [i64::MIN, i64::MAX].map(|far| element.nearest(far));
            let message = format!("the identity of an operator on `{word}` is {integer}");
            let error = Diagnostic::error(identity.span, message);
            return self.refuse(error.hint(format!("`{word}` has the numbers from {least} to {most}")));
        }
        let integer = element.rounded_integer(integer);
        Some(Constant { float: integer as f64, integer })
    }

    fn check_reducing(&mut self, own: OwnOperator, index: usize, span: Span) -> Option<()> {
        let function = &self.file.functions[index];
        let name = &function.name;
        if own.definition().identity.is_none() {
            let message = format!("`{}` cannot reduce: it states no identity", name.name);
            let hint = "state what a reduction begins with behind the result of the function: \
                        `operator(identity=0)`, and `associative, commutative` if it is so";
            let error = Diagnostic::error(span, message).also(name.span, "defined here");
            return self.refuse(error.hint(hint));
        }
        let divides = own.definition().divides_integers();
        if divides {
            let what = format!("`{}` reduces by a division of integers", name.name);
            let error = Diagnostic::not_supported(span, what).also(name.span, "defined here");
            return self.refuse(error.hint("divide as `double`, or reduce by another operator"));
        }
        Some(())
    }

    /// The value that an operator of the file combines two operands to.
    pub(crate) fn combined_by_own(
        &mut self,
        (own, reduce): (OwnOperator, Option<Operator>),
        operands: [TensorExpr; 2],
        expr: &ast::Expr,
    ) -> Option<TensorExpr> {
        let element = own.definition().element;
        for operand in &operands {
            // A number of the text takes the type of the operator, unless that has no fractions.
            let is_number = element != Element::I64 && constant(operand).is_some();
            if !is_number && operand.element.widest(element) != element {
                let (name, takes) = (&own.definition().name, element.word());
                let found = operand.element.word();
                let message = format!("`{name}` combines values of `{takes}`, found a `{found}`");
                let hint = wider_operand(operand.element, takes);
                return self.refuse(Diagnostic::error(operand.span, message).hint(hint));
            }
        }
        self.reduced_type(reduce, element, expr)?;
        let [left, right] = operands.map(Box::new);
        let kind = TensorExprKind::Binary { op: TensorOp::Combine(Operator::Own(own)), reduce, left, right };
        Some(TensorExpr { kind, element, span: expr.span, is_grouped: expr.is_grouped() })
    }

    /// The type that a semiring computes in whose values have a type by themselves: an operator of the
    /// program's own reduces values of its type.
    pub(crate) fn reduced_type(
        &mut self,
        reduce: Option<Operator>,
        values: Element,
        expr: &ast::Expr,
    ) -> Option<Element> {
        let Some(Operator::Own(own)) = reduce else { return Some(values) };
        let element = own.definition().element;
        if values.widest(element) == element {
            return Some(element);
        }
        let (name, takes, found) = (&own.definition().name, element.word(), values.word());
        let message = format!("`{name}` reduces values of `{takes}`, found a `{found}`");
        let hint = format!("declare its parameters and result `{found}`, or convert: `{takes}(…)`");
        self.refuse(Diagnostic::error(expr.span, message).hint(hint))
    }

    /// Returns an expression with its reductions; `None` where an operator reduces values of a wider type.
    pub(crate) fn reduced(&mut self, value: &TensorExpr, kept: &[LabelId]) -> Option<TensorExpr> {
        let value = reduce::bind(value, kept);
        for part in value.parts() {
            let TensorExprKind::Reduce { op: Operator::Own(own), body, .. } = &part.kind else { continue };
            let element = own.definition().element;
            if body.element.widest(element) != element {
                let (name, takes) = (&own.definition().name, element.word());
                let found = body.element.word();
                let message = format!("`{name}` reduces values of `{takes}`, found a `{found}`");
                let hint = wider_operand(body.element, takes);
                return self.refuse(Diagnostic::error(body.span, message).hint(hint));
            }
        }
        Some(value)
    }

    /// Refuses commands that change in which order values are reduced, where that order matters.
    pub(crate) fn check_order_of_reductions(
        &mut self,
        schedule: Option<&ast::Schedule>,
        value: &TensorExpr,
    ) -> Option<()> {
        let commands = schedule.map_or(&[][..], |schedule| &schedule.commands);
        let reduces = value.parts().into_iter().filter_map(|part| match &part.kind {
            TensorExprKind::Reduce { op: Operator::Own(own), labels, .. }
                if Operator::Own(*own).keeps_order() =>
            {
                Some((*own, labels.clone()))
            }
            _ => None,
        });
        let reduces: Vec<(OwnOperator, Vec<LabelId>)> = reduces.collect();
        for (own, labels) in &reduces {
            if let Some(command) = commands.iter().find(|command| self.reorders(command, labels)) {
                let name = &own.definition().name;
                let message = format!(
                    "`{}` would change the order in which `{name}` reduces values",
                    command.name.name
                );
                let hint = format!(
                    "state `associative` and `commutative` in the definition of `{name}` if it is so, \
                     or leave the command out"
                );
                return self.refuse(Diagnostic::error(command.span, message).hint(hint));
            }
        }
        Some(())
    }

    /// Whether a command may change the order of loops over labels that are reduced together.
    fn reorders(&self, command: &Command, labels: &[LabelId]) -> bool {
        let name = command.name.name.as_str();
        let (named, _) = words(command);
        let place =
            |word: &ast::Ident| labels.iter().position(|label| self.scope.labels[label.0].name == word.name);
        let places: Vec<usize> = named.iter().filter_map(place).collect();
        match name {
            "order" => !places.is_sorted(),
            // Tiles of other labels leave the loops over these in their order; those of `auto` are not known.
            "tile" => named.is_empty() || !places.is_empty(),
            _ => REORDERING.contains(&name) && !places.is_empty(),
        }
    }
}

/// What to do about an operand that an operator's type does not hold.
fn wider_operand(found: Element, takes: &str) -> String {
    match found.is_complex() {
        true => "take the `real`, `imag` or `abs` of complex values".to_owned(),
        false => format!("declare its parameters and result `{}`, or convert: `{takes}(…)`", found.word()),
    }
}

/// The steps of a nest of functions of the two operands.
struct OperatorSteps {
    steps: Vec<Step>,
    /// The type of each step.
    types: Vec<Element>,
}

impl OperatorSteps {
    fn new(element: Element) -> Self {
        Self { steps: vec![Step::Left, Step::Right], types: vec![element, element] }
    }

    /// The place of a step; a value that is there is not computed again.
    fn step(&mut self, step: Step, ty: Element) -> usize {
        let known = self.steps.iter().zip(&self.types).position(|known| known == (&step, &ty));
        known.unwrap_or_else(|| {
            self.steps.push(step);
            self.types.push(ty);
            self.steps.len() - 1
        })
    }

    fn of_type(&mut self, tree: &Tree, ty: Element) -> usize {
        let value = self.of(tree);
        self.converted(value, ty)
    }

    fn converted(&mut self, value: usize, ty: Element) -> usize {
        if self.types[value] == ty { value } else { self.step(Step::Convert(ty, value), ty.computed()) }
    }

    fn of(&mut self, tree: &Tree) -> usize {
        let ty = tree.element();
        let value = match tree {
            Tree::Operand(operand) => return self.operand(operand),
            Tree::Convert(to, value) => {
                let value = self.of(value);
                return self.converted(value, *to);
            }
            Tree::Apply(function, operand) => {
                let element = if *function == NumberFunction::IsNan { operand.element() } else { ty };
                let operand = self.of_type(operand, element);
                self.step(Step::Apply(*function, operand), element)
            }
            Tree::Binary(operator, operands) => {
                let [left, right] = operands.as_ref();
                let element =
                    if operator.is_condition() { left.element().widest(right.element()) } else { ty };
                let pair = [self.of_type(left, element), self.of_type(right, element)];
                self.step(Step::Combine(*operator, pair), element)
            }
        };
        self.converted(value, ty)
    }

    fn operand(&mut self, operand: &TensorExpr) -> usize {
        match &operand.kind {
            TensorExprKind::Scalar(ScalarId(place)) => *place,
            TensorExprKind::Number(Number::Float(number)) => {
                let number = Constant { float: *number, integer: *number as i64 };
                self.step(Step::Number(Element::F64, number), Element::F64)
            }
            TensorExprKind::Number(Number::Int(number)) => {
                let constant = Constant { float: *number as f64, integer: *number };
                let ty = operand.element.computed();
                self.step(Step::Number(ty, constant), ty)
            }
            _ => unreachable!("a body has its operands and numbers"),
        }
    }
}
