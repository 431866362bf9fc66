//! The element types of values: how each is stored, and in which type it is computed.

mod bits;

/// The element type of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    F64,
    F32,
    I64,
    Bool,
    I8,
    I16,
    I32,
    U8,
    U32,
    F16,
    BF16,
    C64,
    C128,
}

/// What is known of an element type.
#[derive(Clone, Copy, Debug)]
pub struct ValueRow {
    /// The word of the language.
    pub word: &'static str,
    /// The type of MLIR, which is also the word of a format's text.
    pub text: &'static str,
    /// The bytes of an element in memory.
    pub bytes: usize,
    pub kind: ValueKind,
    /// The descriptor of NumPy's arrays that hold such elements; `None` where NumPy has no such type.
    pub numpy: Option<&'static str>,
    /// The type of elements in C.
    pub c: &'static str,
    /// The type of elements in C++, which `comet.hpp` knows the number of.
    pub cxx: &'static str,
    /// The number of the type in `comet.h`, and its name there.
    pub code: (u32, &'static str),
}

/// How an element is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// As an integer, which is at least the first number and at most the second.
    Integer(i64, i64),
    /// As 0 or 1.
    Truth,
    /// As a binary floating-point number with so many bits of the mantissa, the first one included.
    Float(u32),
    /// As two such numbers, the real part and the imaginary one.
    Complex(u32),
}

const fn integer(min: i64, max: i64) -> ValueKind {
    ValueKind::Integer(min, max)
}

#[rustfmt::skip]
const ROWS: [ValueRow; 13] = [
    ValueRow { word: "double", text: "f64", bytes: 8, kind: ValueKind::Float(53), numpy: Some("<f8"), c: "double", cxx: "double", code: (1, "COMET_F64") },
    ValueRow { word: "float", text: "f32", bytes: 4, kind: ValueKind::Float(24), numpy: Some("<f4"), c: "float", cxx: "float", code: (2, "COMET_F32") },
    ValueRow { word: "int", text: "i64", bytes: 8, kind: integer(i64::MIN, i64::MAX), numpy: Some("<i8"), c: "int64_t", cxx: "std::int64_t", code: (3, "COMET_I64") },
    ValueRow { word: "bool", text: "i1", bytes: 1, kind: ValueKind::Truth, numpy: Some("|b1"), c: "uint8_t", cxx: "bool", code: (4, "COMET_BOOL") },
    ValueRow { word: "int8", text: "i8", bytes: 1, kind: integer(-128, 127), numpy: Some("|i1"), c: "int8_t", cxx: "std::int8_t", code: (5, "COMET_I8") },
    ValueRow { word: "int16", text: "i16", bytes: 2, kind: integer(-32768, 32767), numpy: Some("<i2"), c: "int16_t", cxx: "std::int16_t", code: (6, "COMET_I16") },
    ValueRow { word: "int32", text: "i32", bytes: 4, kind: integer(-2_147_483_648, 2_147_483_647), numpy: Some("<i4"), c: "int32_t", cxx: "std::int32_t", code: (7, "COMET_I32") },
    ValueRow { word: "uint8", text: "ui8", bytes: 1, kind: integer(0, 255), numpy: Some("|u1"), c: "uint8_t", cxx: "std::uint8_t", code: (8, "COMET_U8") },
    ValueRow { word: "uint32", text: "ui32", bytes: 4, kind: integer(0, 4_294_967_295), numpy: Some("<u4"), c: "uint32_t", cxx: "std::uint32_t", code: (9, "COMET_U32") },
    // C and C++ have no type for halves that all compilers know: their bits are passed.
    ValueRow { word: "float16", text: "f16", bytes: 2, kind: ValueKind::Float(11), numpy: Some("<f2"), c: "uint16_t", cxx: "comet::float16", code: (10, "COMET_F16") },
    ValueRow { word: "bfloat16", text: "bf16", bytes: 2, kind: ValueKind::Float(8), numpy: None, c: "uint16_t", cxx: "comet::bfloat16", code: (11, "COMET_BF16") },
    ValueRow { word: "complex64", text: "complex<f32>", bytes: 8, kind: ValueKind::Complex(24), numpy: Some("<c8"), c: "comet_complex64", cxx: "std::complex<float>", code: (12, "COMET_C64") },
    ValueRow { word: "complex128", text: "complex<f64>", bytes: 16, kind: ValueKind::Complex(53), numpy: Some("<c16"), c: "comet_complex128", cxx: "std::complex<double>", code: (13, "COMET_C128") },
];

