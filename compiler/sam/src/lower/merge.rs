//! One variable: scanners, joiners, repeaters, locators.

use super::build::Out;
use super::node::{Leaf, Node, Rest};
use super::walk::Walk;
use crate::graph::{How, Join, Kept, Kind, Level, Locate, Operand, Repeat, Scanner, StreamKind};

/// How the coordinates of a variable come about.
enum Merge<'n> {
    /// Nothing has the variable: all coordinates.
    Absent,
    /// Those of a leaf, whose references belong to them.
    One(Out, Shape, &'n mut Leaf),
    /// All coordinates, where they meet those of others.
    All(Out, Out),
    /// Those of several.
    Join(How, Vec<Merge<'n>>),
}

/// What is known of the fibers of a variable.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// Whether a fiber may have no coordinates.
    may_be_empty: bool,
    /// Whether a fiber that has coordinates has all.
    is_full: bool,
    /// Whether the coordinates are also those of dense levels, of which there are none if the extent is 0.
    has_dense: bool,
    /// Whether there is a fiber at all coordinates around, and not only where others have none.
    is_there: bool,
}

impl Shape {
    const ALL: Self = Self { may_be_empty: false, is_full: true, has_dense: true, is_there: true };

    fn has_all(self) -> bool {
        self.is_full && self.is_there && !self.may_be_empty
    }
}

/// The coordinates of a variable.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    pub(super) var: String,
    pub(super) crd: Out,
    /// Whether a fiber may have none.
    pub(super) may_be_empty: bool,
    /// Whether a fiber that has some has all.
    pub(super) is_full: bool,
    /// Whether there may be none because the extent is 0.
    pub(super) has_dense: bool,
}

/// What joins the coordinates of an operand.
struct Carried<'n> {
    name: String,
    stream: Option<Out>,
    kind: StreamKind,
    leaf: Option<&'n mut Leaf>,
}

impl Merge<'_> {
    fn shape(&self) -> Shape {
        match self {
            Self::Absent | Self::All(..) => Shape::ALL,
            Self::One(_, shape, _) => *shape,
            Self::Join(how, operands) => {
                let shapes: Vec<Shape> = operands.iter().map(Self::shape).collect();
                if *how == How::Union && shapes.iter().any(|shape| shape.has_all()) {
                    return Shape::ALL;
                }
                let is_full = shapes.iter().all(|shape| shape.is_full);
                let may_be_empty = shapes.iter().any(|shape| shape.may_be_empty);
                let (intersects, is_there) = (*how == How::Intersect, |shape: &Shape| shape.is_there);
                Shape {
                    may_be_empty: may_be_empty || intersects && !is_full,
                    is_full,
                    has_dense: shapes.iter().any(|shape| shape.has_dense),
                    is_there: if intersects {
                        shapes.iter().all(is_there)
                    } else {
                        shapes.iter().any(is_there)
                    },
                }
            }
        }
    }
}

