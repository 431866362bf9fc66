//! Tiles for all levels of a machine: outer tiles are chosen with what tiles inside of them move. What moves
//! into a level is the traffic of the statement inside of the tiles around ([`crate::nested`]).

use crate::computed::products;
use crate::hierarchy::{Cost, Hierarchy};
use crate::measure::{Traffic, measure_in};
use crate::memory::Memory;
use crate::model::Prediction;
use crate::nested::Around;
use crate::observed::Observed;
use crate::operands::TiledOperands;
use crate::optimize::fullest_in;
use crate::schemes::Scheme;
use crate::statement::{Statement, Tiles};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// Bytes into the outermost level, and with its tiles those into the next one, and so on.
    #[default]
    Bytes,
    Time,
    Energy,
}

impl Objective {
    fn of(self, cost: Cost) -> f64 {
        match self {
            Self::Bytes => 0.0,
            Self::Time => cost.seconds,
            Self::Energy => cost.joules,
        }
    }
}

/// The tiles of a level, and what moves into it.
#[derive(Clone, Debug)]
pub struct LevelTiles {
    /// Their sizes along the variables of the statement.
    pub tiles: Tiles,
    pub predicted: Prediction,
    /// What was counted; `None` where nothing was.
    pub measured: Option<Traffic>,
    /// How much of the buffer the fullest tile of any operand takes, or of a shared one all of them: at most
    /// 1 if all tiles fit.
    pub fill: f64,
}

#[derive(Clone, Debug)]
pub struct Leveled {
    pub levels: Vec<LevelTiles>,
    pub expected: Cost,
    /// What follows from the bytes that were counted; `None` where nothing was.
    pub counted: Option<Cost>,
}

pub struct Levels<'a> {
    /// The statement for the outermost level.
    observed: &'a Observed<'a>,
    hierarchy: &'a Hierarchy,
    memories: Vec<Memory>,
    products: u64,
}

impl<'a> Levels<'a> {
    /// Of a statement that was looked at for the outermost level. `memories` are all levels of the machine as
    /// the statement uses them. How many products there are is expected.
    pub fn new(observed: &'a Observed<'a>, hierarchy: &'a Hierarchy, memories: Vec<Memory>) -> Self {
        let products: f64 = observed.nests().iter().map(|(_, products)| products.all()).sum();
        Self { observed, hierarchy, memories, products: products.round() as u64 }
    }

    /// The same with products that are counted one by one.
    #[must_use]
    pub fn with_counted_products(self) -> Self {
        Self { products: products(self.observed.statement), ..self }
    }

    pub fn products(&self) -> u64 {
        self.products
    }

    /// The tiles of a scheme for all levels, outer ones first; those of [`Scheme::D2t2`] by the objective.
    pub fn choose(&self, scheme: Scheme, objective: Objective) -> Leveled {
        let search = LevelSearch { levels: self, scheme, objective };
        let chosen = search.best(&[], &[]).expect("all levels have tiles");
        let (tiles, predicted): (Vec<Tiles>, Vec<Prediction>) = chosen.into_iter().unzip();
        self.leveled(tiles, predicted)
    }

    /// Tiles that are given for all levels, those of inner levels no longer than those of outer ones.
    pub fn given(&self, tiles: Vec<Tiles>) -> Leveled {
        let predicted = (0..tiles.len()).map(|level| {
            self.inside(&tiles[..level], |observed| {
                observed.predict(&observed.memory.around.tiles(&tiles[level]))
            })
        });
        let predicted = predicted.collect();
        self.leveled(tiles, predicted)
    }

    /// How the traffic into each level is predicted, one sentence a line.
    pub fn explain(&self, leveled: &Leveled) -> Vec<Vec<String>> {
        let tiles: Vec<Tiles> = leveled.levels.iter().map(|level| level.tiles.clone()).collect();
        let of = |level: usize| {
            self.inside(&tiles[..level], |observed| {
                observed.explain(&observed.memory.around.tiles(&tiles[level]))
            })
        };
        (0..tiles.len()).map(of).collect()
    }

    fn leveled(&self, tiles: Vec<Tiles>, predicted: Vec<Prediction>) -> Leveled {
        let fills = each_level(self.observed.statement, &tiles, &self.memories, fullest_in);
        let expected = self.cost(&predicted.iter().map(Prediction::total).collect::<Vec<_>>());
        let levels = tiles.into_iter().zip(predicted).zip(fills);
        let levels =
            levels.map(|((tiles, predicted), fill)| LevelTiles { tiles, predicted, measured: None, fill });
        Leveled { levels: levels.collect(), expected, counted: None }
    }

