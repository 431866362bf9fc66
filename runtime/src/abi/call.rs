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
    #[expect(clippy::vec_box, reason = "calls are moved in and out, each time that a kernel is called")]
    static CALLS: RefCell<Vec<Box<KernelCall>>> = const { RefCell::new(Vec::new()) };
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
    /// The structure of the result, if the caller brings arrays for it.
    pub(super) room: Option<PassedResult>,
    /// A tensor that borrows the arrays that the caller brings for the result, until the result takes them.
    pub(super) room_tensor: Option<Box<Tensor>>,
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

impl KernelCall {
    /// Adds a parameter with its tensor, which is one of those made; none for a scalar.
    pub(super) fn add_argument(&mut self, tensor: Option<Box<Tensor>>) {
        let handle = tensor.map(TensorHandle::unlisted);
        self.made.extend(handle);
        self.arguments.push(handle);
    }

    /// Makes this a new call, with the memory of its lists. Tensors and extents in them are not freed.
    pub(super) fn clear(&mut self) {
        let Self { arguments, made, sizes, .. } = self;
        arguments.clear();
        made.clear();
        sizes.clear();
        self.room = None;
        self.room_tensor = None;
        self.result_rows = PassedParameter::default();
        self.result = None;
        self.spare_result = None;
    }
}

/// Begins a call. Returns how many calls are around it.
pub(super) fn begin(call: Box<KernelCall>) -> usize {
    CALLS.with_borrow_mut(|calls| {
        calls.push(call);
        calls.len() - 1
    })
}

/// Begins a call with tensors that live longer than it does.
pub(super) fn begin_with(arguments: Vec<Option<TensorHandle>>) {
    CALLS.with_borrow_mut(|calls| calls.push(Box::new(KernelCall { arguments, ..KernelCall::default() })));
}

/// Ends the innermost call.
pub(super) fn end() -> Box<KernelCall> {
    CALLS.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Ends the call that so many are around. A statement that has failed inside of it has left one of its own.
pub(super) fn end_of(outer: usize) -> Box<KernelCall> {
    let mut ended = end();
    while CALLS.with_borrow(Vec::len) > outer {
        let mut call = end();
        call.made.append(&mut ended.made);
        call.sizes.append(&mut ended.sizes);
        ended = call;
    }
    ended
}

/// Runs a body on the innermost call, where there is one.
pub(super) fn current<R>(body: impl FnOnce(&mut KernelCall) -> R) -> Option<R> {
    CALLS.with_borrow_mut(|calls| calls.last_mut().map(|call| body(call)))
}

/// Runs a body on the innermost call, which generated code takes for granted.
pub(super) fn expected<R>(body: impl FnOnce(&mut KernelCall) -> R) -> Result<R, Error> {
    current(body).ok_or_else(|| Error::Internal("there is no call of a kernel".to_owned()))
}
