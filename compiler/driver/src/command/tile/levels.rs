//! `comet tile --machine`: tiles for all levels of memory of a machine.

use crate::arguments::TileArguments;
use crate::command::output;
use crate::failure::{Failure, Result};
use crate::machine;
use crate::progress::Steps;
use crate::session::Session;
use crate::tile::levels::given::{Given, given};
use crate::tile::levels::{LevelRow, OnLevels, json};
use crate::tile::report::GIVEN;
use crate::tile::statement::Tileable;
use comet_diag::{Diagnostic, Source, Span};
use comet_runtime::output::tell;
use comet_sam::machine::{PRESET_NAMES, hierarchy, preset};
use comet_tiling::{Hierarchy, Leveled, Levels, Memory, Objective, Observed, Room, Scheme, TiledOperands};
use std::path::Path;

/// The machine of a name, or else of a file.
pub(super) fn read(name: &Path) -> Result<Hierarchy> {
    const HINT: &str =
        "`compiler/docs/guides/tiling.md`, \"A machine with several levels\", has all keys with their units";
    match name.to_str().and_then(preset) {
        Some(text) => hierarchy(text).map_err(Failure::internal),
        None if !name.exists() => {
            let message = format!(
                "found `{}`, expected a file in TOML or one of {}",
                name.display(),
                PRESET_NAMES.join(", ")
            );
            Err(Failure::hinted(message, HINT))
        }
        None => machine::read(name, HINT, hierarchy),
    }
}

pub(super) struct OnMachine<'a> {
    pub(super) arguments: &'a TileArguments,
    pub(super) session: &'a Session,
    pub(super) source: &'a Source,
    pub(super) hierarchy: &'a Hierarchy,
}

impl OnMachine<'_> {
    /// Chooses tiles for statements, and reports what they move.
    pub(super) fn tile(&self, found: Vec<Tileable>) -> Result<()> {
        let Self { arguments, hierarchy, source, .. } = *self;
        check_tensors(hierarchy, &found)?;
        self.note_objective();
        let given = given(&arguments.tiles, hierarchy, &found, source)?;
        let memories = found.iter().map(|own| memories(hierarchy, own, source));
        let memories = memories.collect::<Result<Vec<_>>>()?;
        let of = |((own, given), memories)| self.of(own, given, memories);
        let all: Vec<OnLevels> = found.into_iter().zip(given).zip(memories).map(of).collect();
        for own in &all {
            tell(format_args!("{}", own.text(hierarchy)));
        }
        let outermost = |own: &OnLevels| {
            super::command(
                (&own.statement, &own.chosen().leveled.levels[0].tiles),
                own.is_ordered.then_some(&own.statement),
            )
        };
        let commands: Vec<String> = all.iter().map(outermost).collect();
        output::print(format!("{}\n", commands.join("\n")).as_bytes())?;
        match &arguments.json {
            Some(to) => output::write_json(to, &json::json(hierarchy, &all)),
            None => Ok(()),
        }
    }

    /// Reports an objective that is the same for all tiles, so that those for the least bytes are chosen.
    fn note_objective(&self) {
        let missing = match self.arguments.objective.unwrap_or_default() {
            Objective::Time if !self.hierarchy.takes_time() => "`rate`, so that nothing takes time",
            Objective::Energy if !self.hierarchy.takes_energy() => "`energy`, so that no bytes take energy",
            _ => return,
        };
        tell(format_args!("note: the machine states no {missing}; tiles are for the least bytes"));
    }

    fn of(&self, own: Tileable, given: Option<Given>, memories: Vec<Memory>) -> OnLevels {
        let text = super::text_of(&own, self.source);
        let is_ordered = super::is_ordered(self.arguments, &own);
        let Tileable { statement, span, .. } = own;
        let objective = self.arguments.objective.unwrap_or_default();
        let cut = TiledOperands::small_in(&statement, &memories[0]);
        let observed = Observed::in_memory(&statement, memories[0].clone(), &cut, self.arguments.seed);
        let levels = Levels::new(&observed, self.hierarchy, memories);
        let is_counted = !self.arguments.no_measure;
        let levels = if is_counted { levels.with_counted_products() } else { levels };
        let products = levels.products();
        let steps = Steps::new(SCHEMES.len() + usize::from(given.is_some()));
        let row = |name: &'static str, choose: &dyn Fn() -> Leveled| {
            steps.begin(format!("`{text}`: {name}"));
            let mut leveled = choose();
            if is_counted {
                levels.count(&mut leveled);
            }
            steps.end();
            LevelRow { name, leveled }
        };
        let chosen = |scheme: Scheme| row(scheme.name(), &|| levels.choose(scheme, objective));
        let mut rows: Vec<LevelRow> = SCHEMES.into_iter().map(chosen).collect();
        rows.extend(given.map(|given| row(GIVEN, &|| levels.given(given.clone()))));
        let report = OnLevels { text, products, objective, rows, is_ordered, statement: statement.clone() };
        if self.session.explain {
            self.explain(span, &levels.explain(&report.chosen().leveled));
        }
        report
    }

    /// How the traffic of the chosen tiles is predicted, level by level.
    fn explain(&self, span: Span, explained: &[Vec<String>]) {
        for (level, sentences) in self.hierarchy.levels.iter().zip(explained) {
            for report in sentences {
                let report = format!("into `{}`: {report}", level.name);
                self.session.explain_at(self.source, span, report);
            }
        }
    }
}

/// Buffers for tensors are for some that are there.
fn check_tensors(hierarchy: &Hierarchy, found: &[Tileable]) -> Result<()> {
    let names = |own: &Tileable| {
        let read = own.statement.accesses.iter().map(|access| access.name.clone());
        read.chain([own.statement.target.name.clone()]).collect::<Vec<_>>()
    };
    let mut all: Vec<String> = found.iter().flat_map(names).collect();
    all.sort();
    all.dedup();
    for level in &hierarchy.levels {
        let Room::Each(named, _) = &level.room else { continue };
        if let Some((tensor, _)) = named.iter().find(|(tensor, _)| !all.contains(tensor)) {
            let message = format!(
                "found a buffer for `{tensor}` in the level `{}`, expected tensors of the statements",
                level.name
            );
            let known = all.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            return Err(Failure::hinted(message, format!("they read and write {known}")));
        }
    }
    Ok(())
}

fn memories(hierarchy: &Hierarchy, own: &Tileable, source: &Source) -> Result<Vec<Memory>> {
    hierarchy.memories(&own.statement).map_err(|found| {
        let hint = "give each tensor some hundred bytes at least: `buffers` by name, `buffer` for others";
        Failure::in_source(vec![Diagnostic::error(own.span, found.to_string()).hint(hint)], source)
    })
}

const SCHEMES: [Scheme; 4] = [Scheme::Conservative, Scheme::Prescient, Scheme::Tailors, Scheme::D2t2];
