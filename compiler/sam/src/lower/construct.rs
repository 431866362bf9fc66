//! What is written (sam.txt section 3.7).

use super::statement::{Refusal, Statement};
use super::walk::{Streams, Walk};
use crate::graph::{Fibers, Kind, Places, WriteLevel, WriteValues};

/// Adds the writers of the result.
pub(super) fn construct(walk: &mut Walk<'_>, statement: &Statement, streams: Streams) -> Result<(), Refusal> {
    let format = &statement.tensors[statement.result.tensor];
    for (level, &mode) in format.levels.iter().zip(&format.order) {
        let index = &statement.result.indices[mode];
        let coordinates = streams.crds.iter().find(|coordinates| coordinates.var == *index);
        let crd = coordinates.ok_or_else(|| lacks(index))?.crd;
        let write = WriteLevel {
            index: index.clone(),
            tensor: format.name.clone(),
            mode,
            level: *level,
            fibers: Fibers::Nested,
        };
        walk.build.block(Kind::WriteLevel(write), &[Some(crd)]);
    }
    let (tensor, element) = (format.name.clone(), streams.element);
    let write = WriteValues { tensor, fill: statement.fill, element, places: Places::InOrder };
    walk.build.block(Kind::WriteValues(write), &[Some(streams.value)]);
    Ok(())
}

fn lacks(index: &str) -> Refusal {
    Refusal::new(format!("not supported yet: no operand has the index variable `{index}` of the result"))
}
