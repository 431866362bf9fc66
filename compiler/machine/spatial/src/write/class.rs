//! What stands around `main`: the comments, the class, its types.

use super::expression::quoted;
use super::lines::Lines;
use crate::app::{App, Tensor};
use comet_format::{Level, LevelExpr};

pub(super) fn header(app: &App, lines: &mut Lines) {
    app.comment.iter().for_each(|comment| lines.line(format!("// {comment}").trim_end()));
    app.tensors.iter().for_each(|tensor| lines.line(tensor_line(tensor)));
}

fn tensor_line(tensor: &Tensor) -> String {
    let role = tensor.role.word();
    let levels: Vec<String> = tensor.levels.iter().map(level).collect();
    format!("// tensor {}: {} [{}] {role}", tensor.name, tensor.element.word(), levels.join(", "))
}

fn level(level: &Level) -> String {
    let kind = level.kind.word();
    match level.expr {
        LevelExpr::Mode(mode) => format!("i{mode}: {kind}"),
        LevelExpr::Div(mode, size) => format!("i{mode}/{size}: {kind}"),
        LevelExpr::Mod(mode, size) => format!("i{mode}%{size}: {kind}"),
        LevelExpr::Slot => unreachable!("levels of applications are of modes"),
    }
}

/// The class up to `main`. Parameters are for others to set, so that a class with some is abstract.
pub(super) fn open(app: &App, lines: &mut Lines) {
    let name = &app.name;
    if app.parameters.is_empty() {
        lines.open(format!("@spatial object {name} extends SpatialApp {{"));
    } else {
        // A class cannot be started, an object can.
        lines.line(format!("object {name}_0 extends {name}()"));
        lines.blank();
        let parameters: Vec<String> = app
            .parameters
            .iter()
            .map(|parameter| format!("{}: scala.Int = {}", parameter.name, parameter.value))
            .collect();
        let parameters = parameters.join(", ");
        lines.open(format!("@spatial abstract class {name}({parameters}) extends SpatialApp {{"));
    }
    if !app.arguments.is_empty() {
        let arguments = quoted(&app.arguments.join(" "));
        lines.line(format!("override def runtimeArgs: Args = {arguments}"));
    }
    app.types.iter().for_each(|(alias, of)| lines.line(format!("type {alias} = {}", of.name())));
    if !app.arguments.is_empty() || !app.types.is_empty() {
        lines.blank();
    }
}
