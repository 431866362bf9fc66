//! `rmw-order`: a memory in which some elements are modified in order and others in any.

use super::scope::MemoryScope;
use crate::app::{Block, Expr, ExprKind, Kind, Modify, ModifyOrder, Statement};
use comet_diag::{Diagnostic, Span};
use std::collections::BTreeMap;

pub(super) fn check(accel: &Block) -> Vec<Diagnostic> {
    let mut walk = OrderCheck::default();
    walk.block(accel);
    walk.broken
}

#[derive(Default)]
struct OrderCheck {
    scope: MemoryScope,
    /// The order of each memory's modifications, and where it is said first.
    orders: BTreeMap<usize, (ModifyOrder, Span)>,
    broken: Vec<Diagnostic>,
}

impl OrderCheck {
    fn block(&mut self, block: &Block) {
        self.scope.names.enter();
        for statement in block {
            self.statement(statement);
            self.scope.declare(statement);
        }
        self.scope.names.leave();
    }

    fn statement(&mut self, statement: &Statement) {
        if let Kind::Modify(modify) = &statement.kind {
            self.modify(modify, statement.span);
        }
        statement.values().into_iter().for_each(|value| self.value(value));
        statement.iteration_value().into_iter().for_each(|value| self.value(value));
        statement.bodies().into_iter().for_each(|body| self.block(body));
    }

    fn value(&mut self, value: &Expr) {
        if let ExprKind::Modify(modify) = &value.kind {
            self.modify(modify, value.span);
        }
        value.parts().into_iter().for_each(|part| self.value(part));
    }

    fn modify(&mut self, modify: &Modify, span: Span) {
        let Some(memory) = self.scope.memory(&modify.memory) else { return };
        let (order, first) = *self.orders.entry(memory).or_insert((modify.order, span));
        if order != modify.order {
            let error = format!(
                "`{}` is modified `\"{}\"` here and `\"{}\"` elsewhere [rmw-order]",
                modify.memory,
                modify.order.word(),
                order.word()
            );
            self.broken.push(
                Diagnostic::error(span, error)
                    .also(first, "the other one")
                    .hint("a memory has one order for all of its modifications"),
            );
        }
    }
}
