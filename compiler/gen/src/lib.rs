//! Deterministic generators of sparse matrices and tensors: `comet gen`.
//!
//! A [`Generator`] is a [`Kind`] with its options, a rule for the [`Values`], and a seed; the same three
//! give the same [`Coordinates`] on every machine, because nothing but integer arithmetic and IEEE
//! additions, multiplications and comparisons takes part. [`write()`] puts them into a `.mtx` or `.tns`
//! file, compressed where the name ends in `.gz`.
//!
//! ```
//! use comet_gen::{Generator, Kind, Points, Stencil};
//!
//! let laplacian = Generator::new(Kind::Stencil(Stencil { points: Points::TwentySeven, grid: vec![4, 4, 4] })).generate()?;
//! assert_eq!(laplacian.dims, [64, 64]);
//! assert_eq!(laplacian.len(), 1000);
//! # Ok::<(), comet_gen::Error>(())
//! ```

mod banded;
mod block;
mod coordinates;
mod error;
mod power_law;
mod random;
mod rmat;
mod sample;
mod stencil;
mod uniform;
mod values;
mod write;

pub use banded::Banded;
pub use block::Block;
pub use coordinates::Coordinates;
pub use error::Error;
pub use power_law::PowerLaw;
pub use rmat::Rmat;
pub use sample::Amount;
pub use stencil::{Points, Stencil};
pub use uniform::Uniform;
pub use values::{Values, position_value, set_position_values, set_random_values};
pub use write::write;

use random::Random;

#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A difference operator on a regular grid.
    Stencil(Stencil),
    /// A full band around the diagonal.
    Banded(Banded),
    /// Entries anywhere, each position as likely as any other.
    Uniform(Uniform),
    /// The adjacency matrix of a scale-free graph.
    Rmat(Rmat),
    /// Small dense blocks at random places of a matrix.
    Block(Block),
    /// A tensor of any rank where few indices hold most of the entries.
    PowerLaw(PowerLaw),
}

/// A kind of tensor, a rule for its values, and a seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    kind: Kind,
    values: Values,
    seed: u64,
}

impl Generator {
    /// The kind with its own values and seed 0.
    pub fn new(kind: Kind) -> Self {
        Generator { kind, values: Values::Own, seed: 0 }
    }

    pub fn values(mut self, values: Values) -> Self {
        self.values = values;
        self
    }

    /// Chooses the seed of positions and values. Stencils and bands have no random positions.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// The entries, sorted by their indices, first mode first, without duplicates.
    ///
    /// # Errors
    /// [`Error::Options`] where the options contradict each other or ask for more entries than there are
    /// positions; [`Error::Memory`] where the entries do not fit.
    pub fn generate(&self) -> Result<Coordinates, Error> {
        let mut random = Random::new(self.seed);
        let mut tensor = match &self.kind {
            Kind::Stencil(stencil) => stencil.generate()?,
            Kind::Banded(banded) => banded.generate()?,
            Kind::Uniform(uniform) => uniform.generate(&mut random)?,
            Kind::Rmat(rmat) => rmat.generate(&mut random)?,
            Kind::Block(block) => block.generate(&mut random)?,
            Kind::PowerLaw(power_law) => power_law.generate(&mut random)?,
        };
        match self.values {
            Values::Own if matches!(self.kind, Kind::Stencil(_)) => {}
            Values::Own | Values::Random => values::fill_random(&mut tensor, &mut random),
            Values::Position => set_position_values(&mut tensor),
        }
        Ok(tensor)
    }
}
