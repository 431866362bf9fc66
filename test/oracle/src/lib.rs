//! A dense evaluator of the .ta language that shares only the syntax tree with the compiler.
