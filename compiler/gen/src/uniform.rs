use crate::coordinates::positions;
use crate::random::Random;
use crate::{Amount, Coordinates, Error, sample};

/// A tensor of any rank in which every position is as likely as any other to hold an entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Uniform {
    pub dims: Vec<u64>,
    /// How many positions hold an entry; exactly so many do.
    pub entries: Amount,
}

impl Uniform {
    pub(crate) fn generate(&self, random: &mut Random) -> Result<Coordinates, Error> {
        let count = self.entries.of(positions(&self.dims)?)?;
        Coordinates::at_positions(&self.dims, &sample::uniform(&self.dims, count, random)?)
    }
}
