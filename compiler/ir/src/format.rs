//! `#ta.format` as the run time's [`Format`], and back.

use crate::{Attr, Ty, Val};
use comet_dialects::ffi::{self, CometLevel};
use comet_format::{Format, IndexWidth, Level, LevelExpr, LevelKind, ValueType};
use melior::Context;
use melior::ir::r#type::RankedTensorType;
use melior::ir::{AttributeLike, ValueLike};

pub fn of(tensor: Val<'_>) -> Format {
    of_type(tensor.r#type())
}

/// The format of a tensor type; a type without encoding is dense.
pub fn of_type(ty: Ty<'_>) -> Format {
    let encoding = RankedTensorType::try_from(ty).ok().and_then(|tensor| tensor.encoding());
    match encoding {
        Some(attribute) if is_format(attribute) => of_attribute(attribute, crate::types::rank(ty)),
        _ => dense(crate::types::rank(ty)),
    }
}

/// The element type of a tensor.
pub fn value_type(ty: Ty<'_>) -> ValueType {
    crate::types::value_of(crate::types::element(ty))
}

/// The encoding of a format; `None` for dense formats in their natural order, which need none.
pub fn to_attribute<'c>(context: &'c Context, format: &Format, memory: Memory) -> Option<Attr<'c>> {
    if *format == dense(format.rank) && memory == Memory::Unspecified {
        return None;
    }
    let levels: Vec<CometLevel> = format.levels.iter().map(level_to_ffi).collect();
    let width = if format.index_width == IndexWidth::I64 { 64 } else { 32 };
    // SAFETY: the array lives through the call.
    let raw = unsafe {
        ffi::cometTaFormatGet(context.to_raw(), levels.len() as isize, levels.as_ptr(), width, memory as i32)
    };
    // SAFETY: the call returns a valid attribute for every list of levels that semantic analysis accepts.
    Some(unsafe { Attr::from_raw(raw) })
}

/// The memory region of stardust.txt section 5; the numbers are those of `comet::ta::Memory`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::FromRepr)]
#[strum(serialize_all = "lowercase")]
#[repr(i32)]
pub enum Memory {
    #[strum(disabled)]
    Unspecified = 0,
    OnChip = 1,
    OffChip = 2,
}

/// The memory region that a tensor's declaration names.
pub fn memory_of_type(ty: Ty<'_>) -> Memory {
    let encoding = RankedTensorType::try_from(ty).ok().and_then(|tensor| tensor.encoding());
    let Some(format) = encoding.filter(|attribute| is_format(*attribute)) else { return Memory::Unspecified };
    // SAFETY: `is_format` has been asked.
    let number = unsafe { ffi::cometTaFormatGetMemory(format.to_raw()) };
    Memory::from_repr(number).unwrap_or(Memory::Unspecified)
}

/// All levels dense, in the order of the modes.
pub fn dense(rank: usize) -> Format {
    let levels =
        (0..rank).map(|mode| Level { expr: LevelExpr::Mode(mode), kind: LevelKind::Dense }).collect();
    Format { rank, levels, index_width: IndexWidth::I32 }
}

fn is_format(attribute: Attr<'_>) -> bool {
    // SAFETY: the attribute lives.
    unsafe { ffi::cometAttributeIsTaFormat(attribute.to_raw()) }
}

fn of_attribute(attribute: Attr<'_>, rank: usize) -> Format {
    let raw = attribute.to_raw();
    // SAFETY: `is_format` has been asked.
    let (count, width) =
        unsafe { (ffi::cometTaFormatGetNumLevels(raw), ffi::cometTaFormatGetIndexWidth(raw)) };
    // SAFETY: the numbers are below the count.
    let levels = (0..count)
        .map(|number| level_from_ffi(&unsafe { ffi::cometTaFormatGetLevel(raw, number) }))
        .collect();
    Format { rank, levels, index_width: if width == 64 { IndexWidth::I64 } else { IndexWidth::I32 } }
}

fn level_to_ffi(level: &Level) -> CometLevel {
    let (kind, word_bits) = (level.kind.id() as i32, level.kind.word_bits().unwrap_or(0) as i32);
    let (expr, mode, factor) = match level.expr {
        LevelExpr::Mode(mode) => (0, mode as i64, 0),
        LevelExpr::Div(mode, n) => (1, mode as i64, n as i64),
        LevelExpr::Mod(mode, n) => (2, mode as i64, n as i64),
        LevelExpr::Slot => (3, 0, 0),
    };
    CometLevel { kind, word_bits, expr, mode, factor }
}

fn level_from_ffi(level: &CometLevel) -> Level {
    let kind = LevelKind::from_id(level.kind as u32, level.word_bits as u32)
        .expect("the dialect has the same kinds");
    let (mode, factor) = (level.mode as usize, level.factor as u64);
    let expr = match level.expr {
        0 => LevelExpr::Mode(mode),
        1 => LevelExpr::Div(mode, factor),
        2 => LevelExpr::Mod(mode, factor),
        _ => LevelExpr::Slot,
    };
    Level { expr, kind }
}
