//! FROSTT: 1-based indices and a value a line; a rank-0 tensor is its number alone.

use super::{TextBlocks, Writer, advice, for_each_written, push_value};
use crate::error::Error;
use crate::number::write_integer;
use crate::tensor::Tensor;
use std::io::{self, Write};

pub(super) fn writer_for(tensor: &Tensor) -> Result<Writer, Error> {
    if !tensor.format.value.is_complex() {
        return Ok(write);
    }
    Err(Error::Unsupported(format!(
        "`.tns` has one number for each entry, but `{}` is complex: {}, or its `real` and `imag`",
        tensor.name,
        advice(tensor)
    )))
}

pub(super) fn write(tensor: &Tensor, to: &mut dyn Write) -> io::Result<()> {
    let mut others = -1i64;
    for_each_written(tensor, |_, _| others += 1);
    let count = others.to_string();
    let mut blocks = TextBlocks::new(to);
    let mut is_first = true;
    for_each_written(tensor, |entry, position| {
        blocks.line(|text| {
            for index in entry {
                write_integer(text, index + 1);
                text.push(b' ');
            }
            let value = text.len();
            push_value(text, &tensor.values, position);
            // Such a first line could be taken for the header of COMET's form, whose fields are all integers.
            if is_first && text[value..] == *count.as_bytes() && !entry.is_empty() {
                text.extend_from_slice(b".0");
            }
        });
        is_first = false;
    });
    blocks.finish()
}
