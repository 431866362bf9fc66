//! Values between the types that they are stored and computed in: LANGUAGE.md, "Types".
//!
//! Arithmetic is done on `f64`, `f32` and `i64` alone. An element of another type is decoded when it is
//! loaded and encoded when it is stored. The bits of halves are made from those of `f32` by integer
//! arithmetic, so that every processor has it and vectors of them are converted at once.

use super::Builder;
use crate::{Compare, Result, Val, types};
use comet_format::{ValueKind, ValueType};
use melior::ir::ValueLike;

/// The bits of the mantissa of `f32`, without the first.
const MANTISSA: u32 = 23;
/// What the exponents of `f32` are larger by.
const BIAS: i64 = 127;
/// The exponent of infinities and NaN of `f32`.
const INFINITE: i64 = 0xff << MANTISSA;
const SIGN: i64 = 1 << 31;

/// A binary format of 16 bits, in which the bits of a number are those of `f32` from some place on, but for
/// the width of the exponent.
#[derive(Clone, Copy)]
struct Half {
    /// The bits of the mantissa, without the first.
    mantissa: u32,
    /// What its exponents are larger by.
    bias: i64,
}

impl<'c> Builder<'c> {
    /// A value as a type stores it, in the type that such values are computed in.
    pub fn rounded_to(self, value: Val<'c>, to: ValueType) -> Result<'c, Val<'c>> {
        match to.is_computed() {
            true => self.convert(value, types::of_value(self.context(), to)),
            false => self.decoded(self.encoded(value, to)?, to),
        }
    }

