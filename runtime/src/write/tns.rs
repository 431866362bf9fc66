//! FROSTT: 1-based indices and a value a line; a rank-0 tensor is its number alone.

use super::{FileWriter, TextBlocks, WrittenRange, advice, for_each_written, push_value};
use crate::error::Error;
use crate::number::write_integer;
use crate::tensor::Tensor;
use std::io::{self, Write};

pub(super) fn writer_for(tensor: &Tensor) -> Result<FileWriter, Error> {
    if !tensor.format.value.is_complex() {
        let head = |_: &Tensor, _| Vec::new();
        return Ok(FileWriter { head, body: write, is_counted: true, is_by_rows: true });
    }
    Err(Error::Unsupported(format!(
        "`.tns` has one number for each entry, but `{}` is complex: {}, or its `real` and `imag`",
        tensor.name,
        advice(tensor)
    )))
}

pub(super) fn write(tensor: &Tensor, range: WrittenRange, to: &mut dyn Write) -> io::Result<()> {
    let others = range.all.saturating_sub(1).to_string();
    let mut blocks = TextBlocks::new(to);
    let mut is_first = range.before == 0;
    for_each_written(tensor, |entry, position| {
        blocks.line(|text| {
            for index in entry {
                write_integer(text, index + 1);
                text.push(b' ');
            }
            let value = text.len();
            push_value(text, &tensor.values, position);
            // Such a first line could be taken for the header of COMET's form, whose fields are all integers.
            if is_first && text[value..] == *others.as_bytes() && !entry.is_empty() {
                text.extend_from_slice(b".0");
            }
        });
        is_first = false;
    });
    blocks.finish()
}
