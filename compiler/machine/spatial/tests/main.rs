//! The tests of applications, their texts and the interpreter.

mod any_text;
mod any_value;
mod capstan;
#[path = "lowering/draw.rs"]
mod draw;
mod grammar;
mod interpret_built;
mod interpret_random;
mod lowering;
#[path = "lowering/oracle.rs"]
mod oracle;
#[path = "lowering/tensor.rs"]
mod tensor;
mod texts;
mod wrong;
