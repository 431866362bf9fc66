//! Operators of the file: what a function of the file computes of two values, as plain data.
//!
//! An operator is a list of steps, each of which computes a value of earlier ones, beside what its `def`
//! states. It has a text, which is its name in the attributes of operations and what the run time reads it
//! from:
//!
//! ```text
//! def hypot2 f64 identity 0.0 associative commutative : mul 0 0; mul 1 1; add 2 3; sqrt 4 -> 5
//! ```
//!
//! Values 0 and 1 are the operands. The operands of a step have one type, which its value has as well; `to`
//! converts to the type that elements of another one are computed in.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::sync::{Mutex, OnceLock, PoisonError};

use comet_format::ValueType;

use crate::operator::OperatorRow;
use crate::{Arithmetic, ComputedNumber, Constant, Function, Operator, Patterns};

/// What the text of an operator begins with, and no name of the table.
const PREFIX: &str = "def ";

/// What the program states of an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Properties {
    pub associative: bool,
    pub commutative: bool,
}

impl Properties {
    /// Returns whether values may be combined in any order and in any groups.
    pub fn is_free(self) -> bool {
        self.associative && self.commutative
    }
}

/// How a value is computed of earlier ones, by their places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    Left,
    Right,
    /// A number of a type that elements are computed in.
    Number(ValueType, Constant),
    /// What an element of a type stores of a value, in the type that it is computed in.
    Convert(ValueType, usize),
    Apply(Function, usize),
    Combine(Operator, [usize; 2]),
}

/// All that an operator is.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name of the function.
    pub name: String,
    /// The type of the operands and of the value, in which elements are computed.
    pub element: ValueType,
    /// What a reduction begins with.
    pub identity: Option<Constant>,
    pub properties: Properties,
    /// The first two are the operands.
    pub steps: Vec<Step>,
    /// The place of the step that computes the value.
    pub result: usize,
}

#[derive(Debug)]
struct KnownOperator {
    definition: Definition,
    row: OperatorRow,
}

