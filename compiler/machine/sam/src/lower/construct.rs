//! What is written (sam.txt section 3.7).

use super::build::Out;
use super::statement::IndexStatement;
use super::walk::{Streams, VariableWalk};
use crate::graph::{
    BlockKind, FiberNesting, GraphLevel, Locate, TensorFormat, ToWords, ValuePlacement, WriteLevel,
    WriteValues,
};

pub(super) fn construct(
    walk: &mut VariableWalk<'_>,
    statement: &IndexStatement,
    streams: Streams,
) -> TensorFormat {
    let asked = &statement.tensors[statement.result.tensor];
    let written = in_dataflow_order(statement, &streams);
    if !statement.keeps && (!walk.is_dense() || *asked == written) {
        write_levels(walk, statement, &streams, &written);
        return written;
    }
    scatter(walk, statement, &streams);
    asked.clone()
}

/// The result in the order of its coordinates. Levels that repeat a variable come right behind its first.
fn in_dataflow_order(statement: &IndexStatement, streams: &Streams) -> TensorFormat {
    let asked = &statement.tensors[statement.result.tensor];
    let (mut levels, mut order) = (Vec::new(), Vec::new());
    for (coordinates, is_dense) in streams.crds.iter().zip(&streams.are_dense) {
        let mut modes = modes(statement, &coordinates.var);
        let mode = modes.next();
        levels.push(match mode.map(|mode| asked_level(asked, mode)) {
            _ if *is_dense => GraphLevel::Dense,
            Some(words @ GraphLevel::BitVector(_)) => words,
            _ => GraphLevel::Compressed,
        });
        order.extend(mode);
        for mode in modes {
            levels.push(GraphLevel::Compressed);
            order.push(mode);
        }
    }
    TensorFormat { levels, order, ..asked.clone() }
}

fn asked_level(asked: &TensorFormat, mode: usize) -> GraphLevel {
    let level = asked.order.iter().position(|other| *other == mode);
    level.map_or(GraphLevel::Compressed, |level| asked.levels[level])
}

fn modes(statement: &IndexStatement, var: &str) -> impl Iterator<Item = usize> {
    let indices = statement.result.indices.iter().enumerate();
    indices.filter(move |(_, index)| *index == var).map(|(mode, _)| mode)
}

fn write_levels(
    walk: &mut VariableWalk<'_>,
    statement: &IndexStatement,
    streams: &Streams,
    written: &TensorFormat,
) {
    let mut last = None;
    for (level, &mode) in written.levels.iter().zip(&written.order) {
        let index = statement.result.indices[mode].clone();
        let crd = streams.crds.iter().find(|coordinates| coordinates.var == index);
        let crd = crd.expect("variables of the result are walked").crd;
        let crd = match *level {
            GraphLevel::BitVector(width) => {
                let words = ToWords { index: index.clone(), width, refs: false };
                walk.build.value(BlockKind::ToWords(words), &[crd])
            }
            GraphLevel::Dense | GraphLevel::Compressed => crd,
        };
        let fibers = if last == Some(&index) { FiberNesting::Single } else { FiberNesting::Nested };
        last = Some(&statement.result.indices[mode]);
        let write = WriteLevel { index, tensor: written.name.clone(), mode, level: *level, fibers };
        walk.build.block(BlockKind::WriteLevel(write), &[Some(crd)]);
    }
    write_values(walk, statement, streams, None);
}

/// Finds the place of each value, and writes it there (section 4.2).
fn scatter(walk: &mut VariableWalk<'_>, statement: &IndexStatement, streams: &Streams) {
    walk.around.clone_from(&streams.crds);
    let asked = &statement.tensors[statement.result.tensor];
    let mut place: Option<Out> = None;
    for &mode in &asked.order {
        let index = statement.result.indices[mode].clone();
        let crd = walk.held(&index);
        let (tensor, root) = (asked.name.clone(), place.is_none());
        let locate = Locate { index, tensor, mode, level: GraphLevel::Dense, root };
        place = Some(walk.build.block(BlockKind::Locate(locate), &[Some(crd), place])[1]);
    }
    write_values(walk, statement, streams, place);
}

fn write_values(
    walk: &mut VariableWalk<'_>,
    statement: &IndexStatement,
    streams: &Streams,
    place: Option<Out>,
) {
    let tensor = statement.tensors[statement.result.tensor].name.clone();
    let (fill, element) = (statement.fill, streams.value.element);
    let places = match place {
        None => ValuePlacement::InOrder,
        Some(_) if statement.keeps => ValuePlacement::Kept,
        Some(_) => ValuePlacement::Scattered,
    };
    let inputs: Vec<Option<Out>> = place.into_iter().chain([streams.value.out]).map(Some).collect();
    walk.build.block(BlockKind::WriteValues(WriteValues { tensor, fill, element, places }), &inputs);
}
