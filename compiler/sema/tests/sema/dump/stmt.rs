//! Statements, one on a line, blocks indented.

use super::tables::read_source;
use super::{Dump, number};
use comet_sema::program::{
    Assign, Coordinate, Mask, PartMode, PrintItem, ScalarExpr, Stmt, StmtKind, TensorPart,
};

impl Dump<'_> {
    pub(super) fn block(&self, body: &[Stmt], depth: usize) -> String {
        body.iter().map(|stmt| self.stmt(stmt, depth)).collect()
    }

    fn stmt(&self, stmt: &Stmt, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let line = match &stmt.kind {
            StmtKind::Fill { tensor, value } => format!("fill {} {}", self.tensor(*tensor), number(*value)),
            StmtKind::Read { tensor, source, triangle } => {
                format!("read {} {} {triangle:?}", self.tensor(*tensor), read_source(source))
            }
            StmtKind::Random { tensor, density, seed } => {
                format!("random {} density {density} seed {seed}", self.tensor(*tensor))
            }
            StmtKind::Literal { tensor, values } => {
                let values: Vec<String> = values.iter().map(|&value| number(value)).collect();
                format!("literal {} {}", self.tensor(*tensor), values.join(" "))
            }
            StmtKind::Write { tensor, path } => format!("write {} {path:?}", self.tensor(*tensor)),
            StmtKind::TakePart(part) => format!("take {}", self.part(part)),
            StmtKind::PutPart(part) => format!("put {}", self.part(part)),
            StmtKind::Assign(assign) => self.assign(assign),
            StmtKind::SetScalar { scalar, value } => {
                format!("{} = {}", self.scalar(*scalar), self.scalar_expr(value))
            }
            StmtKind::PrintTensor(tensor) => format!("print tensor {}", self.tensor(*tensor)),
            StmtKind::PrintScalar(value) => format!("print scalar {}", self.scalar_expr(value)),
            StmtKind::PrintLine(items) => {
                let items: Vec<String> = items.iter().map(|item| self.print_item(item)).collect();
                format!("print line {}", items.join(", "))
            }
            StmtKind::Break => "break".to_owned(),
            StmtKind::Continue => "continue".to_owned(),
            StmtKind::PrintElapsed(start, end) => {
                format!("print elapsed {} {}", self.scalar_expr(start), self.scalar_expr(end))
            }
            StmtKind::Call { callee, args, result } => {
                let target = result.map(|tensor| format!("{} = ", self.tensor(tensor)));
                format!("{}call {}", target.unwrap_or_default(), self.call(callee, args))
            }
            StmtKind::Return(value) => {
                let value = value.as_ref().map(|value| format!(" {}", self.scalar_expr(value)));
                format!("return{}", value.unwrap_or_default())
            }
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::If { .. } => {
                return self.compound(stmt, depth);
            }
        };
        format!("{indent}{line}\n")
    }

    fn part(&self, part: &TensorPart) -> String {
        let mode = |mode: &PartMode| match mode {
            PartMode::At(Coordinate::Number(at)) => at.to_string(),
            PartMode::At(Coordinate::Scalar(at)) => self.scalar(*at).to_string(),
            PartMode::Window { from, step } => format!("{from}.. by {step}"),
            PartMode::Shift { by } => format!("{by:+}"),
        };
        let modes: Vec<String> = part.modes.iter().map(mode).collect();
        format!("{} of {} at [{}]", self.tensor(part.part), self.tensor(part.whole), modes.join(", "))
    }

    fn print_item(&self, item: &PrintItem) -> String {
        match item {
            PrintItem::Text(text) => format!("{text:?}"),
            PrintItem::Scalar(value) => self.scalar_expr(value),
            PrintItem::Tensor(tensor) => self.tensor(*tensor).to_owned(),
        }
    }

    fn compound(&self, stmt: &Stmt, depth: usize) -> String {
        let indent = "  ".repeat(depth);
        let inner = |body: &[Stmt]| self.block(body, depth + 1);
        match &stmt.kind {
            StmtKind::For { var, start, stop, step, body } => {
                let bounds = [start, stop, step].map(|bound: &ScalarExpr| self.scalar_expr(bound)).join(", ");
                format!("{indent}for {} in {bounds}\n{}", self.scalar(*var), inner(body))
            }
            StmtKind::While { condition, body } => {
                format!("{indent}while {}\n{}", self.scalar_expr(condition), inner(body))
            }
            StmtKind::If { condition, then_body, else_body } => {
                let condition = self.scalar_expr(condition);
                format!("{indent}if {condition}\n{}{indent}else\n{}", inner(then_body), inner(else_body))
            }
            _ => String::new(),
        }
    }

    fn assign(&self, assign: &Assign) -> String {
        let op: &str = assign.op.into();
        let mask = assign.mask.as_ref().map_or(String::new(), |mask| self.mask(mask));
        let commands = assign.schedule.as_ref().map_or(0, |schedule| schedule.commands.len());
        let schedule = if commands == 0 { String::new() } else { format!(" schedule of {commands}") };
        let (target, value) = (self.access(&assign.target), self.tensor_expr(&assign.value));
        format!("{target}{mask} {op} {value}{schedule}")
    }

    fn mask(&self, mask: &Mask) -> String {
        let complement = if mask.complement { "!" } else { "" };
        format!("<{complement}{}, {:?}>", self.tensor(mask.tensor), mask.method)
    }
}
