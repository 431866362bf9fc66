//! Which lists of levels are formats.

use crate::{Format, Level, LevelExpr};
use std::fmt;

/// The reason why a text or a list of levels is no format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError(pub String);

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FormatError {}

impl Format {
    /// Checks that the coordinates of the modes can be computed from those of the levels, and that each
    /// level has the parent and the children that its kind needs.
    pub(crate) fn checked(self) -> Result<Self, FormatError> {
        for (position, level) in self.levels.iter().enumerate() {
            check_level(&self, position, *level)?;
        }
        (0..self.rank).try_for_each(|mode| check_mode(&self, mode))?;
        Ok(self)
    }
}

fn check_level(format: &Format, position: usize, level: Level) -> Result<(), FormatError> {
    if position == 0 && level.kind.is_branchless() {
        let (word, name) = (level.kind.word(), level.kind.format().name);
        return error(format!("the first level cannot be `{word}`: a {name} needs a parent"));
    }
    if let Some(bits) = level.kind.word_bits()
        && !(1..=64).contains(&bits)
    {
        return error(format!("a bit vector's words have 1 to 64 bits, not {bits}"));
    }
    match level.expr {
        LevelExpr::Slot => check_slot(format, position, level),
        LevelExpr::Div(_, n) | LevelExpr::Mod(_, n) if n == 0 || n > i64::MAX as u64 => {
            error(format!("a mode cannot be split by {n}"))
        }
        LevelExpr::Mode(mode) | LevelExpr::Div(mode, _) | LevelExpr::Mod(mode, _) if mode >= format.rank => {
            error(format!("level {position} names mode {mode} of a tensor of rank {}", format.rank))
        }
        _ => Ok(()),
    }
}

/// A slot numbers the coordinates of the branchless level below it, so there must be one.
fn check_slot(format: &Format, position: usize, level: Level) -> Result<(), FormatError> {
    let below = format.levels.get(position + 1);
    if !level.kind.is_full() || !below.is_some_and(|level| level.kind.is_branchless()) {
        return error("a slot level is `D`, with an `S` level right below it");
    }
    Ok(())
}

/// A mode is stored by one level, or by its quotient and its remainder.
fn check_mode(format: &Format, mode: usize) -> Result<(), FormatError> {
    let parts: Vec<LevelExpr> =
        format.levels.iter().map(|level| level.expr).filter(|expr| expr.mode() == Some(mode)).collect();
    match parts[..] {
        [LevelExpr::Mode(_)] => Ok(()),
        [LevelExpr::Div(_, n), LevelExpr::Mod(_, m)] | [LevelExpr::Mod(_, m), LevelExpr::Div(_, n)]
            if n == m =>
        {
            Ok(())
        }
        [] => error(format!("no level stores mode {mode}")),
        _ => error(format!(
            "mode {mode} must be stored by one level, or by `{mode}/n` and `{mode}%n` with the same n"
        )),
    }
}

pub(super) fn error<T>(message: impl Into<String>) -> Result<T, FormatError> {
    Err(FormatError(message.into()))
}
