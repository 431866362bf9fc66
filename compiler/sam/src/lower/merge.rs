//! One variable: scanners, joiners, repeaters.

use super::build::{Build, Out};
use super::node::{Leaf, Node, Rest};
use super::statement::{Refusal, Statement};
use crate::graph::{How, Join, Kind, Level, Operand, Repeat, Scanner};

/// Coordinates, and the leaves whose references belong to them.
type Joined<'n> = (Out, Vec<&'n mut Leaf>);

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
    let Some((crd, _)) = join(build, merge, var)? else { return Ok(None) };
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
    /// Coordinates inside of reduced ones come when they come: nothing can be put between them.
    fn check_nesting(&self, var: &str) -> Result<(), Refusal> {
        match &self.rest {
            Rest::Reduced { crds, .. } if !crds.is_empty() => Err(Refusal::new(format!(
                "not supported yet: a reduced tensor with levels inside `{var}` meets other operands there"
            ))
            .hint("compute it in a statement of its own first")),
            _ => Ok(()),
        }
    }

    /// Whether what was scanned last may have an empty fiber: a compressed level under a dense one, or what
    /// was reduced.
    fn may_be_empty(&self, statement: &Statement) -> bool {
        let (access, level) = match &self.rest {
            Rest::Levels { access, level } => (access, level),
            Rest::Reduced { may_be_empty, .. } => return *may_be_empty,
        };
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
        Node::Sum(_, _, body) | Node::Apply(_, body) => scan(build, statement, body, var, absent),
        Node::Combine(how, _, a, b) => {
            let a = scan(build, statement, a, var, absent)?;
            let b = scan(build, statement, b, var, absent)?;
            combine(*how, a, b, var)
        }
    }
}

fn combine<'n>(how: How, a: Merge<'n>, b: Merge<'n>, var: &str) -> Result<Merge<'n>, Refusal> {
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
        Rest::Reduced { crds, .. } => match crds.front() {
            Some((index, _)) if index == var => crds.pop_front().map(|(_, crd)| crd),
            _ => None,
        },
    }
}

/// Makes the joiners, the inner ones first. An operand with several leaves is there once for each of them.
fn join<'n>(build: &mut Build, merge: Merge<'n>, var: &str) -> Result<Option<Joined<'n>>, Refusal> {
    let (how, operands) = match merge {
        Merge::Absent => return Ok(None),
        Merge::One(crd, leaves) => return Ok(Some((crd, leaves))),
        Merge::Join(how, operands) => (how, operands),
    };
    let (mut inputs, mut leaves) = (Vec::new(), Vec::new());
    for operand in operands {
        let Some((crd, joined)) = join(build, operand, var)? else { continue };
        for leaf in joined {
            leaf.check_nesting(var)?;
            inputs.extend([Some(crd), leaf.stream]);
            leaves.push(leaf);
        }
    }
    let operands =
        leaves.iter().map(|leaf| Operand { name: leaf.name.clone(), carries: leaf.carries() }).collect();
    let outputs = build.block(Kind::Join(Join { how, index: var.to_owned(), operands }), &inputs);
    for (leaf, reference) in leaves.iter_mut().zip(&outputs[1..]) {
        leaf.stream = Some(*reference);
    }
    Ok(Some((outputs[0], leaves)))
}

fn repeat(build: &mut Build, leaf: &mut Leaf, var: &str, signals: Out) -> Result<(), Refusal> {
    leaf.check_nesting(var)?;
    let (index, tensor, root) = (var.to_owned(), leaf.name.clone(), leaf.stream.is_none());
    let repeat = Repeat { index, tensor, root, carries: leaf.carries() };
    leaf.stream = Some(build.block(Kind::Repeat(repeat), &[leaf.stream, Some(signals)])[0]);
    Ok(())
}
