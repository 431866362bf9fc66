//! Copies of operands whose levels do not come as the loops want them, in front of the loops.

use super::expr::Access;
use super::plan::{Conversion, Nest};
use crate::{copies, nest};
use comet_ir::{Builder, Result, Val, pass, ta};

#[derive(Default)]
pub(super) struct Copies<'c> {
    made: Vec<(Conversion<'c>, Val<'c>)>,
}

impl<'c> Copies<'c> {
    /// Those of a nest, with the accesses that they are for; accesses to one tensor that want the same format
    /// share a copy.
    pub(super) fn of_nest(
        &mut self,
        b: Builder<'c>,
        nest: &Nest<'c>,
    ) -> Result<'c, Vec<(Access<'c>, Val<'c>)>> {
        let of = |conversion: &Conversion<'c>| Ok((conversion.access.clone(), self.of(b, conversion)?));
        nest.conversions.iter().map(of).collect()
    }

    fn of(&mut self, b: Builder<'c>, conversion: &Conversion<'c>) -> Result<'c, Val<'c>> {
        let is_alike = |(other, _): &&(Conversion<'c>, Val<'c>)| {
            other.access.tensor == conversion.access.tensor && other.format == conversion.format
        };
        if let Some((_, copy)) = self.made.iter().find(is_alike) {
            return Ok(*copy);
        }
        let copy = copies::copy_of(b, conversion.access.tensor, &conversion.format)?;
        pass::decided(b.location(), || told(conversion));
        self.made.push((conversion.clone(), copy));
        Ok(copy)
    }

    pub(super) fn release(self, b: Builder<'c>) -> Result<'c, ()> {
        for (_, copy) in self.made {
            ta::Release::build(b, copy)?;
        }
        Ok(())
    }
}

fn told(conversion: &Conversion<'_>) -> String {
    let name = nest::name(conversion.access.tensor);
    format!("`{name}` is copied to `{}` first: {}", conversion.format, conversion.conflict.reason())
}
