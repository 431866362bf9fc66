//! What is known of a statement's operands before tiles are chosen: their tiles of one small size, and
//! samples.

use crate::grid::Summary;
use crate::known::Known;
use crate::machine::{Footprint, Machine};
use crate::operands::TiledOperands;
use crate::points::Points;
use crate::quick::Quick;
use crate::sample::Products;
use crate::slices::Slices;
use crate::stack::Operand;
use crate::statement::{Access, Nest, Pattern, Statement, Tiles};
use crate::tiled::Tiled;
use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

/// Statistics of a statement.
pub struct Observed<'a> {
    pub(crate) statement: &'a Statement,
    pub(crate) machine: Machine,
    /// The operands in the tiles that they were cut into.
    pub(crate) cut: &'a TiledOperands,
    /// Those that are not dense.
    operands: Vec<Option<Operand<'a>>>,
    pub(crate) slices: Vec<Option<Rc<Slices>>>,
    nests: Vec<(Nest, Products)>,
    /// What the search looks at.
    quick: OnceCell<Quick<'a>>,
}

impl<'a> Observed<'a> {
    /// Looks at operands in small tiles.
    pub fn new(statement: &'a Statement, machine: Machine, cut: &'a TiledOperands, seed: u64) -> Self {
        let draw = |access: &'a Access| Some(Rc::new(Slices::draw(points(access)?, seed)));
        let slices: Vec<Option<Rc<Slices>>> = statement.accesses.iter().map(draw).collect();
        let nests = statement.nests().into_iter().map(|nest| {
            let products = Products::draw(statement, &nest, seed);
            (nest, products)
        });
        let (operands, nests) = (operands(statement, cut, &slices), nests.collect());
        Self { statement, machine, cut, operands, slices, nests, quick: OnceCell::new() }
    }

    /// The same operands and samples for another machine.
    pub(crate) fn with_machine(&self, machine: Machine) -> Self {
        let Self { statement, cut, slices, nests, .. } = self;
        let (operands, slices, nests) = (operands(statement, cut, slices), slices.clone(), nests.clone());
        Self { statement, machine, cut, operands, slices, nests, quick: OnceCell::new() }
    }

    /// What is observed.
    pub fn statement(&self) -> &'a Statement {
        self.statement
    }

    /// What tiles are for.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The tiles that operands were cut into.
    pub(crate) fn base(&self) -> &Tiles {
        &self.cut.tiles
    }

    /// The loops, and samples of what they compute.
    pub(crate) fn nests(&self) -> &[(Nest, Products)] {
        &self.nests
    }

    /// What the search looks at.
    pub(crate) fn quick(&self) -> &Quick<'a> {
        self.quick.get_or_init(|| Quick::new(self))
    }

    /// How much of the buffer a full tile of a dense access takes; none of others.
    pub(crate) fn dense_share(&self, access: usize, tiles: &Tiles) -> Option<f64> {
        let own = &self.statement.accesses[access];
        let share = || self.machine.share(Footprint::full(&tiles.of_all(&own.indices)));
        (own.pattern == Pattern::Dense).then(share)
    }
}

fn points(access: &Access) -> Option<&Arc<Points>> {
    match &access.pattern {
        Pattern::Points(points) => Some(points),
        Pattern::Dense => None,
    }
}

/// Those that are not dense, in tiles that are put together as they are asked for.
fn operands<'a>(
    statement: &'a Statement,
    cut: &'a TiledOperands,
    slices: &[Option<Rc<Slices>>],
) -> Vec<Option<Operand<'a>>> {
    let accesses = statement.accesses.iter().zip(&cut.tiled).zip(slices);
    let operand = |((access, tiled), slices): ((&'a Access, &'a Option<Tiled>), &Option<Rc<Slices>>)| {
        Some(Operand::of_tiled(points(access)?, tiled.as_ref()?, Rc::clone(slices.as_ref()?)))
    };
    accesses.map(operand).collect()
}

impl Known for Observed<'_> {
    fn statement(&self) -> &Statement {
        self.statement
    }

    fn machine(&self) -> &Machine {
        &self.machine
    }

    fn summary(&self, access: usize, tiles: &Tiles) -> Option<Rc<Summary>> {
        let sizes = tiles.of_all(&self.statement.accesses[access].indices);
        self.operands[access].as_ref().map(|operand| operand.summary(&self.machine, &sizes))
    }
}
