//! What the host does.

use super::attributes::{declared, name, optional_text, text};
use super::expressions::{expr, tabulate};
use comet_dialects::spatial::SpatialDialectOperation as Spatial;
use comet_ir::{Op, view_spatial};
use comet_spatial::app::HostKind;

/// What a statement is; none for a declaration and for what is a part of a statement.
pub(super) fn kind(op: Op<'_>) -> Option<HostKind> {
    let view = view_spatial(op).expect("an application holds operations of spatial");
    Some(match &*view {
        Spatial::ArgIn(_) => HostKind::ArgIn(text(op, "name"), declared(op)),
        Spatial::ArgOut(_) => HostKind::ArgOut(text(op, "name"), declared(op)),
        Spatial::Dram(_) => {
            HostKind::Dram { name: text(op, "name"), element: declared(op), size: expr(op.operand(0)) }
        }
        Spatial::LoadCsv(_) => HostKind::LoadCsv(text(op, "name"), declared(op), text(op, "file")),
        Spatial::GetMem(_) => HostKind::GetMem(text(op, "name"), name(op.operand(0))),
        Spatial::Val(_) => HostKind::Val(text(op, "name"), expr(op.operand(0))),
        Spatial::Tabulate(_) => HostKind::Val(text(op, "name"), tabulate(op)),
        Spatial::SetArg(_) => HostKind::SetArg(name(op.operand(0)), expr(op.operand(1))),
        Spatial::SetMem(_) => HostKind::SetMem(name(op.operand(0)), name(op.operand(1))),
        Spatial::WriteCsv(_) => HostKind::WriteCsv(name(op.operand(0)), text(op, "file")),
        Spatial::Print(_) => HostKind::Print(expr(op.operand(0))),
        Spatial::PrintArray(_) => HostKind::PrintArray(name(op.operand(0)), optional_text(op, "text")),
        Spatial::Assert(_) => HostKind::Assert(expr(op.operand(0))),
        _ => return None,
    })
}
