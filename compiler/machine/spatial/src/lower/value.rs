//! Values, and when there is one.

use super::expr::{applied, binary, combined, expr, int, mux, name, negate, read, to, zero};
use super::nest::{Home, NestAccess, Refusal, Value};
use super::presence::{Atom, Formula};
use super::{Emitter, Temporary};
use crate::app::{self, AppExpr, ExprKind, Type};
use comet_notation::{Operator, Patterns};

pub(super) struct Valued {
    pub(super) value: AppExpr,
    pub(super) formula: Formula,
    pub(super) element: Type,
    /// Whether it is 0 where it is not there.
    pub(super) is_zero_elsewhere: bool,
    /// Whether it is what a dense result holds where nothing comes, there.
    pub(super) stands_elsewhere: bool,
}

impl Emitter<'_> {
    pub(super) fn value(&mut self, value: &Value) -> Result<Valued, Refusal> {
        let always = |value: AppExpr, element: Type| Valued {
            value,
            formula: Formula::True,
            element,
            is_zero_elsewhere: true,
            stands_elsewhere: false,
        };
        Ok(match value {
            Value::Access(access) => self.element_of(access)?,
            Value::Int(number, element) => {
                let element = self.typed(*element);
                always(to(int(*number), element.clone()), element)
            }
            Value::Float(number, element) => {
                let element = self.typed(*element);
                always(to(expr(ExprKind::Float(*number)), element.clone()), element)
            }
            Value::Number(number) => {
                let (given, element) = &self.nest.numbers[*number];
                always(name(given), self.typed(*element))
            }
            Value::Negate(value) => {
                let valued = self.value(value)?;
                Valued { value: negate(valued.value), stands_elsewhere: false, ..valued }
            }
            Value::To(element, value) => {
                let (valued, element) = (self.value(value)?, self.typed(*element));
                let value = to(valued.value, element.clone());
                Valued { value, element, stands_elsewhere: false, ..valued }
            }
            Value::Apply(function, value) => {
                let valued = self.value(value)?;
                let value = applied(*function, valued.value, &valued.element)?;
                let is_zero_elsewhere = valued.is_zero_elsewhere && function.keeps_zero();
                Valued { value, is_zero_elsewhere, stands_elsewhere: false, ..valued }
            }
            Value::Mask { value, mask, complement } => {
                let valued = self.value(value)?;
                let atom = if *complement { Atom::MaskedOut } else { Atom::Masked };
                self.masked(valued, mask, atom(mask.clone()))?
            }
            Value::Combine(how, operation, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                if *operation == Operator::Pow {
                    return Err(Refusal::new(
                        "not supported yet: `pow`, in an application of parallel patterns",
                    ));
                }
                self.combined(*how, *operation, left, right)
            }
        })
    }

    fn masked(&mut self, valued: Valued, mask: &NestAccess, atom: Atom) -> Result<Valued, Refusal> {
        let stored = self.nest.stored_above(mask, mask.indices.len());
        let complement = matches!(atom, Atom::MaskedOut(_));
        let is_dense = self.nest.tensors[mask.tensor].last_compressed().is_none();
        if !is_dense && !complement {
            return Ok(Valued {
                formula: valued.formula.and(stored),
                is_zero_elsewhere: false,
                stands_elsewhere: false,
                ..valued
            });
        }
        let condition = if is_dense {
            let there = self.element_of(mask)?;
            let operator = if complement { app::Operator::Equal } else { app::Operator::NotEqual };
            Some(binary(operator, there.value, zero(there.element)))
        } else {
            Some(match self.scope.condition(&stored) {
                Some(condition) => expr(ExprKind::Not(Box::new(condition))),
                // What is stored everywhere lets nothing through.
                None => expr(ExprKind::Bool(false)),
            })
        };
        self.scope.flags.extend(condition.map(|condition| (atom.clone(), condition)));
        let formula = valued.formula.and(Formula::Atom(atom));
        Ok(Valued { formula, is_zero_elsewhere: false, stands_elsewhere: false, ..valued })
    }

    fn combined(&self, how: Patterns, operation: Operator, left: Valued, right: Valued) -> Valued {
        let element = left.element.clone();
        match how {
            Patterns::Intersection => Valued {
                value: combined(operation, left.value, right.value, &element),
                formula: left.formula.and(right.formula),
                element,
                is_zero_elsewhere: false,
                stands_elsewhere: false,
            },
            Patterns::Union => Valued {
                value: combined(operation, self.or_zero(&left), self.or_zero(&right), &element),
                formula: left.formula.or(right.formula),
                element,
                is_zero_elsewhere: true,
                stands_elsewhere: false,
            },
        }
    }

    pub(super) fn or_zero(&self, valued: &Valued) -> AppExpr {
        match self.scope.condition(&valued.formula).filter(|_| !valued.is_zero_elsewhere) {
            Some(condition) => mux(condition, valued.value.clone(), zero(valued.element.clone())),
            None => valued.value.clone(),
        }
    }

    fn element_of(&mut self, access: &NestAccess) -> Result<Valued, Refusal> {
        let element = self.element(access.tensor);
        if self.nest.tensors[access.tensor].home != Home::OffChip && !self.nest.is_row(access.tensor) {
            let temporary = self.temporaries.get(&access.tensor).cloned();
            let temporary = temporary.ok_or_else(|| {
                let name = &self.nest.tensors[access.tensor].name;
                Refusal::new(format!("`{name}` is read before it is computed"))
            })?;
            return Ok(self.temporary_value(access, &temporary, element));
        }
        let formula = self.nest.stored_above(access, access.indices.len());
        let value = match self.scope.values.get(access) {
            Some(value) => Some(value.clone()),
            None => self.slice_value(access),
        };
        let value = value.ok_or_else(|| {
            let name = &self.nest.tensors[access.tensor].name;
            Refusal::new(format!("`{name}` is read under a variable that no loop around binds"))
        })?;
        Ok(Valued { value, formula, element, is_zero_elsewhere: false, stands_elsewhere: false })
    }

    fn temporary_value(&mut self, access: &NestAccess, temporary: &Temporary, element: Type) -> Valued {
        let is_register = self.nest.tensors[access.tensor].home == Home::Scalar;
        let at = |memory: &String, index: &Option<AppExpr>| match index {
            Some(index) => read(memory, index.clone()),
            None => name(memory),
        };
        let index = (!is_register).then(|| self.index_from(access, 0));
        let mut formula = temporary.formula.clone();
        if let Some(marks) = &temporary.marks {
            let atom = Atom::Marks(access.clone());
            let mark = binary(app::Operator::Equal, at(marks, &index), int(1));
            self.scope.flags.insert(atom.clone(), mark);
            formula = formula.and(Formula::Atom(atom));
        }
        Valued {
            value: at(&temporary.memory, &index),
            formula,
            element,
            is_zero_elsewhere: false,
            stands_elsewhere: is_register,
        }
    }
}
