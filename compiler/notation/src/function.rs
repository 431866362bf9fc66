//! The table of functions of one number: what the language calls them, and their values.

use crate::Complex;

struct FunctionRow {
    /// The name in the language and in the attributes of operations, `exp`.
    name: &'static str,
    float: fn(f64) -> f64,
    /// The value for an integer, where it is one; other functions convert integers to `double` first.
    integer: Option<fn(i64) -> i64>,
}

macro_rules! functions {
    ($($(#[$doc:meta])* $variant:ident = $case:literal { $name:literal, $float:expr, $integer:expr })*) => {
        /// A function of one number.
        ///
        /// The numbers are those of the dialects' enumerations.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        pub enum Function {
            $($(#[$doc])* $variant = $case,)*
        }

        impl Function {
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            fn row(self) -> FunctionRow {
                match self {
                    $(Self::$variant => FunctionRow { name: $name, float: $float, integer: $integer },)*
                }
            }
        }
    };
}

functions! {
    Abs = 0 { "abs", f64::abs, Some(i64::wrapping_abs) }
    Sqrt = 1 { "sqrt", f64::sqrt, None }
    /// 1 / √x.
    Rsqrt = 2 { "rsqrt", |x| x.sqrt().recip(), None }
    Exp = 3 { "exp", f64::exp, None }
    Expm1 = 4 { "expm1", f64::exp_m1, None }
    Log = 5 { "log", f64::ln, None }
    Log1p = 6 { "log1p", f64::ln_1p, None }
    Sin = 7 { "sin", f64::sin, None }
    Cos = 8 { "cos", f64::cos, None }
    Tanh = 9 { "tanh", f64::tanh, None }
    /// 1 / (1 + exp(−x)).
    Sigmoid = 10 { "sigmoid", |x| if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { (1.0 + (-x).exp()).recip() }, None }
    /// The greater of x and 0; NaN of NaN.
    Relu = 11 { "relu", |x| if x < 0.0 { 0.0 } else { x }, Some(|x| x.max(0)) }
    Floor = 12 { "floor", f64::floor, Some(|x| x) }
    Ceil = 13 { "ceil", f64::ceil, Some(|x| x) }
    /// The nearest integer; of two, the even one.
    Round = 14 { "round", f64::round_ties_even, Some(|x| x) }
    /// −1, 0 or 1; NaN of NaN.
    Sign = 15 { "sign", |x| if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { x + 0.0 }, Some(i64::signum) }
    /// 1 of NaN, else 0.
    IsNan = 16 { "isnan", |x| f64::from(u8::from(x.is_nan())), Some(|_| 0) }
    /// The conjugate; a real number is its own.
    Conj = 17 { "conj", |x| x, Some(|x| x) }
    /// The real part.
    Real = 18 { "real", |x| x, Some(|x| x) }
    /// The imaginary part; 0 of a real number.
    Imag = 19 { "imag", |_| 0.0, Some(|_| 0) }
}

/// What a function of a complex value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComplexResult {
    Complex,
    Real,
    /// The function is one of real numbers.
    Undefined,
}

impl Function {
    /// Returns whether it is computed as a sum of powers, and not by a few instructions.
    pub fn is_series(self) -> bool {
        matches!(
            self,
            Self::Exp
                | Self::Expm1
                | Self::Log
                | Self::Log1p
                | Self::Sin
                | Self::Cos
                | Self::Tanh
                | Self::Sigmoid
        )
    }

    /// Returns the function of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|function| function.name() == name)
    }

    /// Returns the name in the language and in the attributes of operations.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the value for a `double`.
    pub fn of_double(self, x: f64) -> f64 {
        (self.row().float)(x)
    }

    /// Returns the value for a `float`: the nearest one.
    pub fn of_float(self, x: f32) -> f32 {
        self.of_double(f64::from(x)) as f32
    }

    /// Returns the value for an integer; `None` where the function has floating-point values only.
    pub fn of_integer(self, x: i64) -> Option<i64> {
        self.row().integer.map(|integer| integer(x))
    }

    /// Returns whether it is a function of complex values.
    pub fn applies_to_complex(self) -> bool {
        self.of_complex() != ComplexResult::Undefined
    }

    /// Returns what the function of a complex value is.
    pub fn of_complex(self) -> ComplexResult {
        match self {
            Self::Conj | Self::Sqrt | Self::Exp => ComplexResult::Complex,
            Self::Abs | Self::Real | Self::Imag | Self::IsNan => ComplexResult::Real,
            Self::Rsqrt | Self::Expm1 | Self::Log | Self::Log1p | Self::Sin | Self::Cos => {
                ComplexResult::Undefined
            }
            Self::Tanh | Self::Sigmoid | Self::Relu | Self::Floor | Self::Ceil => ComplexResult::Undefined,
            Self::Round | Self::Sign => ComplexResult::Undefined,
        }
    }

    /// Returns the value for a complex number; `None` where the function is one of real numbers. The root is
    /// the one whose real part is not negative.
    pub fn of_complex_double(self, z: Complex<f64>) -> Option<Complex<f64>> {
        let real = |re| Complex { re, im: 0.0 };
        Some(match self {
            Self::Conj => z.conjugate(),
            Self::Real => real(z.re),
            Self::Imag => real(z.im),
            Self::Abs => real(libm::hypot(z.re, z.im)),
            Self::IsNan => real(f64::from(u8::from(z.re.is_nan() || z.im.is_nan()))),
            Self::Exp => Complex { re: z.re.exp() * z.im.cos(), im: z.re.exp() * z.im.sin() },
            Self::Sqrt => {
                let large = ((z.re.abs() + libm::hypot(z.re, z.im)) / 2.0).sqrt();
                let small = if large == 0.0 { 0.0 } else { z.im.abs() / 2.0 / large };
                let (re, im) = if z.re < 0.0 { (small, large) } else { (large, small) };
                Complex { re, im: im.copysign(z.im) }
            }
            _ => return None,
        })
    }

    /// Returns whether the function of an integer is an integer.
    pub fn keeps_integers(self) -> bool {
        self.row().integer.is_some()
    }

    /// Returns whether the function of 0 is 0, so that it keeps patterns.
    pub fn keeps_zero(self) -> bool {
        self.of_double(0.0) == 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back() {
        for &function in Function::ALL {
            assert_eq!(Function::named(function.name()), Some(function));
        }
    }

    /// A function of integers agrees with that of floats.
    #[test]
    fn integers_agree_with_floats() {
        for &function in Function::ALL {
            for number in [-3_i64, -1, 0, 1, 2] {
                let float = function.of_double(number as f64);
                let integer = function.of_integer(number).map(|value| value as f64);
                assert!(integer.is_none_or(|integer| integer == float), "{function:?} of {number}");
            }
        }
    }

    /// Functions of complex numbers without an imaginary part are those of real numbers.
    #[test]
    fn complex_functions_agree_with_real_ones() {
        for &function in Function::ALL {
            for re in [0.0, 0.25, 4.0] {
                let found = function.of_complex_double(Complex { re, im: 0.0 });
                assert_eq!(found.is_some(), function.applies_to_complex(), "{function:?}");
                assert!(found.is_none_or(|value| value.re == function.of_double(re) && value.im == 0.0));
            }
        }
        let root = Function::Sqrt.of_complex_double(Complex { re: -3.0, im: -4.0 });
        assert_eq!(root, Some(Complex { re: 1.0, im: -2.0 }));
    }

    #[test]
    fn nan_is_seen() {
        assert_eq!(Function::IsNan.of_double(f64::NAN), 1.0);
        assert!(Function::Sign.of_double(f64::NAN).is_nan());
        assert!(Function::Relu.of_double(f64::NAN).is_nan());
        assert_eq!(Function::Round.of_double(2.5), 2.0);
    }
}
