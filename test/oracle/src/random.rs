//! `random()`, as the run time documents it: the row-major positions are walked with jumps whose lengths are
//! drawn from the geometric distribution by splitmix64, and a value is a hash of the seed and the position.

use comet_syntax::ast::Element;

use crate::error::{OracleError, Result};
use crate::number::{TypedNumber, computed};
use crate::tensor::DenseTensor;

/// The increment of splitmix64.
const INCREMENT: u64 = 0x9e37_79b9_7f4a_7c15;

/// Fills a tensor with random content.
pub(crate) fn fill(target: &mut DenseTensor, density: f64, seed: u64) -> Result<()> {
    if !(0.0..=1.0).contains(&density) {
        return Err(OracleError::new("a density is from 0 to 1"));
    }
    let mut cells = vec![None; target.size()];
    for position in positions(cells.len(), density, seed) {
        cells[position] = Some(value(seed, position as u64, target.element));
    }
    target.store(cells)
}

/// The positions that are stored: a jump passes over as many absent ones as there are failures before a
/// success.
fn positions(size: usize, density: f64, seed: u64) -> Vec<usize> {
    if density == 0.0 || density == 1.0 {
        return if density == 0.0 { Vec::new() } else { (0..size).collect() };
    }
    let mut found = Vec::new();
    let (mut at, mut state) = (0.0, start(seed));
    loop {
        state = state.wrapping_add(INCREMENT);
        let uniform = 1.0 - unit(mixed(state));
        at += (uniform.ln() / (-density).ln_1p()).floor();
        if at >= size as f64 {
            return found;
        }
        found.push(at as usize);
        at += 1.0;
    }
}

/// Uniform on [0, 1); integers on 1 to 9.
fn value(seed: u64, position: u64, element: Element) -> TypedNumber {
    let hash = mixed(mixed(start(seed)).wrapping_add(position.wrapping_mul(INCREMENT)));
    let number = match computed(element) {
        Element::F64 => TypedNumber::F64(unit(hash)),
        Element::F32 => TypedNumber::F32(narrow(hash)),
        // The imaginary part is drawn from the hash of the real one's.
        Element::C128 => TypedNumber::C128(unit(hash), unit(mixed(hash.wrapping_add(INCREMENT)))),
        Element::C64 => TypedNumber::C64(narrow(hash), narrow(mixed(hash.wrapping_add(INCREMENT)))),
        _ => TypedNumber::I64(1 + (hash % 9) as i64),
    };
    number.to(element)
}

/// The state that a seed begins with.
fn start(seed: u64) -> u64 {
    mixed(seed.wrapping_add(INCREMENT))
}

/// The output function of splitmix64.
fn mixed(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// The highest 24 bits as a number in [0, 1).
fn narrow(hash: u64) -> f32 {
    (hash >> 40) as f32 / 16_777_216.0
}

/// The highest 53 bits as a number in [0, 1).
fn unit(hash: u64) -> f64 {
    (hash >> 11) as f64 / 9_007_199_254_740_992.0
}
