//! One variable: scanners, joiners, repeaters.

use super::build::{Build, Out};
use super::node::{Leaf, Node, Rest};
use super::statement::{Refusal, Statement};
use crate::graph::{How, Join, Kind, Level, Operator, Repeat, Scanner};

/// How the coordinates of a variable come about.
enum Merge<'n> {
    /// Nothing has the variable.
    Absent,
    /// One stream of coordinates, and the leaves whose references belong to them.
    One(Out, Vec<&'n mut Leaf>),
    /// Several.
    Join(How, Vec<Merge<'n>>),
}

/// The coordinates of a variable.
#[derive(Clone, Debug)]
pub(super) struct Coordinates {
    pub(super) var: String,
    pub(super) crd: Out,
    /// Whether a fiber may have none.
    pub(super) may_be_empty: bool,
}

/// Makes the streams of a variable. `None`: nothing has the variable.
pub(super) fn merge(
    build: &mut Build,
    statement: &Statement,
    node: &mut Node,
    var: &str,
) -> Result<Option<Coordinates>, Refusal> {
    let mut absent = Vec::new();
    let merge = scan(build, statement, node, var, &mut absent)?;
    let may_be_empty = merge.may_be_empty(statement);
    let Some((crd, _)) = join(build, merge, var) else { return Ok(None) };
    if !absent.is_empty() {
        let signals = build.signals(var, crd);
        absent.into_iter().try_for_each(|leaf| repeat(build, leaf, var, signals))?;
    }
    Ok(Some(Coordinates { var: var.to_owned(), crd, may_be_empty }))
}

impl Merge<'_> {
    fn may_be_empty(&self, statement: &Statement) -> bool {
        match self {
            Self::Absent => false,
            Self::One(_, leaves) => leaves.iter().any(|leaf| leaf.may_be_empty(statement)),
            Self::Join(How::Intersect, _) => true,
            Self::Join(How::Union, operands) => {
                operands.iter().any(|operand| operand.may_be_empty(statement))
            }
        }
    }
}

impl Leaf {
    /// Whether the level that was scanned last may have an empty fiber: a compressed one under a dense one.
    fn may_be_empty(&self, statement: &Statement) -> bool {
        let Rest::Levels { access, level } = &self.rest else { return false };
        let levels = &statement.tensors[access.tensor].levels;
        let scanned = |back: usize| level.checked_sub(back).map(|level| levels[level]);
        scanned(1) == Some(Level::Compressed) && scanned(2) == Some(Level::Dense)
    }
}

/// Leaves that lack the variable go to `absent`.
fn scan<'n>(
    build: &mut Build,
    statement: &Statement,
    node: &'n mut Node,
    var: &str,
    absent: &mut Vec<&'n mut Leaf>,
) -> Result<Merge<'n>, Refusal> {
    match node {
        Node::Leaf(leaf) => match scan_leaf(build, statement, leaf, var) {
            Some(crd) => Ok(Merge::One(crd, vec![leaf])),
            None => {
                absent.push(leaf);
                Ok(Merge::Absent)
            }
        },
        Node::Sum(_, body) => scan(build, statement, body, var, absent),
        Node::Combine(operator, a, b) => {
            let a = scan(build, statement, a, var, absent)?;
            let b = scan(build, statement, b, var, absent)?;
            combine(*operator, a, b, var)
        }
    }
}

fn combine<'n>(operator: Operator, a: Merge<'n>, b: Merge<'n>, var: &str) -> Result<Merge<'n>, Refusal> {
    let how = match operator {
        Operator::Multiply => How::Intersect,
        Operator::Add | Operator::Subtract => How::Union,
    };
    match (a, b) {
        (Merge::Absent, Merge::Absent) => Ok(Merge::Absent),
        (Merge::Absent, other) | (other, Merge::Absent) => match how {
            How::Intersect => Ok(other),
            How::Union => Err(Refusal::new(format!(
                "not supported yet: a sum in which one side lacks `{var}`, so that it has a value at every coordinate"
            ))),
        },
        (a, b) => Ok(Merge::Join(how, [flat(how, a), flat(how, b)].into_iter().flatten().collect())),
    }
}

/// What joins in the same way is one joiner of more operands.
fn flat(how: How, merge: Merge<'_>) -> Vec<Merge<'_>> {
    match merge {
        Merge::Join(inner, operands) if inner == how => operands,
        other => vec![other],
    }
}

/// The coordinates of a leaf's next level, if that is over the variable.
fn scan_leaf(build: &mut Build, statement: &Statement, leaf: &mut Leaf, var: &str) -> Option<Out> {
    match &mut leaf.rest {
        Rest::Levels { access, level } => {
            let format = &statement.tensors[access.tensor];
            let mode = *format.order.get(*level)?;
            if access.indices[mode] != var {
                return None;
            }
            let scanner = Scanner {
                index: var.to_owned(),
                tensor: format.name.clone(),
                mode,
                level: format.levels[*level],
                root: leaf.stream.is_none(),
            };
            let outputs = build.block(Kind::Scanner(scanner), &[leaf.stream]);
            *level += 1;
            leaf.stream = Some(outputs[1]);
            Some(outputs[0])
        }
        Rest::Reduced(crds) => match crds.front() {
            Some((index, _)) if index == var => crds.pop_front().map(|(_, crd)| crd),
            _ => None,
        },
    }
}

/// Makes the joiners, the inner ones first. An operand with several leaves is there once for each of them.
fn join<'n>(build: &mut Build, merge: Merge<'n>, var: &str) -> Option<(Out, Vec<&'n mut Leaf>)> {
    let (how, operands) = match merge {
        Merge::Absent => return None,
        Merge::One(crd, leaves) => return Some((crd, leaves)),
        Merge::Join(how, operands) => (how, operands),
    };
    let (mut inputs, mut leaves) = (Vec::new(), Vec::new());
    for operand in operands {
        let (crd, joined) = join(build, operand, var)?;
        for leaf in joined {
            inputs.extend([Some(crd), leaf.stream]);
            leaves.push(leaf);
        }
    }
    let operands = leaves.iter().map(|leaf| leaf.name.clone()).collect();
    let outputs = build.block(Kind::Join(Join { how, index: var.to_owned(), operands }), &inputs);
    for (leaf, reference) in leaves.iter_mut().zip(&outputs[1..]) {
        leaf.stream = Some(*reference);
    }
    Some((outputs[0], leaves))
}

fn repeat(build: &mut Build, leaf: &mut Leaf, var: &str, signals: Out) -> Result<(), Refusal> {
    if let Rest::Reduced(crds) = &leaf.rest
        && !crds.is_empty()
    {
        return Err(Refusal::new(format!("not supported yet: repeating a reduced tensor over `{var}`")));
    }
    let repeat = Repeat { index: var.to_owned(), tensor: leaf.name.clone(), root: leaf.stream.is_none() };
    leaf.stream = Some(build.block(Kind::Repeat(repeat), &[leaf.stream, Some(signals)])[0]);
    Ok(())
}
