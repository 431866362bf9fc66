//! Operations as their typed selves: what the generated views are made of.

use crate::attribute::ToAttribute;
use crate::{Attr, Builder, Op, Result, Ty, Val};
use comet_dialects::TypedOp;
use melior::ir::{Region, ValueLike};

/// A typed view of an operation: a copy of its reference, whose accessors have the names of its declaration.
pub trait OpView<'c>: Copy + TypedOp + Into<Op<'c>> {
    /// Views an operation that has been seen to be of that kind.
    fn of_op_unchecked(op: Op<'c>) -> Self;
}

/// Defines the view of an operation; the generated code adds its accessors.
macro_rules! view {
    ($(#[$doc:meta])* $view:ident $name:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        pub struct $view<'c>(crate::Op<'c>);

        impl<'c> $view<'c> {
            /// Views the operation that defines a value, where it is one of this kind.
            pub fn defining(value: crate::Val<'c>) -> Option<Self> {
                crate::Op::defining(value).and_then(crate::Op::cast)
            }
        }

        impl<'c> crate::OpView<'c> for $view<'c> {
            fn of_op_unchecked(op: crate::Op<'c>) -> Self {
                Self(op)
            }
        }

        impl comet_dialects::TypedOp for $view<'_> {
            fn op_name() -> &'static str {
                $name
            }
        }

        impl<'c> std::ops::Deref for $view<'c> {
            type Target = crate::Op<'c>;

            fn deref(&self) -> &crate::Op<'c> {
                &self.0
            }
        }

        impl<'c> PartialEq<crate::Op<'c>> for $view<'c> {
            fn eq(&self, other: &crate::Op<'c>) -> bool {
                self.0 == *other
            }
        }

        impl<'c> PartialEq<$view<'c>> for crate::Op<'c> {
            fn eq(&self, other: &$view<'c>) -> bool {
                *self == other.0
            }
        }

        impl<'c> From<$view<'c>> for crate::Op<'c> {
            fn from(view: $view<'c>) -> Self {
                view.0
            }
        }
    };
}
pub(crate) use view;

/// The sizes of groups of operands or results, of which those that are not single are equally long.
pub(crate) fn equal_segments(count: usize, are_single: &[bool]) -> Vec<usize> {
    let single = are_single.iter().filter(|is_single| **is_single).count();
    let each = (count - single) / (are_single.len() - single).max(1);
    are_single.iter().map(|is_single| if *is_single { 1 } else { each }).collect()
}

/// The values of a group.
pub(crate) fn group<'c>(values: &[Val<'c>], sizes: &[usize], index: usize) -> Vec<Val<'c>> {
    let first = sizes[..index].iter().sum();
    values[first..][..sizes[index]].to_vec()
}

/// An operation that is being put together.
pub(crate) struct NewOp<'c> {
    builder: Builder<'c>,
    name: &'static str,
    operands: Vec<Val<'c>>,
    results: Vec<Ty<'c>>,
    attributes: Vec<(&'static str, Attr<'c>)>,
    regions: Vec<Region<'c>>,
}

impl<'c> NewOp<'c> {
    pub(crate) fn new(builder: Builder<'c>, name: &'static str) -> Self {
        let (operands, results, attributes, regions) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { builder, name, operands, results, attributes, regions }
    }

    pub(crate) fn operands(mut self, values: &[Val<'c>]) -> Self {
        self.operands.extend(values);
        self
    }

    pub(crate) fn results(mut self, types: &[Ty<'c>]) -> Self {
        self.results.extend(types);
        self
    }

    /// Adds a result of a value's type.
    pub(crate) fn result_like(self, value: Val<'c>) -> Self {
        self.results(&[value.r#type()])
    }

    pub(crate) fn attribute(mut self, name: &'static str, value: impl ToAttribute<'c>) -> Self {
        self.attributes.push((name, value.to_attribute(self.builder.context())));
        self
    }

    /// Adds a region with a block.
    pub(crate) fn block(mut self, arguments: &[Ty<'c>]) -> Self {
        self.regions.push(self.builder.region(arguments));
        self
    }

    pub(crate) fn insert(self) -> Result<'c, Op<'c>> {
        let Self { builder, name, operands, results, attributes, regions } = self;
        builder.op_with_regions(name, &operands, &results, &attributes, regions)
    }
}
