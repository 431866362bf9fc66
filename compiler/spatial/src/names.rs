//! Which names an application can declare.

use crate::text::token::Token;
use logos::Logos;

/// What every application declares or calls.
const MEANT: [&str; 32] = [
    "ArgIn",
    "ArgOut",
    "Array",
    "Barrier",
    "DRAM",
    "FIFO",
    "Foreach",
    "MemReduce",
    "Pipe",
    "Reduce",
    "Reg",
    "SRAM",
    "Scan",
    "ScanRed",
    "Seq",
    "SparseDRAM",
    "SparseSRAM",
    "T",
    "V",
    "_",
    "abs",
    "args",
    "bp",
    "exp",
    "ip",
    "main",
    "max",
    "min",
    "mux",
    "nnz_accel_max",
    "nnz_max",
    "sqrt",
];

/// Whether a text can declare a name: it is no word of Scala, and it means nothing else in applications.
///
/// ```
/// use comet_spatial::names::is_free;
/// assert!(is_free("i"));
/// assert!(!is_free("with") && !is_free("mux"));
/// ```
pub fn is_free(name: &str) -> bool {
    !MEANT.contains(&name) && Token::lexer(name).next() == Some(Ok(Token::Name(name)))
}
