//! What a schedule asks to run at once, against what the machine has (stardust.txt section 9.2): 16 lanes of
//! 32 bits in a vector, two of which take a value of 64, and 16 shuffle networks, which limit how many copies
//! of outer loops' bodies there can be.

use super::nest::Nest;
use super::{Lowered, expr};
use crate::app::{App, AppExpr, Block, Domain, DramPart, ExprKind, Kind, Scalar, has_controllers};
use std::collections::BTreeMap;

/// The lanes of a vector, and the shuffle networks, each for one copy.
pub(super) const MOST: i64 = 16;

/// How many values of a statement a vector has: half as many of those that take two lanes.
pub(super) fn of_values(nest: &Nest) -> i64 {
    if has_wide_values(nest) { MOST / 2 } else { MOST }
}

fn has_wide_values(nest: &Nest) -> bool {
    let numbers = nest.numbers.iter().map(|(_, element)| *element);
    let mut types = nest.tensors.iter().map(|tensor| tensor.element).chain(numbers);
    types.any(|element: Scalar| element.bits() > 32)
}

/// What is said of lanes where values take two.
pub(super) fn remark(nest: &Nest) -> Option<String> {
    has_wide_values(nest).then(|| {
        format!("lanes are of 32 bits: values of 64 take two, so that {} run at once", of_values(nest))
    })
}

/// Leaves inner loops what outer ones do not take of the copies that there may be: factors of loops around
/// each other multiply. Puts no more values into vectors than they hold. Reports which factors it has
/// reduced.
pub(super) fn fit(nest: &Nest, mut app: App) -> Lowered {
    let parameters = app.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.value));
    let parameters = parameters.collect();
    let mut fitting = Fitting { parameters, values: of_values(nest), notes: Vec::new() };
    fitting.block(&mut app.accel, 1);
    Lowered { app, notes: fitting.notes }
}

struct Fitting {
    parameters: BTreeMap<String, i64>,
    values: i64,
    notes: Vec<String>,
}

impl Fitting {
    fn block(&mut self, statements: &mut Block, copies: i64) {
        for statement in statements {
            match &mut statement.kind {
                Kind::Pattern(pattern) => self.pattern(&mut pattern.domain, &mut pattern.body, copies),
                Kind::Load { part, .. } | Kind::Store { part, .. } => self.transfer(part),
                Kind::If { then, otherwise, .. } => {
                    self.block(then, copies);
                    self.block(otherwise, copies);
                }
                _ => {}
            }
        }
    }

    fn transfer(&self, part: &mut DramPart) {
        if let Some(par) = &mut part.par
            && self.number(par) > self.values
        {
            *par = expr::int(self.values);
        }
    }

    fn pattern(&mut self, domain: &mut Domain, body: &mut Block, copies: i64) {
        if !has_controllers(body) {
            if let Some(par) = factor(domain)
                && self.number(par) > self.values
            {
                *par = expr::int(self.values);
            }
            return;
        }
        let binder = domain.binders().first().map_or_else(String::new, |binder| (*binder).to_owned());
        let Some(par) = factor(domain) else { return };
        let lanes = self.number(par);
        let left = (MOST / copies).max(1);
        if lanes > left {
            *par = expr::int(left);
            self.notes.push(format!(
                "{left} of {lanes} iterations of the loop over `{binder}` run at once: {MOST} copies may be, and the loops around it make {copies}"
            ));
        }
        self.block(body, copies.saturating_mul(lanes.min(left)));
    }

    /// A factor: a number, or a parameter.
    fn number(&self, of: &AppExpr) -> i64 {
        match &of.kind {
            ExprKind::Int(number) => *number,
            ExprKind::Name(name) => self.parameters.get(name).copied().unwrap_or(1),
            _ => 1,
        }
    }
}

fn factor(domain: &mut Domain) -> Option<&mut AppExpr> {
    match domain {
        Domain::Counters(counters) => counters.last_mut()?.par.as_mut(),
        Domain::Scan { par, .. } | Domain::ScanTwo { par, .. } => Some(par),
    }
}
