//! `buffer-hazard`: a memory of a pipeline that is written in a later stage than it is first used.
//!
//! A pattern with controllers inside is a pipeline, whose stages are its controllers and what stands between
//! them. A memory that several stages use has a copy for each iteration that is under way. What a later stage
//! writes is not in the copy that an earlier one has read: the text says by `.buffer` that each iteration
//! fills a copy of its own, or by `.nonbuffer` that there is one for all. `Sequential` patterns and innermost
//! ones are no pipelines.

use super::scope::MemoryScope;
use crate::app::visit::{Use, UseKind};
use crate::app::{
    Block, Expr, ExprKind, Kind, Mark, Memory, MemoryKind, Pattern, Schedule, Statement, has_controllers,
};
use comet_diag::{Diagnostic, Span};

#[derive(Debug)]
pub(super) struct Hazard {
    /// Its number among all memories.
    pub(super) memory: usize,
    /// Whether it is declared inside of the pipeline.
    pub(super) is_inside: bool,
    name: String,
    declared: Span,
    /// The first use, and the later write.
    first: Span,
    write: Span,
}

impl Hazard {
    pub(super) fn diagnostic(&self) -> Diagnostic {
        let name = &self.name;
        let mark = if self.is_inside { ".buffer" } else { ".nonbuffer" };
        let why = match self.is_inside {
            true => "each iteration has a copy of its own",
            false => "all iterations share one copy",
        };
        let error = format!(
            "`{name}` is written in a later stage of a pipeline than it is first used [buffer-hazard]"
        );
        Diagnostic::error(self.write, error)
            .also(self.first, "used first here")
            .also(self.declared, "declared here")
            .hint(format!(
                "say `{mark}` behind its declaration if {why}, or run one iteration after the other: `Sequential.Foreach`"
            ))
    }
}

pub(super) fn find(accel: &Block) -> Vec<Hazard> {
    let mut walk = HazardSearch::default();
    walk.block(accel, Schedule::Sequential);
    let hazards = (0..walk.memories.len()).filter_map(|memory| walk.hazard(memory));
    hazards.collect()
}

/// Where a statement is: the blocks around it, each with the stage that it is in.
type Path = Vec<StagePlace>;

#[derive(Clone, Copy, Debug)]
struct StagePlace {
    block: usize,
    stage: usize,
}

struct MemoryUse {
    memory: usize,
    is_write: bool,
    path: Path,
    span: Span,
}

struct Declared<'a> {
    memory: &'a Memory,
    span: Span,
    /// The blocks around it.
    blocks: Vec<usize>,
}

#[derive(Default)]
struct HazardSearch<'a> {
    scope: MemoryScope,
    memories: Vec<Declared<'a>>,
    accesses: Vec<MemoryUse>,
    pipelines: Vec<bool>,
    path: Path,
    /// Values that are registers under another name: read where they are used.
    aliases: Vec<(&'a str, usize)>,
}

impl<'a> HazardSearch<'a> {
    /// A block, with how the iterations overlap whose body it is: where they do not, it is no pipeline.
    fn block(&mut self, block: &'a Block, schedule: Schedule) {
        let number = self.pipelines.len();
        self.pipelines.push(false);
        self.path.push(StagePlace { block: number, stage: 0 });
        self.scope.names.enter();
        let aliases = self.aliases.len();
        let mut stages = 0;
        let mut is_open = false;
        for statement in block {
            let is_register = self.register_of(statement);
            match stage(statement) {
                // What is read where it is used is in no stage of its own.
                Stage::Controller => {
                    (stages, is_open) = (stages + 1, false);
                }
                Stage::Declaration => is_open = false,
                Stage::Primitive if is_register.is_none() && !is_open => {
                    (stages, is_open) = (stages + 1, true);
                }
                Stage::Primitive => {}
            }
            self.path.last_mut().expect("it was pushed").stage = stages;
            match (is_register, &statement.kind) {
                (Some(register), Kind::Val(name, _)) => self.aliases.push((name, register)),
                _ => self.statement(statement),
            }
            if let Kind::Memory(memory) = &statement.kind {
                let blocks = self.path.iter().map(|place| place.block).collect();
                self.memories.push(Declared { memory, span: statement.span, blocks });
            }
            self.scope.declare(statement);
        }
        self.scope.names.leave();
        self.aliases.truncate(aliases);
        self.path.pop();
        // A pipeline of one stage is none.
        let overlaps = schedule != Schedule::Sequential;
        self.pipelines[number] = overlaps && has_controllers(block) && stages > 1;
    }

