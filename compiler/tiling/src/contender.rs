//! All schemes that are compared (d2t2.txt section 6): those with tiles of one size, of which traffic is
//! predicted, and those of which it is only counted, packed tiles and dynamic ones. `comet tile
//! --schemes` and `tools/comet-bench tiling` take their names and their traffic from here.

use crate::cube::conservative;
use crate::drt::{Dynamic, Unsupported, drt};
use crate::measure::{Traffic, measure};
use crate::observed::Observed;
use crate::optimize::fullest;
use crate::packed::Packed;
use crate::schemes::Scheme;
use crate::statement::Tiles;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contender {
    /// One with tiles of one size.
    Scheme(Scheme),
    /// Small tiles brought together to about the chosen ones (section 6.7).
    Packed(Small),
    /// Tiles of several sizes along an index, with about as many entries each.
    Occupancy,
    /// Tiles of several sizes, put together while the computation runs.
    Drt,
}

impl Contender {
    /// Everything there is, in the order of reports.
    pub fn all() -> Vec<Self> {
        let schemes = Scheme::ALL.into_iter().chain([Scheme::Overbooked]).chain(Scheme::ABLATIONS);
        let packed = Small::ALL.map(Self::Packed);
        schemes.map(Self::Scheme).chain([Self::Occupancy]).chain(packed).chain([Self::Drt]).collect()
    }

    /// As in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scheme(scheme) => scheme.name(),
            Self::Packed(small) => small.into(),
            Self::Occupancy => "occupancy",
            Self::Drt => "drt",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|own| own.name() == name)
    }

    /// Whether nothing is counted to choose its tiles and to predict what they move.
    pub fn is_predicted(self) -> bool {
        match self {
            Self::Scheme(scheme) => scheme != Scheme::Exhaustive,
            Self::Occupancy => true,
            Self::Packed(_) | Self::Drt => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
pub enum Small {
    #[strum(serialize = "packed")]
    Conservative,
    /// Those that statistics are made of, a quarter as long.
    #[strum(serialize = "packed-small")]
    Base,
}

impl Small {
    pub const ALL: [Self; 2] = [Self::Conservative, Self::Base];

    /// Brings small tiles together to about the chosen ones, and counts what these packed tiles move.
    pub fn counted(self, observed: &Observed<'_>, chosen: &Tiles) -> PackedOutcome {
        let (statement, machine) = (observed.statement, observed.machine());
        let small = match self {
            Self::Conservative => conservative(statement, machine),
            Self::Base => Tiles::base(statement, machine),
        };
        let packed = Packed::new(statement, &small, chosen, machine);
        PackedOutcome {
            fill: fullest(&packed.statement, &packed.tiles, machine),
            measured: measure(&packed.statement, &packed.tiles, machine),
            tiles: packed.sizes(),
            small,
        }
    }
}

#[derive(Clone, Debug)]
pub struct PackedOutcome {
    pub small: Tiles,
    /// What they are brought together to.
    pub tiles: Tiles,
    pub fill: f64,
    pub measured: Traffic,
}

impl Observed<'_> {
    /// Goes through the statement in dynamic tiles, grown from the tiles that statistics are made of.
    ///
    /// # Errors
    /// Statements that have no dynamic tiles, as [`drt`] has it.
    pub fn dynamic(&self) -> Result<Dynamic, Unsupported> {
        drt(self.statement, self.base(), self.machine())
    }
}
