//! A plan as text: a line for each loop, search and case, indented as the code is.

use super::{
    AssignTarget, Cases, ComputePlan, Filling, Half, LoopKind, LoopPlan, MergeKind, Presences, ProducedAs,
    ResultPlan, Slots, Step, StoredPositions, Strategy, TaskKind, TaskPlan, Visit, VisitKind,
};
use comet_notation::concrete::{Access, Compute, TensorId, Var};
use std::fmt;

/// A plan beside the compute that it is of, which has the names.
pub(crate) struct Shown<'a> {
    pub(crate) compute: &'a Compute,
    pub(crate) plan: &'a ComputePlan,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = PlanWriter { compute: self.compute, lines: Vec::new() };
        for result in self.plan.patterns.iter().chain(&self.plan.result) {
            let how = writer.strategy(result);
            writer.line(0, how);
        }
        writer.steps(0, &self.plan.body);
        f.write_str(&writer.lines.join("\n"))
    }
}

struct PlanWriter<'a> {
    compute: &'a Compute,
    lines: Vec<String>,
}

impl<'a> PlanWriter<'a> {
    fn line(&mut self, depth: usize, text: impl AsRef<str>) {
        self.lines.push(format!("code: {}{}", "  ".repeat(depth), text.as_ref()));
    }

