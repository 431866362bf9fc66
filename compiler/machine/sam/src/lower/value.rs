//! The values, when all variables have come (sam.txt section 3.6).

use super::node::{Leaf, Node, Rest, Values};
use super::walk::Walk;
use crate::graph::{Alu, Apply, How, Kept, Kind, Mask};

impl Walk<'_> {
    /// The values, when all variables have come.
    pub(super) fn value(&mut self, node: Node, is_there: bool) -> Values {
        match node {
            Node::Leaf(leaf) => self.leaf_value(leaf),
            Node::Apply(function, value) => {
                let Values { out, element } = self.value(*value, is_there);
                let out = self.build.value(Kind::Apply(Apply { function, element }), &[out]);
                Values { out, element: function.result(element) }
            }
            Node::Combine(how, operator, a, b) => {
                let is_there = is_there && how == How::Intersect;
                let (a, b) = (self.value(*a, is_there), self.value(*b, is_there));
                let element = a.element;
                let out = self.build.value(Kind::Alu(Alu { operator, element, how }), &[a.out, b.out]);
                Values { out, element }
            }
            Node::Mask(kept, value, mask) => {
                let value = self.value(*value, is_there);
                if kept == Kept::Stored && mask.is_there() {
                    return value;
                }
                let element = mask.element;
                let mask = self.leaf_value(mask);
                let out = self.build.value(Kind::Mask(Mask { kept, element }), &[value.out, mask.out]);
                Values { out, ..value }
            }
            Node::Sum(..) => unreachable!("all variables have come"),
        }
    }

    fn leaf_value(&mut self, leaf: Leaf) -> Values {
        let element = leaf.element;
        let out = match (leaf.rest, leaf.stream) {
            (Rest::Reduced { .. }, Some(out)) => out,
            (_, stream) => {
                let kind = Kind::Array { tensor: leaf.name, root: stream.is_none() };
                self.build.block(kind, &[stream])[0]
            }
        };
        Values { out, element }
    }
}
