//! Values, and when there is one.

use super::expr::{binary, expr, int, mux, name, negate, read, to, zero};
use super::nest::{Access, Home, How, Refusal, Value, Var};
use super::presence::Formula;
use super::{Lowering, Temporary};
use crate::app::{Expr, ExprKind, Operator, Type};

/// What a value is, and when it is there.
pub(super) struct Valued {
    pub(super) value: Expr,
    pub(super) formula: Formula,
    pub(super) element: Type,
    /// Whether it is 0 where it is not there.
    pub(super) is_zero_elsewhere: bool,
}

/// What stands for the variable in what is said of the marks of a temporary.
const MARKS: Var = Var::MAX;

impl Lowering<'_> {
    pub(super) fn value(&mut self, value: &Value) -> Result<Valued, Refusal> {
        let always = |value: Expr, element: Type| Valued {
            value,
            formula: Formula::True,
            element,
            is_zero_elsewhere: true,
        };
        Ok(match value {
            Value::Access(access) => self.element_of(access)?,
            Value::Int(number, element) => {
                let element = self.typed(element);
                always(to(int(*number), element.clone()), element)
            }
            Value::Float(number, element) => {
                let element = self.typed(element);
                always(to(expr(ExprKind::Float(*number)), element.clone()), element)
            }
            Value::Number(number) => {
                let (given, element) = &self.nest.numbers[*number];
                always(name(given), self.typed(element))
            }
            Value::Negate(value) => {
                let valued = self.value(value)?;
                Valued { value: negate(valued.value), ..valued }
            }
            Value::To(element, value) => {
                let (valued, element) = (self.value(value)?, self.typed(element));
                Valued { value: to(valued.value, element.clone()), element, ..valued }
            }
            Value::Combine(how, operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.combined(*how, *operator, left, right)
            }
        })
    }

    fn combined(&self, how: How, operator: Operator, left: Valued, right: Valued) -> Valued {
        let element = left.element.clone();
        match how {
            How::Intersect => Valued {
                value: binary(operator, left.value, right.value),
                formula: left.formula.and(right.formula),
                element,
                is_zero_elsewhere: false,
            },
            How::Union => Valued {
                value: binary(operator, self.or_zero(&left), self.or_zero(&right)),
                formula: left.formula.or(right.formula),
                element,
                is_zero_elsewhere: true,
            },
        }
    }

    /// A value, or 0 where there is none.
    pub(super) fn or_zero(&self, valued: &Valued) -> Expr {
        match self.scope.condition(&valued.formula).filter(|_| !valued.is_zero_elsewhere) {
            Some(condition) => mux(condition, valued.value.clone(), zero(valued.element.clone())),
            None => valued.value.clone(),
        }
    }

    fn element_of(&mut self, access: &Access) -> Result<Valued, Refusal> {
        let element = self.element(access.tensor);
        if self.nest.tensors[access.tensor].home != Home::OffChip {
            let temporary = self.temporaries.get(&access.tensor).cloned();
            let temporary = temporary.ok_or_else(|| {
                let name = &self.nest.tensors[access.tensor].name;
                Refusal::new(format!("`{name}` is read before it is computed"))
            })?;
            return Ok(self.temporary_value(access, &temporary, element));
        }
        let formula = self.stored_above(access, access.indices.len());
        let value = match self.scope.values.get(access) {
            Some(value) => Some(value.clone()),
            None => self.slice_value(access),
        };
        let value = value.ok_or_else(|| {
            let name = &self.nest.tensors[access.tensor].name;
            Refusal::new(format!("`{name}` is read under a variable that no loop around binds"))
        })?;
        Ok(Valued { value, formula, element, is_zero_elsewhere: false })
    }

    fn temporary_value(&mut self, access: &Access, temporary: &Temporary, element: Type) -> Valued {
        let is_register = self.nest.tensors[access.tensor].home == Home::Scalar;
        let at = |memory: &String, index: &Option<Expr>| match index {
            Some(index) => read(memory, index.clone()),
            None => name(memory),
        };
        let index = (!is_register).then(|| self.index_from(access, 0));
        let mut formula = temporary.formula.clone();
        if let Some(marks) = &temporary.marks {
            let atom = (access.clone(), MARKS);
            let mark = binary(Operator::Equal, at(marks, &index), int(1));
            self.scope.flags.insert(atom.clone(), mark);
            formula = formula.and(Formula::Stored(atom));
        }
        Valued { value: at(&temporary.memory, &index), formula, element, is_zero_elsewhere: false }
    }
}