    /// The register that a value is another name of.
    fn register_of(&self, statement: &Statement) -> Option<usize> {
        let Kind::Val(_, Expr { kind: ExprKind::Name(name), .. }) = &statement.kind else { return None };
        self.register(name)
    }

    fn register(&self, name: &str) -> Option<usize> {
        if let Some((_, register)) = self.aliases.iter().rev().find(|(alias, _)| *alias == name) {
            return Some(*register);
        }
        let number = self.scope.memory(name)?;
        matches!(self.memories[number].memory.kind, MemoryKind::Register { .. }).then_some(number)
    }

    fn statement(&mut self, statement: &'a Statement) {
        self.note(&statement.uses(), statement.span);
        match &statement.kind {
            Kind::Pattern(pattern) => self.pattern(pattern),
            Kind::If { then, otherwise, .. } => {
                self.block(then, Schedule::Sequential);
                self.block(otherwise, Schedule::Sequential);
            }
            _ => {}
        }
    }

    /// The iterations of a pattern; what comes of one is computed at the end of its body.
    fn pattern(&mut self, pattern: &'a Pattern) {
        self.scope.names.enter();
        pattern.domain.binders().into_iter().for_each(|binder| self.scope.names.declare(binder, None));
        let first = self.accesses.len();
        self.block(&pattern.body, pattern.schedule);
        let inner = self.accesses[first..].last().map(|access| access.path.clone());
        if let Some(path) = inner {
            let outer = std::mem::replace(&mut self.path, path);
            let given: Vec<Use<'_>> = pattern.value().into_iter().flat_map(Expr::uses).collect();
            self.note(&given, Span::default());
            self.path = outer;
        }
        self.scope.names.leave();
    }

    fn note(&mut self, found: &[Use<'a>], span: Span) {
        // What is modified in place is neither read nor written as far as copies go.
        let is_modified =
            |name: &str| found.iter().any(|used| used.name == name && used.what == UseKind::Modify);
        for Use { name, what, .. } in found {
            let memory = self.register(name).or_else(|| self.scope.memory(name));
            let Some(memory) = memory.filter(|_| *what != UseKind::Declare && !is_modified(name)) else {
                continue;
            };
            let is_write = *what == UseKind::Write;
            self.accesses.push(MemoryUse { memory, is_write, path: self.path.clone(), span });
        }
    }

    fn hazard(&self, memory: usize) -> Option<Hazard> {
        let declared = &self.memories[memory];
        let is_buffered =
            matches!(declared.memory.kind, MemoryKind::Fifo { .. } | MemoryKind::SparseDram { .. });
        let is_settled =
            declared.memory.marks.iter().any(|mark| matches!(mark, Mark::Buffer | Mark::NonBuffer));
        if is_buffered || is_settled {
            return None;
        }
        let accesses: Vec<&MemoryUse> =
            self.accesses.iter().filter(|access| access.memory == memory).collect();
        let writes = || accesses.iter().filter(|access| access.is_write);
        writes().find_map(|write| {
            accesses.iter().find_map(|other| {
                let pipeline = self.earlier_stage(&other.path, &write.path)?;
                Some(Hazard {
                    memory,
                    is_inside: declared.blocks.contains(&pipeline),
                    name: declared.memory.name.clone(),
                    declared: declared.span,
                    first: other.span,
                    write: write.span,
                })
            })
        })
    }

    /// The pipeline in which one place is in an earlier stage than another.
    fn earlier_stage(&self, one: &Path, other: &Path) -> Option<usize> {
        for (a, b) in one.iter().zip(other) {
            if a.block != b.block {
                return None;
            }
            if a.stage != b.stage {
                return (self.pipelines[a.block] && a.stage < b.stage).then_some(a.block);
            }
        }
        None
    }
}

/// What a statement is among the stages of a pipeline.
enum Stage {
    Controller,
    /// Of a memory: it ends a run of primitives.
    Declaration,
    Primitive,
}

fn stage(statement: &Statement) -> Stage {
    match &statement.kind {
        Kind::If { .. } => Stage::Controller,
        _ if statement.is_controller() => Stage::Controller,
        Kind::Memory(_) | Kind::Alias { .. } | Kind::Barrier { .. } => Stage::Declaration,
        _ => Stage::Primitive,
    }
}
