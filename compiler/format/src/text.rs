//! The text form: `f64 i32 (0 : D, 1 : CU)`.

use crate::check::error;
use crate::{Format, FormatError, IndexWidth, Level, LevelExpr, TypedFormat, ValueType};
use std::fmt;
use std::str::FromStr;

impl FromStr for TypedFormat {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let (value, rest) = text.trim().split_once(' ').unwrap_or((text, ""));
        Ok(Self { value: value.parse()?, format: rest.parse()? })
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let Some((width, levels)) = text.trim().split_once(' ') else {
            return error(format!("expected an index width and a list of levels, found `{text}`"));
        };
        let Some(list) = levels.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
            return error(format!("expected a list of levels in parentheses, found `{levels}`"));
        };
        let levels: Vec<Level> = if list.trim().is_empty() {
            Vec::new()
        } else {
            list.split(',').map(str::parse).collect::<Result<_, _>>()?
        };
        let rank = levels.iter().filter_map(|level| level.expr.mode()).max().map_or(0, |mode| mode + 1);
        Format { rank, levels, index_width: width.parse()? }.checked()
    }
}

impl FromStr for Level {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let Some((expr, kind)) = text.split_once(':') else {
            return error(format!("expected `coordinate : level`, found `{text}`"));
        };
        Ok(Self { expr: expr.trim().parse()?, kind: kind.trim().parse()? })
    }
}

impl FromStr for LevelExpr {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        if text == "slot" {
            return Ok(Self::Slot);
        }
        if let Some((mode, n)) = text.split_once('/') {
            return Ok(Self::Div(number(mode)? as usize, number(n)?));
        }
        if let Some((mode, n)) = text.split_once('%') {
            return Ok(Self::Mod(number(mode)? as usize, number(n)?));
        }
        Ok(Self::Mode(number(text)? as usize))
    }
}

impl FromStr for ValueType {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let found = Self::ALL.into_iter().find(|value| value.to_string() == text);
        found.map_or_else(|| error(format!("expected a value type such as `f64`, found `{text}`")), Ok)
    }
}

impl FromStr for IndexWidth {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        let found = Self::ALL.into_iter().find(|width| width.to_string() == text);
        found.map_or_else(|| error(format!("expected an index width `i32` or `i64`, found `{text}`")), Ok)
    }
}

pub(crate) fn number(text: &str) -> Result<u64, FormatError> {
    let text = text.trim();
    text.parse().or_else(|_| error(format!("expected a number, found `{text}`")))
}

impl fmt::Display for TypedFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.value, self.format)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (", self.index_width)?;
        for (position, level) in self.levels.iter().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            write!(f, "{separator}{level}")?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} : {}", self.expr, self.kind)
    }
}

impl fmt::Display for LevelExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mode(mode) => write!(f, "{mode}"),
            Self::Div(mode, n) => write!(f, "{mode}/{n}"),
            Self::Mod(mode, n) => write!(f, "{mode}%{n}"),
            Self::Slot => f.write_str("slot"),
        }
    }
}

impl fmt::Display for IndexWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "i{}", self.bits())
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in [
            "f64 i32 ()",
            "f64 i32 (0 : D, 1 : CU)",
            "f32 i64 (0/4 : D, 1/4 : CU, 0%4 : D, 1%4 : D)",
            "i64 i32 (0 : D, slot : D, 1 : S)",
            "f64 i32 (2 : CN, 0 : S, 1 : BV<64>)",
        ] {
            assert_eq!(text.parse::<TypedFormat>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn wrong_texts_are_refused() {
        for text in [
            "",
            "f64",
            "f64 i32",
            "f17 i32 (0 : D)",
            "f64 i16 (0 : D)",
            "f64 i32 (0 : S)",
            "f64 i32 (1 : D)",
            "f64 i32 (0 : D, 0 : CU)",
            "f64 i32 (0/4 : D, 0%3 : D)",
            "f64 i32 (0/0 : D, 0%0 : D)",
            "f64 i32 (0 : BV<65>)",
            "f64 i32 (slot : D, 0 : CU)",
            "f64 i32 (0 : X)",
            "f64 i32 (0 D)",
            "f64 i32 (x : D)",
            "f64 i32 (0 : D",
        ] {
            assert!(text.parse::<TypedFormat>().is_err(), "{text}");
        }
    }
}
