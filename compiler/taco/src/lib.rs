//! TACO's notation as a second front end: an expression and flags become the tree of a `.ta` program.
//!
//! [`CommandLine`] is the text that all places point into, [`translate`] turns it into a [`Translation`].
//! What comes out means what the same text means in the `.ta` language; names, ranks, formats and sizes are
//! checked here, so that messages speak of flags. Nothing here panics on any text.

mod command_line;
mod depth;
mod element;
mod expression;
mod fault;
mod flags;
mod format;
mod lexer;
mod names;
mod notation;
mod parser;
mod program;
mod schedule;
mod sizes;
mod token;
mod translate;

/// What LALRPOP generates, which is not held to the house style.
#[allow(clippy::all, clippy::pedantic, clippy::unwrap_used, unreachable_pub, unused)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/grammar.rs"));
}

pub use command_line::{CommandLine, Flag};
pub use translate::{Translation, translate};
