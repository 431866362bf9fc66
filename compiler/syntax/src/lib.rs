//! Lexer, parser, syntax tree and printer of the `.ta` language.

pub mod ast;
