//! The iterations of patterns that do not run.

use super::expected::Expected;
use super::{Known, LINE, Predictor};
use crate::app::{Counter, Domain, Expr, ScanMode};

impl<'a> Predictor<'a> {
    /// The iterations of a domain and its steps, on average, and how many iterations begin at once.
    pub(super) fn iterations(&mut self, domain: &'a Domain) -> (Expected, f64, u64) {
        match domain {
            Domain::Counters(counters) => {
                let each: Vec<(Expected, f64, u64)> =
                    counters.iter().map(|counter| self.counter(counter)).collect();
                for counter in counters {
                    self.names.declare(&counter.binder, Known::Value(Expected::Number(0.0)));
                }
                let steps = each.iter().map(|(_, steps, _)| steps).product();
                let par = each.iter().map(|(_, _, par)| par).product();
                let iterations = match &each[..] {
                    [(iterations, ..)] => iterations.clone(),
                    all => {
                        Expected::Number(all.iter().map(|(iterations, ..)| self.number(iterations)).product())
                    }
                };
                (iterations, steps, par)
            }
            Domain::Scan { par, len, bits, binders } => {
                let (par, lines) = (self.factor(par), self.lines(len));
                let set = self.bits(bits);
                for binder in binders {
                    self.names.declare(binder, Known::Value(Expected::Condition(1.0)));
                }
                (Expected::Number(set), lines.max(set / par as f64), par)
            }
            Domain::ScanTwo { par, len, mode, bits: [first, second], binders } => {
                let (par, lines) = (self.factor(par), self.lines(len));
                let len = self.value(len);
                let len = self.number(&len).max(1.0);
                let (first, second) = (self.bits(first), self.bits(second));
                let both = first * second / len;
                let set = match mode {
                    ScanMode::Or => first + second - both,
                    ScanMode::And => both,
                };
                let often = |part: f64| match mode {
                    ScanMode::Or if set > 0.0 => part / set,
                    _ => 1.0,
                };
                let found = [1.0, often(first), 1.0, often(second)];
                for (binder, often) in binders.iter().zip(found) {
                    self.names.declare(binder, Known::Value(Expected::Condition(often)));
                }
                (Expected::Number(set), lines.max(set / par as f64), par)
            }
        }
    }

    fn counter(&self, counter: &'a Counter) -> (Expected, f64, u64) {
        let par = counter.par.as_ref().map_or(1, |par| self.factor(par));
        let to = self.value(&counter.to);
        let len = match &counter.from {
            Some(from) => self.difference(&to, &self.value(from)),
            None => to,
        };
        let step = self.number(&self.value(&counter.step)).max(1.0);
        if step > 1.0 {
            let iterations = (self.number(&len) / step).ceil();
            return (Expected::Number(iterations), (iterations / par as f64).ceil(), par);
        }
        let steps = self.steps(&len, par);
        (len, steps, par)
    }

    fn lines(&self, len: &Expr) -> f64 {
        (self.number(&self.value(len)) / LINE).ceil()
    }

    fn bits(&self, fifo: &str) -> f64 {
        match self.known(fifo) {
            Some(Known::Memory { bits, .. }) => self.number(bits),
            _ => 0.0,
        }
    }
}
