//! A kernel's signature, with a text form that the compiler puts into generated code as a constant:
//!
//! ```text
//! spmv
//! size parameters i
//! size 100 j
//! tensor in A [0, 1] f64 i32 (0 : D, 1 : CU)
//! scalar in alpha f64
//! tensor out y [0] f64 i32 (0 : D)
//! ```
//!
//! The numbers in brackets are the sizes of the modes.

use crate::TextError;
use comet_format::{TypedFormat, ValueType};
use std::fmt;
use std::str::FromStr;

/// The most modes of a tensor at a kernel's border, and the most levels: `COMET_MOST_MODES`.
pub const MOST_MODES: usize = 16;

/// What a caller passes to a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub name: String,
    /// The extents of its tensors; everything that must be equal is one of them.
    pub sizes: Vec<Size>,
    /// In the order of the C function, the result last.
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Size {
    pub name: String,
    pub extent: Extent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The text says so.
    Known(u64),
    /// That of the parameters' modes, which is an argument of the generated function.
    Parameters,
    /// The kernel finds it in the files it reads.
    Files,
}

/// A parameter, or the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    pub role: Role,
    pub kind: ParameterKind,
}

/// What a kernel does with a parameter: it reads it, reads and writes it, or makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Role {
    In,
    InOut,
    Out,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    Tensor {
        format: TypedFormat,
        /// The size of each mode, an index into [`Signature::sizes`].
        sizes: Vec<usize>,
    },
    Scalar(ValueType),
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.name)?;
        for Size { name, extent } in &self.sizes {
            // What is called `mode 1 of A` has spaces, and so comes last.
            writeln!(f, "size {extent} {name}")?;
        }
        self.parameters.iter().try_for_each(|parameter| writeln!(f, "{parameter}"))
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(extent) => write!(f, "{extent}"),
            Self::Parameters => f.write_str("parameters"),
            Self::Files => f.write_str("files"),
        }
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (role, name) = (self.role, &self.name);
        match &self.kind {
            ParameterKind::Tensor { format, sizes } => write!(f, "tensor {role} {name} {sizes:?} {format}"),
            ParameterKind::Scalar(value) => write!(f, "scalar {role} {name} {value}"),
        }
    }
}

impl FromStr for Signature {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut lines = text.lines();
        let name = lines.next().unwrap_or_default().to_owned();
        let mut signature = Self { name, sizes: Vec::new(), parameters: Vec::new() };
        for line in lines {
            match line.split_once(' ') {
                Some(("size", rest)) => signature.sizes.push(rest.parse()?),
                Some(("tensor", rest)) => signature.parameters.push(tensor(rest)?),
                Some(("scalar", rest)) => signature.parameters.push(scalar(rest)?),
                _ => return Err(unknown(line)),
            }
        }
        Ok(signature)
    }
}

impl FromStr for Size {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let (extent, name) = text.split_once(' ').ok_or_else(|| unknown(text))?;
        let extent = match extent {
            "parameters" => Extent::Parameters,
            "files" => Extent::Files,
            number => Extent::Known(number.parse().map_err(|_| unknown(text))?),
        };
        Ok(Self { name: name.to_owned(), extent })
    }
}

fn tensor(text: &str) -> Result<Parameter, TextError> {
    let (head, rest) = text.split_once(" [").ok_or_else(|| unknown(text))?;
    let (sizes, format) = rest.split_once("] ").ok_or_else(|| unknown(text))?;
    let sizes = sizes.split(", ").filter(|size| !size.is_empty()).map(str::parse);
    let sizes = sizes.collect::<Result<_, _>>().map_err(|_| unknown(text))?;
    let (role, name) = role_and_name(head)?;
    Ok(Parameter { name, role, kind: ParameterKind::Tensor { format: format.parse()?, sizes } })
}

fn scalar(text: &str) -> Result<Parameter, TextError> {
    let (head, value) = text.rsplit_once(' ').ok_or_else(|| unknown(text))?;
    let (role, name) = role_and_name(head)?;
    Ok(Parameter { name, role, kind: ParameterKind::Scalar(value.parse()?) })
}

fn role_and_name(text: &str) -> Result<(Role, String), TextError> {
    let (role, name) = text.split_once(' ').ok_or_else(|| unknown(text))?;
    let role = role.parse().map_err(|_| unknown(text))?;
    Ok((role, name.to_owned()))
}

fn unknown(text: &str) -> TextError {
    TextError(format!("`{text}` is no part of a signature"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        let text = "f\nsize parameters i\nsize 7 mode 1 of A\nsize files k\n\
                    tensor in A [0, 1] f64 i32 (0 : D, 1 : CU)\nscalar in s i64\n\
                    tensor inout x [] f32 i64 ()\nscalar out r f64\n";
        assert_eq!(text.parse::<Signature>().unwrap().to_string(), text);
    }

    #[test]
    fn wrong_texts_are_refused() {
        for text in
            ["f\nx", "f\nsize i", "f\ntensor in A f64 i32 ()", "f\nscalar by s f64", "f\nscalar in s f17"]
        {
            assert!(text.parse::<Signature>().is_err(), "{text}");
        }
    }
}
