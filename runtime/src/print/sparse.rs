//! A sparse tensor's arrays: two for each storage level in storage order, then the values.

use super::write_array;
use crate::options::NumberStyle;
use crate::tensor::{LevelStorage, Tensor};
use crate::values::with_values;
use comet_format::{Children, LevelArray, LevelKind};

pub(super) fn write(out: &mut Vec<u8>, tensor: &Tensor, style: NumberStyle) {
    for (level, arrays) in tensor.format.format.levels.iter().zip(&tensor.levels) {
        write_level(out, level.kind, arrays, style);
    }
    with_values!(&tensor.values, values => write_array(out, values.iter().copied(), style))
}

/// Writes the element −1 for an array that the level does not have.
fn write_level(out: &mut Vec<u8>, kind: LevelKind, arrays: &LevelStorage, style: NumberStyle) {
    match kind.children() {
        Children::One => write_array(out, [-1i64], style),
        Children::Every | Children::Segment => write_array(out, arrays.pos.iter(), style),
    }
    match kind.coordinate_array() {
        // A word is no signed number, so that its highest bit is no sign.
        Some(LevelArray::Words) => write_array(out, arrays.crd.iter().map(|word| word as u64), style),
        Some(_) => write_array(out, arrays.crd.iter(), style),
        None => write_array(out, [-1i64], style),
    }
}
