//! Lexer, parser, syntax tree and printer of the `.ta` language.
//!
//! [`parse`] and [`parse_with_recovery`] read a text, [`format_module`] lays it out, [`print_module`] writes
//! a tree that has no text, and [`dump()`] shows one with its places. Nothing here panics on any text.

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

/// What LALRPOP generates, which is not held to the house style.
#[allow(clippy::all, clippy::pedantic, clippy::unwrap_used, unreachable_pub, unused)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/grammar.rs"));
}

pub use depth::MAX_DEPTH;
pub use dump::dump;
pub use lexer::{is_name, number};
pub use parser::{parse, parse_schedules, parse_statements, parse_with_recovery};
pub use print::{format_module, print_format, print_module};
