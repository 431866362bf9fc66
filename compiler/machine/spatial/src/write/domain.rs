//! The iterations of patterns, and what their bodies call them.

use super::expression::expression;
use crate::app::{Counter, Domain};

/// What iterations are of: a scan is spelled after that.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Within {
    Foreach,
    Reduction,
}

impl Within {
    fn scan(self) -> &'static str {
        match self {
            Self::Foreach => "Scan",
            Self::Reduction => "ScanRed",
        }
    }
}

/// What stands between the parentheses of a pattern.
pub(super) fn rounds(domain: &Domain, within: Within) -> String {
    let scan = within.scan();
    match domain {
        Domain::Counters(counters) => counters.iter().map(counter).collect::<Vec<_>>().join(", "),
        Domain::Scan { par, len, bits, .. } => {
            // Of one vector, either mode gives all of its bits.
            format!("{scan}({}, {}, \"or\", {bits}.deq)", expression(par), expression(len))
        }
        Domain::ScanTwo { par, len, mode, bits: [first, second], .. } => {
            let mode = mode.word();
            let (par, len) = (expression(par), expression(len));
            format!("{scan}({par}, {len}, \"{mode}\", {first}.deq, {second}.deq)")
        }
    }
}

/// `from until to by step par p`
fn counter(counter: &Counter) -> String {
    let Counter { from, to, step, par, .. } = counter;
    let from = from.as_ref().map_or_else(String::new, |from| format!("{} until ", expression(from)));
    let par = par.as_ref().map_or_else(String::new, |par| format!(" par {}", expression(par)));
    format!("{from}{} by {}{par}", expression(to), expression(step))
}

/// What stands in front of `=>`.
pub(super) fn binders(domain: &Domain) -> String {
    let names = domain.binders().join(", ");
    match domain {
        Domain::Counters(counters) if counters.len() == 1 => names,
        Domain::Counters(_) => format!("({names})"),
        Domain::Scan { .. } | Domain::ScanTwo { .. } => format!("case List({names})"),
    }
}
