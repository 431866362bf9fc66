//! Which levels of a format coordinates can be appended to in storage order.

use crate::nest::{Relations, loops_around, point};
use comet_dialects::cin::AssignOperation;
use comet_ir::{Op, Val, format};
use comet_runtime::format::{Format, Level, LevelExpr, LevelKind};
use melior::ir::ValueLike;
use std::ops::Range;

/// Levels whose coordinates are appended together: CU by itself, CN with the S levels right below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The levels.
    pub levels: Range<usize>,
}

/// The groups of a format, outermost first; all its other levels are dense. `None` where a level is of
/// another kind, or all are dense.
pub fn groups(format: &Format) -> Option<Vec<Group>> {
    let mut groups: Vec<Group> = Vec::new();
    for (number, level) in format.levels.iter().enumerate() {
        match level.kind {
            LevelKind::CompressedUnique | LevelKind::CompressedNonUnique => {
                groups.push(Group { levels: number..number + 1 });
            }
            LevelKind::Singleton => {
                let group =
                    groups.last_mut().filter(|group| takes_singleton(group, &format.levels, number))?;
                group.levels.end += 1;
            }
            LevelKind::Dense if level.expr != LevelExpr::Slot => {}
            _ => return None,
        }
    }
    (!groups.is_empty()).then_some(groups)
}

fn takes_singleton(group: &Group, levels: &[Level], number: usize) -> bool {
    group.levels.end == number && levels[group.levels.start].kind == LevelKind::CompressedNonUnique
}

/// The groups that coordinates are appended to: where one operation in `scope` assigns to the tensor, and the
/// loops around it are those of the tensor's levels, in their order. That of a dense level may be cut into
/// blocks.
pub fn appended_groups<'c>(scope: Op<'c>, tensor: Val<'c>, relations: &Relations<'c>) -> Option<Vec<Group>> {
    let assigns = scope.descendants::<AssignOperation>().into_iter();
    let assigns: Vec<Op<'c>> = assigns.filter(|assign| point(*assign).0 == tensor).collect();
    let [assign] = assigns[..] else { return None };
    let (_, indices) = point(assign);
    let format = format::of_type(tensor.r#type());
    let groups = groups(&format)?;
    let vars = format.levels.iter().map(|level| relations.level_var(*level, &indices));
    let vars: Vec<Val<'c>> = vars.collect::<Option<_>>()?;
    let is_new = |(number, var): (usize, &Val<'c>)| !vars[..number].contains(var);
    let mut loops = &loops_around(assign, scope)[..];
    let are_around = format.levels.iter().zip(&vars).all(|(level, var)| {
        let rest = without_level(loops, *level, *var, relations);
        loops = rest.unwrap_or(loops);
        rest.is_some()
    });
    (vars.iter().enumerate().all(is_new) && are_around && loops.is_empty()).then_some(groups)
}

/// What is left of some loops when the outermost of them are those of a level: one over its variable, or, of
/// a dense one, one over blocks and one right inside of it.
fn without_level<'a, 'c>(
    loops: &'a [Val<'c>],
    level: Level,
    var: Val<'c>,
    relations: &Relations<'c>,
) -> Option<&'a [Val<'c>]> {
    match loops {
        [only, rest @ ..] if *only == var => Some(rest),
        [outer, inner, rest @ ..] if level.kind == LevelKind::Dense => {
            let mut splits = relations.splits_of(var);
            splits.any(|split| split.outer == *outer && split.inner == *inner).then_some(rest)
        }
        _ => None,
    }
}
