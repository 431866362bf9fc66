//! Predictions in words: when tiles are asked for, and the formulas with their numbers.

use crate::formula::Quantity;
use crate::known::Known;
use crate::observed::Observed;
use crate::statement::{Nest, Tiles};

impl Observed<'_> {
    /// How the traffic of tiles is predicted, one sentence a line.
    pub fn explain(&self, tiles: &Tiles) -> Vec<String> {
        let (tiles, larger) = &self.neighbouring(tiles);
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
