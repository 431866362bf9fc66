//! `register-read`: a value that is another name of a register, used behind a statement that sets that.
//!
//! Reading a register takes no hardware: it happens where the value is used. `val s = r.value`, `r := r + 1`,
//! `f(s)` is `f(r.value)` behind the addition. A copy is a register of its own: `val s = Reg[T]`, `s := r`.

use crate::app::visit::UseKind;
use crate::app::{AppExpr, Block, ExprKind, Kind, Memory, MemoryKind, has_controllers};
use comet_diag::{Diagnostic, Span};

/// The values of a block, and of those inside, that are read too late.
pub(super) fn check(accel: &Block) -> Vec<Diagnostic> {
    let mut broken = Vec::new();
    block(accel, &mut Vec::new(), &mut broken);
    broken
}

struct Alias<'a> {
    name: &'a str,
    register: &'a str,
    declared: Span,
    /// Where the register has been set since.
    set: Option<Span>,
}

fn block<'a>(statements: &'a Block, registers: &mut Vec<&'a str>, broken: &mut Vec<Diagnostic>) {
    let depth = registers.len();
    let mut aliases: Vec<Alias<'a>> = Vec::new();
    let is_outer = has_controllers(statements);
    for statement in statements {
        for alias in &mut aliases {
            let uses = statement.uses_inside();
            let has = |name: &str, what| uses.iter().any(|used| used.name == name && used.what == what);
            if let Some(set) = alias.set.filter(|_| has(alias.name, UseKind::Read)) {
                let Alias { name, register, declared, .. } = alias;
                broken.push(
                    Diagnostic::error(
                        statement.span,
                        format!("`{name}` is what `{register}` holds here, where it has been set anew [register-read]"),
                    )
                    .also(set, "set here")
                    .also(*declared, "a register is read where its value is used, not here")
                    .hint(format!("copy it: `val {name} = Reg[T](0.to[T])`, `{name} := {register}`")),
                );
                alias.set = None;
            } else if has(alias.register, UseKind::Write) {
                alias.set = Some(statement.span);
            }
        }
        match &statement.kind {
            Kind::Memory(Memory { name, kind: MemoryKind::Register { .. }, .. }) => registers.push(name),
            Kind::Val(name, AppExpr { kind: ExprKind::Name(register), .. })
                if is_outer && registers.contains(&register.as_str()) =>
            {
                aliases.push(Alias { name, register, declared: statement.span, set: None });
            }
            _ => {}
        }
        statement.bodies().into_iter().for_each(|body| block(body, registers, broken));
    }
    registers.truncate(depth);
}
