//! Bit vectors: 512 bits at a time, in words of 32.

use super::faults::room;
use super::{Machine, Result};
use crate::interpret::program::{GenBits, Scan};
use comet_diag::{Diagnostic, Span};

/// Bits move in lines of so many words.
pub(super) const LINE: usize = 16;

/// Words of bit vectors, those of the first before those of the second.
pub(super) struct Words {
    pub(super) start: usize,
    pub(super) count: usize,
}

fn words_of(bits: usize) -> usize {
    LINE * bits.div_ceil(32 * LINE)
}

impl Machine<'_> {
    pub(super) fn gen_bits(&mut self, bits: &GenBits) -> Result<()> {
        let shift = self.evaluate(&bits.shift)? as i64;
        let max = self.evaluate(&bits.max)? as i64;
        let len = self.evaluate(&bits.len)? as i64;
        let max = self.length_of("bits", max, bits.span)?;
        let len = self.length_of("coordinates", len, bits.span)?;
        let waiting = self.fifos[bits.crd].waiting.len();
        if waiting < len {
            return Err(self.too_few_wait(bits.crd, len, bits.span));
        }
        let words = words_of(max);
        self.reserve(bits.bits, words)?;
        self.fifos[bits.bits].waiting.extend(std::iter::repeat_n(0, words));
        self.fifos[bits.bits].note();
        let counts = &mut self.bit_vectors[bits.number].counts;
        counts.launches += 1;
        counts.coordinates += len as u64;
        counts.steps += len.div_ceil(LINE).max(words / LINE) as u64;
        counts.lines += (words / LINE) as u64;
        let mut least = shift;
        for _ in 0..len {
            let crd = self.dequeue(bits.crd, bits.span)? as i64;
            let bit = crd.checked_sub(shift).filter(|&bit| crd >= least && bit < max as i64);
            let Some(bit) = bit else {
                return Err(self.is_no_bit(bits, crd, [shift, max as i64, least]));
            };
            let vector = &mut self.fifos[bits.bits].waiting;
            let begin = vector.len() - words;
            vector[begin + bit as usize / 32] |= 1 << (bit % 32);
            least = crd.saturating_add(1);
        }
        Ok(())
    }

    /// Dequeues the words that a scan goes over, onto those of the scans around it.
    pub(super) fn take_words<const VECTORS: usize>(&mut self, scan: &Scan<VECTORS>) -> Result<Words> {
        let len = self.evaluate(&scan.len)? as i64;
        let len = self.length_of("bits", len, scan.span)?;
        let words = Words { start: self.scanned.len(), count: words_of(len) };
        if VECTORS * words.count > self.room {
            let error = format!("there is no room to scan {len} bits");
            return Err(Diagnostic::error(scan.span, error).hint(room()).into());
        }
        self.room -= VECTORS * words.count;
        for fifo in scan.bits {
            let waiting = &mut self.fifos[fifo].waiting;
            if waiting.len() < words.count {
                return Err(self.too_few_wait(fifo, words.count, scan.span));
            }
            self.scanned.extend(waiting.drain(..words.count).map(|word| word as u32));
            self.check_behind(fifo, len, scan.span)?;
        }
        Ok(words)
    }

    /// The end of what [`Machine::take_words`] began.
    pub(super) fn leave_words(&mut self, words: &Words) {
        self.room += self.scanned.len() - words.start;
        self.scanned.truncate(words.start);
    }

    /// Checks that the vector that was taken last has no bits behind its end.
    fn check_behind(&self, fifo: usize, len: usize, span: Span) -> Result<()> {
        let words = words_of(len);
        let vector = &self.scanned[self.scanned.len() - words..];
        let last = len / 32;
        let beyond = vector.get(last).map_or(0, |word| word >> (len % 32) << (len % 32));
        let tail = std::iter::once(beyond).chain(vector.iter().skip(last + 1).copied());
        match tail.enumerate().find(|(_, word)| *word != 0) {
            None => Ok(()),
            Some((word, bits)) => {
                let bit = 32 * (last + word) + bits.trailing_zeros() as usize;
                Err(self.is_behind_end(fifo, [bit, len], span))
            }
        }
    }

    /// A number of things, which is not negative.
    pub(super) fn length_of(&self, what: &str, len: i64, span: Span) -> Result<usize> {
        usize::try_from(len)
            .map_err(|_| Diagnostic::error(span, format!("a number of {what} is {len}")).into())
    }
}
