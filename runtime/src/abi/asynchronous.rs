//! The functions that operations of MLIR's `async` dialect become calls of: tokens and groups with counted
//! references, and coroutines that go on. Those for what generated code does not do are not here: tasks write
//! to arrays, so that there are no asynchronous values, and no coroutine waits.
//!
//! The names are MLIR's (`mlir/ExecutionEngine/AsyncRuntime.h`); one of them lacks a letter there, too.

use crate::asynchronous::{Completion, Group, Work, help_until, spawn, threads};
use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering, fence};

/// A token or a group. Generated code holds pointers to it.
pub(crate) struct Object {
    references: AtomicI64,
    kind: ObjectKind,
}

enum ObjectKind {
    Token(Arc<Completion>),
    Group(Arc<Group>),
}

/// A pointer to an object, which lives as long as there are references.
type Handle = *const Object;

/// A coroutine that is suspended.
type Coroutine = *mut c_void;
/// What goes on with it.
type Resume = unsafe extern "C-unwind" fn(Coroutine);

impl Object {
    fn new(kind: ObjectKind, references: i64) -> Handle {
        Box::into_raw(Box::new(Self { references: AtomicI64::new(references), kind }))
    }

    /// Returns the object that a pointer of generated code points to.
    fn of<'a>(handle: Handle) -> &'a Self {
        // SAFETY: generated code uses a pointer only while it holds a reference.
        unsafe { &*handle }
    }

    fn token(handle: Handle) -> &'static Arc<Completion> {
        match &Self::of(handle).kind {
            ObjectKind::Token(completion) => completion,
            ObjectKind::Group(_) => unreachable!("the types of the dialect distinguish tokens from groups"),
        }
    }

    fn group(handle: Handle) -> &'static Arc<Group> {
        match &Self::of(handle).kind {
            ObjectKind::Group(group) => group,
            ObjectKind::Token(_) => unreachable!("the types of the dialect distinguish tokens from groups"),
        }
    }
}

/// The rest of a coroutine, which ends where it is not wanted any more.
struct Rest {
    coroutine: Coroutine,
    resume: Resume,
    is_begun: bool,
}

// SAFETY: a coroutine is resumed by one thread at a time, whichever that is.
unsafe impl Send for Rest {}

impl Rest {
    fn run(mut self) {
        self.is_begun = true;
        // SAFETY: the coroutine is suspended, and nobody else resumes it.
        unsafe { (self.resume)(self.coroutine) }
    }
}

impl Drop for Rest {
    fn drop(&mut self) {
        if !self.is_begun {
            // SAFETY: the coroutine is suspended, and nobody resumes it. LLVM's frames begin with the
            // functions that resume and destroy them.
            unsafe {
                let functions = self.coroutine.cast::<[Resume; 2]>();
                ((*functions)[1])(self.coroutine);
            }
        }
    }
}

fn rest(coroutine: Coroutine, resume: Resume) -> Work {
    let rest = Rest { coroutine, resume, is_begun: false };
    Box::new(move || rest.run())
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeAddRef(handle: Handle, count: i64) {
    Object::of(handle).references.fetch_add(count, Ordering::Relaxed);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeDropRef(handle: Handle, count: i64) {
    if Object::of(handle).references.fetch_sub(count, Ordering::Release) == count {
        fence(Ordering::Acquire);
        // SAFETY: this was the last reference to a box of `Object::new`.
        drop(unsafe { Box::from_raw(handle.cast_mut()) });
    }
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeCreateToken() -> Handle {
    Object::new(ObjectKind::Token(Arc::default()), 2)
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeCreateGroup(size: i64) -> Handle {
    Object::new(ObjectKind::Group(Arc::new(Group::new(size))), 1)
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeAddTokenToGroup(token: Handle, group: Handle) -> i64 {
    Object::group(group).add(Object::token(token))
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeEmplaceToken(token: Handle) {
    Object::token(token).complete();
    mlirAsyncRuntimeDropRef(token, 1);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeSetTokenError(token: Handle) {
    Object::token(token).fail();
    mlirAsyncRuntimeDropRef(token, 1);
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeIsTokenError(token: Handle) -> bool {
    Object::token(token).is_error()
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeIsGroupError(group: Handle) -> bool {
    Object::group(group).is_error()
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeAwaitToken(token: Handle) {
    let token = Object::token(token);
    help_until(&|| token.is_complete());
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeAwaitAllInGroup(group: Handle) {
    let group = Object::group(group);
    help_until(&|| group.is_complete());
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimeExecute(coroutine: Coroutine, resume: Resume) {
    spawn(rest(coroutine, resume));
}

#[unsafe(no_mangle)]
pub(crate) extern "C-unwind" fn mlirAsyncRuntimGetNumWorkerThreads() -> i64 {
    threads() as i64
}
