//! The types of elements.

use super::operator::words;

words! {
    /// The type of an element, aliases followed.
    Scalar {
        /// 32 bits with a sign.
        Int = "Int",
        /// 64 bits with a sign.
        Long = "Long",
        /// 32 bits without a sign: words of bit vectors.
        U32 = "U32",
        /// Single precision.
        Float = "Float",
        /// Double precision.
        Double = "Double",
        /// One bit.
        Bit = "Bit",
    }
}

impl Scalar {
    pub fn bits(self) -> u32 {
        match self {
            Self::Bit => 1,
            Self::Int | Self::U32 | Self::Float => 32,
            Self::Long | Self::Double => 64,
        }
    }

    pub fn bytes(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }

    pub fn is_integer(self) -> bool {
        matches!(self, Self::Int | Self::Long | Self::U32)
    }
}
