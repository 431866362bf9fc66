use crate::Error;
use crate::coordinates::reserve;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Random numbers whose stream is fixed by the publication of PCG (O'Neill 2014, XSL RR 128/64).
pub(crate) struct Random(Pcg64);

/// Any odd number does; this one is 2^128 divided by the golden ratio, so that neighbouring seeds start far
/// apart.
const SPREAD: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
const STREAM: u128 = 0x636F_6D65_7420_6765_6E65_7261_746F_7273;

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(Pcg64::new(u128::from(seed).wrapping_mul(SPREAD), STREAM))
    }

    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Uniform on 0 … bound − 1, but for a bias below bound / 2^64.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(bound)) >> 64) as u64
    }

    /// Uniform on [0, 1), a multiple of 2^−53.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// 0 … bound − 1 in random order (Fisher and Yates).
    pub(crate) fn permutation(&mut self, bound: u64) -> Result<Vec<u64>, Error> {
        let mut list = Vec::new();
        reserve(&mut list, u128::from(bound))?;
        list.extend(0..bound);
        for last in (1..list.len()).rev() {
            list.swap(last, self.below(last as u64 + 1) as usize);
        }
        Ok(list)
    }
}