/// An operator of the file. There is one for each text, and it lives as long as the process.
#[derive(Clone, Copy, Debug)]
pub struct OwnOperator(&'static KnownOperator);

impl PartialEq for OwnOperator {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for OwnOperator {}

impl Hash for OwnOperator {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

fn known() -> &'static Mutex<Vec<&'static KnownOperator>> {
    static KNOWN: OnceLock<Mutex<Vec<&'static KnownOperator>>> = OnceLock::new();
    KNOWN.get_or_init(Mutex::default)
}

impl OwnOperator {
    /// Returns the operator of a definition; `None` where a step has no value.
    pub fn new(definition: Definition) -> Option<Self> {
        definition.types()?;
        let text = definition.text();
        let mut known = known().lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.iter().find(|own| own.row.name == text) {
            return Some(Self(found));
        }
        let row = OperatorRow {
            name: String::leak(text),
            symbol: String::leak(definition.name.clone()),
            aliases: &[],
            identity: definition.identity,
            combines: true,
            commutes: definition.properties.commutative,
            infix: Patterns::Intersection,
        };
        let own: &'static KnownOperator = Box::leak(Box::new(KnownOperator { definition, row }));
        known.push(own);
        Some(Self(own))
    }

    /// Returns the operator of a text; `None` where it is none.
    pub fn parse(text: &str) -> Option<Self> {
        Self::new(Definition::parse(text)?)
    }

    pub(crate) fn row(self) -> &'static OperatorRow {
        &self.0.row
    }

    pub fn definition(self) -> &'static Definition {
        &self.0.definition
    }

    pub fn properties(self) -> Properties {
        self.definition().properties
    }

    /// Returns the value for two operands; `None` where an integer is divided by 0.
    pub fn apply<T: Arithmetic>(self, left: T, right: T) -> Option<T> {
        let definition = self.definition();
        let [left, right] = [left, right].map(|value| value.computed().to(definition.element));
        definition.value(left, right).map(T::of_computed)
    }
}

impl Definition {
    /// Returns whether the value depends on that of a step.
    pub fn uses(&self, place: usize) -> bool {
        let mut used = vec![false; self.steps.len()];
        let mut pending = vec![self.result];
        while let Some(at) = pending.pop() {
            if std::mem::replace(&mut used[at], true) {
                continue;
            }
            match self.steps[at] {
                Step::Left | Step::Right | Step::Number(..) => {}
                Step::Convert(_, value) | Step::Apply(_, value) => pending.push(value),
                Step::Combine(_, pair) => pending.extend(pair),
            }
        }
        used[place]
    }

    /// Returns whether it divides integers, which may fail.
    pub fn divides_integers(&self) -> bool {
        let types = self.types().unwrap_or_default();
        let is_division = |step: &Step| matches!(step, Step::Combine(Operator::Div, _));
        self.steps.iter().zip(types).any(|(step, ty)| is_division(step) && ty == ValueType::I64)
    }

    /// Returns the type of each step; `None` where operands are missing or have other types.
    fn types(&self) -> Option<Vec<ValueType>> {
        let mut types: Vec<ValueType> = Vec::new();
        for step in &self.steps {
            types.push(match step {
                Step::Left | Step::Right => self.element,
                Step::Number(ty, _) => *ty,
                Step::Convert(to, value) => types.get(*value).map(|_| to.computed())?,
                Step::Apply(function, value) => {
                    let ty = *types.get(*value)?;
                    (ty != ValueType::I64 || function.keeps_integers()).then_some(ty)?
                }
                Step::Combine(_, [left, right]) => {
                    let (left, right) = (*types.get(*left)?, *types.get(*right)?);
                    (left == right).then_some(left)?
                }
            });
        }
        let begins = matches!(self.steps[..], [Step::Left, Step::Right, ..]);
        let is_computed = types.iter().all(|ty| ty.is_computed() && !ty.is_complex());
        let fits = types.get(self.result) == Some(&self.element);
        (begins && is_computed && fits).then_some(types)
    }

    fn value(&self, left: ComputedNumber, right: ComputedNumber) -> Option<ComputedNumber> {
        let mut values: Vec<ComputedNumber> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            values.push(match *step {
                Step::Left => left,
                Step::Right => right,
                Step::Number(ty, number) => match ty {
                    ValueType::I64 => ComputedNumber::I64(number.integer),
                    _ => ComputedNumber::F64(number.float).to(ty),
                },
                Step::Convert(to, value) => values[value].to(to),
                Step::Apply(function, value) => match values[value] {
                    ComputedNumber::I64(value) => ComputedNumber::I64(function.of_integer(value)?),
                    ComputedNumber::F32(value) => ComputedNumber::F32(function.of_float(value)),
                    ComputedNumber::F64(value) => ComputedNumber::F64(function.of_double(value)),
                },
                Step::Combine(operator, [left, right]) => match (values[left], values[right]) {
                    (ComputedNumber::I64(left), ComputedNumber::I64(right)) => {
                        ComputedNumber::I64(operator.apply(left, right)?)
                    }
                    (ComputedNumber::F32(left), ComputedNumber::F32(right)) => {
                        ComputedNumber::F32(operator.apply(left, right)?)
                    }
                    (ComputedNumber::F64(left), ComputedNumber::F64(right)) => {
                        ComputedNumber::F64(operator.apply(left, right)?)
                    }
                    _ => return None,
                },
            });
        }
        values.get(self.result).copied()
    }

    fn text(&self) -> String {
        let mut text = format!("{PREFIX}{} {}", self.name, self.element.row().text);
        if let Some(identity) = self.identity {
            text += &format!(" identity {}", number_text(self.element, identity));
        }
        let words =
            [(self.properties.associative, " associative"), (self.properties.commutative, " commutative")];
        text.extend(words.into_iter().filter(|(is_stated, _)| *is_stated).map(|(_, word)| word));
        text += " : ";
        let steps: Vec<String> = self.steps.iter().skip(2).map(step_text).collect();
        text += &steps.join("; ");
        let _ = write!(text, "{}-> {}", if steps.is_empty() { "" } else { " " }, self.result);
        text
    }

    fn parse(text: &str) -> Option<Self> {
        let (head, body) = text.strip_prefix(PREFIX)?.split_once(" : ")?;
        let mut words = head.split(' ');
        let name = words.next()?.to_owned();
        let element = type_of(words.next()?)?;
        let (mut identity, mut properties) = (None, Properties::default());
        while let Some(word) = words.next() {
            match word {
                "identity" => identity = Some(number_of(element, words.next()?)?),
                "associative" => properties.associative = true,
                "commutative" => properties.commutative = true,
                _ => return None,
            }
        }
        let (list, result) = body.rsplit_once("-> ")?;
        let steps = list.trim().split("; ").filter(|step| !step.is_empty()).map(step_of);
        let steps: Vec<Step> = steps.collect::<Option<_>>()?;
        let steps = [Step::Left, Step::Right].into_iter().chain(steps).collect();
        Some(Self { name, element, identity, properties, steps, result: result.parse().ok()? })
    }
}

