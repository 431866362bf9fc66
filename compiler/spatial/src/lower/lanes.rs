//! What a schedule asks to run at once, against what the machine has (stardust.txt section 9.2): 16 lanes in a
//! vector, and 16 shuffle networks for what uses sparse SRAMs.

use super::nest::Refusal;
use crate::app::{App, Block, Domain, Expr, ExprKind, Kind, MemoryKind};

/// The lanes of a vector.
const LANES: i64 = 16;

/// The shuffle networks, each for one copy of what uses sparse SRAMs.
const NETWORKS: i64 = 16;

/// Refuses more rounds at once than there are lanes or networks for.
pub(super) fn check(app: &App) -> Result<(), Refusal> {
    let networks = if uses_sparse(&app.accel) { NETWORKS } else { i64::MAX };
    Machine { app, networks }.block(&app.accel, 1)
}

/// What limits an application: 16 networks, if it has sparse SRAMs.
struct Machine<'a> {
    app: &'a App,
    networks: i64,
}

impl Machine<'_> {
    fn block(&self, statements: &Block, copies: i64) -> Result<(), Refusal> {
        for statement in statements {
            match &statement.kind {
                Kind::Foreach { domain, body }
                | Kind::Reduce { domain, body, .. }
                | Kind::MemReduce { domain, body, .. } => self.pattern(domain, body, copies)?,
                Kind::If { then, otherwise, .. } => {
                    self.block(then, copies)?;
                    self.block(otherwise, copies)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn pattern(&self, domain: &Domain, body: &Block, copies: i64) -> Result<(), Refusal> {
        let lanes = self.lanes(domain);
        if !has_patterns(body) {
            let message =
                format!("{lanes} rounds of an innermost loop at once, and a vector has {LANES} lanes");
            return match lanes > LANES {
                true => Err(Refusal::new(message).hint(format!("ask for {LANES} at most"))),
                false => Ok(()),
            };
        }
        let copies = copies.saturating_mul(lanes);
        if copies > self.networks {
            let message = format!(
                "{copies} copies of a loop at once, and sparse SRAMs have {NETWORKS} shuffle networks"
            );
            return Err(Refusal::new(message).hint(
                "ask for fewer: the factors of loops around each other multiply, and the outermost has `bp`",
            ));
        }
        self.block(body, copies)
    }

    fn lanes(&self, domain: &Domain) -> i64 {
        match domain {
            Domain::Counters(counters) => {
                let factors = counters.iter().filter_map(|counter| counter.par.as_ref());
                factors.map(|par| self.number(par)).product()
            }
            Domain::Scan { par, .. } | Domain::ScanTwo { par, .. } => self.number(par),
        }
    }

    /// A factor: a number, or a parameter.
    fn number(&self, of: &Expr) -> i64 {
        match &of.kind {
            ExprKind::Int(number) => *number,
            ExprKind::Name(name) => {
                let parameter = self.app.parameters.iter().find(|parameter| parameter.name == *name);
                parameter.map_or(1, |parameter| parameter.value)
            }
            _ => 1,
        }
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
