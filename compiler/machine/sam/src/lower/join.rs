//! Joiners, repeaters, and what stands for all coordinates.

use super::build::Out;
use super::node::Leaf;
use super::shape::CoordinateMerge;
use super::walk::VariableWalk;
use crate::graph::{BlockKind, GraphLevel, Join, JoinOperand, Merge, Port, Repeat, Scanner, StreamKind};

struct Carried<'n> {
    name: String,
    stream: Option<Out>,
    kind: StreamKind,
    leaf: Option<&'n mut Leaf>,
}

/// A scanner puts an empty token for an empty reference. Joiners leave it out.
fn without_empty(merge: CoordinateMerge<'_>) -> CoordinateMerge<'_> {
    match merge {
        CoordinateMerge::One(_, shape, ref leaf) if !shape.is_there && leaf.carries() == StreamKind::Ref => {
            CoordinateMerge::Join(Merge::Intersect, vec![merge])
        }
        merge => merge,
    }
}

impl VariableWalk<'_> {
    pub(super) fn join(&mut self, merge: CoordinateMerge<'_>, var: &str) -> Out {
        let mut joined: Vec<Carried<'_>> = Vec::new();
        let crd = self.joined(without_empty(merge), var, &mut joined);
        self.apart(crd, var, &mut joined)
    }

    /// The coordinates of words; those of other operands are coordinates already.
    fn apart(&mut self, crd: Out, var: &str, carried: &mut [Carried<'_>]) -> Out {
        match (self.build.width(crd), crd.kind, carried) {
            (Some(width), StreamKind::Bv, [one]) => {
                let inputs = [Some(crd), one.stream];
                let mut these = [one];
                self.joiner(Merge::Intersect, var, Some(width), &inputs, &mut these)
            }
            _ => crd,
        }
    }

    /// Makes a joiner. What it carries comes out of it.
    fn joiner(
        &mut self,
        how: Merge,
        var: &str,
        width: Option<u32>,
        inputs: &[Option<Out>],
        carried: &mut [&mut Carried<'_>],
    ) -> Out {
        let crds = inputs.iter().step_by(2).copied();
        let skips: Vec<Option<Out>> =
            crds.map(|crd| crd.filter(|crd| self.is_skipped(how, var, *crd))).collect();
        let operand = |(one, crd): (&&mut Carried<'_>, &Option<Out>)| JoinOperand {
            name: one.name.clone(),
            carries: one.kind,
            skips: crd.is_some(),
        };
        let operands = carried.iter().zip(&skips).map(operand).collect();
        let join = Join { how, index: var.to_owned(), operands, width };
        let outputs = self.build.block(BlockKind::Join(join.clone()), inputs);
        for (number, (one, crd)) in carried.iter_mut().zip(skips).enumerate() {
            let out = outputs[Port::joined_ref(number).0];
            one.stream = Some(out);
            if let Some(leaf) = &mut one.leaf {
                leaf.stream = Some(out);
            }
            if let (Some(crd), Some(Port(next))) = (crd, join.skip(number)) {
                self.build.skip(crd, outputs[next]);
            }
        }
        outputs[0]
    }

    fn is_skipped(&self, how: Merge, var: &str, crd: Out) -> bool {
        how == Merge::Intersect && self.choices.skipped.contains(var) && self.build.can_skip(crd)
    }

    /// The coordinates, and what has come with them. An operand with several leaves is there once for each
    /// of them.
    fn joined<'n>(&mut self, merge: CoordinateMerge<'n>, var: &str, carried: &mut Vec<Carried<'n>>) -> Out {
        let (how, operands) = match merge {
            CoordinateMerge::Absent | CoordinateMerge::Located(_) => return self.universe(var).0,
            CoordinateMerge::All(crd, reference) => {
                let (name, kind) = (self.names.universe(var), StreamKind::Ref);
                carried.push(Carried { name, stream: Some(reference), kind, leaf: None });
                return crd;
            }
            CoordinateMerge::One(crd, _, leaf) => {
                let (name, stream, kind) = (leaf.name.clone(), leaf.stream, leaf.carries());
                carried.push(Carried { name, stream, kind, leaf: Some(leaf) });
                return crd;
            }
            CoordinateMerge::Repeated(own, leaves) => {
                let mut own_carried = Vec::new();
                let crd = self.joined(without_empty(*own), var, &mut own_carried);
                let crd = self.apart(crd, var, &mut own_carried);
                carried.extend(own_carried);
                for leaf in leaves {
                    self.repeat(leaf, var, crd);
                    let (name, stream, kind) = (leaf.name.clone(), leaf.stream, leaf.carries());
                    carried.push(Carried { name, stream, kind, leaf: Some(leaf) });
                }
                return crd;
            }
            CoordinateMerge::Join(how, operands) => (how, operands),
        };
        let mut merged = Vec::new();
        for operand in operands {
            let mut these = Vec::new();
            merged.push((self.joined(operand, var, &mut these), these));
        }
        let width = self.common_width(&merged);
        let (mut inputs, mut all) = (Vec::new(), Vec::new());
        for (crd, mut these) in merged {
            let crd = if width.is_some() { crd } else { self.apart(crd, var, &mut these) };
            inputs.extend(these.iter().flat_map(|one| [Some(crd), one.stream]));
            all.extend(these);
        }
        let crd = self.joiner(how, var, width, &inputs, &mut all.iter_mut().collect::<Vec<_>>());
        carried.extend(all);
        crd
    }

    fn common_width(&self, merged: &[(Out, Vec<Carried<'_>>)]) -> Option<u32> {
        let width = |(crd, _): &(Out, Vec<Carried<'_>>)| {
            self.build.width(*crd).filter(|_| crd.kind == StreamKind::Bv)
        };
        let first = merged.first().and_then(width)?;
        merged.iter().all(|one| width(one) == Some(first)).then_some(first)
    }

    /// A scanner of all coordinates, for each of those around.
    pub(super) fn universe(&mut self, var: &str) -> (Out, Out) {
        let tensor = self.names.universe(var);
        self.build.use_universe(&tensor);
        let mut reference = None;
        for around in &self.around {
            let signals = self.build.signals(&around.var, around.crd);
            let (index, tensor, root) = (around.var.clone(), tensor.clone(), reference.is_none());
            let repeat = Repeat { index, tensor, root, carries: StreamKind::Ref };
            reference = Some(self.build.block(BlockKind::Repeat(repeat), &[reference, Some(signals)])[0]);
        }
        let (index, root) = (var.to_owned(), reference.is_none());
        let scanner = Scanner { index, tensor, mode: 0, level: GraphLevel::Dense, root, skips: false };
        let outputs = self.build.block(BlockKind::Scanner(scanner), &[reference]);
        (outputs[0], outputs[1])
    }

    pub(super) fn repeat(&mut self, leaf: &mut Leaf, var: &str, crd: Out) {
        let signals = self.build.signals(var, crd);
        let (index, tensor, root) = (var.to_owned(), leaf.name.clone(), leaf.stream.is_none());
        let repeat = Repeat { index, tensor, root, carries: leaf.carries() };
        leaf.stream = Some(self.build.block(BlockKind::Repeat(repeat), &[leaf.stream, Some(signals)])[0]);
    }
}
