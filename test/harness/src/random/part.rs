//! Parts of tensors in random programs: an operand is copied to a part of another tensor, or all of one, and
//! the expression reads a part of that; what is assigned is a part as well.

use super::kernel::{Kernel, Value};
use super::rng::Rng;

/// What an access has in place of a label.
#[derive(Clone, Copy, Debug)]
pub enum DrawnPart {
    /// The label.
    Whole,
    /// One coordinate, modulo the extent.
    At(usize),
    /// The label, shifted.
    Shift(i64),
    /// A slice, as long as the label, of a mode with so many coordinates behind it.
    Window { from: usize, step: usize, behind: usize },
}

/// Draws parts for some operands that the expression reads, and for the target if no mask is on it.
pub fn draw(rng: &mut Rng, kernel: &mut Kernel) {
    for operand in 0..kernel.operands.len() {
        let masks = kernel.mask.is_some_and(|mask| mask.operand == operand || operand == 0);
        let is_refused =
            masks || kernel.prints_entries && operand == 0 || is_transposed(&kernel.value, operand);
        if is_refused || rng.percent(40) {
            continue;
        }
        let modes = kernel.operands[operand].labels.len();
        kernel.operands[operand].part = (0..modes).map(|_| part(rng, operand == 0)).collect();
    }
}

fn part(rng: &mut Rng, is_target: bool) -> DrawnPart {
    match rng.below(10) {
        0..3 => DrawnPart::Whole,
        3 => DrawnPart::At(rng.below(8)),
        4..7 if !is_target => DrawnPart::Shift(rng.pick(&[0, 1, 1, -1, -1, 2, -2, 3, 9])),
        _ => DrawnPart::Window { from: rng.below(3), step: rng.pick(&[1, 1, 1, 2, 3]), behind: rng.below(3) },
    }
}

fn is_transposed(value: &Value, operand: usize) -> bool {
    match value {
        Value::Transposed(used) => *used == operand,
        Value::Operand(_) | Value::Number(_) => false,
        Value::Neg(inner) => is_transposed(inner, operand),
        Value::Binary(_, left, right) => is_transposed(left, operand) || is_transposed(right, operand),
        Value::Call(_, arguments) => arguments.iter().any(|argument| is_transposed(argument, operand)),
    }
}

impl DrawnPart {
    /// The extent of the mode, where that is not the label's, for a label of that size.
    pub(super) fn extent(self, size: usize) -> Option<usize> {
        match self {
            Self::Window { from, step, behind } => Some(from + size.saturating_sub(1) * step + 1 + behind),
            _ => None,
        }
    }

    /// The index that has the whole label.
    pub(super) fn whole(self, label: &str, size: usize) -> String {
        match self {
            Self::Window { from, step, .. } => {
                let end = if size == 0 { from } else { from + (size - 1) * step + 1 };
                let step = if step == 1 { String::new() } else { format!(":{step}") };
                format!("{label} in {from}:{end}{step}")
            }
            _ => label.to_owned(),
        }
    }

    /// The index of the expression.
    pub(super) fn index(self, label: &str, size: usize) -> String {
        match self {
            Self::At(at) if size > 0 => (at % size).to_string(),
            Self::Shift(by) if by < 0 => format!("{label} - {}", -by),
            Self::Shift(by) => format!("{label} + {by}"),
            _ => self.whole(label, size),
        }
    }
}
