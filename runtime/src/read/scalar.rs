//! The file of a rank-0 tensor: one number.

use super::field::FileValue;
use super::lines::{self, LineRules, ValueField};
use crate::coordinates::CoordinateTensor;
use crate::error::Error;
use std::path::Path;

pub(super) fn read<V: FileValue>(path: &Path, text: &[u8]) -> Result<CoordinateTensor, Error> {
    let rules = LineRules {
        path,
        value: V::TYPE,
        first_line: 1,
        base: 0,
        offset: 0,
        largest: &[],
        field: ValueField::Number,
        comment: Some(b'#'),
    };
    let lines = lines::parse::<V>(text, &rules)?;
    if lines.values.len() != 1 {
        let message = format!("expected one number for a tensor of rank 0, found {}", lines.values.len());
        return Err(Error::malformed(path, None, message));
    }
    Ok(CoordinateTensor { dims: Vec::new(), coords: Vec::new(), values: V::column(lines.values) })
}
