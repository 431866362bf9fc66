//! An application to text, in one layout: what [`crate::read::read`] makes of it is the application again.

mod block;
mod class;
mod expression;
mod host;
mod lines;

use crate::app::{App, HostKind};
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
    app.before.iter().for_each(|statement| lines.line(host::statement(statement)));
    lines.open("Accel {");
    lines.registers.extend(app.before.iter().filter_map(|host| match &host.kind {
        HostKind::ArgIn(name, _) => Some(name.clone()),
        _ => None,
    }));
    block::statements(&app.accel, &mut lines);
    lines.close("}");
    app.after.iter().for_each(|statement| lines.line(host::statement(statement)));
    lines.close("}");
    lines.close("}");
    lines.into_text()
}
