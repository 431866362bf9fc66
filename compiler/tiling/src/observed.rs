//! What is known of a statement's operands before tiles are chosen: their tiles of one small size, and
//! samples.

use crate::formula::Quantity;
use crate::grid::Summary;
use crate::known::Known;
use crate::machine::{Footprint, Machine};
use crate::memory::Memory;
use crate::operands::TiledOperands;
use crate::quick::Quick;
use crate::sample::Products;
use crate::stack::{Slices, StackedOperand};
use crate::statement::{Access, Nest, Pattern, Statement, Tiles};
use crate::tiled::Tiled;
use std::cell::OnceCell;
use std::rc::Rc;

pub struct Observed<'a> {
    pub(crate) statement: &'a Statement,
    /// What tiles are for: the buffers of all accesses and of the result, and the levels around.
    pub(crate) memory: Memory,
    /// The operands in the tiles that they were cut into.
    pub(crate) cut: &'a TiledOperands,
    /// Those that are not dense.
    operands: Vec<Option<StackedOperand<'a>>>,
    pub(crate) slices: Vec<Option<Rc<Slices>>>,
    nests: Vec<(Nest, Products)>,
    /// What the search looks at.
    quick: OnceCell<Quick<'a>>,
}

impl<'a> Observed<'a> {
    /// Looks at operands in small tiles.
    pub fn new(statement: &'a Statement, machine: Machine, cut: &'a TiledOperands, seed: u64) -> Self {
        Self::in_memory(statement, Memory::of(machine, statement), cut, seed)
    }

    /// Looks at operands in small tiles for a level of memory that nothing is around.
    pub fn in_memory(statement: &'a Statement, memory: Memory, cut: &'a TiledOperands, seed: u64) -> Self {
        let draw = |access: &'a Access| Some(Rc::new(Slices::draw(access.points()?, seed)));
        let slices: Vec<Option<Rc<Slices>>> = statement.accesses.iter().map(draw).collect();
        let nests = statement.nests().into_iter().map(|nest| {
            let products = Products::draw(statement, &nest, seed);
            (nest, products)
        });
        Self::of_samples((statement, memory), cut, slices, nests.collect())
    }

    /// The same statement inside of tiles of the levels around, of the samples that were drawn of it.
    pub(crate) fn inside<'b>(
        &self,
        (statement, memory): (&'b Statement, Memory),
        cut: &'b TiledOperands,
    ) -> Observed<'b> {
        let slices =
            self.slices.iter().zip(&self.statement.accesses).map(|(slices, access)| {
                Some(Rc::new(slices.as_ref()?.inside(&memory.around, &access.indices)))
            });
        let slices = slices.collect();
        let of = |(nest, (plain, products)): (Nest, &(Nest, Products))| {
            (nest, products.inside(&memory.around, &plain.variables))
        };
        let nests = statement.nests().into_iter().zip(&self.nests).map(of).collect();
        Observed::of_samples((statement, memory), cut, slices, nests)
    }

    /// The same operands and samples for other buffers.
    pub(crate) fn with_memory(&self, memory: Memory) -> Self {
        Self::of_samples((self.statement, memory), self.cut, self.slices.clone(), self.nests.clone())
    }

    fn of_samples(
        (statement, memory): (&'a Statement, Memory),
        cut: &'a TiledOperands,
        slices: Vec<Option<Rc<Slices>>>,
        nests: Vec<(Nest, Products)>,
    ) -> Self {
        let operands = operands(statement, cut, &slices);
        Self { statement, memory, cut, operands, slices, nests, quick: OnceCell::new() }
    }

    /// The variables of the loops that are not around: those along which tiles are chosen.
    pub(crate) fn loops_inside(&self) -> std::ops::Range<usize> {
        self.memory.around.variables()..self.statement.variables.len()
    }

    pub fn statement(&self) -> &'a Statement {
        self.statement
    }

    /// The buffer of the result, and of each access where all are of one size.
    pub fn machine(&self) -> &Machine {
        &self.memory.result
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
        let share = || self.memory.inputs[access].share(Footprint::full(&tiles.of_all(&own.indices)));
        (own.pattern == Pattern::Dense).then(share)
    }
}

/// Those that are not dense, in tiles that are put together as they are asked for.
fn operands<'a>(
    statement: &'a Statement,
    cut: &'a TiledOperands,
    slices: &[Option<Rc<Slices>>],
) -> Vec<Option<StackedOperand<'a>>> {
    let accesses = statement.accesses.iter().zip(&cut.tiled).zip(slices);
    let operand = |((access, tiled), slices): ((&'a Access, &'a Option<Tiled>), &Option<Rc<Slices>>)| {
        Some(StackedOperand::of_tiled(access.points()?, tiled.as_ref()?, Rc::clone(slices.as_ref()?)))
    };
    accesses.map(operand).collect()
}

impl Known for Observed<'_> {
    fn statement(&self) -> &Statement {
        self.statement
    }

    fn machine(&self, access: usize) -> &Machine {
        &self.memory.inputs[access]
    }

    fn summary(&self, access: usize, tiles: &Tiles) -> Option<Rc<Summary>> {
        let sizes = tiles.of_all(&self.statement.accesses[access].indices);
        let machine = &self.memory.inputs[access];
        self.operands[access].as_ref().map(|operand| operand.summary(machine, &sizes))
    }
}

impl Observed<'_> {
    /// How the traffic of tiles is predicted, one sentence a line.
    pub fn explain(&self, tiles: &Tiles) -> Vec<String> {
        let (tiles, larger) = match self.between(tiles, self.base()) {
            Some((smaller, larger, _)) => &(smaller, larger),
            None => &(tiles.clone(), tiles.clone()),
        };
        let about = (tiles != larger).then(|| {
            let [one, other] = [tiles, larger].map(|tiles| tiles.text(self.statement));
            format!(
                "what is expected lies between that of tiles of {one} and of {other}; for the smaller ones,"
            )
        });
        let explained = self.nests().iter().flat_map(|(nest, products)| {
            let loads = self.loads_explained(nest, tiles);
            let iterations = (self as &dyn Known).iterations(nest, tiles);
            let stores = self.stores(nest, products, iterations, tiles);
            let nodes = self.nodes(nest, products, tiles);
            let nodes: Vec<String> = nodes.iter().map(|count| format!("{count:.0}")).collect();
            let result = format!(
                "{} moves {stores:.0} bytes in {iterations:.0} iterations: {} nodes by level, from a sample of {} products",
                self.statement.target.name,
                nodes.join(", "),
                products.len()
            );
            loads.into_iter().chain([result])
        });
        about.into_iter().chain(explained).collect()
    }

    fn loads_explained(&self, nest: &Nest, tiles: &Tiles) -> Vec<String> {
        let view: &dyn Known = self;
        let of = |access: usize| {
            let known = |quantity: &Quantity| view.quantity(quantity, tiles);
            view.derived(nest, tiles, |derivation| {
                let formula = derivation.loads(access);
                format!(
                    "{} is asked for where {}: {} = {} = {:.0} bytes",
                    self.statement.access_name(access),
                    derivation.constraint(access),
                    formula.text(self.statement),
                    formula.numbers(self.statement, &known),
                    formula.value(&known)
                )
            })
        };
        (0..self.statement.accesses.len()).filter(|&access| nest.reads(access)).map(of).collect()
    }
}
