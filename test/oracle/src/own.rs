//! Operators of semirings and monoids, which may be functions of the file.

use std::rc::Rc;

use comet_syntax::ast::{Element, Identity, IdentityValue, Module, Operator, OperatorName, Param};

use crate::action;
use crate::error::Result;
use crate::function::UserFunction;
use crate::number::{TypedNumber, apply, computed, identity};

/// An operator on two values.
#[derive(Clone)]
pub(crate) enum Combiner {
    Built(Operator),
    Own(Rc<OwnOperator>),
}

/// A function of the file as an operator.
pub(crate) struct OwnOperator {
    function: UserFunction,
    /// The type of its operands, as it is declared.
    stored: Element,
    /// The type that they are computed in.
    element: Element,
    identity: Option<Identity>,
}

impl Combiner {
    pub(crate) fn of(name: OperatorName, module: &Module) -> Option<Self> {
        let name = match name {
            OperatorName::Operator(operator) => return Some(Self::Built(operator)),
            OperatorName::Function(name) => name.text(),
        };
        let found = action::function(module, name)?;
        let (Some(Param::Scalar { element, .. }), Some(Param::Scalar { element: result, .. })) =
            (found.params.first(), &found.result)
        else {
            return None;
        };
        let function = UserFunction { module: module.clone(), name: name.to_owned(), result: *result };
        let identity = found.properties.as_ref().and_then(|properties| properties.identity);
        Some(Self::Own(Rc::new(OwnOperator {
            function,
            stored: *element,
            element: computed(*element),
            identity,
        })))
    }

    /// The type of its value, where the operands do not decide it.
    pub(crate) fn element(&self) -> Option<Element> {
        match self {
            Self::Built(_) => None,
            Self::Own(own) => Some(own.element),
        }
    }

    pub(crate) fn is_any(&self) -> bool {
        matches!(self, Self::Built(Operator::Any))
    }

    /// Whether both are one function of the file.
    pub(crate) fn is_same_own(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Own(one), Self::Own(other)) => one.function.name == other.function.name,
            _ => false,
        }
    }

    pub(crate) fn apply(&self, left: TypedNumber, right: TypedNumber) -> Result<TypedNumber> {
        match self {
            Self::Built(operator) => apply(*operator, left, right),
            Self::Own(own) => own.function.value(&[left.to(own.element), right.to(own.element)]),
        }
    }

    /// What a reduction of values of a type begins with.
    pub(crate) fn identity(&self, element: Element) -> TypedNumber {
        match self {
            Self::Built(operator) => identity(*operator, element),
            Self::Own(own) => own.identity(),
        }
    }

    /// What a dense tensor holds where nothing is reduced.
    pub(crate) fn nothing(&self, element: Element) -> TypedNumber {
        match self.identity(element) {
            // The nearest number of the type.
            number if element == Element::Bool => TypedNumber::I64(i64::from(number.to_f64() >= 1.0)),
            TypedNumber::I64(number) if element != Element::I64 => {
                TypedNumber::F64(number as f64).to(element)
            }
            number => number.to(element),
        }
    }
}

impl OwnOperator {
    fn identity(&self) -> TypedNumber {
        let Some(Identity { is_negative, value, .. }) = self.identity else {
            return TypedNumber::zero(self.element);
        };
        let sign = if is_negative { -1.0 } else { 1.0 };
        match (value, self.stored) {
            (IdentityValue::Infinite, Element::Bool) => TypedNumber::I64(i64::from(!is_negative)),
            (IdentityValue::Infinite, _) => TypedNumber::F64(sign * f64::INFINITY).to(self.stored),
            (IdentityValue::Number(number), _) => {
                let number = TypedNumber::written(number).to(self.element);
                (if is_negative { number.negated() } else { number }).to(self.stored)
            }
        }
    }
}
