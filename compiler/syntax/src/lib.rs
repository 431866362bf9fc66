//! Lexer, parser, syntax tree and printer of the `.ta` language.

pub mod ast;

mod actions;
mod context;
mod depth;
mod dump;
mod fault;
mod lexer;
mod parser;
mod print;
mod token;

#[allow(clippy::all, clippy::pedantic, missing_docs, unreachable_pub, unused)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/grammar.rs"));
}

pub use dump::dump;
pub use parser::{parse, parse_with_recovery};
pub use print::{format_module, print_module};
