//! How much work is below an entry of an operand that names a fiber of another one: in `A[i,k] * B[k,j]`, as
//! much as row `k` of `B` stores. Only the matrices show it; tasks are to have enough of it, and parts of a
//! result no more than a cache has room for. So some entries are looked at.

use super::Emitter;
use super::env::Env;
use crate::cin_to_scf::plan::{Below, FanOut};
use comet_ir::{Compare, Result, Val};
use comet_notation::concrete::Access;

/// The most entries that are looked at, evenly apart.
const SAMPLES: i64 = 512;

impl<'c> Emitter<'_, 'c> {
    /// The work below iterations from one to below another, of which `stored` is what is stored there: each
    /// entry counts as many times as the fibers that it names store something on average, at least once.
    pub(super) fn with_fibers(
        &self,
        env: &Env<'c>,
        (fan_outs, bounds): (&[FanOut], [Val<'c>; 2]),
        stored: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        fan_outs.iter().try_fold(stored, |work, fan_out| {
            let b = env.b;
            let [start, stop] = self.entries_below(env, fan_out.entries, bounds)?;
            let entries = b.subi(stop, start)?;
            // Rounded up, so that there are no more samples; and as many as the loop below visits.
            let one = self.constant(1)?;
            let step = b.maxi(self.ceil_div(b, entries, SAMPLES)?, one)?;
            let samples = b.maxi(b.divi(b.addi(entries, b.subi(step, one)?)?, step)?, one)?;
            let lengths = self.sum_of_fibers(env, fan_out, [start, stop, step])?;
            b.divi(b.muli(work, b.maxi(lengths, samples)?)?, samples)
        })
    }

    /// The positions of an operand's last level that are below iterations from one to below another.
    fn entries_below(
        &self,
        env: &Env<'c>,
        below: Below,
        [start, stop]: [Val<'c>; 2],
    ) -> Result<'c, [Val<'c>; 2]> {
        Ok([self.stored_before(env, &below, start)?, self.stored_before(env, &below, stop)?])
    }

    /// How much the fibers store that some entries name.
    fn sum_of_fibers(
        &self,
        env: &Env<'c>,
        fan_out: &FanOut,
        [start, stop, step]: [Val<'c>; 3],
    ) -> Result<'c, Val<'c>> {
        let [entries, fibers] =
            [fan_out.entries.tensor, fan_out.fibers].map(|tensor| Access { tensor, indices: Vec::new() });
        let last = self.levels(&entries).len() - 1;
        let [zero, one] = [self.constant(0)?, self.constant(1)?];
        let sums = env.b.while_loop(
            &[start, zero],
            |b, carried| b.cmpi(Compare::Lt, carried[0], stop),
            |b, carried| {
                let env = env.within(b);
                let names = self.level_at(&env, &entries, last).coordinates()?;
                let named = b.load_index(names, carried[0])?;
                let fiber = [named, b.addi(named, one)?];
                let [from, to] = self.level_at(&env, &fibers, 1).segment_below(fiber)?;
                let sum = b.addi(carried[1], b.subi(to, from)?)?;
                Ok(vec![b.addi(carried[0], step)?, sum])
            },
        )?;
        Ok(sums[1])
    }
}