impl Walk<'_> {
    /// Makes the streams of a variable. `is_exact` is whether the coordinates so far are those of the pattern,
    /// and becomes whether they are so with these.
    pub(super) fn merge(&mut self, node: &mut Node, var: &str, is_exact: &mut bool) -> Coordinates {
        let (mut absent, was_exact) = (Vec::new(), *is_exact);
        let merge = self.scan(node, var, &mut Scan { is_exact, absent: &mut absent }, was_exact);
        let shape = merge.shape();
        let crd = self.join(merge, var);
        let may_be_empty = shape.may_be_empty || !was_exact && !shape.has_all();
        let Shape { is_full, has_dense, .. } = shape;
        let coordinates = Coordinates { var: var.to_owned(), crd, may_be_empty, is_full, has_dense };
        self.around.push(coordinates.clone());
        for leaf in absent {
            if leaf.stream.is_some() || self.located(leaf).is_none() {
                self.repeat(leaf, var, crd);
            }
        }
        for leaf in node.leaves_mut() {
            while let Some(locate) = self.located(leaf) {
                self.locate(leaf, locate);
            }
        }
        coordinates
    }

    /// Leaves that lack the variable go to `absent`.
    fn scan<'n>(
        &mut self,
        node: &'n mut Node,
        var: &str,
        scan: &mut Scan<'_, 'n>,
        is_there: bool,
    ) -> Merge<'n> {
        match node {
            Node::Leaf(leaf) => self.scan_leaf(leaf, var, scan, is_there),
            Node::Sum(_, _, body) | Node::Apply(_, body) => self.scan(body, var, scan, is_there),
            Node::Combine(how, _, a, b) => {
                let is_there = is_there && *how == How::Intersect;
                let are_there = [a.is_there(is_there), b.is_there(is_there)];
                let a = self.scan(a, var, scan, is_there);
                let b = self.scan(b, var, scan, is_there);
                self.combine(*how, [a, b], are_there, var, scan)
            }
            Node::Mask(Kept::Stored, value, mask) => {
                let are_there = [value.is_there(is_there), mask.is_there(is_there)];
                let value = self.scan(value, var, scan, is_there);
                let mask = self.scan_leaf(mask, var, scan, is_there);
                self.combine(How::Intersect, [value, mask], are_there, var, scan)
            }
            Node::Mask(_, value, mask) => {
                scan.absent.push(mask);
                self.scan(value, var, scan, is_there)
            }
        }
    }

    fn combine<'n>(
        &mut self,
        how: How,
        operands: [Merge<'n>; 2],
        are_there: [bool; 2],
        var: &str,
        scan: &mut Scan<'_, 'n>,
    ) -> Merge<'n> {
        let (is_there, other) = match operands {
            [Merge::Absent, Merge::Absent] => return Merge::Absent,
            [Merge::Absent, other] => (are_there[0], other),
            [other, Merge::Absent] => (are_there[1], other),
            operands => {
                return Merge::Join(how, operands.into_iter().flat_map(|one| flat(how, one)).collect());
            }
        };
        // The side that lacks the variable is taken to be there.
        *scan.is_exact &= is_there;
        if how == How::Intersect || other.shape().has_all() {
            return other;
        }
        let (crd, reference) = self.universe(var);
        Merge::Join(how, flat(how, other).into_iter().chain([Merge::All(crd, reference)]).collect())
    }

    /// The coordinates of a leaf's next level, if that is over the variable.
    fn scan_leaf<'n>(
        &mut self,
        leaf: &'n mut Leaf,
        var: &str,
        scan: &mut Scan<'_, 'n>,
        is_there: bool,
    ) -> Merge<'n> {
        let is_there = leaf.is_there(is_there);
        let scanned = match &mut leaf.rest {
            Rest::Levels { .. } => self.scan_level(leaf, var),
            Rest::Reduced { crds } if crds.front().is_some_and(|(index, _)| index == var) => {
                crds.pop_front().map(|(_, crd)| (crd, false, false))
            }
            Rest::Reduced { .. } => None,
        };
        let Some((crd, may_be_empty, is_full)) = scanned else {
            scan.absent.push(leaf);
            return Merge::Absent;
        };
        let shape =
            Shape { may_be_empty: may_be_empty || leaf.may_lack, is_full, has_dense: is_full, is_there };
        leaf.is_scanned = true;
        leaf.may_lack = false;
        Merge::One(crd, shape, leaf)
    }

    /// Coordinates, whether a fiber may have none, and whether it has all.
    fn scan_level(&mut self, leaf: &mut Leaf, var: &str) -> Option<(Out, bool, bool)> {
        let Rest::Levels { access, level } = &mut leaf.rest else { return None };
        let format = &self.statement.tensors[access.tensor];
        let mode = *format.order.get(*level)?;
        if access.indices[mode] != var {
            return None;
        }
        let (index, tensor, root) = (var.to_owned(), format.name.clone(), leaf.stream.is_none());
        let scanner = Scanner { index, tensor, mode, level: format.levels[*level], root };
        let outputs = self.build.block(Kind::Scanner(scanner), &[leaf.stream]);
        let is_full = format.levels[*level] == Level::Dense;
        // Below coordinates that are stored there is something; below all of them, or in the whole of a tensor,
        // there need not be.
        let is_below_stored = level.checked_sub(1).is_some_and(|above| format.levels[above] != Level::Dense);
        *level += 1;
        leaf.stream = Some(outputs[1]);
        Some((outputs[0], !is_full && !is_below_stored, is_full))
    }

    /// A scanner of all coordinates, for each of those around.
    fn universe(&mut self, var: &str) -> (Out, Out) {
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
        let scanner = Scanner { index, tensor, mode: 0, level: Level::Dense, root };
        let outputs = self.build.block(Kind::Scanner(scanner), &[reference]);
        (outputs[0], outputs[1])
    }

    /// Makes the joiners, the inner ones first.
    fn join(&mut self, merge: Merge<'_>, var: &str) -> Out {
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
            Merge::Absent => return self.universe(var).0,
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
        let operand = |one: &Carried<'_>| Operand { name: one.name.clone(), carries: one.kind };
        let operands = all.iter().map(operand).collect();
        let outputs = self.build.block(Kind::Join(Join { how, index: var.to_owned(), operands }), &inputs);
        for (one, out) in all.iter_mut().zip(&outputs[1..]) {
            one.stream = Some(*out);
            if let Some(leaf) = &mut one.leaf {
                leaf.stream = Some(*out);
            }
        }
        carried.extend(all);
        outputs[0]
    }

    fn repeat(&mut self, leaf: &mut Leaf, var: &str, crd: Out) {
        let signals = self.build.signals(var, crd);
        let (index, tensor, root) = (var.to_owned(), leaf.name.clone(), leaf.stream.is_none());
        let repeat = Repeat { index, tensor, root, carries: leaf.carries() };
        leaf.stream = Some(self.build.block(Kind::Repeat(repeat), &[leaf.stream, Some(signals)])[0]);
    }

    /// The locator of a leaf's next level, if its variable has come already: one that it repeats, or one of a
    /// mask that brings no coordinates.
    fn located(&self, leaf: &Leaf) -> Option<Locate> {
        let Rest::Levels { access, level } = &leaf.rest else { return None };
        let format = &self.statement.tensors[access.tensor];
        let mode = *format.order.get(*level)?;
        let index = access.indices[mode].clone();
        self.around.iter().find(|around| around.var == index)?;
        let (tensor, root) = (format.name.clone(), leaf.stream.is_none());
        Some(Locate { index, tensor, mode, level: format.levels[*level], root })
    }

    fn locate(&mut self, leaf: &mut Leaf, locate: Locate) {
        let crd = self.held(&locate.index);
        let (is_dense, stream) = (locate.level == Level::Dense, leaf.stream);
        let outputs = self.build.block(Kind::Locate(locate), &[Some(crd), stream]);
        leaf.stream = Some(outputs[1]);
        leaf.may_lack |= !is_dense;
        if let Rest::Levels { level, .. } = &mut leaf.rest {
            *level += 1;
        }
    }

    /// The coordinates of a variable, once for each of the innermost ones.
    pub(super) fn held(&mut self, var: &str) -> Out {
        let place = self.around.iter().position(|around| around.var == var).expect("the variable has come");
        let mut held = self.around[place].crd;
        for inner in &self.around[place + 1..] {
            held = self.build.hold((var, held), (&inner.var, inner.crd));
        }
        held
    }
}

/// What the scan of a variable finds besides coordinates.
struct Scan<'s, 'n> {
    /// Whether the coordinates are those of the pattern.
    is_exact: &'s mut bool,
    /// Leaves without the variable.
    absent: &'s mut Vec<&'n mut Leaf>,
}

/// What joins in the same way is one joiner of more operands.
fn flat(how: How, merge: Merge<'_>) -> Vec<Merge<'_>> {
    match merge {
        Merge::Join(inner, operands) if inner == how => operands,
        other => vec![other],
    }
}
