//! Expressions about tensors in given formats to the syntax tree of a kernel.
//!
//! A caller from another language has an expression and arrays, whose formats are known:
//! `C[i,j] = A[i,k] * B[k,j]` with a CSR matrix and a dense one. [`StatementText`] reads the text, in the
//! language's notation, in TACO's or in einsum's; [`kernel`] declares the operands as parameters, chooses
//! what is not stated of the result (`result`), and returns the tree of a file with one
//! function, whose places are in the text.

mod einsum;
mod expression;
mod kernel;
mod program;
mod result;
mod storage;
mod walk;

pub use einsum::{Einsum, EinsumPath, Subscripts, combining, combining_words};
pub use expression::{Interface, StatementText};
pub use kernel::{ExpressionKernel, KERNEL, NamedOperand, OperandKind, Wanted, kernel};
pub use program::{ScalarLiteral, program};
pub use result::Choice;
pub use storage::{format_of_text, written};
