//! Sizes of tiles that a user states for each level of a machine: `--tiles LLB:i=64 --tiles PE:i=8`.

use crate::failure::{Failure, Result};
use crate::tile::given::{GivenSizes, unknown};
use crate::tile::statement::Tileable;
use comet_diag::{Diagnostic, Source};
use comet_sema::program::CommandArgKind;
use comet_tiling::{Hierarchy, Statement, Tiles};

pub(crate) type Given = Vec<Tiles>;

/// The tiles that are given for each of the statements. Those of a level without sizes are as long as those
/// around them, and none are longer.
pub(crate) fn given(
    flags: &[GivenSizes],
    hierarchy: &Hierarchy,
    found: &[Tileable],
    source: &Source,
) -> Result<Vec<Option<Given>>> {
    found.iter().try_for_each(|own| refuse_scheduled(own, source))?;
    let places = flags.iter().map(|flag| place(flag, hierarchy)).collect::<Result<Vec<usize>>>()?;
    if let Some(twice) = (1..places.len()).find(|&flag| places[..flag].contains(&places[flag])) {
        let name = &hierarchy.levels[places[twice]].name;
        return Err(wrong(
            &format!("found `--tiles` of the level `{name}` twice, expected it once"),
            hierarchy,
        ));
    }
    for flag in flags {
        if !found.iter().any(|own| flag.sizes.tiles(&own.statement).is_some()) {
            return Err(unknown(&flag.sizes, found));
        }
    }
    let of = |own: &Tileable| {
        let sizes = flags.iter().zip(&places);
        let sizes = sizes.map(|(flag, &place)| Some((place, flag.sizes.tiles(&own.statement)?)));
        let sizes: Vec<(usize, Tiles)> = sizes.flatten().collect();
        (!sizes.is_empty()).then(|| nested(&own.statement, hierarchy.levels.len(), &sizes))
    };
    Ok(found.iter().map(of).collect())
}

fn nested(statement: &Statement, levels: usize, sizes: &[(usize, Tiles)]) -> Given {
    let mut around = statement.whole();
    let mut level = |level: usize| {
        if let Some((_, own)) = sizes.iter().find(|(place, _)| *place == level) {
            around.0.iter_mut().zip(&own.0).for_each(|(size, own)| *size = (*size).min(*own));
        }
        around.clone()
    };
    (0..levels).map(&mut level).collect()
}

/// The number of the level that sizes are for.
fn place(flag: &GivenSizes, hierarchy: &Hierarchy) -> Result<usize> {
    match &flag.level {
        None if hierarchy.levels.len() == 1 => Ok(0),
        None => Err(wrong("found sizes of tiles without a level, expected its name in front", hierarchy)),
        Some(name) => {
            let place = hierarchy.levels.iter().position(|level| level.name == *name);
            place.ok_or_else(|| {
                wrong(&format!("found tiles of `{name}`, which is no level of the machine"), hierarchy)
            })
        }
    }
}

fn wrong(message: &str, hierarchy: &Hierarchy) -> Failure {
    let names = hierarchy.levels.iter().map(|level| format!("`--tiles {}:i=N`", level.name));
    let hint = format!("write {}", names.collect::<Vec<_>>().join(" or "));
    Failure::hinted(message, hint)
}

/// Sizes in a schedule do not say which level they are for.
fn refuse_scheduled(own: &Tileable, source: &Source) -> Result<()> {
    let tiles = own.commands.iter().filter(|command| command.name.name == "tile");
    let mut arguments = tiles.flat_map(|command| &command.args);
    match arguments.find(|argument| matches!(argument.kind, CommandArgKind::Sized(..))) {
        Some(argument) => {
            let what = "sizes of tiles in a schedule beside `--machine`";
            let hint = "take them out, and give those of a level as `--tiles NAME:i=N`";
            let error = Diagnostic::not_supported(argument.span, what).hint(hint);
            Err(Failure::in_source(vec![error], source))
        }
        None => Ok(()),
    }
}
