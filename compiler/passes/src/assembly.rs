//! Whether coordinates are appended to a tensor in storage order.

use crate::nest::{Relations, loops_around};
use comet_format::{Level, LevelGroup};
use comet_ir::{Op, Val, cin, format};

/// The groups that coordinates are appended to: where one operation in `scope` assigns to the tensor, apart
/// from those that replace its values in place, and the loops around it are those of the tensor's levels, in
/// their order. That of a dense level may be cut into blocks.
pub fn appended_groups<'c>(
    scope: impl Into<Op<'c>>,
    tensor: Val<'c>,
    relations: &Relations<'c>,
) -> Option<Vec<LevelGroup>> {
    let scope = scope.into();
    let assigns = scope.walk::<cin::Assign>().into_iter();
    let assigns: Vec<cin::Assign<'c>> =
        assigns.filter(|assign| assign.tensor() == tensor && !assign.in_place()).collect();
    let [assign] = assigns[..] else { return None };
    let indices = assign.indices();
    let format = format::of(tensor);
    let groups = format.appended_groups()?;
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
        [outer, inner, rest @ ..] if level.kind.is_full() => {
            let mut splits = relations.splits_of(var);
            splits.any(|split| split.outer == *outer && split.inner == *inner).then_some(rest)
        }
        _ => None,
    }
}
