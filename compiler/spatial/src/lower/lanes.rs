//! What a schedule asks to run at once, against what the machine has (stardust.txt section 9.2): 16 lanes in
//! a vector, and 16 shuffle networks for what uses sparse SRAMs.

use super::expr;
use crate::app::{App, Block, Domain, Expr, ExprKind, Kind, MemoryKind};
use std::collections::BTreeMap;

/// The lanes of a vector, and the shuffle networks, each for one copy of what uses sparse SRAMs.
pub(super) const MOST: i64 = 16;

/// Gives inner loops what outer ones leave of the networks: factors of loops around each other multiply.
pub(super) fn fit(mut app: App) -> App {
    let networks = if uses_sparse(&app.accel) { MOST } else { i64::MAX };
    let parameters = app.parameters.iter().map(|parameter| (parameter.name.clone(), parameter.value));
    let machine = Machine { parameters: parameters.collect(), networks };
    machine.block(&mut app.accel, 1);
    app
}

/// What limits an application: 16 networks, if it has sparse SRAMs.
struct Machine {
    parameters: BTreeMap<String, i64>,
    networks: i64,
}

impl Machine {
    fn block(&self, statements: &mut Block, copies: i64) {
        for statement in statements {
            match &mut statement.kind {
                Kind::Foreach { domain, body }
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

    fn pattern(&self, domain: &mut Domain, body: &mut Block, copies: i64) {
        let Some(par) = factor(domain).filter(|_| has_patterns(body)) else { return };
        let lanes = self.number(par);
        let left = (self.networks / copies).max(1);
        if lanes > left {
            *par = expr::int(left);
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

fn has_patterns(body: &Block) -> bool {
    body.iter().any(|statement| {
        matches!(statement.kind, Kind::Foreach { .. } | Kind::Reduce { .. } | Kind::MemReduce { .. })
    })
}

fn uses_sparse(body: &Block) -> bool {
    body.iter().any(|statement| match &statement.kind {
        Kind::Memory(memory) => matches!(memory.kind, MemoryKind::SparseSram { .. }),
        Kind::Foreach { body, .. } | Kind::Reduce { body, .. } | Kind::MemReduce { body, .. } => {
            uses_sparse(body)
        }
        _ => false,
    })
}
