//! What is written: droppers and writers (sam.txt section 3.7).

use super::build::Out;
use super::merge::Coordinates;
use super::statement::{Refusal, Statement};
use super::walk::{Streams, Walk};
use crate::graph::{Kind, StreamKind, WriteLevel};

/// Adds the writers of the result, and in front of them the droppers of coordinates under which there is nothing.
pub(super) fn construct(walk: &mut Walk<'_>, statement: &Statement, streams: Streams) -> Result<(), Refusal> {
    let Streams { crds, value, nest } = streams;
    let nest = drop_empty(walk, nest, &crds);
    let format = &statement.tensors[statement.result.tensor];
    for (level, &mode) in format.levels.iter().zip(&format.order) {
        let index = &statement.result.indices[mode];
        let (_, crd) = crds.iter().find(|(var, _)| var == index).ok_or_else(|| lacks(index))?;
        let is_outside = |walked: &&Walked| walked.original == *crd;
        let crd = nest.iter().find(is_outside).map_or(*crd, |walked| walked.crd);
        let tensor = format.name.clone();
        let write = WriteLevel { index: index.clone(), tensor, mode, level: *level };
        walk.build.block(Kind::WriteLevel(write), &[Some(crd)]);
    }
    walk.build.block(Kind::WriteValues { tensor: format.name.clone() }, &[Some(value)]);
    Ok(())
}

fn lacks(index: &str) -> Refusal {
    Refusal::new(format!("not supported yet: no operand has the index variable `{index}` of the result"))
}

/// A level of the nest, as it was merged and as it is now.
struct Walked {
    var: String,
    original: Out,
    crd: Out,
}

/// From the innermost level whose fibers may be empty outwards, each level loses the coordinates under which
/// nothing is left, up to the outermost one that is written as it was merged: those outside of it, and those
/// behind a reducer, lose nothing.
fn drop_empty(walk: &mut Walk<'_>, nest: Vec<Coordinates>, crds: &[(String, Out)]) -> Vec<Walked> {
    let innermost = nest.iter().rposition(|level| level.may_be_empty).unwrap_or(0);
    let is_written = |level: &Coordinates| crds.iter().any(|(_, crd)| *crd == level.crd);
    let outermost = nest.iter().position(is_written).unwrap_or(nest.len());
    let walked = |level: Coordinates| Walked { var: level.var, original: level.crd, crd: level.crd };
    let mut nest: Vec<Walked> = nest.into_iter().map(walked).collect();
    for inner in (outermost + 1..=innermost).rev() {
        let (outer_var, inner_var) = (nest[inner - 1].var.clone(), nest[inner].var.clone());
        let kind = Kind::Drop { outer: outer_var, inner: inner_var, over: StreamKind::Crd };
        let cleaned = walk.build.block(kind, &[Some(nest[inner - 1].crd), Some(nest[inner].crd)]);
        nest[inner - 1].crd = cleaned[0];
        nest[inner].crd = cleaned[1];
    }
    nest
}
