//! Statements of the host.

use super::expression::{expression, quoted};
use crate::app::{Host, HostKind};

pub(super) fn statement(host: &Host) -> String {
    match &host.kind {
        HostKind::ArgIn(name, of) => format!("val {name} = ArgIn[{}]", of.name()),
        HostKind::ArgOut(name, of) => format!("val {name} = ArgOut[{}]", of.name()),
        HostKind::Dram { name, element, size } => {
            format!("val {name} = DRAM[{}]({})", element.name(), expression(size))
        }
        // Without a delimiter, numbers would be between commas.
        HostKind::LoadCsv { name, element: of, file } => {
            format!("val {name} = loadCSV1D[{}]({}, \"\\n\")", of.name(), quoted(file))
        }
        HostKind::GetMem { name, dram } => format!("val {name} = getMem({dram})"),
        HostKind::Val(name, value) => format!("val {name} = {}", expression(value)),
        HostKind::SetArg(name, value) => format!("setArg({name}, {})", expression(value)),
        HostKind::SetMem { dram, array } => format!("setMem({dram}, {array})"),
        HostKind::WriteCsv { array, file } => format!("writeCSV1D({array}, {}, \"\\n\")", quoted(file)),
        HostKind::Print(value) => format!("println({})", expression(value)),
        HostKind::PrintArray { array, title: None } => format!("printArray({array})"),
        HostKind::PrintArray { array, title: Some(title) } => {
            format!("printArray({array}, {})", quoted(title))
        }
        HostKind::Assert(condition) => format!("assert({})", expression(condition)),
    }
}
