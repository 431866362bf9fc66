//! A statement in index notation to graphs (sam.txt section 5).
//!
//! Iteration and merging, computation and construction are made in one walk over the index variables in
//! dataflow order. At each variable every access that has it gets a scanner; products intersect the
//! coordinates, sums unite them; what lacks the variable is repeated over what came of that. A reduction is
//! closed when its variable comes: the variables that are left inside of it are walked, its values computed
//! and added up, and what comes out are streams that the variables outside go on with. Where these would have
//! to be taken apart again, the reduction becomes a statement of its own (`split`).

mod build;
mod clean;
mod close;
mod construct;
mod join;
mod lanes;
mod locate;
mod merge;
mod names;
mod node;
mod parallel;
mod points;
mod shape;
mod split;
mod statement;
mod tile;
mod together;
mod value;
mod walk;

pub use names::Universe;
pub use statement::{IndexAccess, IndexExpression, IndexStatement, Refusal};

use crate::graph::{BlockKind, Graph, MOST};
use crate::named::named_enum;
use names::FreshNames;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq)]
pub struct Lowered {
    /// In the order in which they run. The last one's result is the statement's; those before it write
    /// temporaries (compressed levels, unique names) that later ones read.
    pub graphs: Vec<Graph>,
    /// The tensors that stand for all coordinates of an index variable; they are among those of the graphs.
    pub universes: Vec<Universe>,
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
/// The levels of an operand do not come in the order of the variables, or the statement is not well formed:
/// operands of several types meet, or a variable is neither of the result nor reduced.
pub fn lower(statement: &IndexStatement) -> Result<Lowered, Refusal> {
    lower_with(statement, &Choices::default())
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Tensors of the statement, by their numbers, that bring no coordinates where they meet operands that
    /// do: these are looked for in them (sam.txt section 4.2). That is fewer steps where they are dense, or
    /// much larger.
    pub located: BTreeSet<usize>,
    /// Index variables whose intersecters send the scanners of compressed levels the coordinate that is
    /// needed next (section 4.2).
    pub skipped: BTreeSet<String>,
    /// Index variables whose coordinates are dealt out to so many copies of what is inside (section 4.4). A
    /// reduction over one of them takes what comes of the copies side by side.
    pub parallel: BTreeMap<String, usize>,
    /// Index variables whose levels are scanned so many coordinates a cycle, on buses that go on where they
    /// can (section 4.4).
    pub lanes: BTreeMap<String, usize>,
    /// The outermost index variable that is walked inside of tiles: from its level on, tensors are brought
    /// from memory (section 4.1).
    pub tiled_from: Option<String>,
    /// Whether zeros of a result that is not dense are left out, with the coordinates that have nothing else
    /// (definition 3.9). Nothing is dealt out then.
    pub drops_zeros: bool,
    pub dialect: Dialect,
}

named_enum! {
    /// The blocks that graphs may use.
    #[derive(Default)]
    pub enum Dialect {
        #[default]
        Comet = "comet",
        /// Those that SAM's own tools have, as they behave there. Copies, lanes, skipping and tiles are not
        /// among them.
        Sam = "sam",
        /// Those that Comal has (`comal`): like SAM's, but with accumulators of levels, and without droppers
        /// of values, so that zeros which come of nothing are stored.
        Comal = "comal",
    }
}

impl Dialect {
    pub(crate) fn makes_zeros(self) -> bool {
        self != Self::Comet
    }
}

impl Choices {
    /// Whether there are not more copies and lanes than blocks can have; copies of copies are as many as
    /// their product.
    fn check(&self) -> Result<(), Refusal> {
        let refused = |found: String| {
            Err(Refusal::new(format!("found {found}, expected {MOST} at most")).hint("choose fewer"))
        };
        let mut lanes = self.lanes.iter();
        if let Some((var, lanes)) = lanes.find(|(_, lanes)| **lanes > MOST) {
            return refused(format!("{lanes} lanes of `{var}`"));
        }
        let copies: Vec<(&String, &usize)> =
            self.parallel.iter().filter(|(_, copies)| **copies > 1).collect();
        if copies.iter().fold(1_usize, |all, (_, copies)| all.saturating_mul(**copies)) > MOST {
            let each: Vec<String> =
                copies.iter().map(|(var, copies)| format!("{copies} copies of `{var}`")).collect();
            return refused(each.join(" times "));
        }
        Ok(())
    }
}

/// Lowers a statement as was chosen.
///
/// # Errors
/// As `lower`.
pub fn lower_with(statement: &IndexStatement, choices: &Choices) -> Result<Lowered, Refusal> {
    statement.check()?;
    choices.check()?;
    let (mut names, given) = (FreshNames::new(statement), statement.tensors.len());
    let mut graphs = Vec::new();
    // A zero of a temporary is not the same as none.
    let inner = Choices { drops_zeros: false, ..choices.clone() };
    let statements = match choices.tiled_from {
        Some(_) => {
            let value = together::together(statement.value.clone());
            split::split(&IndexStatement { value, ..statement.clone() }, &mut names)
        }
        None => split::split(statement, &mut names),
    };
    let last = statements.len() - 1;
    for (number, statement) in statements.into_iter().enumerate() {
        let choices = if number == last { choices } else { &inner };
        let mut walk = walk::VariableWalk::new(&statement, &mut names, choices, given);
        let streams = walk.statement();
        if let Some(refusal) = walk.refusal.take() {
            return Err(refusal);
        }
        let result = construct::construct(&mut walk, &statement, streams);
        let mut graph = walk.build.finish(&statement, result);
        // Coordinates are dealt out before it is known which copies read them.
        graph.leave_out_unread(|kind| matches!(kind, BlockKind::Parallelize(_)));
        graph.renumber();
        lanes::widen(&mut graph, &choices.lanes);
        graphs.push(graph);
    }
    Ok(Lowered { graphs, universes: names.universes })
}
