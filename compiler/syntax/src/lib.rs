//! Lexer, parser, syntax tree and printer of the `.ta` language.

pub mod ast;

mod actions;
mod context;
mod lexer;
mod parser;
mod token;

#[allow(clippy::all, clippy::pedantic, missing_docs, unreachable_pub, unused)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/grammar.rs"));
}

pub use parser::{parse, parse_with_recovery};