    fn var(&self, var: Var) -> &'a str {
        &self.compute.var(var).name
    }

    fn tensor(&self, tensor: TensorId) -> &'a str {
        &self.compute.tensor(tensor).name
    }

    fn access(&self, access: &Access) -> String {
        let indices: Vec<&str> = access.indices.iter().map(|var| self.var(*var)).collect();
        format!("{}[{}]", self.tensor(access.tensor), indices.join(", "))
    }

    fn accesses(&self, accesses: &[Access]) -> String {
        let names: Vec<String> = accesses.iter().map(|access| self.access(access)).collect();
        names.join(", ")
    }

    fn strategy(&self, result: &ResultPlan) -> String {
        let name = self.access(&result.access);
        match &result.strategy {
            Strategy::SamePattern(pattern) => {
                format!("{name} stores what {} stores", self.access(&pattern.operand))
            }
            Strategy::InPlace => format!("{name}: values are replaced"),
            Strategy::Append { filling: Filling::Grow, .. } => format!("{name} is appended to"),
            Strategy::Append { filling: Filling::CountAndPlace, .. } => {
                format!("{name} is appended to, after its coordinates are counted")
            }
            Strategy::Collect { kind, .. } => format!("{name} is collected: {}", kind.name()),
        }
    }

    fn steps(&mut self, depth: usize, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Value(_) => {}
                Step::Assign(assign, target) => {
                    let access = self.access(&self.compute.assign(*assign).target);
                    self.line(depth, format!("{access}: {}", words(*target)));
                }
                Step::Where(statement) => {
                    for produced in &statement.produced {
                        let name = self.tensor(produced.tensor);
                        let text = match &produced.as_ {
                            ProducedAs::Dense => format!("{name}: array"),
                            ProducedAs::Carried(Slots::Value) => format!("{name}: carried"),
                            ProducedAs::Carried(Slots::ValueAndReached) => {
                                format!("{name}: carried, and whether it is reached")
                            }
                            ProducedAs::Stored(result) => self.strategy(result),
                        };
                        self.line(depth, text);
                    }
                    self.steps(depth, &statement.producer);
                    self.steps(depth, statement.consumer.as_deref().unwrap_or_default());
                }
                Step::Loop(planned) => self.forall(depth, planned),
            }
        }
    }

    fn forall(&mut self, depth: usize, planned: &LoopPlan) {
        let var = self.var(planned.var);
        match &planned.kind {
            LoopKind::Lanes(body) => {
                self.line(depth, format!("{var}: lanes"));
                self.steps(depth + 1, body);
            }
            LoopKind::VectorBlocks { lanes, body, .. } => {
                self.line(depth, format!("{var}: blocks of {lanes} lanes"));
                self.steps(depth + 1, body);
            }
            LoopKind::VectorSum { lanes, body, .. } => {
                self.line(depth, format!("{var}: sum in {lanes} lanes"));
                self.steps(depth + 1, body);
            }
            LoopKind::Values { visit, .. } => self.visit(depth, planned.var, visit),
        }
    }

    fn tasks(&self, tasks: Option<&TaskPlan>) -> String {
        let Some(tasks) = tasks else { return String::new() };
        let shared = tasks.shared_loop.map(|inner| self.var(self.compute.forall(inner).var));
        let shared = shared.map_or(String::new(), |var| format!(", {var} shared where it is long"));
        let what = match tasks.kind {
            TaskKind::Own => "",
            TaskKind::Parts => " on parts",
            TaskKind::Scalars(_) | TaskKind::Copies(_) => " on copies",
        };
        format!(", in tasks{what}{shared}")
    }

    fn visit(&mut self, depth: usize, var: Var, visit: &Visit) {
        let name = self.var(var);
        match &visit.kind {
            VisitKind::Nothing => self.line(depth, "nothing"),
            VisitKind::Body(body) => self.steps(depth, &body.steps),
            VisitKind::Drain { workspace, body, .. } => {
                self.line(depth, format!("{name}: drains {}", self.tensor(*workspace)));
                self.steps(depth + 1, &body.steps);
            }
            VisitKind::AtPosition { walk, then, .. } => {
                self.line(depth, format!("at a position of {}", self.access(&walk.access)));
                self.visit(depth, var, then);
            }
            VisitKind::Search { access, presences } => {
                let access = std::slice::from_ref(access);
                self.line(depth, format!("searches {}", self.accesses(access)));
                self.presences(depth, var, access, presences);
            }
            VisitKind::Halves { part, halves, then } => {
                let compared = halves.iter().filter(|(_, found)| *found == Half::Compared);
                let names: Vec<&str> = compared.map(|(half, _)| self.var(*half)).collect();
                let compared =
                    if names.is_empty() { String::new() } else { format!(" if {}", names.join(", ")) };
                self.line(depth, format!("parts of {}{compared}", self.var(part.whole)));
                self.visit(depth, part.whole, then);
            }
            VisitKind::Pairs { walk, then } => {
                self.line(depth, format!("{name}: pairs that {} stores", self.access(&walk.access)));
                self.visit(depth + 1, var, then);
            }
            VisitKind::All { tasks, then, .. } => {
                self.line(depth, format!("{name}: all{}", self.tasks(tasks.as_deref())));
                self.visit(depth + 1, var, then);
            }
            VisitKind::Stored(plan) => {
                let which = match plan.positions {
                    StoredPositions::Segment | StoredPositions::Range => "what",
                    StoredPositions::One => "the one coordinate that",
                };
                let stored = self.access(&plan.access);
                let tasks = self.tasks(plan.tasks.as_deref());
                self.line(depth, format!("{}: {which} {stored} stores{tasks}", self.var(plan.var)));
                self.visit(depth + 1, plan.var, &plan.then);
            }
            VisitKind::Merge(plan) => {
                let operands = self.accesses(&plan.operands);
                let name = self.var(plan.var);
                match &plan.kind {
                    MergeKind::All(presences) => {
                        self.line(depth, format!("{name}: all, beside {operands}"));
                        self.presences(depth + 1, plan.var, &plan.operands, presences);
                    }
                    MergeKind::Intersect(then) => {
                        self.line(depth, format!("{name}: intersection of {operands}"));
                        self.visit(depth + 1, plan.var, then);
                    }
                    MergeKind::Any(then) => {
                        self.line(depth, format!("{name}: union of {operands}, looked at one by one"));
                        self.visit(depth + 1, plan.var, then);
                    }
                    MergeKind::Lattice(loops) => {
                        for planned in loops {
                            let own: Vec<Access> =
                                planned.point.iter().map(|number| plan.operands[*number].clone()).collect();
                            self.line(depth, format!("{name}: while {} have more", self.accesses(&own)));
                            self.cases(depth + 1, plan.var, &own, &planned.cases);
                        }
                    }
                }
            }
        }
    }

    fn presences(&mut self, depth: usize, var: Var, operands: &[Access], presences: &Presences) {
        match presences {
            Presences::Cases(cases) => self.cases(depth, var, operands, cases),
            Presences::AtRunTime(then) => self.visit(depth, var, then),
        }
    }

    fn cases(&mut self, depth: usize, var: Var, operands: &[Access], cases: &Cases) {
        match cases {
            Cases::Dead => self.line(depth, "nothing"),
            Cases::Visit(then) => self.visit(depth, var, then),
            Cases::Test { present, absent } => {
                let (first, others) = operands.split_first().expect("there is an operand for each test");
                let name = self.access(first);
                self.line(depth, format!("where {name} is stored"));
                self.cases(depth + 1, var, others, present);
                if !matches!(**absent, Cases::Dead) {
                    self.line(depth, format!("where {name} is not stored"));
                    self.cases(depth + 1, var, others, absent);
                }
            }
        }
    }
}

/// Where a value goes.
fn words(target: AssignTarget) -> &'static str {
    match target {
        AssignTarget::DenseWorkspace => "in the array",
        AssignTarget::Appended => "appended",
        AssignTarget::Collected => "collected",
        AssignTarget::SamePattern => "at the operand's position",
        AssignTarget::Carried => "carried",
        AssignTarget::Dense => "at its position",
    }
}
