//! Operations of spatial as applications.
//!
//! Each statement of an application is an operation, and each part of a value is one; nothing is decided
//! here.

mod accelerator;
mod attributes;
mod declarations;
mod expressions;
mod host;
mod patterns;

use crate::emit::Sources;
use attributes::{text, texts};
use comet_diag::Span;
use comet_dialects::TypedOp;
use comet_dialects::spatial::{
    AccelOperation, AliasOperation, AppOperation, NumberOperation, ParameterOperation, TensorOperation,
};
use comet_ir::Op;
use comet_spatial::app::{App, Host};
use declarations::{alias, parameter, tensor};

/// An application, and what its tensors are around it.
#[derive(Clone, Debug)]
pub struct ReadApp<'c> {
    /// The application.
    pub app: App,
    /// What each tensor is, and each number.
    pub sources: Sources<'c>,
}

/// Reads a `spatial.app` that the verifier has seen.
pub fn read(op: Op<'_>) -> ReadApp<'_> {
    assert!(op.is::<AppOperation<'_>>(), "expected an application, found `{}`", op.name());
    let ops = op.body(0).ops();
    let accel = ops.iter().position(|op| op.is::<AccelOperation<'_>>());
    let (before, after) = ops.split_at(accel.expect("the verifier demands a part for the accelerator"));
    let app = App {
        name: text(op, "name"),
        comment: texts(op, "comment"),
        tensors: all::<TensorOperation<'_>>(&ops).map(tensor).collect(),
        parameters: all::<ParameterOperation<'_>>(&ops).map(parameter).collect(),
        types: all::<AliasOperation<'_>>(&ops).map(alias).collect(),
        arguments: texts(op, "arguments"),
        before: host(before),
        accel: accelerator::block(after[0].body(0)),
        after: host(&after[1..]),
    };
    let sources = all::<TensorOperation<'_>>(&ops).chain(all::<NumberOperation<'_>>(&ops));
    ReadApp { app, sources: sources.map(|op| (text(op, "name"), op.operand(0))).collect() }
}

/// The operations of a type.
fn all<'c, T: TypedOp<'c>>(ops: &[Op<'c>]) -> impl Iterator<Item = Op<'c>> {
    ops.iter().copied().filter(|op| op.is::<T>())
}

fn host(ops: &[Op<'_>]) -> Vec<Host> {
    let kinds = ops.iter().filter_map(|op| host::kind(*op));
    kinds.map(|kind| Host { kind, span: Span::default() }).collect()
}
