//! The call of a kernel that this thread is in: the tensors that its generated code asks for, and those that
//! it has made, which end with it.

use super::border::BorderTensor;
use super::handle::{KernelArguments, SizeHandle, TensorHandle};
use super::rows::PassedParameter;
use crate::error::Error;
use crate::tensor::Tensor;
use std::cell::RefCell;

thread_local! {
    /// The innermost last: a kernel calls the caller's allocator, which may call a kernel.
    static CALLS: RefCell<Vec<KernelCall>> = const { RefCell::new(Vec::new()) };
}

/// A call.
#[derive(Default)]
pub(super) struct KernelCall {
    /// The tensors of the parameters, by their places; none for scalars and the result.
    pub(super) arguments: Vec<Option<TensorHandle>>,
    /// Every tensor that has not been freed.
    pub(super) made: Vec<TensorHandle>,
    /// Every extent that is being solved.
    pub(super) sizes: Vec<SizeHandle>,
    /// Where the caller wants the result, if it brings room for it.
    pub(super) room: Option<PassedResult>,
    /// Which rows of the result each process is to have.
    pub(super) result_rows: PassedParameter,
    /// The result, when it is allocated.
    pub(super) result: Option<TensorHandle>,
    /// An empty tensor for the result, from an earlier call.
    pub(super) spare_result: Option<Box<Tensor>>,
}

/// The structure that the caller passes for a result, which lives as long as the call.
#[derive(Clone, Copy)]
pub(super) struct PassedResult {
    pub(super) arguments: KernelArguments,
    /// The place of the parameter.
    pub(super) place: usize,
}

impl PassedResult {
    pub(super) fn get<'a>(self) -> Result<&'a BorderTensor, Error> {
        self.arguments
            .tensor(self.place)
            .ok_or_else(|| Error::Internal("the result is not passed".to_owned()))
    }
}

/// Begins a call with the tensors of its parameters, and what is known of the result. Returns how many calls
/// are around it.
pub(super) fn begin(tensors: Vec<Option<Box<Tensor>>>, known: KernelCall) -> usize {
    let outer = CALLS.with_borrow_mut(|calls| {
        calls.push(known);
        calls.len() - 1
    });
    // Each is one of those made.
    let arguments = tensors.into_iter().map(|tensor| tensor.map(TensorHandle::of)).collect();
    current(|call| call.arguments = arguments);
    outer
}

/// Begins a call with tensors that live longer than it does.
pub(super) fn begin_with(arguments: Vec<Option<TensorHandle>>) {
    CALLS.with_borrow_mut(|calls| calls.push(KernelCall { arguments, ..KernelCall::default() }));
}

/// Ends the innermost call.
pub(super) fn end() -> KernelCall {
    CALLS.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Ends the call that so many are around. A statement that has failed inside of it has left one of its own.
pub(super) fn end_of(outer: usize) -> KernelCall {
    let mut calls = CALLS.with_borrow_mut(|calls| calls.split_off(outer.min(calls.len())));
    let inner: Vec<KernelCall> = calls.drain(1.min(calls.len())..).collect();
    let mut ended = calls.pop().unwrap_or_default();
    for call in inner {
        ended.made.extend(call.made);
        ended.sizes.extend(call.sizes);
    }
    ended
}

/// Runs a body on the innermost call, where there is one.
pub(super) fn current<R>(body: impl FnOnce(&mut KernelCall) -> R) -> Option<R> {
    CALLS.with_borrow_mut(|calls| calls.last_mut().map(body))
}

/// Runs a body on the innermost call, which generated code takes for granted.
pub(super) fn expected<R>(body: impl FnOnce(&mut KernelCall) -> R) -> Result<R, Error> {
    current(body).ok_or_else(|| Error::Internal("there is no call of a kernel".to_owned()))
}
