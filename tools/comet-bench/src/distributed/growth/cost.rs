//! A model of the time of a product of a matrix and K dense columns, and formulas for other divisions.

/// The columns of the dense operand.
pub(super) const COLUMNS: f64 = 32.0;

/// A cluster: what a process computes in a second, the time of a message, and what comes in in a second.
#[derive(Clone, Copy, Debug)]
pub(super) struct ModelHost {
    pub(super) flops: f64,
    pub(super) latency: f64,
    pub(super) bandwidth: f64,
}

/// The network of the simulated platform, and about the rate of SpMM with 32 columns on one core of the
/// pages' machine.
pub(super) const MACHINE: ModelHost = ModelHost { flops: 2e10, latency: 1.5e-6, bandwidth: 12.5e9 };

/// What the process that has the most of each has to do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Share {
    pub(super) entries: f64,
    /// Rows of the dense operand and of the result that come in.
    pub(super) rows: f64,
    pub(super) messages: f64,
}

impl ModelHost {
    pub(super) fn seconds(&self, share: Share) -> f64 {
        2.0 * share.entries * COLUMNS / self.flops
            + self.latency * share.messages
            + 8.0 * COLUMNS * share.rows / self.bandwidth
    }
}

/// A matrix of so many rows and entries, on so many processes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem {
    pub(super) rows: f64,
    pub(super) entries: f64,
    pub(super) processes: f64,
}

impl Problem {
    /// 2D: a process of a grid of √P by √P receives the operand's rows for its columns, and its share of the
    /// sums of partial rows, whatever its entries are. Entries are assumed to be even.
    pub(super) fn two_d(&self) -> Share {
        let side = self.processes.sqrt();
        let share = 1.0 - 1.0 / side;
        Share {
            entries: self.entries / self.processes,
            rows: 2.0 * self.rows / side * share,
            messages: 2.0 * (side - 1.0),
        }
    }

    /// 1.5D with c copies of the operand (Tripathy et al., *Reducing Communication in Graph Neural Network
    /// Training*, 2020): P/c² blocks of c·n/P rows come in, and partial rows of c·n/P rows are summed among c
    /// processes.
    pub(super) fn replicated(&self, copies: f64) -> Share {
        let Self { rows, processes, .. } = *self;
        Share {
            entries: self.entries / processes,
            rows: rows / copies - rows / processes + rows * (copies - 1.0) / processes,
            messages: processes / (copies * copies) - 1.0 + copies - 1.0,
        }
    }

    /// The copies, a power of two up to √P, with which 1.5D is fastest.
    pub(super) fn best_copies(&self, machine: &ModelHost) -> f64 {
        let copies = (0..32).map(|power| f64::from(1u32 << power)).take_while(|c| c * c <= self.processes);
        let time = |copies: &f64| machine.seconds(self.replicated(*copies));
        copies.min_by(|one, other| time(one).total_cmp(&time(other))).unwrap_or(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROBLEM: Problem = Problem { rows: 6400.0, entries: 64_000.0, processes: 64.0 };

    #[test]
    fn one_copy_is_an_allgather() {
        let all = PROBLEM.replicated(1.0);
        assert_eq!((all.rows, all.messages), (6300.0, 63.0));
        let square = PROBLEM.replicated(8.0);
        assert_eq!((square.rows, square.messages), (1400.0, 7.0));
        assert_eq!(PROBLEM.two_d().rows, 1400.0);
    }

    /// 6,400 flops at 6,400 in a second, two messages of a second, 256 bytes of a row at 256 in a second.
    #[test]
    fn terms_are_added() {
        let machine = ModelHost { flops: 6400.0, latency: 1.0, bandwidth: 256.0 };
        assert_eq!(machine.seconds(Share { entries: 100.0, rows: 3.0, messages: 2.0 }), 1.0 + 2.0 + 3.0);
    }
}