    /// An element in memory as a value to compute with; a vector keeps its lanes.
    pub fn decoded(self, element: Val<'c>, of: ValueType) -> Result<'c, Val<'c>> {
        if of.is_computed() {
            return Ok(element);
        }
        let computed = types::of_value(self.context(), of.computed());
        let wide = types::same_lanes(element.r#type(), computed);
        match of.row().kind {
            // Others' memory may hold another true value than 1.
            ValueKind::Truth => {
                let zero = self.integers_like(element, 0)?;
                self.value("arith.extui", &[self.cmpi(Compare::Ne, element, zero)?], wide)
            }
            ValueKind::Integer(0, _) => self.value("arith.extui", &[element], wide),
            ValueKind::Integer(..) => self.value("arith.extsi", &[element], wide),
            ValueKind::Float(digits) | ValueKind::Complex(digits) => {
                self.half_to_float(element, Half::of(digits))
            }
        }
    }

    /// A value as an element in memory: integers wrap, of other numbers the nearest one is stored.
    pub fn encoded(self, value: Val<'c>, to: ValueType) -> Result<'c, Val<'c>> {
        let computed = types::of_value(self.context(), to.computed());
        if to.is_computed() {
            return self.convert(value, computed);
        }
        // What is real of complex values has an imaginary part of 0.
        let value = self.convert(value, types::part(types::scalar(value.r#type())))?;
        let stored = types::same_lanes(value.r#type(), types::stored(self.context(), to));
        let is_float = types::is_float(types::scalar(value.r#type()));
        match to.row().kind {
            ValueKind::Truth => {
                let zero = self.number(types::scalar(value.r#type()), 0.0, 0)?;
                let zero = self.broadcast(zero, value.r#type())?;
                let truth = match is_float {
                    true => self.cmpf(Compare::Ne, value, zero)?,
                    false => self.cmpi(Compare::Ne, value, zero)?,
                };
                self.value("arith.extui", &[truth], stored)
            }
            ValueKind::Integer(min, max) => {
                let whole = if is_float { self.float_to_int(value, computed, min..=max)? } else { value };
                self.value("arith.trunci", &[whole], stored)
            }
            ValueKind::Float(digits) | ValueKind::Complex(digits) => {
                self.float_to_half(self.convert(value, computed)?, Half::of(digits))
            }
        }
    }

    /// An element of an array of such elements, as a value to compute with.
    pub fn load_element(self, array: Val<'c>, of: ValueType, position: Val<'c>) -> Result<'c, Val<'c>> {
        if !of.is_complex() {
            return self.decoded(self.load(array, position)?, of);
        }
        let [re, im] = self.places_of_parts(position)?;
        self.complex_of([self.load(array, re)?, self.load(array, im)?])
    }

    /// Stores a value as an element of an array of such elements.
    pub fn store_element(
        self,
        value: Val<'c>,
        (array, of): (Val<'c>, ValueType),
        position: Val<'c>,
    ) -> Result<'c, ()> {
        let element = self.encoded(value, of)?;
        if !of.is_complex() {
            return self.store(element, array, position);
        }
        let (values, places) = (self.complex_parts(element)?, self.places_of_parts(position)?);
        values.into_iter().zip(places).try_for_each(|(part, place)| self.store(part, array, place))
    }

    /// So many elements from a position on as lanes; with a mask the others are 0.
    pub fn load_lanes(
        self,
        (array, of): (Val<'c>, ValueType),
        position: Val<'c>,
        count: u64,
        mask: Option<Val<'c>>,
    ) -> Result<'c, Val<'c>> {
        let (numbers, first) = (if of.is_complex() { 2 * count } else { count }, self.place(position, of)?);
        let ty = types::vector(numbers, types::element(array.r#type()));
        let loaded = match mask {
            None => self.vector_load(array, first, ty)?,
            Some(mask) => {
                let zero = self.number(types::scalar(ty), 0.0, 0)?;
                let zeros = self.broadcast(zero, ty)?;
                self.masked_load(array, first, self.mask_of(mask, of)?, zeros)?
            }
        };
        match of.is_complex() {
            true => self.shaped(loaded, types::vector(count, types::of_value(self.context(), of))),
            false => self.decoded(loaded, of),
        }
    }

    /// Stores lanes from a position on, those of a mask if there is one.
    pub fn store_lanes(
        self,
        lanes: Val<'c>,
        (array, of): (Val<'c>, ValueType),
        position: Val<'c>,
        mask: Option<Val<'c>>,
    ) -> Result<'c, ()> {
        let elements = self.encoded(lanes, of)?;
        let elements = if of.is_complex() { self.flat(elements)? } else { elements };
        let first = self.place(position, of)?;
        match mask {
            None => self.vector_store(elements, array, first),
            Some(mask) => self.masked_store(elements, array, first, self.mask_of(mask, of)?),
        }
    }

    /// The number of elements of an array of such elements.
    pub fn count_elements(self, array: Val<'c>, of: ValueType) -> Result<'c, Val<'c>> {
        let numbers = self.length(array)?;
        if of.is_complex() { self.divi(numbers, self.index(2)?) } else { Ok(numbers) }
    }

    /// The mask of the numbers of elements.
    fn mask_of(self, mask: Val<'c>, of: ValueType) -> Result<'c, Val<'c>> {
        if of.is_complex() { self.interleaved(mask, mask) } else { Ok(mask) }
    }

    /// Where the numbers of an element begin: complex ones are two.
    pub fn place(self, position: Val<'c>, of: ValueType) -> Result<'c, Val<'c>> {
        if of.is_complex() { self.muli(position, self.index(2)?) } else { Ok(position) }
    }

    fn places_of_parts(self, position: Val<'c>) -> Result<'c, [Val<'c>; 2]> {
        let re = self.muli(position, self.index(2)?)?;
        Ok([re, self.addi(re, self.index(1)?)?])
    }

    /// The bits of a half as the number that they are.
    fn half_to_float(self, half: Val<'c>, format: Half) -> Result<'c, Val<'c>> {
        let [bits, float] = self.types_of_bits(half);
        let wide = self.value("arith.extui", &[half], bits)?;
        let place = self.integers_like(wide, i64::from(MANTISSA - format.mantissa))?;
        if format.bias == BIAS {
            let placed = self.value("arith.shli", &[wide, place], bits)?;
            return self.value("arith.bitcast", &[placed], float);
        }
        let sign = self.and(self.value("arith.shli", &[wide, self.integers_like(wide, 16)?], bits)?, SIGN)?;
        let placed = self.value("arith.shli", &[self.and(wide, 0x7fff)?, place], bits)?;
        // The product is exact, also where the number is a subnormal one.
        let scale = self.number(types::scalar(float), 2f64.powi((BIAS - format.bias) as i32), 0)?;
        let number = self.value("arith.bitcast", &[placed], float)?;
        let number = self.value("arith.mulf", &[number, self.broadcast(scale, float)?], float)?;
        let number = self.value("arith.bitcast", &[number], bits)?;
        let infinite = self.integers_like(placed, format.infinite())?;
        let is_special = self.cmpi(Compare::Ge, placed, infinite)?;
        let special = self.value("arith.ori", &[placed, self.integers_like(placed, INFINITE)?], bits)?;
        let number = self.select(is_special, special, number)?;
        self.value("arith.bitcast", &[self.value("arith.ori", &[number, sign], bits)?], float)
    }

    /// The bits of the half next to a number, of two as near the even one.
    fn float_to_half(self, value: Val<'c>, format: Half) -> Result<'c, Val<'c>> {
        let [bits, float] = self.types_of_bits(value);
        let own = self.value("arith.bitcast", &[value], bits)?;
        let number = self.and(own, SIGN - 1)?;
        let shift = self.integers_like(own, i64::from(MANTISSA - format.mantissa))?;
        let shifted = |value| self.value("arith.shrui", &[value, shift], bits);
        let even = self.and(shifted(number)?, 1)?;
        let below_half = (1i64 << (MANTISSA - format.mantissa - 1)) - 1;
        let moved = below_half - ((BIAS - format.bias) << MANTISSA);
        let rounded = self.addi(number, self.integers_like(own, moved)?)?;
        let mut half = shifted(self.addi(rounded, even)?)?;
        if format.bias != BIAS {
            half = self.with_subnormals([number, half], [bits, float], format)?;
            let too_large = self.integers_like(own, format.too_large())?;
            let is_large = self.cmpi(Compare::Ge, number, too_large)?;
            half = self.select(is_large, self.integers_like(own, format.infinity())?, half)?;
        }
        let infinite = self.integers_like(own, INFINITE)?;
        let is_nan = self.cmpi(Compare::Gt, number, infinite)?;
        let nan = self.integers_like(own, format.infinity() | 1 << (format.mantissa - 1))?;
        half = self.select(is_nan, nan, half)?;
        let sign = self.value("arith.shrui", &[own, self.integers_like(own, 16)?], bits)?;
        let sign = self.and(sign, 0x8000)?;
        let half = self.value("arith.ori", &[half, sign], bits)?;
        let stored = types::same_lanes(bits, types::int(self.context(), 16));
        self.value("arith.trunci", &[half], stored)
    }

    /// The bits of a half, also where it is a subnormal number. Added to a power of two whose last bit counts
    /// as that of such a half, a number is rounded there, and the bits of the half are the last ones.
    fn with_subnormals(
        self,
        [number, half]: [Val<'c>; 2],
        [bits, float]: [crate::Ty<'c>; 2],
        format: Half,
    ) -> Result<'c, Val<'c>> {
        let magic = (BIAS - format.bias + i64::from(MANTISSA - format.mantissa) + 1) << MANTISSA;
        let magic_bits = self.integers_like(number, magic)?;
        let magic = self.value("arith.bitcast", &[magic_bits], float)?;
        let sum = self.value("arith.bitcast", &[number], float)?;
        let sum = self.value("arith.addf", &[sum, magic], float)?;
        let small = self.subi(self.value("arith.bitcast", &[sum], bits)?, magic_bits)?;
        let normal = self.integers_like(number, (BIAS - format.bias + 1) << MANTISSA)?;
        self.select(self.cmpi(Compare::Lt, number, normal)?, small, half)
    }

    /// `i32` and `f32`, in as many lanes as a value has.
    fn types_of_bits(self, value: Val<'c>) -> [crate::Ty<'c>; 2] {
        let context = self.context();
        [types::int(context, 32), crate::Ty::float32(context)].map(|ty| types::same_lanes(value.r#type(), ty))
    }

    /// A number in as many lanes as a value of integers has.
    fn integers_like(self, value: Val<'c>, number: i64) -> Result<'c, Val<'c>> {
        let number = self.int(types::scalar(value.r#type()), number)?;
        self.broadcast(number, value.r#type())
    }

    fn and(self, value: Val<'c>, bits: i64) -> Result<'c, Val<'c>> {
        self.value("arith.andi", &[value, self.integers_like(value, bits)?], value.r#type())
    }
}

impl Half {
    /// The format with so many bits of the mantissa, the first one included.
    fn of(digits: u32) -> Self {
        let mantissa = digits - 1;
        Self { mantissa, bias: (1 << (14 - mantissa)) - 1 }
    }

    /// Its infinity.
    fn infinity(self) -> i64 {
        0x7fff >> self.mantissa << self.mantissa
    }

    /// The bits of its infinity at their place in `f32`.
    fn infinite(self) -> i64 {
        self.infinity() << (MANTISSA - self.mantissa)
    }

    /// The bits in `f32` of the power of two above its largest number.
    fn too_large(self) -> i64 {
        (BIAS + self.bias + 1) << MANTISSA
    }
}
