//! What a schedule asks to run at once, against what the machine has (stardust.txt section 9.2): 16 lanes in
//! a vector, and 16 shuffle networks, which limit how many copies of outer loops' bodies there can be.

use super::{Lowered, expr};
use crate::app::{App, Block, Domain, Expr, ExprKind, Kind, has_controllers};
use std::collections::BTreeMap;

/// The lanes of a vector, and the shuffle networks, each for one copy.
pub(super) const MOST: i64 = 16;

/// Gives inner loops what outer ones leave of the copies that there may be: factors of loops around each
/// other multiply. Tells what it has lowered.
pub(super) fn fit(mut app: App) -> Lowered {
    let parameters = app.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.value));
    let mut fitting = Fitting { parameters: parameters.collect(), notes: Vec::new() };
    fitting.block(&mut app.accel, 1);
    Lowered { app, notes: fitting.notes }
}

struct Fitting {
    parameters: BTreeMap<String, i64>,
    notes: Vec<String>,
}

impl Fitting {
    fn block(&mut self, statements: &mut Block, copies: i64) {
        for statement in statements {
            match &mut statement.kind {
                Kind::Foreach { domain, body, .. }
                | Kind::Reduce { domain, body, .. }
                | Kind::MemReduce { domain, body, .. } => self.pattern(domain, body, copies),
                Kind::If { then, otherwise, .. } => {
                    self.block(then, copies);
                    self.block(otherwise, copies);
                }
                _ => {}
            }
        }
    }

    fn pattern(&mut self, domain: &mut Domain, body: &mut Block, copies: i64) {
        if !has_controllers(body) {
            return;
        }
        let binder = domain.binders().first().map_or_else(String::new, |binder| (*binder).to_owned());
        let Some(par) = factor(domain) else { return };
        let lanes = self.number(par);
        let left = (MOST / copies).max(1);
        if lanes > left {
            *par = expr::int(left);
            self.notes.push(format!(
                "{left} of {lanes} rounds of the loop over `{binder}` run at once: {MOST} copies may be, and the loops around it make {copies}"
            ));
        }
        self.block(body, copies.saturating_mul(lanes.min(left)));
    }

    /// A factor: a number, or a parameter.
    fn number(&self, of: &Expr) -> i64 {
        match &of.kind {
            ExprKind::Int(number) => *number,
            ExprKind::Name(name) => self.parameters.get(name).copied().unwrap_or(1),
            _ => 1,
        }
    }
}

/// How many rounds of a pattern run at once.
fn factor(domain: &mut Domain) -> Option<&mut Expr> {
    match domain {
        Domain::Counters(counters) => counters.last_mut()?.par.as_mut(),
        Domain::Scan { par, .. } | Domain::ScanTwo { par, .. } => Some(par),
    }
}
