//! A statement in index notation to a graph (sam.txt section 5).
//!
//! Iteration and merging, computation and construction are made in one walk over the index variables in
//! dataflow order. At each variable every access that has it gets a scanner; products intersect the
//! coordinates, sums unite them; what lacks the variable is repeated over what came of that. A reduction is
//! closed when its variable comes: the variables that are left inside of it are walked, its values computed
//! and added up, and what comes out are streams that the variables outside go on with.

mod build;
mod construct;
mod merge;
mod node;
mod statement;
mod walk;

pub use statement::{Access, Expression, Refusal, Statement};

use crate::graph::Graph;

/// Lowers a statement.
///
/// # Errors
/// The statement needs what the blocks cannot express yet.
pub fn lower(statement: &Statement) -> Result<Graph, Refusal> {
    statement.check()?;
    let mut walk = walk::Walk::new(statement);
    let streams = walk.statement()?;
    construct::construct(&mut walk, statement, streams)?;
    Ok(walk.build.finish(statement))
}
