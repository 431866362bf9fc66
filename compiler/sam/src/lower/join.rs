//! Joiners, repeaters, and what stands for all coordinates.

use super::build::Out;
use super::node::Leaf;
use super::shape::Merge;
use super::walk::Walk;
use crate::graph::{How, Join, Kind, Level, Operand, Repeat, Scanner, StreamKind};

/// What joins the coordinates of an operand.
struct Carried<'n> {
    name: String,
    stream: Option<Out>,
    kind: StreamKind,
    leaf: Option<&'n mut Leaf>,
}

impl Walk<'_> {
    /// Makes the joiners, the inner ones first.
    pub(super) fn join(&mut self, merge: Merge<'_>, var: &str) -> Out {
        let mut joined = Vec::new();
        // A scanner puts an empty token for an empty reference. Joiners leave it out.
        let merge = match merge {
            Merge::One(_, shape, ref leaf) if !shape.is_there && leaf.carries() == StreamKind::Ref => {
                Merge::Join(How::Intersect, vec![merge])
            }
            merge => merge,
        };
        self.joined(merge, var, &mut joined)
    }

    /// The coordinates, and what has come with them. An operand with several leaves is there once for each
    /// of them.
    fn joined<'n>(&mut self, merge: Merge<'n>, var: &str, carried: &mut Vec<Carried<'n>>) -> Out {
        let (how, operands) = match merge {
            Merge::Absent | Merge::Located(_) => return self.universe(var).0,
            Merge::All(crd, reference) => {
                let (name, kind) = (self.names.universe(var), StreamKind::Ref);
                carried.push(Carried { name, stream: Some(reference), kind, leaf: None });
                return crd;
            }
            Merge::One(crd, _, leaf) => {
                let (name, stream, kind) = (leaf.name.clone(), leaf.stream, leaf.carries());
                carried.push(Carried { name, stream, kind, leaf: Some(leaf) });
                return crd;
            }
            Merge::Join(how, operands) => (how, operands),
        };
        let (mut inputs, mut all) = (Vec::new(), Vec::new());
        for operand in operands {
            let mut these = Vec::new();
            let crd = self.joined(operand, var, &mut these);
            inputs.extend(these.iter().flat_map(|one| [Some(crd), one.stream]));
            all.extend(these);
        }
        let operand = |one: &Carried<'_>| Operand { name: one.name.clone(), carries: one.kind, skips: false };
        let operands = all.iter().map(operand).collect();
        let outputs =
            self.build.block(Kind::Join(Join { how, index: var.to_owned(), operands, width: None }), &inputs);
        for (one, out) in all.iter_mut().zip(&outputs[1..]) {
            one.stream = Some(*out);
            if let Some(leaf) = &mut one.leaf {
                leaf.stream = Some(*out);
            }
        }
        carried.extend(all);
        outputs[0]
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
            reference = Some(self.build.block(Kind::Repeat(repeat), &[reference, Some(signals)])[0]);
        }
        let (index, root) = (var.to_owned(), reference.is_none());
        let scanner = Scanner { index, tensor, mode: 0, level: Level::Dense, root, skips: false };
        let outputs = self.build.block(Kind::Scanner(scanner), &[reference]);
        (outputs[0], outputs[1])
    }

    pub(super) fn repeat(&mut self, leaf: &mut Leaf, var: &str, crd: Out) {
        let signals = self.build.signals(var, crd);
        let (index, tensor, root) = (var.to_owned(), leaf.name.clone(), leaf.stream.is_none());
        let repeat = Repeat { index, tensor, root, carries: leaf.carries() };
        leaf.stream = Some(self.build.block(Kind::Repeat(repeat), &[leaf.stream, Some(signals)])[0]);
    }
}
