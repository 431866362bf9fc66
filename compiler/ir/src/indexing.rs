//! Indexing maps: for each operand of a contraction, which of the contraction's labels its modes have; and
//! what the program calls these.

use crate::{Attr, Result};
use melior::Context;
use melior::ir::attribute::{ArrayAttribute, StringAttribute};
use melior::ir::{AffineExpr, AffineMap, AttributeLike};
use mlir_sys::{
    mlirAffineDimExprGetPosition, mlirAffineMapAttrGet, mlirAffineMapAttrGetValue, mlirAffineMapGetNumDims,
    mlirAffineMapGetNumResults, mlirAffineMapGetResult,
};

pub struct IndexingMaps {
    pub labels: usize,
    /// For each operand, the label of each mode.
    pub operands: Vec<Vec<usize>>,
}

impl IndexingMaps {
    pub fn to_attribute<'c>(&self, context: &'c Context) -> Attr<'c> {
        let maps: Vec<Attr<'c>> =
            self.operands.iter().map(|modes| map(context, self.labels, modes)).collect();
        ArrayAttribute::new(context, &maps).into()
    }

    /// Those of an attribute that the verifier of `ta.tc` has seen.
    pub fn of_attribute<'c>(attribute: Attr<'c>) -> Result<'c, Self> {
        let list = ArrayAttribute::try_from(attribute)?;
        let mut maps = Self { labels: 0, operands: Vec::new() };
        for index in 0..list.len() {
            let raw = list.element(index)?.to_raw();
            // SAFETY: the verifier has seen affine maps whose results are plain dimensions.
            unsafe {
                let map = mlirAffineMapAttrGetValue(raw);
                maps.labels = mlirAffineMapGetNumDims(map) as usize;
                let label = |mode| mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, mode)) as usize;
                maps.operands.push((0..mlirAffineMapGetNumResults(map)).map(label).collect());
            }
        }
        Ok(maps)
    }
}

/// The names of the labels, from an attribute that the verifier of `ta.tc` has seen.
pub fn label_names(attribute: Attr<'_>) -> Result<'_, Vec<String>> {
    let list = ArrayAttribute::try_from(attribute)?;
    let name = |place| Ok(StringAttribute::try_from(list.element(place)?)?.value().to_owned());
    (0..list.len()).map(name).collect()
}

fn map<'c>(context: &'c Context, labels: usize, modes: &[usize]) -> Attr<'c> {
    let dims: Vec<AffineExpr<'c>> = modes.iter().map(|label| AffineExpr::dim(context, *label)).collect();
    let map = AffineMap::new(context, labels, 0, &dims);
    // SAFETY: the map lives as long as its context.
    unsafe { Attr::from_raw(mlirAffineMapAttrGet(map.to_raw())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_come_back() {
        let context = Context::new();
        let maps = IndexingMaps { labels: 3, operands: vec![vec![0, 2], vec![2, 1, 1], vec![]] };
        let attribute = maps.to_attribute(&context);
        let again = IndexingMaps::of_attribute(attribute).expect("an array of maps");
        assert_eq!((again.labels, again.operands), (3, maps.operands));
    }
}