fn number_text(ty: ValueType, number: Constant) -> String {
    if ty == ValueType::I64 { number.integer.to_string() } else { format!("{:?}", number.float) }
}

fn number_of(ty: ValueType, text: &str) -> Option<Constant> {
    if ty == ValueType::I64 {
        let integer: i64 = text.parse().ok()?;
        return Some(Constant { float: integer as f64, integer });
    }
    let float: f64 = text.parse().ok()?;
    Some(Constant { float, integer: float as i64 })
}

fn type_of(text: &str) -> Option<ValueType> {
    ValueType::ALL.into_iter().find(|ty| ty.row().text == text)
}

fn step_text(step: &Step) -> String {
    match step {
        Step::Left | Step::Right => unreachable!("the operands are the first two steps"),
        Step::Number(ty, number) => format!("number {} {}", ty.row().text, number_text(*ty, *number)),
        Step::Convert(to, value) => format!("to {} {value}", to.row().text),
        Step::Apply(function, value) => format!("{} {value}", function.name()),
        Step::Combine(operator, [left, right]) => format!("{} {left} {right}", operator.name()),
    }
}

fn step_of(text: &str) -> Option<Step> {
    let words: Vec<&str> = text.split(' ').collect();
    let place = |word: &str| word.parse::<usize>().ok();
    Some(match words[..] {
        ["number", ty, number] => {
            let ty = type_of(ty)?;
            Step::Number(ty, number_of(ty, number)?)
        }
        ["to", ty, value] => Step::Convert(type_of(ty)?, place(value)?),
        [function, value] => Step::Apply(Function::named(function)?, place(value)?),
        [operator, left, right] => {
            let operator = Operator::ALL.iter().find(|row| row.name() == operator)?;
            Step::Combine(*operator, [place(left)?, place(right)?])
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HYPOT: &str =
        "def hypot2 f64 identity 0.0 associative commutative : mul 0 0; mul 1 1; add 2 3; sqrt 4 -> 5";

    #[test]
    fn texts_are_read_and_written() {
        let hypot = Operator::named(HYPOT).unwrap();
        assert_eq!(hypot.name(), HYPOT);
        assert_eq!(hypot.symbol(), "hypot2");
        assert_eq!(hypot, Operator::named(HYPOT).unwrap());
        assert_eq!(hypot.apply(3.0, 4.0), Some(5.0));
        assert_eq!(hypot.identity(), Some(Constant::ZERO));
        assert!(!hypot.keeps_order());
        for text in [
            "def left i64 identity -3 : -> 0",
            "def wrap i64 : add 0 1; to i8 2 -> 3",
            "def half f32 identity inf commutative : number f32 0.5; add 0 1; mul 2 3 -> 4",
            "def root i64 : to f64 0; sqrt 2; to i64 3 -> 4",
        ] {
            assert_eq!(OwnOperator::parse(text).map(|own| own.row().name), Some(text));
        }
    }

    #[test]
    fn values_are_those_of_the_types() {
        let of = |text: &str, pair: [i64; 2]| Operator::named(text).unwrap().apply(pair[0], pair[1]);
        assert_eq!(of("def wrap i64 : add 0 1; to i8 2 -> 3", [100, 100]), Some(-56));
        assert_eq!(of("def root i64 : to f64 0; sqrt 2; to i64 3 -> 4", [17, 0]), Some(4));
        assert_eq!(of("def ratio i64 : div 0 1 -> 2", [1, 0]), None);
        let half = Operator::named("def half f32 : number f32 0.1; mul 0 2 -> 3").unwrap();
        assert_eq!(half.apply(3.0_f32, 0.0), Some(3.0 * 0.1_f32));
        assert!(half.keeps_order());
    }

    /// What has no value at a step is no operator.
    #[test]
    fn texts_that_fit_nothing_are_refused() {
        for text in [
            "def f f64 : add 0 2 -> 2",
            "def f f64 : to i64 0; add 0 2 -> 3",
            "def f f64 : to i64 0 -> 2",
            "def f i8 : add 0 1 -> 2",
            "def f i64 : sqrt 0 -> 2",
            "def f f64 : nothing 0 1 -> 2",
            "def f f64 identity : -> 0",
            "def f f64",
        ] {
            assert!(Operator::named(text).is_none(), "{text}");
        }
    }
}
