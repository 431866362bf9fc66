//! Copies of what is inside of a variable (sam.txt section 4.4): its coordinates, and what has come with
//! them, are dealt out, and what comes of the copies becomes one again.

use super::build::Out;
use super::node::{Rest, ValueNode};
use super::walk::{Streams, VariableWalk, WalkScope, Walked};
use crate::graph::{BlockKind, Carried, Parallelize, Serialize};

impl VariableWalk<'_> {
    pub(super) fn chosen_copies(&self, var: &str) -> Option<usize> {
        let factor = self.choices.parallel.get(var).copied();
        factor.filter(|factor| *factor > 1 && !self.choices.drops_zeros)
    }

    /// How many copies are made of what is inside of a variable, if it can be dealt out: reduced operands
    /// with coordinates of their own inside cannot.
    pub(super) fn factor(&self, var: &str, node: &mut ValueNode) -> Option<usize> {
        let factor = self.chosen_copies(var)?;
        let is_dealt = |rest: &Rest| !matches!(rest, Rest::Reduced { crds } if !crds.is_empty());
        node.leaves_mut().iter().all(|leaf| is_dealt(&leaf.rest)).then_some(factor)
    }

    /// Walks the variables that are left once for each copy. The last of the coordinates so far are dealt
    /// out. Those of a sum's own variable stay apart, for its reducer. The others become one again as they
    /// were dealt out, and are dropped behind: a copy that drops them by itself would give nothing for so
    /// long that the others, which wait for it, fill their queues.
    pub(super) fn parallel(&mut self, walked: Walked, order: &[String], factor: usize) -> Vec<Streams> {
        let Walked { crds, scope, .. } = &walked;
        let place = crds.len() - 1;
        let stays_apart = *scope != WalkScope::Statement && place == 0;
        let var = crds[place].var.clone();
        let crd = self.deal(&var, crds[place].crd, factor);
        let nodes = self.deal_node(&var, &walked.node, factor);
        let around = self.around.clone();
        let mut copies = Vec::new();
        for (crd, node) in crd.iter().zip(nodes) {
            self.around.clone_from(&around);
            self.around.last_mut().expect("the variable has come").crd = *crd;
            let outer = if stays_apart { 0 } else { place + 1 };
            let mut copy = Walked { node, outer, ..walked.clone() };
            copy.behind.below = None;
            copy.crds[place].crd = *crd;
            copies.append(&mut self.rest(copy, order));
        }
        self.around = around;
        if stays_apart {
            return copies;
        }
        let mut streams = self.serialized(&copies, &crd, place);
        self.clean_behind(&mut streams, &walked);
        vec![streams]
    }

    fn deal(&mut self, var: &str, stream: Out, factor: usize) -> Vec<Out> {
        let parallelize = Parallelize { index: var.to_owned(), factor, carries: stream.kind };
        self.build.block(BlockKind::Parallelize(parallelize), &[Some(stream)])
    }

    fn deal_node(&mut self, var: &str, node: &ValueNode, factor: usize) -> Vec<ValueNode> {
        let mut nodes = vec![node.clone(); factor];
        let streams: Vec<Option<Out>> = nodes[0].leaves_mut().iter().map(|leaf| leaf.stream).collect();
        for (number, stream) in streams.into_iter().enumerate() {
            let Some(stream) = stream else { continue };
            for (node, dealt) in nodes.iter_mut().zip(self.deal(var, stream, factor)) {
                node.leaves_mut()[number].stream = Some(dealt);
            }
        }
        nodes
    }

    /// One of the streams of copies. The coordinates at the place are of the variable that was dealt out;
    /// `dealt` are those that the copies began with, and still have.
    fn serialized(&mut self, copies: &[Streams], dealt: &[Out], place: usize) -> Streams {
        let mut streams =
            Streams { crds: copies[0].crds.clone(), are_dense: copies[0].are_dense.clone(), ..copies[0] };
        let var = streams.crds[place].var.clone();
        let levels = streams.crds.len();
        streams.crds[place].crd = self.serialize(&var, dealt, None);
        for inner in place + 1..levels {
            let carried: Vec<Out> = copies.iter().map(|copy| copy.crds[inner].crd).collect();
            streams.crds[inner].crd = self.serialize(&var, dealt, Some((&carried, inner - place)));
        }
        let values: Vec<Out> = copies.iter().map(|copy| copy.value.out).collect();
        streams.value.out = self.serialize(&var, dealt, Some((&values, levels - place - 1)));
        streams
    }

    /// Makes one stream of several: of coordinates, or of what belongs to these, so many levels of fibers
    /// each.
    fn serialize(&mut self, var: &str, crds: &[Out], carried: Option<(&[Out], usize)>) -> Out {
        let (index, factor) = (var.to_owned(), crds.len());
        let (carries, inputs) = match carried {
            None => (None, crds.to_vec()),
            Some((streams, depth)) => {
                let pairs = crds.iter().zip(streams).flat_map(|(crd, stream)| [*crd, *stream]).collect();
                (Some(Carried { kind: streams[0].kind, depth }), pairs)
            }
        };
        self.build.value(BlockKind::Serialize(Serialize { index, factor, carries }), &inputs)
    }
}
