//! The values, when all variables have come (sam.txt section 3.6).

use super::node::{Leaf, Rest, ValueNode, ValueStream};
use super::walk::VariableWalk;
use crate::graph::{Alu, Apply, BlockKind, Kept, ValueMask};

impl VariableWalk<'_> {
    pub(super) fn value(&mut self, node: ValueNode) -> ValueStream {
        match node {
            ValueNode::Access(leaf) => self.leaf_value(leaf),
            ValueNode::Apply(function, value) => {
                let ValueStream { out, element } = self.value(*value);
                let out = self.build.value(BlockKind::Apply(Apply { function, element }), &[out]);
                ValueStream { out, element: function.result(element) }
            }
            ValueNode::Combine(how, operator, a, b) => {
                let (a, b) = (self.value(*a), self.value(*b));
                let element = a.element;
                let out = self.build.value(BlockKind::Alu(Alu { operator, element, how }), &[a.out, b.out]);
                ValueStream { out, element }
            }
            ValueNode::Mask(kept, value, mask) => {
                let value = self.value(*value);
                if kept == Kept::Stored && mask.is_there() {
                    return value;
                }
                let element = mask.element;
                let mask = self.leaf_value(mask);
                let out =
                    self.build.value(BlockKind::Mask(ValueMask { kept, element }), &[value.out, mask.out]);
                ValueStream { out, ..value }
            }
            ValueNode::Drop(value, condition) => {
                let (value, condition) = (self.value(*value), self.value(*condition));
                let mask = ValueMask { kept: Kept::Zero, element: condition.element };
                let out = self.build.value(BlockKind::Mask(mask), &[value.out, condition.out]);
                ValueStream { out, ..value }
            }
            ValueNode::Reduce(..) => unreachable!("all variables have come"),
        }
    }

    fn leaf_value(&mut self, leaf: Leaf) -> ValueStream {
        let element = leaf.element;
        let out = match (leaf.rest, leaf.stream) {
            (Rest::Reduced { .. }, Some(out)) => out,
            (_, stream) => {
                let kind = BlockKind::Array { tensor: leaf.name, root: stream.is_none() };
                self.build.block(kind, &[stream])[0]
            }
        };
        ValueStream { out, element }
    }
}