impl ValueType {
    pub const ALL: [Self; 13] = [
        Self::F64,
        Self::F32,
        Self::I64,
        Self::Bool,
        Self::I8,
        Self::I16,
        Self::I32,
        Self::U8,
        Self::U32,
        Self::F16,
        Self::BF16,
        Self::C64,
        Self::C128,
    ];

    pub fn row(self) -> &'static ValueRow {
        &ROWS[self as usize]
    }

    /// Returns the types of values in the streams of dataflow graphs: the real ones that are computed in.
    pub fn streamed() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|value| value.is_computed() && !value.is_complex())
    }

    /// Returns the word of the language.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// Returns the type of a word of the language; `int64` is another word for `int`.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "int64" => Some(Self::I64),
            _ => Self::ALL.into_iter().find(|value| value.word() == word),
        }
    }

    pub fn bytes(self) -> usize {
        self.row().bytes
    }

    /// Returns the type in which elements are computed: `int` for integers and truths, `float` for halves.
    #[must_use]
    pub fn computed(self) -> Self {
        match self.row().kind {
            ValueKind::Integer(..) | ValueKind::Truth => Self::I64,
            ValueKind::Float(53) => Self::F64,
            ValueKind::Float(_) => Self::F32,
            ValueKind::Complex(_) => self,
        }
    }

    /// Returns whether elements are stored as they are computed.
    pub fn is_computed(self) -> bool {
        self.computed() == self
    }

    /// Returns whether elements are integers that wrap to the width of the type.
    pub fn wraps(self) -> bool {
        matches!(self.row().kind, ValueKind::Integer(..))
    }

    /// Returns whether values are computed as floating-point numbers.
    pub fn is_float(self) -> bool {
        matches!(self.row().kind, ValueKind::Float(_))
    }

    /// Returns whether values have an imaginary part.
    pub fn is_complex(self) -> bool {
        matches!(self.row().kind, ValueKind::Complex(_))
    }

    /// Returns the type of the parts of complex values, and the type itself of real ones.
    #[must_use]
    pub fn part(self) -> Self {
        match self {
            Self::C64 => Self::F32,
            Self::C128 => Self::F64,
            real => real,
        }
    }

    /// Returns the complex type whose parts are values of a type, which for integers are `double`.
    #[must_use]
    pub fn complex(self) -> Self {
        match self.part().computed() {
            Self::F32 => Self::C64,
            _ => Self::C128,
        }
    }

    /// Returns the type in which operands of two types meet, which is one that values are computed in.
    #[must_use]
    pub fn widest(self, other: Self) -> Self {
        if self.is_complex() || other.is_complex() {
            return self.part().widest(other.part()).complex();
        }
        match (self.computed(), other.computed()) {
            (Self::F64, _) | (_, Self::F64) => Self::F64,
            (Self::F32, _) | (_, Self::F32) => Self::F32,
            _ => Self::I64,
        }
    }

    /// Returns the number that elements store which is nearest to an integer.
    pub fn nearest(self, value: i64) -> i64 {
        match self.row().kind {
            ValueKind::Integer(min, max) => value.clamp(min, max),
            ValueKind::Truth => value.clamp(0, 1),
            ValueKind::Float(_) | ValueKind::Complex(_) => value,
        }
    }

    /// Returns whether the type stores an integer as it is; a truth is made of any number.
    pub fn holds(self, value: i64) -> bool {
        match self.row().kind {
            ValueKind::Integer(min, max) => (min..=max).contains(&value),
            ValueKind::Truth | ValueKind::Float(_) | ValueKind::Complex(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_types() {
        for (value, row) in ValueType::ALL.into_iter().zip(ROWS) {
            assert_eq!((value.word(), ValueType::named(row.word)), (row.word, Some(value)));
            assert_eq!(value as usize + 1, row.code.0 as usize);
            assert!(value.computed().is_computed());
        }
        assert_eq!(ValueType::named("int64"), Some(ValueType::I64));
        assert_eq!(ValueType::named("complex32"), None);
    }

    #[test]
    fn operands_meet_in_a_type_that_is_computed_in() {
        assert_eq!(ValueType::I8.widest(ValueType::Bool), ValueType::I64);
        assert_eq!(ValueType::F16.widest(ValueType::U32), ValueType::F32);
        assert_eq!(ValueType::BF16.widest(ValueType::F64), ValueType::F64);
        assert_eq!(ValueType::C64.widest(ValueType::I64), ValueType::C64);
        assert_eq!(ValueType::F64.widest(ValueType::C64), ValueType::C128);
        assert_eq!(ValueType::C128.widest(ValueType::F16), ValueType::C128);
        assert!(ValueType::U8.holds(255) && !ValueType::U8.holds(-1) && ValueType::Bool.holds(7));
    }
}
