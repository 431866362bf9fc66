//! An application to text, in one layout: what [`crate::read::read`] makes of it is the application again.

mod block;
mod class;
mod expression;
mod lines;

use crate::app::{App, Host, HostKind};
use expression::{expression, quoted};
use lines::Lines;

/// The text of an application, which ends with a newline.
pub fn write(app: &App) -> String {
    let mut lines = Lines::default();
    lines.line("import spatial.dsl._");
    if block::has_alias(&app.accel) {
        // It has `alias`, and a `Barrier` that is not the language's.
        lines.line("import spatial.metadata.memory.{Barrier => _, _}");
    }
    lines.blank();
    class::header(app, &mut lines);
    class::open(app, &mut lines);
    lines.open("def main(args: Array[String]): Unit = {");
    app.before.iter().for_each(|statement| lines.line(host(statement)));
    lines.open("Accel {");
    lines.registers.extend(app.before.iter().filter_map(|host| match &host.kind {
        HostKind::ArgIn(name, _) => Some(name.clone()),
        _ => None,
    }));
    block::statements(&app.accel, &mut lines);
    lines.close("}");
    app.after.iter().for_each(|statement| lines.line(host(statement)));
    lines.close("}");
    lines.close("}");
    lines.into_text()
}

/// A statement of the host.
fn host(host: &Host) -> String {
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
