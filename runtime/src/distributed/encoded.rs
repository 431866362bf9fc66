//! Tensors as messages: the lengths of all arrays, and then their bytes.

use crate::error::Error;
use crate::memory::{Array, Plain, bytes_of, bytes_of_mut};
use crate::presence::Presence;
use crate::tensor::{ArrayName, Index, IndexArray, Tensor, with_indices, with_width};
use crate::values::{Cell, Values, with_cell, with_values};
use comet_format::ValueType;

/// Returns the extents and the arrays of a tensor.
pub(super) fn encoded(tensor: &Tensor) -> Vec<u8> {
    let mut header: Vec<i64> = tensor.dims.clone();
    for level in &tensor.levels {
        header.extend([level.pos.len() as i64, level.crd.len() as i64]);
    }
    let marks = match &tensor.present {
        Presence::Marked(marks) => Some(marks),
        _ => None,
    };
    header.extend([tensor.values.len() as i64, marks.map_or(-1, |marks| marks.len() as i64)]);
    let mut bytes = Vec::with_capacity(size_of_val(&header[..]) + tensor.bytes());
    bytes.extend_from_slice(bytes_of(&header));
    for array in tensor.levels.iter().flat_map(|level| [&level.pos, &level.crd]) {
        with_indices!(array, array => bytes.extend_from_slice(bytes_of(array)));
    }
    with_values!(&tensor.values, array => bytes.extend_from_slice(bytes_of(array)));
    bytes.extend(marks.into_iter().flat_map(|marks| bytes_of(marks)));
    bytes
}

/// Returns the tensor that a message has, in the format of another one.
pub(super) fn decoded(bytes: &[u8], like: &Tensor) -> Result<Tensor, Error> {
    let mut tensor = Tensor::new(&like.name, like.format.clone());
    tensor.dims_stated.clone_from(&like.dims_stated);
    let rank = like.dims.len();
    let mut message = Message { rest: bytes, tensor: &like.name };
    let mut header = vec![0i64; rank + 2 * like.levels.len() + 2];
    message.fill(&mut header)?;
    tensor.dims = header[..rank].to_vec();
    for (level, lengths) in tensor.levels.iter_mut().zip(header[rank..].chunks(2)) {
        level.pos = message.indices(&level.pos, lengths[0])?;
        level.crd = message.indices(&level.crd, lengths[1])?;
    }
    let [values, marks] = [header[header.len() - 2], header[header.len() - 1]];
    let of = tensor.format.value;
    tensor.values = with_cell!(of, T => message.values::<T>(values, of)?);
    if marks >= 0 {
        tensor.present = Presence::Marked(message.array(marks)?);
    }
    Ok(tensor)
}

struct Message<'a> {
    rest: &'a [u8],
    tensor: &'a str,
}

impl Message<'_> {
    fn fill<T: Plain>(&mut self, elements: &mut [T]) -> Result<(), Error> {
        let Some((own, rest)) = self.rest.split_at_checked(size_of_val(elements)) else {
            return Err(Error::Internal(format!("a message with a part of `{}` is too short", self.tensor)));
        };
        bytes_of_mut(elements).copy_from_slice(own);
        self.rest = rest;
        Ok(())
    }

    fn array<T: Plain>(&mut self, len: i64) -> Result<Array<T>, Error> {
        let what = ArrayName { tensor: self.tensor, part: "a part of another process" };
        let mut array = Array::<T>::unspecified(len.max(0) as usize, &what)?;
        self.fill(&mut array)?;
        Ok(array)
    }

    fn indices(&mut self, like: &IndexArray, len: i64) -> Result<IndexArray, Error> {
        with_width!(like.width(), N => self.indices_of_width::<N>(len))
    }

    fn indices_of_width<I: Index>(&mut self, len: i64) -> Result<IndexArray, Error> {
        self.array(len).map(I::store)
    }

    fn values<T: Cell>(&mut self, len: i64, of: ValueType) -> Result<Values, Error> {
        Ok(T::store(self.array(len)?, of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coordinates::CoordinateTensor;
    use crate::pack::pack;
    use crate::unpack::unpack;
    use crate::values::ValueColumn;

    #[test]
    fn tensors_are_read_as_they_are_written() {
        let entries = CoordinateTensor {
            dims: vec![4, 5],
            coords: vec![vec![0, 0, 2, 3], vec![1, 4, 0, 3]],
            values: ValueColumn::F64(vec![1.0, -2.0, 0.0, 4.5]),
        };
        for format in
            ["f64 i32 (0 : D, 1 : CU)", "i8 i64 (0/2 : CU, 1 : CU, 0%2 : D)", "f64 i32 (0 : D, 1 : D)"]
        {
            let integral =
                CoordinateTensor { values: ValueColumn::F64(vec![1.0, -2.0, 0.0, 4.0]), ..entries.clone() };
            let tensor = pack(&integral, &format.parse().unwrap()).unwrap();
            let bytes = encoded(&tensor);
            let read = decoded(&bytes, &tensor).unwrap();
            assert_eq!(unpack(&read).unwrap(), unpack(&tensor).unwrap(), "{format}");
            assert!(decoded(&bytes[..bytes.len() - 1], &tensor).is_err());
        }
    }
}