    pub fn count(&self, leveled: &mut Leveled) {
        let memories = self.memories.iter().zip(&leveled.levels);
        // Of tiles that do not fit together, what is beyond is beyond an equal part.
        let memories = memories.map(|(memory, level)| match level.fill <= 1.0 {
            true => memory.clone(),
            false => memory.clone().divided(),
        });
        let memories: Vec<Memory> = memories.collect();
        let tiles: Vec<Tiles> = leveled.levels.iter().map(|level| level.tiles.clone()).collect();
        let counted = measure_levels(self.observed.statement, &tiles, &memories);
        let bytes: Vec<f64> = counted.iter().map(|traffic| traffic.total() as f64).collect();
        leveled.counted = Some(self.cost(&bytes));
        for (level, traffic) in leveled.levels.iter_mut().zip(counted) {
            level.measured = Some(traffic);
        }
    }

    /// The statement inside of tiles of the levels around.
    fn inside<R>(&self, around: &[Tiles], of: impl FnOnce(&Observed<'_>) -> R) -> R {
        if around.is_empty() {
            return of(self.observed);
        }
        let memory = self.memories[around.len()].clone();
        let plain = self.observed.statement;
        let around = Around::new(plain, around);
        let inside = around.statement(plain);
        let memory = memory.inside(around, &inside);
        let cut = TiledOperands::small_in(&inside, &memory);
        of(&self.observed.inside((&inside, memory), &cut))
    }

    fn cost(&self, bytes: &[f64]) -> Cost {
        self.hierarchy.cost(bytes, self.products as f64)
    }
}

/// What moves into each level, counted: `tiles` and `memories` of all levels, the outermost first.
pub fn measure_levels(statement: &Statement, tiles: &[Tiles], memories: &[Memory]) -> Vec<Traffic> {
    each_level(statement, tiles, memories, measure_in)
}

fn each_level<R>(
    statement: &Statement,
    tiles: &[Tiles],
    memories: &[Memory],
    of: impl Fn(&Statement, &Tiles, &Memory) -> R,
) -> Vec<R> {
    let level = |level: usize| {
        let around = Around::new(statement, &tiles[..level]);
        if level == 0 {
            return of(statement, &tiles[0], &memories[0]);
        }
        let inside = around.statement(statement);
        let tiles = around.tiles(&tiles[level]);
        of(&inside, &tiles, &memories[level].clone().inside(around, &inside))
    };
    (0..tiles.len()).map(level).collect()
}

/// From how many tiles of a level that is not the innermost one the search goes on to those inside.
const CANDIDATES: usize = 6;

struct LevelSearch<'s, 'a> {
    levels: &'s Levels<'a>,
    scheme: Scheme,
    objective: Objective,
}

impl LevelSearch<'_, '_> {
    /// The best tiles of the levels inside of those around, into which so many bytes are expected to move.
    fn best(&self, around: &[Tiles], moved: &[f64]) -> Option<Vec<(Tiles, Prediction)>> {
        let level = around.len();
        if level == self.levels.memories.len() {
            return Some(Vec::new());
        }
        self.levels.inside(around, |observed| {
            let mut best: Option<(Vec<(Tiles, Prediction)>, f64)> = None;
            for tiles in self.candidates(observed, level) {
                let predicted = observed.predict(&tiles);
                let moved = [moved, &[predicted.total()]].concat();
                // What moves into inner levels only adds to it.
                let least = self.objective.of(self.levels.cost(&moved));
                if best.as_ref().is_some_and(|(_, best)| *best <= least) {
                    continue;
                }
                let plain = observed.memory.around.plain(&tiles);
                let Some(inner) = self.best(&[around, std::slice::from_ref(&plain)].concat(), &moved) else {
                    continue;
                };
                let inner_bytes = inner.iter().map(|(_, predicted)| predicted.total());
                let all: Vec<f64> = moved.iter().copied().chain(inner_bytes).collect();
                let cost = self.objective.of(self.levels.cost(&all));
                if best.as_ref().is_none_or(|(_, best)| cost < *best) {
                    best = Some(([(plain, predicted)].into_iter().chain(inner).collect(), cost));
                }
            }
            best.map(|(tiles, _)| tiles)
        })
    }

    /// Tiles that all fit, that of which least traffic is expected first.
    fn candidates(&self, observed: &Observed<'_>, level: usize) -> Vec<Tiles> {
        let is_innermost = level + 1 == self.levels.memories.len();
        match self.scheme {
            Scheme::D2t2 if is_innermost || self.objective == Objective::Bytes => vec![observed.sure()],
            Scheme::D2t2 => observed.candidates(CANDIDATES),
            scheme => vec![scheme.choose(observed)],
        }
    }
}
