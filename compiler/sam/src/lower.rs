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

/// What a statement becomes.
#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// In the order in which they run. The last one's result is the statement's; those before it write
    /// temporaries (compressed levels, unique names) that later ones read.
    pub graphs: Vec<Graph>,
    /// The tensors that stand for all coordinates of an index variable; they are among those of the graphs.
    pub universes: Vec<Universe>,
}

/// A tensor that stands for all coordinates of an index variable: one dense level. Its values are not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Universe {
    /// The tensor.
    pub tensor: String,
    /// The index variable, whose extent is that of the level.
    pub index: String,
}

impl Lowered {
    /// The graph that writes the statement's result; its first tensor says how that is stored.
    pub fn last(&self) -> &Graph {
        self.graphs.last().expect("a statement becomes a graph")
    }
}

/// Lowers a statement. Levels of operands are taken as they are; those of the result are what the last graph
/// says, which need not be what was asked for.
///
/// # Errors
/// The levels of an operand do not come in the order of the variables, or the statement needs what the blocks
/// cannot express yet.
pub fn lower(statement: &Statement) -> Result<Lowered, Refusal> {
    statement.check()?;
    let mut walk = walk::Walk::new(statement);
    let streams = walk.statement()?;
    construct::construct(&mut walk, statement, streams)?;
    Ok(Lowered { graphs: vec![walk.build.finish(statement)], universes: Vec::new() })
}
