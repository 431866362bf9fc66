//! Vectors of one dimension.

use super::Builder;
use crate::{Attr, Result, Ty, Val, types};
use melior::ir::ValueLike;
use melior::ir::attribute::{ArrayAttribute, DenseI64ArrayAttribute};
use std::ops::Range;

impl<'c> Builder<'c> {
    /// Consecutive elements of a `memref<?xT>` from `position` on.
    pub fn vector_load(self, memref: Val<'c>, position: Val<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        self.value("vector.load", &[memref, position], ty)
    }

    /// Stores consecutive elements of a `memref<?xT>` from `position` on.
    pub fn vector_store(self, vector: Val<'c>, memref: Val<'c>, position: Val<'c>) -> Result<'c, ()> {
        self.op("vector.store", &[vector, memref, position], &[], &[]).map(|_| ())
    }

    /// Stores consecutive elements of a `memref<?xT>` from `position` on past the caches. They begin at a
    /// multiple of so many bytes.
    pub fn vector_stream(
        self,
        vector: Val<'c>,
        memref: Val<'c>,
        position: Val<'c>,
        alignment: u64,
    ) -> Result<'c, ()> {
        let attributes =
            [("nontemporal", self.attribute(true)), ("alignment", self.attribute(alignment as i64))];
        self.op("vector.store", &[vector, memref, position], &[], &attributes).map(|_| ())
    }

    /// `count` lanes from one on.
    pub fn lanes(self, vector: Val<'c>, first: i64, count: u64) -> Result<'c, Val<'c>> {
        let integers = |value: i64| ArrayAttribute::new(self.context(), &[self.attribute(value)]).into();
        let attributes =
            [("offsets", integers(first)), ("sizes", integers(count as i64)), ("strides", integers(1))];
        let ty = types::vector(count, types::scalar(vector.r#type()));
        Ok(self.op("vector.extract_strided_slice", &[vector], &[ty], &attributes)?.result(0))
    }

    /// The first `count` lanes: a `vector<nxi1>`.
    pub fn mask(self, count: Val<'c>, lanes: u64) -> Result<'c, Val<'c>> {
        self.value("vector.create_mask", &[count], types::vector(lanes, types::int(self.context(), 1)))
    }

    /// The lanes of `mask` from memory, the others from `rest`.
    pub fn masked_load(
        self,
        memref: Val<'c>,
        position: Val<'c>,
        mask: Val<'c>,
        rest: Val<'c>,
    ) -> Result<'c, Val<'c>> {
        self.value("vector.maskedload", &[memref, position, mask, rest], rest.r#type())
    }

    /// Stores the lanes of `mask`.
    pub fn masked_store(
        self,
        vector: Val<'c>,
        memref: Val<'c>,
        position: Val<'c>,
        mask: Val<'c>,
    ) -> Result<'c, ()> {
        self.op("vector.maskedstore", &[memref, position, mask, vector], &[], &[]).map(|_| ())
    }

    /// A scalar in every lane.
    pub fn broadcast(self, value: Val<'c>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        if value.r#type() == ty {
            return Ok(value);
        }
        if types::is_complex(value.r#type()) {
            let lanes = types::vector(types::lanes(ty), types::part(value.r#type()));
            let [re, im] = self.complex_parts(value)?;
            return self.complex_of([self.broadcast(re, lanes)?, self.broadcast(im, lanes)?]);
        }
        self.value("vector.broadcast", &[value], ty)
    }

    /// The sum of all lanes, whose number is a power of two: half of them is added to the other half.
    pub fn sum_of_lanes(self, vector: Val<'c>, lanes: u64) -> Result<'c, Val<'c>> {
        if types::is_complex(types::scalar(vector.r#type())) {
            let [re, im] = self.complex_parts(vector)?;
            return self.complex_of([self.sum_of_lanes(re, lanes)?, self.sum_of_lanes(im, lanes)?]);
        }
        let mut sum = vector;
        let mut left = lanes as i64;
        while left > 1 {
            left /= 2;
            let ty = types::vector(left as u64, types::scalar(vector.r#type()));
            let lower = self.shuffled(sum, 0..left, ty)?;
            let upper = self.shuffled(sum, left..2 * left, ty)?;
            sum = self.add_reassociable(lower, upper)?;
        }
        let place = DenseI64ArrayAttribute::new(self.context(), &[0]).into();
        let ty = types::scalar(vector.r#type());
        Ok(self.op("vector.extract", &[sum], &[ty], &[("static_position", place)])?.result(0))
    }

    /// The lane at a position of type `index`.
    pub fn lane(self, vector: Val<'c>, position: Val<'c>) -> Result<'c, Val<'c>> {
        let place = DenseI64ArrayAttribute::new(self.context(), &[types::DYNAMIC]).into();
        let ty = types::scalar(vector.r#type());
        Ok(self.op("vector.extract", &[vector, position], &[ty], &[("static_position", place)])?.result(0))
    }

    /// A vector with another value in the lane at a position of type `index`.
    pub fn with_lane(self, vector: Val<'c>, position: Val<'c>, value: Val<'c>) -> Result<'c, Val<'c>> {
        let place = DenseI64ArrayAttribute::new(self.context(), &[types::DYNAMIC]).into();
        let operands = [value, vector, position];
        Ok(self.op("vector.insert", &operands, &[vector.r#type()], &[("static_position", place)])?.result(0))
    }

    /// Whether a `vector<nxi1>` has a lane that is true.
    pub fn any_lane(self, vector: Val<'c>) -> Result<'c, Val<'c>> {
        let ty = types::scalar(vector.r#type());
        let kind = Attr::parse(self.context(), "#vector.kind<or>").expect("the dialect has kinds");
        Ok(self.op("vector.reduction", &[vector], &[ty], &[("kind", kind)])?.result(0))
    }

    fn shuffled(self, vector: Val<'c>, lanes: Range<i64>, ty: Ty<'c>) -> Result<'c, Val<'c>> {
        let mask = DenseI64ArrayAttribute::new(self.context(), &lanes.collect::<Vec<_>>()).into();
        Ok(self.op("vector.shuffle", &[vector, vector], &[ty], &[("mask", mask)])?.result(0))
    }
}
