//! The iterations of patterns.

use super::bits::LINE;
use super::{Machine, Result};
use crate::interpret::program::{Counter, Domain, PatternSteps, Scan};
use comet_diag::Diagnostic;

impl Machine<'_> {
    pub(super) fn each_iteration(
        &mut self,
        pattern: &PatternSteps,
        mut iteration: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        self.patterns[pattern.number].counts.launches += 1;
        self.pop(&pattern.barriers.pops)?;
        if let Some(guard) = pattern.guard {
            self.guards[guard].launch = self.tick();
        }
        let mut iterations = 0;
        let ended = {
            let iteration = |machine: &mut Self| {
                iterations += 1;
                if let Some(guard) = pattern.guard {
                    machine.guards[guard].iteration = machine.tick();
                }
                iteration(machine).map_err(|fault| machine.in_iteration(fault, pattern))
            };
            match &pattern.domain {
                Domain::Counters(counters) => self.count(counters, iteration),
                Domain::Scan(scan) => self.scan_one(scan, iteration),
                Domain::ScanOr(scan) => self.scan_two(scan, |first, second| first | second, iteration),
                Domain::ScanAnd(scan) => self.scan_two(scan, |first, second| first & second, iteration),
            }
        };
        let counts = &mut self.patterns[pattern.number].counts;
        counts.iterations += iterations;
        counts.steps += ended?;
        self.push(&pattern.barriers.pushes);
        Ok(())
    }

    /// The last counter is the fastest. Returns the steps: so many iterations as a factor says begin in one.
    fn count(
        &mut self,
        counters: &[Counter],
        mut iteration: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<u64> {
        if !self.bounds(counters)? {
            return Ok(0);
        }
        let steps = counters.iter().fold(1u64, |steps, counter| {
            let [from, to, step] = counter.bounds.map(|slot| self.slots[slot] as i64);
            let values = to.abs_diff(from).div_ceil(step.unsigned_abs());
            steps.saturating_mul(values.div_ceil(counter.par))
        });
        loop {
            iteration(self)?;
            if !self.advance(counters) {
                return Ok(steps);
            }
        }
    }

    /// Computes the bounds of counters, and puts them to their first values, if there is an iteration.
    fn bounds(&mut self, counters: &[Counter]) -> Result<bool> {
        let mut has_iterations = true;
        for counter in counters {
            let [from, to, step] =
                [self.evaluate(&counter.from)?, self.evaluate(&counter.to)?, self.evaluate(&counter.step)?];
            if step as i64 <= 0 {
                let error = format!("a counter goes on by {}, and 1 is the least", step as i64);
                return Err(Diagnostic::error(counter.span, error).into());
            }
            has_iterations &= (from as i64) < to as i64;
            for (slot, word) in counter.bounds.into_iter().zip([from, to, step]) {
                self.slots[slot] = word;
            }
            self.slots[counter.binder] = from;
        }
        Ok(has_iterations)
    }

    #[inline]
    fn advance(&mut self, counters: &[Counter]) -> bool {
        for counter in counters.iter().rev() {
            let [from, to, step] = counter.bounds.map(|slot| self.slots[slot] as i64);
            let next = (self.slots[counter.binder] as i64).saturating_add(step);
            if next < to {
                self.slots[counter.binder] = next as u64;
                return true;
            }
            self.slots[counter.binder] = from as u64;
        }
        false
    }

    fn scan_one(
        &mut self,
        scan: &Scan<1>,
        mut iteration: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<u64> {
        let words = self.take_words(scan)?;
        let mut number = 0;
        let mut steps = ScanSteps::new(scan.par);
        for word in 0..words.count {
            let mut bits = self.scanned[words.start + word];
            steps.word(word, bits);
            while bits != 0 {
                self.slots[scan.coordinate] = u64::from(32 * word as u32 + bits.trailing_zeros());
                self.slots[scan.numbers[0]] = number;
                number += 1;
                bits &= bits - 1;
                iteration(self)?;
            }
        }
        self.leave_words(&words);
        Ok(steps.all())
    }

    fn scan_two(
        &mut self,
        scan: &Scan<2>,
        joined: fn(u32, u32) -> u32,
        mut iteration: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<u64> {
        let words = self.take_words(scan)?;
        let mut steps = ScanSteps::new(scan.par);
        let mut before = [0, 0];
        let mut number = 0;
        for word in 0..words.count {
            let vectors = [0, 1].map(|vector| self.scanned[words.start + vector * words.count + word]);
            let mut bits = joined(vectors[0], vectors[1]);
            steps.word(word, bits);
            while bits != 0 {
                let bit = bits.trailing_zeros();
                self.slots[scan.coordinate] = u64::from(32 * word as u32 + bit);
                for (vector, slot) in scan.numbers.into_iter().enumerate() {
                    self.slots[slot] = number_in(vectors[vector], bit, before[vector]) as u64;
                }
                if let Some(slot) = scan.number {
                    self.slots[slot] = number;
                }
                number += 1;
                bits &= bits - 1;
                iteration(self)?;
            }
            before = [0, 1].map(|vector| before[vector] + i64::from(vectors[vector].count_ones()));
        }
        self.leave_words(&words);
        Ok(steps.all())
    }
}

/// The steps of a scan: one for each line of bits, and for one with more bits that are 1 than there are
/// iterations at once as many as these take.
struct ScanSteps {
    par: u64,
    /// Those of the lines before.
    done: u64,
    /// How many bits of this line are 1.
    ones: u64,
}

impl ScanSteps {
    fn new(par: u64) -> Self {
        Self { par, done: 0, ones: 0 }
    }

    fn word(&mut self, number: usize, bits: u32) {
        self.ones += u64::from(bits.count_ones());
        if (number + 1).is_multiple_of(LINE) {
            self.done += self.ones.div_ceil(self.par).max(1);
            self.ones = 0;
        }
    }

    fn all(self) -> u64 {
        self.done
    }
}

/// The number of a bit among those that are 1 in a vector, or −1 where it is 0 there.
fn number_in(word: u32, bit: u32, before: i64) -> i64 {
    match word >> bit & 1 {
        0 => -1,
        _ => before + i64::from((word & ((1 << bit) - 1)).count_ones()),
    }
}
